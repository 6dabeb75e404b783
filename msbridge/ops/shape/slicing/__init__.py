"""Slices along axes."""
