"""Reductions, running sums, counts, sorting, segments."""
