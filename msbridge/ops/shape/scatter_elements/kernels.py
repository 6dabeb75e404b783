"""Computations that the faces of placing share."""
