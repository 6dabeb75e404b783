"""Distances between rows and vectors, and the rescaling of what is too long."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import (
    binary_same,
    unary_with,
)
from msbridge.ops.linalg.products_and_norms import kernels


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """Return the p-norm distances between the rows of two matrices.

    Args:
        x1: shape (..., n, m); floats.
        x2: shape (..., k, m).
        p: the order of the norm, at least 0; inf for the largest difference.

    Returns:
        A Tensor of shape (..., n, k) and the dtype of `x1`.

    Follows: mindspore.ops.cdist (2.10).
    """
    return binary_same(lambda left, right: kernels.distances(left, right, float(p)), "cdist", x1, x2)


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Return the p-norm distances between the rows of a matrix, each pair once.

    Args:
        input: shape (..., n, m); floats.
        p: the order of the norm, at least 0; inf for the largest difference.

    Returns:
        A Tensor of shape (..., n·(n - 1) / 2) and the dtype of `input`.

    Follows: mindspore.ops.pdist (2.10).
    """
    return unary_with(kernels.distances_of_pairs, "pdist", input, p)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Return the p-norm of `input - other`.

    Args:
        input: any shape; floats.
        other: broadcasts against `input`.
        p: the order of the norm.

    Returns:
        A 0-d Tensor of their dtype.

    Follows: mindspore.ops.dist (2.10).
    """
    return binary_same(lambda left, right: torch.dist(left, right, p), "dist", input, other)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """Return the cosine of the angle between vectors along an axis.

    Args:
        x1: any shape; floats.
        x2: broadcasts against `x1`.
        dim: along which axis, in [-rank, rank).
        eps: the least product of lengths that is divided by.

    Returns:
        A Tensor of the broadcast shape without the axis.

    Follows: mindspore.ops.cosine_similarity (2.10).
    """
    return binary_same(lambda left, right: torch.cosine_similarity(left, right, dim, eps), "cosine_similarity", x1, x2)


def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """Scale the slices along `axis` down whose p-norm is above `maxnorm`.

    Args:
        input: at least two axes; floats.
        p: the order of the norm, positive.
        axis: which axis numbers the slices, in [-rank, rank).
        maxnorm: the largest norm of a slice.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.renorm (2.10).
    """
    return unary_with(torch.renorm, "renorm", input, p, axis, maxnorm)
