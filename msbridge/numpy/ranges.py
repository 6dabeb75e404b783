"""Numbers at equal distances or by equal factors."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import at_least
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import describe, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import pytype_to_dtype
from msbridge.numpy._faces import Array, Data, axis_in, cast, data_of
from msbridge.numpy.dtypes import DType, type_of


def arange(
    start: float | Tensor,
    stop: float | Tensor | None = None,
    step: float | Tensor | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """Count from `start` (0 where only one number is given) up to, not with, `stop`: ints yield Int32, others Float32.

    Args:
        start: the first number.
        stop: where to end.
        step: the distance; None for 1.
        dtype: of the result; None for Int32 or Float32.

    Returns:
        A Tensor of shape (n,).

    Raises:
        TypeError: an argument is not a number.
        ValueError: there is nothing to count.
        ZeroDivisionError: the step is 0.

    Follows: mindspore.numpy.arange (2.10).
    """
    given = (0 if stop is None else start, start if stop is None else stop, 1 if step is None else step)
    first, last, by = (_number(value) for value in given)
    if by == 0:
        raise ZeroDivisionError("For 'arange', the step must not be 0.")
    if (last > first) != (by > 0) or last == first:
        raise ValueError(f"For 'arange', there is nothing from {first} to {last} in steps of {by}.")
    whole = all(isinstance(value, int) for value in given)
    data = torch.arange(first, last, by, dtype=torch.int64 if whole else torch.float64, device=torch_device())
    if isinstance(dtype, type):  # Python's `float` means Float64 here
        return wrap(data.to(pytype_to_dtype(dtype).torch))
    return wrap(data.to(torch.int32 if whole else torch.float32)) if dtype is None else cast(wrap(data), dtype)


@explaining
def linspace(
    start: Array,
    stop: Array,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """Return `num` numbers at equal distances, Float32; with `retstep` the distance, too.

    Args:
        start: the first.
        stop: the last, or with `endpoint=False` the one after the last.
        num: how many.
        endpoint: whether `stop` is one of them.
        retstep: whether to return `(numbers, distance)`.
        dtype: the dtype of the result.
        axis: where the new axis is when `start` or `stop` have axes.

    Returns:
        A Tensor of shape (num, ...); with `retstep` a tuple of it and a Tensor.

    Follows: mindspore.numpy.linspace (2.10).
    """
    data, distance = _space_evenly("linspace", start, stop, num, endpoint, axis)
    result = cast(wrap(data), dtype)
    if not retstep:
        return result
    return result, torch.nan if distance is None else wrap(distance)


@explaining
def logspace(
    start: Array,
    stop: Array,
    num: int = 50,
    endpoint: bool = True,
    base: float | Tensor = 10.0,
    dtype: DType | None = None,
    axis: int = 0,
) -> Tensor:
    """Return `num` powers of `base`, the exponents at equal distances.

    Args:
        start: the first exponent, or an array of them.
        stop: the last, or with `endpoint=False` the one after the last.
        num: how many, > 0.
        endpoint: whether `stop` is one of them.
        base: what is raised to the powers.
        dtype: of the result; None for Float32.
        axis: where the new axis is when `start` or `stop` have axes.

    Returns:
        A Tensor of shape (num, ...).

    Follows: mindspore.numpy.logspace (2.10).
    """
    exponents, _ = _space_evenly("logspace", start, stop, num, endpoint, axis)
    return cast(wrap(torch.pow(data_of(base, "logspace", "base").float(), exponents)), dtype)


@explaining
def geomspace(
    start: Array, stop: Array, num: int = 50, endpoint: bool = True, dtype: DType | None = None, axis: int = 0
) -> Tensor:
    """Return `num` numbers of which each is the one before by the same factor.

    Args:
        start: the first number, or an array of them.
        stop: the last, or with `endpoint=False` the one after the last.
        num: how many, > 0.
        endpoint: whether `stop` is one of them.
        dtype: of the result; None for Float32.
        axis: where the new axis is when `start` or `stop` have axes.

    Returns:
        A Tensor of shape (num, ...).

    Follows: mindspore.numpy.geomspace (2.10).
    """
    first, last = (data_of(value, "geomspace").double() for value in (start, stop))
    exponents, _ = _space_evenly(
        "geomspace", wrap(torch.zeros_like(first)), wrap((last / first).log()), num, endpoint, axis
    )
    values = exponents.exp() * (first.unsqueeze(axis) if first.dim() else first)
    if dtype is not None and not type_of(dtype).torch.is_floating_point:  # type: ignore[union-attr]
        values = values + 1e-6 * values.abs()  # 999.9999 means 1000
    return cast(wrap(values.float()), dtype)


def _number(value: float | Tensor) -> float:
    number = value.item() if isinstance(value, Tensor | np.number) else value
    if not isinstance(number, int | float):
        raise TypeError(f"For 'arange', start, stop and step must be numbers, got {describe(number)}.")
    return number


def _space_evenly(op: str, start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> tuple[Data, Data | None]:
    """Return numbers at equal distances, and the distance, if there is one."""
    if not isinstance(num, int):
        raise TypeError(f"For '{op}', num must be an int, got {describe(num)}.")
    at_least(num, "num", op, 1)
    first, last = torch.broadcast_tensors(data_of(start, op, "start"), data_of(stop, op, "stop"))
    first, last = first.double(), last.double()
    gaps = num - 1 if endpoint else num
    steps = torch.arange(num, dtype=first.dtype, device=first.device)  # float32 where the device has no float64
    place = axis_in(axis, first.dim() + 1, op)
    if gaps == 0:
        return first.float().unsqueeze(place), None
    shape = [num if index == place else 1 for index in range(first.dim() + 1)]
    weights = (steps / gaps).reshape(shape)
    values = torch.lerp(first.unsqueeze(place), last.unsqueeze(place), weights)
    return values.float(), ((last - first) / gaps).float()
