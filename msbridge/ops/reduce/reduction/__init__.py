"""Reductions: sums, means, extremes, any and all, deviations, and where the extremes are."""
