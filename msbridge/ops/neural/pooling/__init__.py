"""Pooling: the largest, the mean or a norm of each window, and its inverse."""
