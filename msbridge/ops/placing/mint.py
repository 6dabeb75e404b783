"""Functions of `mint` under torch's argument names."""

import torch

from msbridge.core.tensor import Tensor
from msbridge.ops.families import Number, many


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
    """Add slices of `source` where `index` says along an axis, into a copy.

    Follows: mindspore.mint.index_add (2.10).
    """
    return many(lambda data: torch.index_add(data[0], dim, *data[1:], alpha=alpha), "index_add", (input, index, source))


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor | Number) -> Tensor:
    """Write single elements of `src` into a copy, each at its place except along an axis.

    Follows: mindspore.mint.scatter (2.10).
    """
    source = src._data if isinstance(src, Tensor) else src
    return many(lambda data: torch.scatter(data[0], dim, data[1].long(), source), "scatter", (input, index))


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add single elements of `src` into a copy, each at its place except along an axis.

    Follows: mindspore.mint.scatter_add (2.10).
    """
    return many(
        lambda data: torch.scatter_add(data[0], dim, data[1].long(), data[2]), "scatter_add", (input, index, src)
    )
