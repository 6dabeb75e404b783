"""Bands of diagonals: into matrices, out of them, and written over them."""
