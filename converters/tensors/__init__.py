"""Tensors: their bytes, element types and axes, and the steps that make one of others."""
