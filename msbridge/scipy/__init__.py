"""`mindspore.scipy`: linear algebra, discrete cosine transforms and optimization under scipy's names."""

from msbridge.scipy import fft, linalg, ops, optimize, sparse

__all__ = ["fft", "linalg", "ops", "optimize", "sparse"]
