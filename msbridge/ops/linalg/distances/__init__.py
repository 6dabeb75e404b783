"""Distances between rows and vectors, and the rescaling of what is too long."""
