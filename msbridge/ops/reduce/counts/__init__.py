"""Counts and comparisons of integers and sequences."""
