"""Order and state: dependencies, writes to Parameters, and questions about a tensor's shape and dtype."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core import context, gradients
from msbridge.core import dtype as mstype
from msbridge.core.dtype import FROM_TORCH, Type
from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, overwrite, wrap
from msbridge.ops.families import Number


def depend(value: Any, expr: Any) -> Any:
    """Give `value`; `expr` was computed before, as Python does.

    Follows: mindspore.ops.depend (2.10).
    """
    return value


def control_depend(src: Any, dst: Any, depend_mode: int = 0) -> None:
    """Do nothing: operators run in the order in which they are called.

    Follows: mindspore.ops.control_depend (1.0).
    """


def load(value: Any, u: Any = None) -> Any:
    """Give `value`; graph mode reads a Parameter at this point.

    Follows: mindspore.ops.Load (1.2).
    """
    return value


def identity(x: Any) -> Any:
    """Give `x` itself.

    Follows: mindspore.ops.identity (2.10).
    """
    return x


def deepcopy(input_x: Tensor) -> Tensor:
    """Give a Tensor of the same values in memory of its own.

    Follows: mindspore.ops.deepcopy (2.10).
    """
    return input_x.copy()


def stop_gradient(value: Any) -> Any:
    """Give the same values, through which no gradient flows; what is no Tensor stays.

    Follows: mindspore.ops.stop_gradient (2.10).
    """
    return gradients.stop_gradient(value)


def assign(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Write `value` into `variable`.

    Args:
        variable: a Parameter or Tensor, changed.
        value: of the same shape; cast to the dtype of `variable` if that does not narrow it.

    Returns:
        The written values.

    Raises:
        TypeError: the dtype of `value` is wider.
        ValueError: the shapes differ.

    Follows: mindspore.ops.assign (2.10).
    """
    try:
        written = _written(variable, value)
        overwrite(variable, written)
    except Exception as error:
        raise explain(error, "assign", variable=variable, value=value) from error
    return wrap(variable._data)


def assign_add(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Add `value`, of the same shape, to `variable` in place.

    Follows: mindspore.ops.assign_add (2.10).
    """
    try:
        overwrite(variable, variable._data + _written(variable, value))
    except Exception as error:
        raise explain(error, "assign_add", variable=variable, value=value) from error
    return wrap(variable._data)


def assign_sub(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Subtract `value`, of the same shape, from `variable` in place.

    Follows: mindspore.ops.assign_sub (2.10).
    """
    try:
        overwrite(variable, variable._data - _written(variable, value))
    except Exception as error:
        raise explain(error, "assign_sub", variable=variable, value=value) from error
    return wrap(variable._data)


def print_(*input_x: Any) -> None:
    """Print each value on a line of its own; Tensors with shape and dtype.

    Follows: mindspore.ops.print_ (2.10).
    """
    for value in input_x:
        text = value if isinstance(value, str) else repr(wrap(value._data) if isinstance(value, Tensor) else value)
        print(text, flush=True)  # noqa: T201 - printing is what it is for


def shape(input_x: Tensor) -> tuple[int, ...]:
    """Give the shape as a tuple of ints.

    Raises:
        TypeError: `input_x` is not a Tensor.

    Follows: mindspore.ops.shape (2.10).
    """
    try:
        return tuple(input_x._data.shape)
    except AttributeError as error:
        raise explain(error, "shape", input=input_x) from error


def dyn_shape(input_x: Tensor) -> Tensor:
    """Give the shape as a Tensor of Int64.

    Follows: mindspore.ops.dyn_shape (2.10).
    """
    return wrap(torch.tensor(shape(input_x), dtype=torch.int64, device=context.torch_device()))


def dtype(x: Tensor) -> Type:
    """Give the dtype.

    Raises:
        TypeError: `x` is not a Tensor.

    Follows: mindspore.ops.dtype (2.10).
    """
    try:
        return FROM_TORCH[x._data.dtype]
    except AttributeError as error:
        raise explain(error, "dtype", input=x) from error


def rank(input_x: Tensor) -> int:
    """Give the number of axes.

    Follows: mindspore.ops.rank (2.10).
    """
    return len(shape(input_x))


def size(input_x: Tensor) -> int:
    """Give the number of elements.

    Follows: mindspore.ops.size (2.10).
    """
    try:
        return input_x._data.numel()
    except AttributeError as error:
        raise explain(error, "size", input=input_x) from error


def numel(input: Tensor) -> int:
    """Give the number of elements, as `size`.

    Follows: mindspore.ops.numel (2.10).
    """
    return size(input)


def typeof(value: Any) -> Type:
    """Give the MindSpore type of a value; a Tensor's is `mindspore.tensor`.

    Follows: mindspore.ops.typeof (2.10).
    """
    return mstype.get_py_obj_dtype(value)


def hook_backward(value: Tensor, hook: Any) -> Tensor:
    """Give the same values; `hook` is called with their gradient, and what it returns (if anything) replaces it.

    Follows: mindspore.ops.HookBackward, mindspore.ops.InsertGradientOf (2.10).
    """
    data = value._data.view_as(value._data)

    def on_torch(gradient: torch.Tensor) -> torch.Tensor | None:
        result = hook(wrap(gradient))
        result = result[0] if isinstance(result, tuple) else result
        return None if result is None else result._data

    if data.requires_grad:
        data.register_hook(on_torch)
    return wrap(data)


def check_numerics(x: Tensor) -> Tensor:
    """Give `x` if all its elements are finite.

    Raises:
        RuntimeError: one is infinite or NaN.

    Follows: mindspore.ops.CheckNumerics (2.10).
    """
    if not bool(torch.isfinite(x._data).all()):
        raise RuntimeError("For 'CheckNumerics', an element of the tensor is infinite or NaN.")
    return x


def check_that(condition: Tensor | bool, input_data: Sequence[Any], summarize: int = 3) -> None:
    """Refuse to go on if `condition` is false.

    Args:
        condition: a Tensor of one element, or a bool.
        input_data: values that the message shows.
        summarize: how many elements of each are shown.

    Raises:
        RuntimeError: `condition` is false.

    Follows: mindspore.ops.Assert (2.10).
    """
    if not bool(condition):
        shown = [
            value._data.flatten()[:summarize].tolist() if isinstance(value, Tensor) else value for value in input_data
        ]
        raise RuntimeError(f"For 'Assert', the condition is false; input data: {shown}.")


def _written(variable: Tensor, value: Any) -> torch.Tensor:
    """Give the value that may be written: of the variable's shape, and a dtype that is not wider."""
    data = variable._data
    if isinstance(value, bool | int | float):
        value_data = torch.tensor(value, dtype=data.dtype, device=data.device)
    else:
        value_data = value._data
        if value_data.dtype is not data.dtype and torch.promote_types(data.dtype, value_data.dtype) is not data.dtype:
            raise TypeError(f"{value.dtype} cannot be written into {variable.dtype}, which would be narrower.")
    if value_data.shape != data.shape:
        if value_data.numel() != 1 or data.numel() != 1:
            shapes = f"{tuple(value_data.shape)} and {tuple(data.shape)}"
            raise ValueError(f"value and variable must have the same shape, got {shapes}.")
        value_data = value_data.reshape(data.shape)
    return value_data.to(data.dtype)


__all__ = [
    "assign",
    "assign_add",
    "assign_sub",
    "control_depend",
    "deepcopy",
    "depend",
    "dtype",
    "dyn_shape",
    "identity",
    "load",
    "numel",
    "print_",
    "rank",
    "shape",
    "size",
    "stop_gradient",
    "typeof",
]
