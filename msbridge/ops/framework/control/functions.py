"""Order and state: dependencies, writes to Parameters, and questions about a tensor's shape and dtype."""

from typing import Any

import torch

from msbridge.core.autograd import backward
from msbridge.core.checks.arguments import instance
from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.errors.explain import dtype_name, explain, explaining
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import FROM_TORCH, Type
from msbridge.ops.faces import face
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def depend(value: Any, expr: Any) -> Any:
    """Return `value`; `expr` was computed before, as Python does.

    Args:
        value: anything.
        expr: anything.

    Returns:
        `value` itself.

    Examples:
        >>> x = Parameter(Tensor([1.0]))
        >>> written = ops.assign(x, Tensor([2.0]))
        >>> float(ops.depend(x, written)[0])
        2.0

    Follows: mindspore.ops.depend (2.10).
    """
    state.effects += 1
    return value


def control_depend(src: Any, dst: Any, depend_mode: int = 0) -> None:
    """Do nothing: operators run in the order in which they are called.

    Follows: mindspore.ops.control_depend (1.0).
    """


def load(value: Any, u: Any = None) -> Any:
    """Return `value`; graph mode reads a Parameter at this point.

    Follows: mindspore.ops.Load (1.2).
    """
    return value


def identity(x: Any) -> Any:
    """Return `x` itself.

    Args:
        x: anything.

    Returns:
        `x` itself.

    Follows: mindspore.ops.identity (2.10).
    """
    return x


@explaining
def deepcopy(input_x: Tensor) -> Tensor:
    """Return a Tensor of the same values in memory of its own.

    Args:
        input_x: any shape and dtype.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.ops.deepcopy (2.10).
    """
    return wrap(input_x._data.clone())


def stop_gradient(value: Any) -> Any:
    """Return the same values, through which no gradient flows; what is not a Tensor stays.

    Args:
        value: a Tensor, a tuple or list of them, or anything else.

    Returns:
        The same values; a Tensor shares its memory with the result.

    Examples:
        >>> ms.grad(lambda x: x * ops.stop_gradient(x))(Tensor(3.0))
        Tensor(shape=[], dtype=Float32, value= 3)

    Follows: mindspore.ops.stop_gradient (2.10).
    """
    return backward.stop_gradient(value)


def stop_gradient_(input: Tensor) -> None:
    """Cut a Tensor, in place, from what it was computed from: no gradient flows through it from here on.

    Args:
        input: any shape and dtype; changed in place.

    Returns:
        None.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.stop_gradient_ (2.10), which has a kernel on Ascend only.
    """
    tensor = instance(input, "input", "stop_gradient_", Tensor)
    tensor._data = tensor._data.detach()


def assign(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Write `value` into `variable`.

    Args:
        variable: a Parameter or Tensor, changed.
        value: of the same shape; cast to the dtype of `variable` if that does not narrow it.

    Returns:
        The written values, in memory of their own; inside a graph, of `variable`.

    Raises:
        TypeError: the dtype of `value` is wider.
        ValueError: the shapes differ.

    Examples:
        >>> x = Parameter(Tensor([1.0, 2.0]))
        >>> _ = ops.assign(x, Tensor([3.0, 4.0]))
        >>> x.asnumpy().tolist()
        [3.0, 4.0]

    Follows: mindspore.ops.assign (2.10).
    """
    try:
        written = _check_assigned_value(variable, value)
        overwrite(variable, written)
    except Exception as error:
        raise explain(error, "assign", variable=variable, value=value) from error
    return _now(variable)


def assign_add(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Add `value`, of the same shape, to `variable` in place, and return a Tensor that shares its memory.

    Args:
        variable: a Parameter or Tensor, changed in place.
        value: of the shape of `variable`, or a number.

    Returns:
        A Tensor of the shape and dtype of `variable`.

    Follows: mindspore.ops.assign_add (2.10).
    """
    try:
        overwrite(variable, variable._data + _check_assigned_value(variable, value))
    except Exception as error:
        return retry_in_wider_dtype(error, "assign_add", assign_add, variable, value, variable=variable, value=value)
    return wrap(variable._data)


def assign_sub(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Subtract `value`, of the same shape, from `variable` in place, and return the values, as `assign` does.

    Args:
        variable: a Parameter or Tensor, changed in place.
        value: of the shape of `variable`, or a number.

    Returns:
        A Tensor of the shape and dtype of `variable`.

    Follows: mindspore.ops.assign_sub (2.10).
    """
    try:
        overwrite(variable, variable._data - _check_assigned_value(variable, value))
    except Exception as error:
        return retry_in_wider_dtype(error, "assign_sub", assign_sub, variable, value, variable=variable, value=value)
    return _now(variable)


def _now(variable: Tensor) -> Tensor:
    return wrap(variable._data if state.is_graph else variable._data.clone())


def print_(*input_x: Any) -> None:
    """Print each value on a line of its own; Tensors with shape and dtype.

    Args:
        input_x: Tensors, strings, numbers, tuples.

    Returns:
        None.

    Follows: mindspore.ops.print_ (2.10).
    """
    for value in input_x:
        text = value if isinstance(value, str) else repr(wrap(value._data) if isinstance(value, Tensor) else value)
        print_now(text)


def shape(input_x: Tensor) -> tuple[int, ...]:
    """Return the shape as a tuple of ints.

    Args:
        input_x: any shape and dtype.

    Returns:
        A tuple of ints.

    Raises:
        TypeError: `input_x` is not a Tensor.

    Examples:
        >>> ops.shape(Tensor([[1, 2, 3]])), ops.Shape()(Tensor(1))
        ((1, 3), ())

    Follows: mindspore.ops.shape (2.10).
    """
    try:
        return tuple(input_x._data.shape)
    except AttributeError as error:
        raise explain(error, "shape", input=input_x) from error


def dyn_shape(input_x: Tensor) -> Tensor:
    """Return the shape as a Tensor of Int64.

    Args:
        input_x: any shape and dtype.

    Returns:
        A Tensor of shape (rank,); Int64.

    Follows: mindspore.ops.dyn_shape (2.10).
    """
    return wrap(torch.tensor(shape(input_x), dtype=torch.int64, device=context.torch_device()))


def dtype(x: Tensor) -> Type:
    """Return the dtype.

    Args:
        x: any shape and dtype.

    Returns:
        A MindSpore dtype.

    Raises:
        TypeError: `x` is not a Tensor.

    Examples:
        >>> ops.dtype(Tensor([1.0])), ops.DType()(Tensor([True]))
        (mindspore.float32, mindspore.bool)

    Follows: mindspore.ops.dtype (2.10).
    """
    try:
        return FROM_TORCH[x._data.dtype]
    except AttributeError as error:
        raise explain(error, "dtype", input=x) from error


def rank(input_x: Tensor) -> int:
    """Return the number of axes.

    Args:
        input_x: any shape and dtype.

    Returns:
        An int; 0 for a 0-d Tensor.

    Follows: mindspore.ops.rank (2.10).
    """
    return len(shape(input_x))


def size(input_x: Tensor) -> int:
    """Return the number of elements.

    Args:
        input_x: any shape and dtype.

    Returns:
        An int; 1 for a 0-d Tensor.

    Follows: mindspore.ops.size (2.10).
    """
    try:
        return input_x._data.numel()
    except AttributeError as error:
        raise explain(error, "size", input=input_x) from error


numel = face("numel", size, "input")


def typeof(value: Any) -> Type:
    """Return the MindSpore type of a value; a Tensor's shows its elements: `mindspore.tensor[float32]`.

    Args:
        value: a Tensor, number, tuple or another Python value.

    Returns:
        A MindSpore type.

    Follows: mindspore.ops.typeof (2.10).
    """
    if isinstance(value, Tensor):
        return mstype.TensorType(value.dtype)  # type: ignore[call-arg]  # the metaclass takes the elements' type
    return mstype.get_py_obj_dtype(value)


def _check_assigned_value(variable: Tensor, value: Any) -> torch.Tensor:
    """Return the value that may be written: of the variable's shape, and a dtype that is not wider."""
    data = variable._data
    if isinstance(value, bool | int | float):
        value_data = torch.tensor(value, dtype=data.dtype, device=data.device)
    else:
        value_data = value._data
        if value_data.dtype is not data.dtype and torch.promote_types(data.dtype, value_data.dtype) is not data.dtype:
            raise TypeError(
                f"{dtype_name(value_data.dtype)} cannot be written into {dtype_name(data.dtype)}: it is wider."
            )
    if value_data.shape != data.shape:
        if value_data.numel() != 1 or data.numel() != 1:
            shapes = f"{tuple(value_data.shape)} and {tuple(data.shape)}"
            raise ValueError(f"value and variable must have the same shape, got {shapes}.")
        value_data = value_data.reshape(data.shape)
    return value_data.to(data.dtype)
