"""The base of distributions and bijectors."""
