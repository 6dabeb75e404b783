"""Extremes, medians and quantiles along axes."""
