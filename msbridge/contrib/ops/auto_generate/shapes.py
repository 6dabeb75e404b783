"""Views, copies and new tensors.

Follows: mindspore.ops.auto_generate (2.10); what its CPU build does not compute is tested against numpy or torch.
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.faces import face
from msbridge.ops.framework.control import functions as control
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.framework.creation import kernels
from msbridge.ops.framework.device_placement import methods as devices
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, call_kernel, plain_shape, unary, unary_with
from msbridge.ops.shape.slicing import functions as slicing

Size = int | tuple[int, ...] | list[int]


shape_ = face("shape_", control.shape, "x")
tensor_slice = face("tensor_slice", slicing.slice, "input begin size")


def zeros_like(x: Tensor) -> Tensor:
    """Return zeros of the shape and dtype of `x`.

    Follows: mindspore.ops.composite.zeros_like (2.10).
    """
    return creation.zeros_like(x)


copy = define(unary, torch.clone, "Return a copy with memory of its own.", name="copy", op="Copy")


def view(input: Tensor, shape: Size) -> Tensor:
    """Return the elements in another shape, in the same memory.

    Follows: mindspore.ops.auto_generate.View (2.10).
    """
    return unary_with(torch.Tensor.view, "View", input, plain_shape(shape))


def view_dtype(input: Tensor, dtype: Type) -> Tensor:
    """Return the same bytes as elements of another dtype; the last axis grows or shrinks by the quotient of the sizes.

    Follows: mindspore.ops.auto_generate.ViewDtype (2.10).
    """
    return unary_with(torch.Tensor.view, "ViewDtype", input, torch_of(dtype))


def as_strided(input: Tensor, size: Size, stride: Size, storage_offset: int = 0) -> Tensor:
    """Return a view of the memory with these sizes and strides, counted in elements.

    Follows: mindspore.ops.auto_generate.AsStrided (2.10).
    """
    return unary_with(torch.as_strided, "AsStrided", input, plain_shape(size), plain_shape(stride), storage_offset)


def slice_ext(input: Tensor, dim: int, start: int, end: int, step: int) -> Tensor:
    """Return every `step`-th slice along an axis, from `start` to before `end`.

    Follows: mindspore.ops.auto_generate.SliceExt (2.10).
    """

    def run(data: torch.Tensor) -> torch.Tensor:
        places: list[slice] = [slice(None)] * data.dim()
        places[dim] = slice(start, end, step)
        return data[tuple(places)]

    return call_kernel(run, "SliceExt", input)  # type: ignore[no-any-return]


def sequence_concat(x: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along an axis.

    Follows: mindspore.ops.auto_generate.sequence_concat (2.10).
    """
    return call_kernel(lambda *datas: torch.cat(datas, axis), "SequenceConcat", *x)  # type: ignore[no-any-return]


def tuple_to_tensor(input_tuple: Sequence[Any], dtype: Type | None = None) -> Tensor:
    """Return numbers as a vector; of `dtype`, or of what the first of them has: Int64, Float32 or Bool.

    Follows: mindspore.ops.auto_generate.TupleToTensor (2.10).
    """
    return Tensor(list(input_tuple), dtype)


def repeat(input: Tensor, repeats: Size) -> Tensor:
    """Return the tensor side by side with itself, as many times along each axis as `repeats` says.

    Follows: mindspore.ops.auto_generate.Repeat (2.10).
    """
    return unary_with(torch.Tensor.repeat, "Repeat", input, plain_shape(repeats))


def repeat_interleave_grad(input: Tensor, repeats: Tensor, dim: int) -> Tensor:
    """Return the gradient of `repeat_interleave`: the sums of what came from the same slice.

    Follows: mindspore.ops.auto_generate.RepeatInterleaveGrad (2.10).
    """

    def run(dout: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        counts = counts.reshape(-1)
        slices = counts.numel() if counts.numel() > 1 else dout.shape[dim] // int(counts)
        sizes = list(dout.shape)
        sizes[dim] = slices
        owners = torch.repeat_interleave(torch.arange(slices, device=dout.device), counts.to(dout.device))
        return dout.new_zeros(sizes).index_add(dim, owners, dout)

    return call_kernel(run, "RepeatInterleaveGrad", input, repeats)  # type: ignore[no-any-return]


def transpose_batch_matmul_transpose(
    input: Tensor,
    weight: Tensor,
    perm_in: Size,
    perm_out: Size,
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Tensor:
    """Return the product of batches of matrices, with the axes permuted before and after.

    Args:
        input: its axes are put in the order of `perm_in` first.
        weight: batches of matrices.
        perm_in: where the axes of the left factor come from.
        perm_out: where the axes of the product come from.
        transpose_a: whether the left matrices are transposed then.
        transpose_b: whether the right ones are.

    Follows: mindspore.ops.auto_generate.TransposeBatchMatmulTranspose (2.10).
    """

    def run(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        left = left.permute(plain_shape(perm_in))
        left, right = (left.mT if transpose_a else left), (right.mT if transpose_b else right)
        return (left @ right).permute(plain_shape(perm_out))

    return call_kernel(run, "TransposeBatchMatmulTranspose", input, weight)  # type: ignore[no-any-return]


def empty(size: Size, dtype: Type | None = None, device: str | None = None, pin_memory: bool = False) -> Tensor:
    """Return a tensor whose elements are not set, as `mint.empty`.

    Follows: mindspore.ops.auto_generate.Empty (2.10).
    """
    return kernels.empty(size, dtype=dtype, device=device, pin_memory=pin_memory)


def empty_like(input: Tensor, dtype: Type | None = None, device: str | None = None, pin_memory: bool = False) -> Tensor:
    """Return a tensor of the same shape, and the same dtype where none is given, whose elements are not set.

    Follows: mindspore.ops.auto_generate.EmptyLike (2.10).
    """
    return empty(input.shape, dtype or input.dtype, device, pin_memory)


def new_empty(input: Tensor, size: Size, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Return a tensor of another shape, and the same dtype where none is given, whose elements are not set.

    Follows: mindspore.ops.auto_generate.NewEmpty (2.10).
    """
    return empty(size, dtype or input.dtype, device)


def fill(size: Size, fill_value: Number | Tensor, dtype: Type | None = None) -> Tensor:
    """Return a tensor of one value.

    Args:
        size: its shape.
        fill_value: a number, or a Tensor that holds one.
        dtype: None for what the value has: Int64, Float32, Bool, or the Tensor's.

    Follows: mindspore.ops.auto_generate.FillScalar, FillTensor (2.10).
    """

    def run(value: torch.Tensor | Number) -> torch.Tensor:
        if isinstance(value, torch.Tensor):
            kind = value.dtype if dtype is None else torch_of(dtype)
            return value.reshape(()).to(kind).repeat(plain_shape(size))
        return torch.full(plain_shape(size), value, dtype=torch_of(dtype), device=torch_device())

    return call_kernel(run, "Fill", fill_value)  # type: ignore[no-any-return]


def to_dtype(input: Tensor, dtype: Type | None = None, non_blocking: bool = False, copy: bool = False) -> Tensor:
    """Return the elements in another dtype; the tensor itself where that is its own and no copy is asked for.

    Follows: mindspore.ops.auto_generate.ToDtype (2.10).
    """
    return _move("ToDtype", input, input._data.device, torch_of(dtype) or input._data.dtype, non_blocking, copy)


def to_device(
    input: Tensor,
    device: str | None = None,
    dtype: Type | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:
    """Return the elements on another device and in another dtype, as `Tensor.to`.

    Follows: mindspore.ops.auto_generate.ToDevice (2.10).
    """
    return devices.to(input, device=device, dtype=dtype, non_blocking=non_blocking, copy=copy)


def to_other(input: Tensor, other: Tensor, non_blocking: bool = False, copy: bool = False) -> Tensor:
    """Return the elements with dtype and device of `other`.

    Follows: mindspore.ops.auto_generate.ToOther (2.10).
    """
    return _move("ToOther", input, other._data.device, other._data.dtype, non_blocking, copy)


def _move(op: str, input: Tensor, device: torch.device, dtype: torch.dtype, non_blocking: bool, copy: bool) -> Tensor:
    return call_kernel(  # type: ignore[no-any-return]
        lambda data: data.to(device, dtype, non_blocking=non_blocking, copy=copy), op, input
    )


def tensor_copy_slices(x: Tensor, value: Tensor, begin: Size, end: Size, strides: Size) -> Tensor:
    """Return `x` with `value` in the slices from `begin` to before `end`, one of each for the leading axes.

    Follows: mindspore.ops.auto_generate.TensorCopySlices (2.10).
    """

    def run(data: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        found = data.clone()
        found[tuple(map(slice, plain_shape(begin), plain_shape(end), plain_shape(strides)))] = new
        return found

    return call_kernel(run, "TensorCopySlices", x, value)  # type: ignore[no-any-return]


def inplace_stop_gradient(input: Tensor) -> Tensor:
    """Cut the tensor off from what it was computed of: no gradient goes through it any more.

    Follows: mindspore.ops.auto_generate.inplace_stop_gradient (2.10).
    """
    input._data = input._data.detach()
    return input
