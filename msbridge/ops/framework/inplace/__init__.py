"""Operators that write into their first argument and return it."""
