"""`mindspore.scipy`: linear algebra, discrete cosine transforms and optimization under scipy's names."""

from msbridge.core.releases import overrides
from msbridge.core.tensor import argument_checks
from msbridge.scipy import fft, linalg, ops, optimize, sparse

__all__ = ["fft", "linalg", "ops", "optimize", "sparse"]
overrides.follow("scipy", argument_checks.checking)
