"""Segments of sorted numbers, reduced to one slice each."""
