"""Primitives that are other forms of functions, and views.

Follows: mindspore.ops.LogSoftmaxExt, MoveTo, Reusing, TransposeExtView, TypeAs, SelectView, TransShape (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.device_placement.functions import move_to
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import derive


def _log_softmax(input: Tensor, dim: int | None = None, dtype: Type | None = None) -> Tensor:
    """Return the logarithm of softmax along `dim`: by default the first of 1 or 3 axes, else the second.

    Args:
        input: shape (..., n, ...); floats.
        dim: which axis is n, in [-rank, rank).
        dtype: what to cast `input` to first; None keeps.

    Returns:
        A Tensor of the shape of `input`; its dtype, or `dtype`.
    """

    def logarithm(data: torch.Tensor) -> torch.Tensor:
        axis = (0 if data.dim() in (0, 1, 3) else 1) if dim is None else dim
        return torch.log_softmax(data, axis, dtype=None if dtype is None else dtype.torch)

    return call_kernel(logarithm, "LogSoftmaxExt", input)  # type: ignore[no-any-return]


def _reuse(x: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function; it marks for a compiler that it is not to be inlined.

    Args:
        x: a function.

    Returns:
        `x` itself.
    """
    return x


def _transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two axes exchanged.

    Args:
        input: any shape and dtype.
        dim0: one axis, in [-rank, rank).
        dim1: the other.

    Returns:
        A view of the dtype of `input`.
    """
    return call_kernel(lambda data: data.transpose(dim0, dim1), "TransposeExtView", input)  # type: ignore[no-any-return]


def _select(input: Tensor, index: int, axis: int) -> Tensor:
    """Return a view of one index of an axis.

    Args:
        input: at least one axis.
        index: which slice.
        axis: which axis, in [-rank, rank).

    Returns:
        A view without the axis, of the dtype of `input`.
    """
    return call_kernel(lambda data: data.select(axis, index), "SelectView", input)  # type: ignore[no-any-return]


def _type_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input` in the type of `other`."""
    return call_kernel(lambda data, like: data.to(like.dtype), "TypeAs", input, other)  # type: ignore[no-any-return]


def _reshape(input_x: Tensor, out_shape: Sequence[int]) -> Tensor:
    """Return the elements in another shape."""
    return call_kernel(lambda data: data.reshape(plain_shape(out_shape)), "TransShape", input_x)  # type: ignore[no-any-return]


def _copy(x: Tensor, y: Tensor) -> Tensor:
    """Write `y` to `x`, which may be a view, and return it.

    Args:
        x: changed in place.
        y: broadcasts to `x`.

    Returns:
        `x` itself.
    """
    try:
        overwrite(x, y._data.expand(x._data.shape))
        return x
    except Exception as error:
        raise explain(error, "CopyWithSlice", x=x, y=y) from error


def _update_state(u_state: Any, value: Any) -> Any:
    """Return the first input: the order of effects is that of the script.

    Args:
        u_state: anything.
        value: anything.

    Returns:
        `u_state` itself.
    """
    return u_state


DERIVED = (
    derive("CopyWithSlice", _copy),
    derive("LogSoftmaxExt", _log_softmax),
    derive("MoveTo", move_to),
    derive("Reusing", _reuse),
    derive("SelectView", _select),
    derive("TransShape", _reshape),
    derive("TransposeExtView", _transpose),
    derive("TypeAs", _type_as),
    derive("UpdateState", _update_state),
)
