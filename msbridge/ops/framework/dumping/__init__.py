"""Tensors and gradients written to .npy files on the way."""
