"""Transforms of signals and matrices: Fourier, logarithm, least squares, tridiagonal products, incomplete beta."""
