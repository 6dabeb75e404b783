"""Operators on Python's numbers, texts, tuples, lists and dicts, as primitives."""
