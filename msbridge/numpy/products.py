"""Products of vectors, matrices and polynomials."""

from typing import Any

import torch

from msbridge.core.checks.arguments import at_least, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    axis_in,
    cast,
    compute,
    data_of,
    promote_pair,
    tensor_of,
    tensors_of,
    value_error,
)
from msbridge.numpy.dtypes import DType
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.products_and_norms import functions as linalg


def matmul(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Multiply matrices; axes before the last two broadcast.

    Args:
        x1: shape (..., n, k) or (k,); any dtype but Bool.
        x2: shape (..., k, m) or (k,).
        dtype: as in every function.

    Returns:
        A Tensor of shape (..., n, m) and the promoted dtype.

    Follows: mindspore.numpy.matmul (2.10).
    """
    return cast(linalg.matmul(tensor_of(x1, "matmul", "x1"), tensor_of(x2, "matmul", "x2")), dtype)


def dot(a: Array, b: Array) -> Tensor:
    """Multiply along the last axis of `a` and the one before the last of `b`; a number multiplies every element.

    Args:
        a: any shape; any dtype but Bool.
        b: whose axis before the last is as long as the last axis of `a`, or a number.

    Returns:
        A Tensor of the promoted dtype, of the other axes of `a` and `b`.

    Raises:
        ValueError: the sizes of these axes differ.

    Follows: mindspore.numpy.dot (2.10).
    """
    first, second = tensor_of(a, "dot", "a"), tensor_of(b, "dot", "b")
    if not first.ndim or not second.ndim:
        return arithmetic.mul(first, second)
    axis = second.ndim - 2 if second.ndim > 1 else 0
    return _contract("dot", first, second, axis)


def inner(a: Array, b: Array) -> Tensor:
    """Multiply along the last axes; a number multiplies every element.

    Args:
        a: any shape; any dtype but Bool.
        b: whose last axis is as long, or a number.

    Returns:
        A Tensor of the promoted dtype, of the other axes of `a` and `b`.

    Raises:
        ValueError: the sizes of the last axes differ.

    Follows: mindspore.numpy.inner (2.10).
    """
    first, second = tensor_of(a, "inner", "a"), tensor_of(b, "inner", "b")
    if not first.ndim or not second.ndim:
        return arithmetic.mul(first, second)
    return _contract("inner", first, second, second.ndim - 1)


def outer(a: Array, b: Array) -> Tensor:
    """Multiply every element of the flattened `a` with every one of the flattened `b`.

    Args:
        a: any shape and dtype, n elements.
        b: likewise, m elements.

    Returns:
        A Tensor of shape (n, m) and the promoted dtype.

    Follows: mindspore.numpy.outer (2.10).
    """
    first, second = (wrap(data_of(value, "outer").reshape(-1)) for value in (a, b))
    return linalg.outer(first, second)


def tensordot(a: Array, b: Array, axes: Any = 2) -> Tensor:
    """Multiply along axes: the last `axes` of `a` and the first of `b`, or pairs of axes.

    Args:
        a: any shape; any dtype but Bool.
        b: any shape.
        axes: an int, or a pair of axes or of lists of axes, of `a` and of `b`.

    Returns:
        A Tensor of the promoted dtype, of the other axes of `a` and `b`.

    Raises:
        ValueError: the sizes of these axes differ.

    Follows: mindspore.numpy.tensordot (2.10).
    """
    first, second = tensor_of(a, "tensordot", "a"), tensor_of(b, "tensordot", "b")
    try:
        return linalg.tensor_dot(first, second, axes)
    except (RuntimeError, IndexError) as error:
        raise value_error(
            f"For 'tensordot', axes {axes!r} do not fit the shapes {first.shape} and {second.shape}."
        ) from error


def kron(a: Array, b: Array) -> Tensor:
    """Return the Kronecker product.

    Args:
        a: any shape and dtype.
        b: likewise.

    Returns:
        A Tensor of the promoted dtype, whose axes are the products of those of `a` and `b`.

    Follows: mindspore.numpy.kron (2.10).
    """
    return compute(lambda first, second: torch.kron(*promote_pair(first, second)), "kron", a, b)


def cross(a: Array, b: Array, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """Return the cross product of vectors of 3 (or 2, with a third of 0) along an axis.

    Args:
        a: vectors along `axisa`.
        b: vectors along `axisb`.
        axisa: an axis of `a`.
        axisb: an axis of `b`.
        axisc: the axis of the result where the vectors lie.
        axis: short for all three.

    Returns:
        A Tensor of the promoted dtype.

    Raises:
        ValueError: vectors have neither 2 nor 3 elements.

    Follows: mindspore.numpy.cross (2.10).
    """
    first, second = promote_pair(data_of(a, "cross", "a"), data_of(b, "cross", "b"))
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    first = first.movedim(axis_in(axisa, first.dim(), "cross"), -1)
    second = second.movedim(axis_in(axisb, second.dim(), "cross"), -1)
    if {first.shape[-1], second.shape[-1]} - {2, 3}:
        sizes = f"{first.shape[-1]} and {second.shape[-1]}"
        raise value_error(f"For 'cross', vectors must have 2 or 3 elements, got {sizes}.")
    flat = first.shape[-1] == second.shape[-1] == 2
    first, second = (torch.nn.functional.pad(vector, (0, 3 - vector.shape[-1])) for vector in (first, second))
    try:
        first, second = torch.broadcast_tensors(first, second)
        result = torch.linalg.cross(first, second, dim=-1)
    except Exception as error:
        raise explain(error, "cross", input=wrap(first), other=wrap(second)) from error
    if flat:
        return wrap(result[..., 2])
    return wrap(result.movedim(-1, axis_in(axisc, result.dim(), "cross")))


def multi_dot(arrays: Any) -> Tensor:
    """Multiply matrices in sequence, in the order that takes the fewest steps.

    Args:
        arrays: a sequence of matrices that can be multiplied; the first and last may be vectors.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.multi_dot (2.10).
    """
    tensors = [tensor._data for tensor in tensors_of(arrays, "multi_dot")]
    return compute(lambda *datas: torch.linalg.multi_dot(datas), "multi_dot", *map(wrap, tensors))


def matrix_power(a: Array, n: int) -> Tensor:
    """Multiply a square matrix `n` times with itself.

    Follows: mindspore.numpy.matrix_power (2.10).
    """
    return decomposition.matrix_power(tensor_of(a, "matrix_power", "a"), n)


def convolve(a: Array, v: Array, mode: str = "full") -> Tensor:
    """Convolve two vectors.

    Args:
        a: a vector.
        v: a vector.
        mode: "full": every overlap; "same": as long as the longer; "valid": full overlaps only.

    Returns:
        A Tensor of one axis and the promoted dtype.

    Raises:
        ValueError: a vector is empty, or there is no such mode.

    Follows: mindspore.numpy.convolve (2.10).
    """
    first, second = promote_pair(_vector("convolve", a), _vector("convolve", v))
    if len(first) < len(second):
        first, second = second, first
    return wrap(_slid("convolve", first, second.flip(0), mode).to(first.dtype))


def correlate(a: Array, v: Array, mode: str = "valid") -> Tensor:
    """Correlate two vectors, Float32 for integers; `mode` as in `convolve`.

    Args:
        a: a vector.
        v: a vector.
        mode: "full", "same" or "valid".

    Returns:
        A Tensor of one axis; Float32, or Float16 of Float16.

    Follows: mindspore.numpy.correlate (2.10).
    """
    first, second = promote_pair(_vector("correlate", a), _vector("correlate", v))
    if len(first) < len(second):
        result = _slid("correlate", second, first, mode).flip(0)
    else:
        result = _slid("correlate", first, second, mode)
    return wrap(result if first.is_floating_point() else result.float())


def polyadd(a1: Array, a2: Array) -> Tensor:
    """Add polynomials; coefficients are from the highest power down.

    Args:
        a1: coefficients, a vector, from the highest power down.
        a2: likewise.

    Returns:
        A Tensor of one axis and the promoted dtype.

    Follows: mindspore.numpy.polyadd (2.10).
    """
    return arithmetic.add(*_align("polyadd", a1, a2))


def polysub(a1: Array, a2: Array) -> Tensor:
    """Subtract polynomials.

    Args:
        a1: coefficients, a vector, from the highest power down.
        a2: likewise.

    Returns:
        A Tensor of one axis and the promoted dtype.

    Follows: mindspore.numpy.polysub (2.10).
    """
    return arithmetic.sub(*_align("polysub", a1, a2))


def polymul(a1: Array, a2: Array) -> Tensor:
    """Multiply polynomials.

    Args:
        a1: coefficients, a vector, from the highest power down.
        a2: likewise.

    Returns:
        A Tensor of one axis and the promoted dtype.

    Follows: mindspore.numpy.polymul (2.10).
    """
    return convolve(a1, a2)


def polyval(p: Array, x: Array) -> Tensor:
    """Return the values of a polynomial at `x`; Float32 but for Float64.

    Args:
        p: coefficients, a vector, from the highest power down.
        x: where to evaluate it: any shape and dtype.

    Returns:
        A Tensor of the shape of `x`; Float32, or Float64 of Float64.

    Follows: mindspore.numpy.polyval (2.10).
    """
    coefficients, points = promote_pair(_vector("polyval", p), data_of(x, "polyval", "x"))
    if coefficients.dtype is not torch.float64:
        coefficients, points = coefficients.float(), points.float()
    value = torch.zeros_like(points)
    for coefficient in coefficients:
        value = value * points + coefficient
    return wrap(value)


def polyder(p: Array, m: int = 1) -> Tensor:
    """Differentiate a polynomial `m` times.

    Args:
        p: coefficients, a vector, from the highest power down.
        m: how often, at least 0.

    Returns:
        A Tensor of one axis and the dtype of `p`; Int32 for bools and integers of up to 16 bits.

    Raises:
        ValueError: `m` is negative.

    Follows: mindspore.numpy.polyder (2.10).
    """
    coefficients = _vector("polyder", p)
    at_least(m, "m", "polyder")
    if m >= len(coefficients):
        return wrap(torch.empty(0, device=coefficients.device))
    for _ in range(m):
        powers = torch.arange(len(coefficients) - 1, 0, -1, device=coefficients.device, dtype=torch.int32)
        coefficients = coefficients[:-1] * powers
    return wrap(coefficients)


def polyint(p: Array, m: int = 1, k: Array | None = None) -> Tensor:
    """Integrate a polynomial `m` times, with the constants `k` (0 by default); integers yield Float32.

    Args:
        p: coefficients, a vector, from the highest power down.
        m: how often, at least 0.
        k: the constants, one number or `m` of them; None for 0.

    Returns:
        A Tensor of one axis; of the dtype of floats, otherwise Float32.

    Raises:
        ValueError: `m` is negative, or there are fewer constants than `m`.

    Follows: mindspore.numpy.polyint (2.10).
    """
    coefficients = _vector("polyint", p)
    at_least(m, "m", "polyint")
    coefficients = coefficients if coefficients.is_floating_point() else coefficients.float()
    constants = torch.zeros(m) if k is None else data_of(k, "polyint", "k").reshape(-1)
    constants = constants.to(coefficients).expand(m) if len(constants) == 1 else constants.to(coefficients)
    if len(constants) < m:
        raise value_error(f"For 'polyint', k must hold {m} constants, got {len(constants)}.")
    for constant in constants[:m]:
        powers = torch.arange(len(coefficients), 0, -1, device=coefficients.device, dtype=coefficients.dtype)
        coefficients = torch.cat([coefficients / powers, constant.reshape(1)])
    return wrap(coefficients)


def _contract(op: str, first: Tensor, second: Tensor, axis: int) -> Tensor:
    if first.shape[-1] != second.shape[axis]:
        raise value_error(f"For '{op}', the shapes {first.shape} and {second.shape} do not fit.")
    if first.dtype != second.dtype:
        raise TypeError(f"For '{op}', the dtypes must be equal, got {first.dtype} and {second.dtype}.")
    return linalg.tensor_dot(first, second, ((first.ndim - 1,), (axis,)))


def _vector(op: str, value: Array) -> torch.Tensor:
    data = data_of(value, op)
    if data.dim() > 1 or not data.numel():
        raise value_error(f"For '{op}', a vector that is not empty is needed, got shape {tuple(data.shape)}.")
    return data.reshape(-1)


def _slid(op: str, long: torch.Tensor, short: torch.Tensor, mode: str) -> torch.Tensor:
    """Slide the shorter vector along the longer one and add up the products at each place."""
    count = len(short)
    margins = {"full": (count - 1, count - 1), "same": (count // 2, (count - 1) // 2), "valid": (0, 0)}
    one_of(mode, "mode", op, margins)
    return (torch.nn.functional.pad(long, margins[mode]).unfold(0, count, 1) * short).sum(-1)


def _align(op: str, a1: Array, a2: Array) -> tuple[Tensor, Tensor]:
    """Put zeros before the coefficients of the polynomial of lower degree."""
    first, second = _vector(op, a1), _vector(op, a2)
    count = max(len(first), len(second))
    first, second = (torch.nn.functional.pad(data, (count - len(data), 0)) for data in (first, second))
    return wrap(first), wrap(second)
