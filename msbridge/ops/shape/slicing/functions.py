"""Slices along axes, by their beginnings and sizes or ends."""

import builtins
from collections.abc import Sequence

import torch

from msbridge.core.tensor import indexing
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import rearrange
from msbridge.ops.kernel_calls.families import plain_shape

builtin_slice = builtins.slice
Ints = Sequence[int] | Tensor


def slice(input_x: Tensor, begin: Ints, size: Ints) -> Tensor:
    """Take `size[i]` elements from `begin[i]` on, along each axis; size -1 takes the rest. A view.

    Args:
        input_x: any shape and dtype.
        begin: where each axis begins: as many ints as there are axes.
        size: how many elements of each.

    Returns:
        A Tensor of shape `size` and the dtype of `input_x`.

    Raises:
        ValueError: the range leaves the tensor.

    Follows: mindspore.ops.slice (2.10).
    """
    return rearrange(_slice, "slice", input_x, begin, size)


def strided_slice(
    input_x: Tensor,
    begin: Ints,
    end: Ints,
    strides: Ints,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Slice along the leading axes, with steps.

    Args:
        input_x: the Tensor.
        begin: the first element along each axis; negative counts from the end.
        end: where to stop, exclusive.
        strides: the steps; negative walks backwards.
        begin_mask: bit i: ignore `begin[i]`.
        end_mask: bit i: ignore `end[i]`.
        ellipsis_mask: bit i: entry i represents as many axes as are left.
        new_axis_mask: bit i: entry i is a new axis.
        shrink_axis_mask: bit i: take one element at `begin[i]` and drop the axis.

    Returns:
        A Tensor of the dtype of `input_x`.

    Raises:
        ValueError: a step is 0.

    Follows: mindspore.ops.strided_slice (2.10).
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return rearrange(_strided_slice, "strided_slice", input_x, begin, end, strides, masks)


def _slice(data: torch.Tensor, begin: Ints, size: Ints) -> torch.Tensor:
    for axis, (start, length) in enumerate(zip(plain_shape(begin), plain_shape(size), strict=True)):
        whole = data.size(axis)
        if start < 0 or start + length > whole or length < -1:
            raise ValueError(f"begin {start} and size {length} leave axis {axis}, of length {whole}.")
        data = data.narrow(axis, start, whole - start if length == -1 else length)
    return data


def _strided_slice(data: torch.Tensor, begin: Ints, end: Ints, strides: Ints, masks: tuple[int, ...]) -> torch.Tensor:
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask = masks
    index: list = []
    for i, (start, stop, step) in enumerate(
        zip(plain_shape(begin), plain_shape(end), plain_shape(strides), strict=True)
    ):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(start)
        else:
            first = None if begin_mask & bit else start
            index.append(builtin_slice(first, None if end_mask & bit else stop, step))
    return indexing.get(data, tuple(index))
