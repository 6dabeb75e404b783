"""Discrete cosine transforms of the second kind, orthonormal: the only ones that MindSpore computes."""

from msbridge.ops.linalg.signal_transforms.cosines import dct, dctn, idct, idctn

__all__ = ["dct", "dctn", "idct", "idctn"]
