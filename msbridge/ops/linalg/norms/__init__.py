"""Norms of vectors and matrices."""
