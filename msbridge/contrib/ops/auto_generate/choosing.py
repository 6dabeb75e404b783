"""Distinct and nonzero elements, largest ones of windows, and places that tensors name."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.checks.arguments import one_of, per_axis
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32, int64
from msbridge.ops.kernel_calls.families import call_kernel, unary
from msbridge.ops.neural.pooling import mint_functional as pooling
from msbridge.ops.shape.gather_and_select import functions as indexing

Sizes = int | tuple[int, ...]


def unique2(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the distinct elements, where each element is among them, and how many there are of each.

    The last two are empty where they are not asked for; the elements are sorted in any case.

    Follows: mindspore.ops.auto_generate.Unique2 (2.10).
    """

    def run(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch_private.unique2(data, sorted, return_inverse, return_counts)

    return call_kernel(run, "Unique2", input)  # type: ignore[no-any-return]


def inner_unique(input: Tensor, sorted: bool = True, return_inverse: bool = False) -> tuple[Tensor, Tensor]:
    """Return the distinct elements and, where it is asked for, where each element is among them; else empty.

    Follows: mindspore.ops.auto_generate.InnerUnique (2.10).
    """
    return unique2(input, sorted, return_inverse)[:2]


def unique_dim(input: Tensor, sorted: bool, return_inverse: bool, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the distinct slices along an axis, sorted, where each is among them, and how many there are of each.

    The places are empty where they are not asked for.

    Follows: mindspore.ops.auto_generate.UniqueDim (2.10).
    """
    one_of(sorted, "sorted", "UniqueDim", (True, False))

    def run(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values, places, counts = torch.unique(data, True, True, True, dim)
        return values, places if return_inverse else places[:0], counts

    return call_kernel(run, "UniqueDim", input)  # type: ignore[no-any-return]


def non_zero_ext(input: Tensor) -> Any:
    """Return the places of what is not zero: a tensor for each axis.

    Follows: mindspore.ops.auto_generate.NonZeroExt (2.10).
    """
    return indexing.nonzero(input, as_tuple=True)


def inner_non_zero(input: Tensor) -> Tensor:
    """Return the places of what is not zero, shape (axes, places).

    Follows: mindspore.ops.auto_generate.InnerNonZero (2.10).
    """
    return unary(lambda data: torch.nonzero(data).T.contiguous(), "InnerNonZero", input)


def inner_index(input: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Return the elements at places that a tensor for each axis names.

    Follows: mindspore.ops.auto_generate.InnerIndex (2.10).
    """
    return unary(lambda data: data[tuple(one._data for one in indices)], "InnerIndex", input)


def inner_inplace_index_put(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Write values, or add them, at places that a tensor for each axis names, in place.

    Follows: mindspore.ops.auto_generate.InnerInplaceIndexPut (2.10).
    """
    input._data.index_put_(tuple(one._data for one in indices), values._data.to(input._data.dtype), accumulate)
    return input


def median_dim(input: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the medians along an axis, the lower one of two, and where they are.

    Follows: mindspore.ops.auto_generate.MedianDim (2.10).
    """
    return call_kernel(lambda data: torch.median(data, dim, keepdim), "MedianDim", input)  # type: ignore[no-any-return]


def adaptive_max_pool1d(input: Tensor, output_size: int | Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return `output_size` maxima over the last axis, and where they are.

    Follows: mindspore.ops.auto_generate.AdaptiveMaxPool1D (2.10).
    """
    size = output_size if isinstance(output_size, int) else output_size[0]
    return pooling.adaptive_max_pool1d(input, size, True)  # type: ignore[no-any-return]


def func_max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = (1, 1),
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the largest elements of windows of the last two axes, and where they are; both in any case.

    Follows: mindspore.ops.auto_generate.FuncMaxPool2D (2.10).
    """
    one_of(return_indices, "return_indices", "FuncMaxPool2D", (True, False))
    return pooling.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)  # type: ignore[no-any-return]


def max_pool_with_indices(
    x: Tensor,
    kernel_size: Sizes = 1,
    strides: Sizes | None = None,
    pads: Sizes = 0,
    dilation: Sizes = (1, 1),
    ceil_mode: bool = False,
    argmax_type: Type = int64,
) -> tuple[Tensor, Tensor]:
    """Return the largest elements of windows of the last two axes, and where they are in the image, counted by rows.

    Args:
        x: shape (N, C, H, W).
        kernel_size: of the window.
        strides: between windows; None for `kernel_size`.
        pads: around the image.
        dilation: between the elements of a window.
        ceil_mode: whether windows that end outside count.
        argmax_type: of the places, int32 or int64.

    Raises:
        ValueError: another dtype of the places; sizes that do not fit.

    Follows: mindspore.ops.auto_generate.MaxPoolWithIndices (2.10).
    """
    kind = one_of(argmax_type, "argmax_type", "MaxPoolWithIndices", (int32, int64))
    values, places = pooling.max_pool2d(x, kernel_size, strides, pads, dilation, ceil_mode, True)
    return values, places.astype(kind)


def max_pool_grad_with_indices(
    x: Tensor,
    grad: Tensor,
    argmax: Tensor,
    kernel_size: Sizes = 1,
    strides: Sizes | None = None,
    pads: Sizes = 0,
    dilation: Sizes = (1, 1),
    ceil_mode: bool = False,
    argmax_type: Type = int64,
) -> Tensor:
    """Return the gradient of `max_pool_with_indices`: `grad` where `argmax` says, added up.

    The settings are those of `max_pool_with_indices`.

    Follows: mindspore.ops.auto_generate.MaxPoolGradWithIndices (2.10).
    """
    one_of(argmax_type, "argmax_type", "MaxPoolGradWithIndices", (int32, int64))

    def run(image: torch.Tensor, seed: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        given = (kernel_size, strides or kernel_size, pads, dilation)
        sizes = (per_axis(one, "size", "MaxPoolGradWithIndices", 2, None) for one in given)
        kernel = torch.ops.aten.max_pool2d_with_indices_backward
        return kernel(seed, image, *sizes, ceil_mode, places.long())  # type: ignore[no-any-return]

    return call_kernel(run, "MaxPoolGradWithIndices", x, grad, argmax)  # type: ignore[no-any-return]
