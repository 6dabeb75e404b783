"""Collective and point-to-point operations: on torch tensors, as primitives, as functions."""
