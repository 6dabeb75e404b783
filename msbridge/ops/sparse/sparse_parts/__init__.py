"""Sparse tensors of their parts."""
