"""Tensors and functions divided over processes, and functions as primitives of a divided network."""
