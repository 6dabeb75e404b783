"""Dtypes, their promotion, and symbolic shapes."""
