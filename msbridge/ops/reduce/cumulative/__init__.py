"""What depends on the order of elements along an axis: running sums and extremes, differences, counts in bins."""
