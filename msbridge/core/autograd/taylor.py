"""Derivatives of higher order along a curve, as Taylor mode computes them."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import is_int
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["derivative", "jet"]

_DTYPES = (torch.int32, torch.int64, torch.float32, torch.float64)


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    """Compute the derivatives of `fn` along a curve through its inputs.

    Args:
        fn: a function or Cell of Tensors.
        primals: a Tensor, or a tuple of Tensors; int32, int64 (both become float32), float32 or float64.
        series: for each the derivatives of the curve, of order 1, 2, … along axis 0, of its dtype; for a single Tensor
            also only the first, of its shape.

    Returns:
        (outputs, their derivatives along the curve, order 1, 2, … along axis 0); lists where there are several outputs.

    Raises:
        TypeError: `primals` and `series` are neither both Tensors nor both tuples; or a dtype is another.
        ValueError: their shapes or lengths do not fit.

    Follows: mindspore.ops.jet (2.10).
    """
    if isinstance(primals, Tensor) and isinstance(series, Tensor):
        if series.shape == primals.shape and series.shape[1:] != primals.shape:
            series = wrap(series._data.unsqueeze(0))
        rows: Sequence[tuple[Tensor, Tensor]] = [(primals, series)]
    elif isinstance(primals, tuple) and isinstance(series, tuple):
        if len(primals) != len(series):
            raise ValueError(f"For 'jet', primals and series must be of one length: {len(primals)}, {len(series)}.")
        rows = list(zip(primals, series, strict=True))
    else:
        raise TypeError("For 'jet', primals and series must both be Tensors, or both tuples.")
    for primal, derivatives in rows:
        if primal._data.dtype != derivatives._data.dtype:
            raise TypeError(f"For 'jet', primals and series must be of one dtype: {primal.dtype}, {derivatives.dtype}.")
        if tuple(derivatives.shape[1:]) != tuple(primal.shape):
            raise ValueError(
                "For 'jet', each element of series must be of the shape of the primals: "
                f"{tuple(derivatives.shape[1:])}, {tuple(primal.shape)}."
            )
    if len({len(derivatives) for _, derivatives in rows}) > 1:
        raise ValueError("For 'jet', all series must be of one order.")
    orders = _along(fn, [_floating("jet", primal) for primal, _ in rows], [_floating("jet", row) for _, row in rows])
    outputs = [wrap(data) for data in orders[0]]
    higher = [wrap(torch.stack(datas)) for datas in zip(*orders[1:], strict=True)]
    return (outputs, higher) if len(outputs) > 1 else (outputs[0], higher[0])


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """Compute the derivative of some order, element by element.

    Args:
        fn: a function or Cell of Tensors.
        primals: a Tensor, or a tuple of Tensors, which move together; dtypes as in `jet`.
        order: at least 1.

    Returns:
        (output, its derivative of that order); lists where there are several outputs.

    Raises:
        TypeError: `order` is not an int, or a dtype is another.
        ValueError: `order` is less than 1.

    Follows: mindspore.ops.derivative (2.10).
    """
    if not is_int(order):
        raise TypeError(f"For 'derivative', order must be an int, but got {order!r}.")
    if order < 1:
        raise ValueError(f"For 'derivative', order must be at least 1, but got {order}.")
    datas = [_floating("derivative", primal) for primal in (primals if isinstance(primals, tuple) else (primals,))]
    curves = []
    for data in datas:
        curve = data.new_zeros(order, *data.shape)
        curve[0] = 1
        curves.append(curve)
    orders = _along(fn, datas, curves)
    outputs, last = [wrap(data) for data in orders[0]], [wrap(data) for data in orders[-1]]
    return (outputs, last) if len(outputs) > 1 else (outputs[0], last[0])


def _floating(op: str, value: Any) -> torch.Tensor:
    if not isinstance(value, Tensor) or value._data.dtype not in _DTYPES:
        raise TypeError(f"For '{op}', inputs must be Tensors of int32, int64, float32 or float64, but got {value!r}.")
    data = value._data
    return data if data.is_floating_point() else data.float()


def _along(
    fn: Callable[..., Any], datas: Sequence[torch.Tensor], curves: Sequence[torch.Tensor]
) -> list[tuple[torch.Tensor, ...]]:
    """Return the outputs and their derivatives of order 1, 2, … at time 0 of the curves with these derivatives."""

    def at(time: torch.Tensor) -> tuple[torch.Tensor, ...]:
        inputs = []
        for data, curve in zip(datas, curves, strict=True):
            factor = torch.ones_like(time)
            for order, coefficient in enumerate(curve, 1):
                factor = factor * time / order
                data = data + factor.to(data.dtype) * coefficient
            inputs.append(wrap(data))
        output = fn(*inputs)
        return tuple(value._data for value in (output if isinstance(output, tuple | list) else (output,)))

    start = torch.zeros((), dtype=torch.float64, device=datas[0].device)
    functions: list[Callable[..., tuple[torch.Tensor, ...]]] = [at]
    for _ in range(len(curves[0])):
        functions.append(_derive(functions[-1]))
    return [function(start) for function in functions]


def _derive(function: Callable[..., tuple[torch.Tensor, ...]]) -> Callable[..., tuple[torch.Tensor, ...]]:
    def differentiate(time: torch.Tensor) -> tuple[torch.Tensor, ...]:
        tangents: tuple[torch.Tensor, ...] = torch.func.jvp(function, (time,), (torch.ones_like(time),))[1]
        return tangents

    return differentiate
