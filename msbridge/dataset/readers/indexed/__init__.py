"""Readers with random access: each finds a row by its index."""
