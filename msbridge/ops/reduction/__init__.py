"""Reductions: sums, means, extremes, truth, deviations, and where the extremes are."""
