"""Primitives of the collective operations."""
