"""Operators of THOR, the second-order optimizer: patches of images, blocks of matrices, inverse factors."""
