"""Computations that the faces of control share."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.context.context import torch_device
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import unary


def hook_backward(value: Tensor, hook: Any) -> Tensor:
    """Return the same values; `hook` is called with their gradient, and what it returns (if anything) replaces it.

    Follows: mindspore.ops.HookBackward, mindspore.ops.InsertGradientOf (2.10).
    """
    data = value._data.view_as(value._data)

    def on_torch(gradient: torch.Tensor) -> torch.Tensor | None:
        result = hook(wrap(materialize(gradient)))
        result = result[0] if isinstance(result, tuple) else result
        if isinstance(result, int | float):
            return torch.full_like(gradient, result)
        if result is not None and not isinstance(result, Tensor):
            raise TypeError(f"A hook must return a Tensor or None, but returned a {type(result).__name__}.")
        return None if result is None else result._data

    if data.requires_grad:
        data.register_hook(on_torch)
    return wrap(data)


def hook_several(values: tuple[Tensor, ...], hook: Any) -> tuple[Tensor, ...]:
    """Return the same values; `hook` is called once with a tuple of their gradients, and what it returns replaces them.

    Follows: mindspore.ops.HookBackward (2.10).
    """
    results = _Hooked.apply(hook, *(value._data for value in values))  # type: ignore[no-untyped-call]
    return tuple(wrap(data) for data in results)


class _Hooked(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hook: Any, *datas: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.hook = hook
        return tuple(data.view_as(data) for data in datas)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        replaced = ctx.hook(tuple(wrap(gradient) for gradient in gradients))
        if replaced is None:
            return None, *gradients
        if not isinstance(replaced, tuple) or len(replaced) != len(gradients):
            raise TypeError(
                f"For 'HookBackward', the hook must return None or {len(gradients)} gradients in a tuple, "
                f"got {type(replaced).__name__}."
            )
        return None, *(None if one is None else one._data for one in replaced)


def check_numerics(x: Tensor) -> Tensor:
    """Return `x` if all its elements are finite.

    Args:
        x: any shape; floats.

    Returns:
        `x` itself.

    Raises:
        RuntimeError: one is infinite or NaN.

    Follows: mindspore.ops.CheckNumerics (2.10).
    """
    if not bool(torch.isfinite(x._data).all()):
        raise RuntimeError("For 'CheckNumerics', an element of the tensor is infinite or NaN.")
    return x


def check_that(condition: Tensor | bool, input_data: Sequence[Any], summarize: int = 3) -> None:
    """Refuse to continue if `condition` is false.

    Args:
        condition: a Tensor of one element, or a bool.
        input_data: values that the message shows.
        summarize: how many elements of each are shown.

    Returns:
        None.

    Raises:
        RuntimeError: `condition` is false.

    Follows: mindspore.ops.Assert (2.10).
    """
    if not bool(condition):
        shown = [
            value._data.flatten()[:summarize].tolist() if isinstance(value, Tensor) else value for value in input_data
        ]
        raise RuntimeError(f"For 'Assert', the condition is false; input data: {shown}.")


def identity(x: Tensor) -> Tensor:
    """Return a Tensor of the same values in memory of its own: writing into it leaves `x` as it is.

    Args:
        x: any shape and dtype.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.Identity (2.10).
    """
    return unary(_contiguous_copy, "Identity", x)


def _contiguous_copy(data: torch.Tensor) -> torch.Tensor:
    return data.clone(memory_format=torch.contiguous_format)


def dynamic_shape(input_x: Tensor, dtype: int = 9) -> Tensor:
    """Return the shape as a Tensor of Int64; `dtype` numbers the type in which a kernel there keeps it.

    Args:
        input_x: any shape and dtype.
        dtype: the number of a type, without effect.

    Returns:
        A Tensor of shape (rank,); Int64.

    Raises:
        TypeError: `dtype` is not an int.

    Follows: mindspore.ops.DynamicShape (2.10).
    """
    instance(dtype, "dtype", "DynamicShape", int)
    return wrap(torch.tensor(input_x._data.shape, dtype=torch.int64, device=torch_device()))
