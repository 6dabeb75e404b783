"""Operators that write into their first argument and give it back."""
