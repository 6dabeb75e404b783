"""Sampling: which rows of a reader are read, and in which order."""
