"""Joining, splitting, moving and choosing under torch's argument names."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.dtype import int64
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.comparison import functions as comparison
from msbridge.ops.creation import functions as creation
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.families import Number, many, unary_with
from msbridge.ops.indexing import functions as indexing
from msbridge.ops.joining import functions as joining
from msbridge.ops.reshaping import functions as reshaping
from msbridge.ops.sorting import functions as sorting


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Put tensors one behind the other along an axis.

    Follows: mindspore.mint.cat (2.10).
    """
    return joining.concat(tensors, dim)


concat = cat


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Put tensors along a new axis.

    Follows: mindspore.mint.stack (2.10).
    """
    return joining.stack(tensors, dim)


def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into parts of one length, or of the lengths given.

    Follows: mindspore.mint.split (2.10).
    """
    return joining.split(tensor, split_size_or_sections, dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into so many parts.

    Follows: mindspore.mint.chunk (2.10).
    """
    return joining.chunk(input, chunks, dim)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Join axes into one.

    Follows: mindspore.mint.flatten (2.10).
    """
    return reshaping.flatten(input, "C", start_dim=start_dim, end_dim=end_dim)


def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Bring the axes into this order; a view.

    Follows: mindspore.mint.permute (2.10).
    """
    return reshaping.permute(input, dims)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two axes; a view.

    Follows: mindspore.mint.transpose (2.10).
    """
    return reshaping.swapaxes(input, dim0, dim1)


def squeeze(input: Tensor, dim: int | Sequence[int]) -> Tensor:
    """Drop axes of length 1.

    Follows: mindspore.mint.squeeze (2.10).
    """
    return unary_with(torch.squeeze, "squeeze", input, dim if isinstance(dim, int) else tuple(dim))


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Take a stretch along an axis; a view.

    Follows: mindspore.mint.narrow (2.10).
    """
    return reshaping.narrow(input, dim, start, length)


def repeat_interleave(
    input: Tensor, repeats: int | Sequence[int] | Tensor, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat each element along an axis; None flattens.

    Follows: mindspore.mint.repeat_interleave (2.10).
    """
    return joining.repeat_interleave(input, repeats, dim)


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Take one slice along an axis; a view.

    Follows: mindspore.mint.select (2.10).
    """
    return unary_with(torch.select, "select", input, dim, index)


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take single elements, each at its place except along an axis.

    Follows: mindspore.mint.gather (2.10).
    """
    return indexing.gather_elements(input, dim, index)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take slices along an axis.

    Follows: mindspore.mint.index_select (2.10).
    """
    return indexing.index_select(input, dim, index)


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


def where(condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None) -> Any:
    """Choose from `input` where `condition` is true, else from `other`; alone, give where it is true.

    Follows: mindspore.mint.where (2.10).
    """
    if input is None or other is None:
        return indexing.nonzero(condition, as_tuple=True)
    return indexing.where(condition, input, other)


def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along an axis: (values, indices), indices Int64. Equal elements keep their order.

    Follows: mindspore.mint.sort (2.10).
    """
    values, indices = sorting.sort(input, dim, descending)
    return values, elementwise.cast(indices, int64)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Give the places that sort along an axis, Int64.

    Follows: mindspore.mint.argsort (2.10).
    """
    return elementwise.cast(sorting.argsort(input, dim, descending), int64)


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """Give the `k` largest (or smallest) elements along an axis: (values, indices), indices Int64.

    Follows: mindspore.mint.topk (2.10).
    """
    values, indices = sorting.topk(input, k, dim, largest, sorted)
    return values, elementwise.cast(indices, int64)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Give the k-th smallest element along an axis: (values, indices), indices Int64.

    Follows: mindspore.mint.kthvalue (2.10).
    """
    values, indices = sort(input, dim=dim)
    kth = [narrow(each, dim, k - 1, 1) for each in (values, indices)]
    return tuple(each if keepdim else squeeze(each, dim) for each in kth)  # type: ignore[return-value]


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Give the distinct elements; with `return_inverse` and `return_counts` where and how many, too.

    Follows: mindspore.mint.unique (2.10).
    """
    return sorting.unique_method(input, sorted, return_inverse, return_counts, dim)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Spread vectors over a grid, by default with the axes in their order ("ij").

    Follows: mindspore.mint.meshgrid (2.10).
    """
    return creation.meshgrid(*tensors, indexing=indexing or "ij")


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Give the diagonal of a matrix, or make a matrix of a diagonal.

    Follows: mindspore.mint.diag (2.10).
    """
    return unary_with(torch.diag, "diag", input, diagonal)


def equal(input: Tensor, other: Tensor) -> bool:
    """Say whether shape and all elements are equal.

    Follows: mindspore.mint.equal (2.10).
    """
    return input.shape == other.shape and bool(comparison.equal(input, other)._data.all())


def item(input: Tensor) -> Any:
    """Give the only element as a Python number.

    Follows: mindspore.mint.item (2.10).
    """
    return input.item()


def clone(input: Tensor) -> Tensor:
    """Give a Tensor of the same values in memory of its own; gradients flow through.

    Follows: mindspore.mint.clone (2.10).
    """
    return wrap(input._data.clone())
