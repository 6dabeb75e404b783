"""New tensors: filled, counted, diagonal and triangular."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import positive_int
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch, float32, int64, torch_of
from msbridge.ops.kernel_calls.families import Number, plain_shape, unary
from msbridge.ops.kernel_calls.wider_dtypes import fit_number, lacks_kernel

Size = int | Sequence[int] | Tensor

_OF_NUMBERS = {float: torch.float32, int: torch.int32}


def zeros(size: Size, dtype: Type | None = None) -> Tensor:
    """Make a tensor of zeros, Float32 by default.

    Args:
        size: its shape; an int makes one axis.
        dtype: its dtype.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Raises:
        TypeError: the size holds something else than ints.

    Follows: mindspore.ops.zeros (2.10).
    """
    return _full("zeros", size, 0, dtype or float32)


def ones(shape: Size, dtype: Type | None = None) -> Tensor:
    """Make a tensor of ones, Float32 by default.

    Args:
        shape: a length, or the lengths of the axes, as ints or a Tensor.
        dtype: of the result; None for Float32.

    Returns:
        A Tensor of this shape.

    Follows: mindspore.ops.ones (2.10).
    """
    return _full("ones", shape, 1, dtype or float32)


def full(size: Size, fill_value: Number | Tensor, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value, cut off to Int64 without `dtype`.

    Args:
        size: the shape; an int makes one axis.
        fill_value: a number or a 0-d Tensor.
        dtype: None for Int64.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Follows: mindspore.ops.full (2.10).
    """
    return _full("full", size, fill_value, dtype or int64)


def fill(type: Type | None, shape: Size, value: Number | Tensor) -> Tensor:
    """Make a tensor of one value.

    Args:
        type: the dtype; None for that of the number.
        shape: its shape; an int makes one axis.
        value: a number or a 0-d Tensor.

    Returns:
        A Tensor of shape `shape` and dtype `type`.

    Examples:
        >>> ops.fill(ms.int32, (2, 2), 7).asnumpy().tolist()
        [[7, 7], [7, 7]]

    Follows: mindspore.ops.fill (2.10).
    """
    return _full("fill", shape, value, type)


def zeros_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of zeros of the shape (and dtype) of `input`.

    Args:
        input: a Tensor of any shape and dtype.
        dtype: of the result; None for that of `input`.

    Returns:
        A Tensor of the shape of `input`, in memory of its own.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.zeros_like (2.10).
    """
    return unary(lambda data: torch.zeros_like(data, dtype=torch_of(dtype)), "zeros_like", input)


def ones_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of ones of the shape (and dtype) of `input`.

    Args:
        input: a Tensor of any shape and dtype.
        dtype: of the result; None for that of `input`.

    Returns:
        A Tensor of the shape of `input`, in memory of its own.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.ones_like (2.10).
    """
    return unary(lambda data: torch.ones_like(data, dtype=torch_of(dtype)), "ones_like", input)


def full_like(input: Tensor, fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value of the shape (and dtype) of `input`.

    Args:
        input: a Tensor of any shape and dtype.
        fill_value: a number.
        dtype: of the result; None for that of `input`.

    Returns:
        A Tensor of the shape of `input`, in memory of its own.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.full_like (2.10).
    """
    return unary(lambda data: _fill_like(data, fill_value, torch_of(dtype)), "full_like", input)


def fills(x: Tensor, value: Number | Tensor) -> Tensor:
    """Make a tensor of one value of the shape and dtype of `x`.

    Args:
        x: any shape and dtype.
        value: a number or a 0-d Tensor.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.fills (2.10).
    """
    return unary(lambda data: _fill_like(data, _number(value), None), "fills", x)


def eye(n: int, m: int | None = None, dtype: Type | None = None) -> Tensor:
    """Make a matrix of ones on the diagonal and zeros elsewhere, Float32 by default.

    Args:
        n: how many rows.
        m: how many columns; None for as many as rows.
        dtype: of the result; None for Float32.

    Returns:
        A Tensor of shape (n, m).

    Follows: mindspore.ops.eye (2.10).
    """
    try:
        wanted = (dtype or float32).torch
        return wrap(torch.eye(n, n if m is None else m, dtype=wanted, device=torch_device()))
    except Exception as error:
        if lacks_kernel(error):  # unsigned integers of more than a byte (torch 2.13)
            return wrap(torch.eye(n, n if m is None else m, device=torch_device()).to(wanted))
        raise explain(error, "eye", n=n, m=m) from error


def arange(
    start: Number | Tensor = 0,
    end: Number | Tensor | None = None,
    step: Number | Tensor = 1,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Count from `start` up to, not with, `end`; ints yield Int64, floats Float32.

    Args:
        start: the first number; `end`, if that is None.
        end: where to stop, exclusive.
        step: the distance of neighbours, not 0.
        dtype: that of the result; None for the one above.

    Returns:
        A Tensor of one axis.

    Follows: mindspore.ops.arange (2.10).
    """
    if end is None:
        start, end = 0, start
    return _arange("arange", start, end, step, dtype)


def range(start: Number | Tensor, end: Number | Tensor, step: Number | Tensor, maxlen: int = 1000000) -> Tensor:
    """Count from `start` up to, not with, `end`: Int64, or Float32 where a number is not whole.

    Args:
        start: the first number.
        end: where to stop, exclusive.
        step: the distance of neighbours, not 0.
        maxlen: the most numbers that are allowed.

    Returns:
        A Tensor of one axis.

    Raises:
        RuntimeError: there are more than `maxlen` numbers.

    Follows: mindspore.ops.range (2.10).
    """
    result = _arange("range", start, end, step, None)
    if result.size > maxlen:
        raise RuntimeError(f"For 'range', the result has {result.size} elements; maxlen allows {maxlen}.")
    return result


tensor_range = range


def linspace(
    start: Number | Tensor,
    end: Number | Tensor | None = None,
    steps: int | Tensor | None = None,
    *,
    stop: Number | Tensor | None = None,
    num: int | None = None,
) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included; Float32, or a Tensor's dtype.

    Args:
        start: the first number.
        end: the last number.
        steps: how many.
        stop: `end` in the words of r1.x.
        num: `steps` in the words of r1.x.

    Returns:
        A Tensor of shape (steps,).

    Raises:
        TypeError: `steps` is not an integer, or a number is missing.
        ValueError: `steps` is not positive.

    Follows: mindspore.ops.linspace (2.10; 1.10 for `stop` and `num`).
    """
    end, steps = stop if end is None else end, num if steps is None else steps
    if end is None:
        raise TypeError("For 'linspace', 'end' is missing.")
    given = next((item._data.dtype for item in (start, end) if isinstance(item, Tensor)), torch.float32)
    dtype = given if given.is_floating_point else torch.float32
    count = positive_int(int(steps) if isinstance(steps, Tensor | np.integer) else steps, "steps", "linspace")
    try:
        if isinstance(start, Tensor) or isinstance(end, Tensor):
            return wrap(_between(start, end, count, dtype))
        return wrap(torch.linspace(start, end, count, dtype=dtype, device=torch_device()))
    except Exception as error:
        raise explain(error, "linspace", start=start, end=end, steps=steps) from error


def logspace(
    start: Number | Tensor, end: Number | Tensor, steps: int, base: float = 10, *, dtype: Type = float32
) -> Tensor:
    """Return `steps` powers of `base`, the exponents at equal distances from `start` to `end`.

    Args:
        start: the first exponent.
        end: the last.
        steps: how many.
        base: the base.
        dtype: that of the result.

    Returns:
        A Tensor of shape (steps,) and dtype `dtype`.

    Follows: mindspore.ops.logspace (2.10).
    """
    try:
        return wrap(torch.logspace(_number(start), _number(end), steps, base, dtype=dtype.torch, device=torch_device()))
    except Exception as error:
        raise explain(error, "logspace", start=start, end=end, steps=steps) from error


def eps(x: Tensor) -> Tensor:
    """Return the smallest number that changes 1 when added, in the shape and dtype of `x`.

    Args:
        x: any shape; floats.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.eps (2.10).
    """
    return unary(lambda data: torch.full_like(data, torch.finfo(data.dtype).eps), "eps", x)


def scalar_to_tensor(input_x: Number, dtype: Type = float32) -> Tensor:
    """Make a 0-d tensor of a number.

    Args:
        input_x: an int, float or bool.
        dtype: that of the result.

    Returns:
        A 0-d Tensor of dtype `dtype`.

    Follows: mindspore.ops.scalar_to_tensor (2.10).
    """
    return wrap(as_torch(input_x, dtype_to_torch(dtype)))


def scalar_to_array(input_x: Number) -> Tensor:
    """Make a 0-d tensor of a number: Int32 of an int, Float32 of a float.

    Args:
        input_x: an int, float or bool.

    Returns:
        A 0-d Tensor.

    Follows: mindspore.ops.scalar_to_array (2.10).
    """
    return wrap(as_torch(input_x, _OF_NUMBERS.get(type(input_x))))


def tuple_to_array(input_x: Iterable[Number]) -> Tensor:
    """Make a vector of numbers: Int32 where the first one is an int, else Float32.

    Args:
        input_x: a tuple of ints or floats.

    Returns:
        A Tensor of shape (n,).

    Examples:
        >>> ops.tuple_to_array((1, 2, 3))
        Tensor(shape=[3], dtype=Int32, value= [1, 2, 3])

    Follows: mindspore.ops.tuple_to_array (2.10).
    """
    numbers = tuple(input_x)
    data = as_torch(numbers, None)
    return wrap(data.int() if numbers and isinstance(numbers[0], int) else data.float())


def _full(op: str, shape: Any, value: Any, dtype: Type | None) -> Tensor:
    try:
        target = None if dtype is None else dtype_to_torch(dtype)
        if type(value) is not int or value not in (0, 1):  # which every dtype holds
            value = _truncate_float(_number(value), target)
        return wrap(torch.full(plain_shape(shape), value, dtype=target, device=torch_device()))
    except Exception as error:
        raise explain(error, op, shape=shape, value=value, dtype=dtype) from error


def _fill_like(data: torch.Tensor, value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    return torch.full_like(data, _truncate_float(_number(value), dtype or data.dtype), dtype=dtype)


def _truncate_float(value: Number, dtype: torch.dtype | None) -> Number:
    """Cut a float off that goes into integers; what does not fit becomes what a processor makes of it."""
    if dtype is None or dtype is torch.bool:
        return value
    value = fit_number(value, dtype)
    return value if dtype.is_floating_point or dtype.is_complex or not isinstance(value, float) else int(value)


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


def _between(start: Any, end: Any, count: int, dtype: torch.dtype) -> torch.Tensor:
    """Return numbers from each end to the middle, as `torch.linspace` does, which needs them on the host.

    They have no gradient, as in MindSpore.
    """
    wide = dtype if dtype is torch.float64 else torch.float32
    low, high = (as_torch(value, wide).detach().reshape(()).to(wide) for value in (start, end))
    places = torch.arange(count, dtype=wide, device=low.device)
    step = (high - low) / max(count - 1, 1)
    return torch.where(places < (count + 1) // 2, low + step * places, high - step * (count - 1 - places)).to(dtype)


def _arange(op: str, start: Any, end: Any, step: Any, dtype: Type | None) -> Tensor:
    try:
        target = torch_of(dtype)
        numbers = (_number(start), _number(end), _number(step))
        if float in map(type, numbers) and not (target is None or target.is_floating_point):
            return wrap(torch.arange(*numbers, dtype=torch.float64, device=torch_device()).to(target))
        return wrap(torch.arange(*numbers, dtype=target, device=torch_device()))
    except Exception as error:
        raise explain(error, op, start=start, end=end, step=step) from error
