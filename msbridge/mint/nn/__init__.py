"""Functions of layers under torch's argument names."""

from msbridge.mint.nn import functional

__all__ = ["functional"]
