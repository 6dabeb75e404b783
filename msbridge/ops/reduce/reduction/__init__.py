"""Reductions: sums, means, any and all, and deviations; the primitives and methods of the extremes are here as well."""
