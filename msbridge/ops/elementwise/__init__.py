"""Operators that compute each element by itself, or two elements at the same place."""
