"""Cumulative operators: running sums and extremes, differences, counts in bins."""
