"""Functions of `mint` under torch's argument names."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import Number, many
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
    """Add slices of `source` where `index` says along an axis, into a copy.

    Follows: mindspore.mint.index_add (2.10).
    """
    return with_common_dtype(_index_add, input, dim, index, source, alpha)


def _index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number) -> Tensor:
    return many(lambda data: torch.index_add(data[0], dim, *data[1:], alpha=alpha), "index_add", (input, index, source))


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor | Number) -> Tensor:
    """Write single elements of `src` into a copy, each at its place except along an axis.

    Follows: mindspore.mint.scatter (2.10).
    """
    if isinstance(src, Tensor):
        return many(lambda data: torch.scatter(data[0], dim, data[1].long(), data[2]), "scatter", (input, index, src))
    return many(lambda data: torch.scatter(data[0], dim, data[1].long(), src), "scatter", (input, index))


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add single elements of `src` into a copy, each at its place except along an axis.

    Follows: mindspore.mint.scatter_add (2.10).
    """
    return many(
        lambda data: torch.scatter_add(data[0], dim, data[1].long(), data[2]), "scatter_add", (input, index, src)
    )
