"""Grids and combinations of vectors."""
