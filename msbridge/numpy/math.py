"""Mathematics element by element, of one tensor."""

import torch

from msbridge.core.errors import describe
from msbridge.core.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    Data,
    cast,
    computed,
    data_of,
    float32_or_64,
    one,
    one_floating,
    tensor_of,
)
from msbridge.numpy.dtypes import DType
from msbridge.ops.activation import functions as activation
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.comparison import functions as comparison
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.trigonometry import functions as trigonometry


def abs(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the absolute value.

    Follows: mindspore.numpy.abs (2.10).
    """
    return one(elementwise.abs, "abs", x, dtype)


def arccos(input: Array, dtype: DType | None = None) -> Tensor:
    """Return the angle in [0, π] with this cosine.

    Follows: mindspore.numpy.arccos (2.10).
    """
    return one_floating(trigonometry.acos, "arccos", input, dtype)


def arccosh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the inverse of the hyperbolic cosine.

    Follows: mindspore.numpy.arccosh (2.10).
    """
    return one_floating(trigonometry.acosh, "arccosh", x, dtype)


def arcsin(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the angle in [-π/2, π/2] with this sine.

    Follows: mindspore.numpy.arcsin (2.10).
    """
    return one_floating(trigonometry.asin, "arcsin", x, dtype)


def arcsinh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the inverse of the hyperbolic sine.

    Follows: mindspore.numpy.arcsinh (2.10).
    """
    return one_floating(trigonometry.asinh, "arcsinh", x, dtype)


def arctan(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the angle in [-π/2, π/2] with this tangent.

    Follows: mindspore.numpy.arctan (2.10).
    """
    return one_floating(trigonometry.atan, "arctan", x, dtype)


def arctanh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the inverse of the hyperbolic tangent.

    Follows: mindspore.numpy.arctanh (2.10).
    """
    return one_floating(trigonometry.atanh, "arctanh", x, dtype)


def cos(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the cosine.

    Follows: mindspore.numpy.cos (2.10).
    """
    return one_floating(trigonometry.cos, "cos", x, dtype)


def cosh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the hyperbolic cosine.

    Follows: mindspore.numpy.cosh (2.10).
    """
    return one_floating(trigonometry.cosh, "cosh", x, dtype)


def sin(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the sine.

    Follows: mindspore.numpy.sin (2.10).
    """
    return one_floating(trigonometry.sin, "sin", x, dtype)


def sinh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the hyperbolic sine.

    Follows: mindspore.numpy.sinh (2.10).
    """
    return one_floating(trigonometry.sinh, "sinh", x, dtype)


def tan(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the tangent.

    Follows: mindspore.numpy.tan (2.10).
    """
    return one_floating(trigonometry.tan, "tan", x, dtype)


def tanh(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the hyperbolic tangent.

    Follows: mindspore.numpy.tanh (2.10).
    """
    return one_floating(activation.tanh, "tanh", x, dtype)


def deg2rad(x: Array, dtype: DType | None = None) -> Tensor:
    """Turn degrees into radians.

    Follows: mindspore.numpy.deg2rad (2.10).
    """
    return one(trigonometry.deg2rad, "deg2rad", x, dtype)


def rad2deg(x: Array, dtype: DType | None = None) -> Tensor:
    """Turn radians into degrees.

    Follows: mindspore.numpy.rad2deg (2.10).
    """
    return one(trigonometry.rad2deg, "rad2deg", x, dtype)


def exp(x: Array, dtype: DType | None = None) -> Tensor:
    """Return e to the power of each element.

    Follows: mindspore.numpy.exp (2.10).
    """
    return one(elementwise.exp, "exp", x, dtype)


def expm1(x: Array, dtype: DType | None = None) -> Tensor:
    """Return e to the power of each element, minus 1.

    Follows: mindspore.numpy.expm1 (2.10).
    """
    return one(elementwise.expm1, "expm1", x, dtype)


def log(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the natural logarithm.

    Follows: mindspore.numpy.log (2.10).
    """
    return one(elementwise.log, "log", x, dtype)


def log10(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the logarithm to base 10.

    Follows: mindspore.numpy.log10 (2.10).
    """
    return one(elementwise.log10, "log10", x, dtype)


def log1p(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the natural logarithm of 1 + x.

    Follows: mindspore.numpy.log1p (2.10).
    """
    return one(elementwise.log1p, "log1p", x, dtype)


def log2(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the logarithm to base 2.

    Follows: mindspore.numpy.log2 (2.10).
    """
    return one(elementwise.log2, "log2", x, dtype)


def floor(x: Array, dtype: DType | None = None) -> Tensor:
    """Round down.

    Follows: mindspore.numpy.floor (2.10).
    """
    return one(elementwise.floor, "floor", x, dtype)


def negative(a: Array, dtype: DType | None = None) -> Tensor:
    """Change the sign.

    Follows: mindspore.numpy.negative (2.10).
    """
    return one(elementwise.neg, "negative", a, dtype)


def positive(a: Array, dtype: DType | None = None) -> Tensor:
    """Return the same values.

    Follows: mindspore.numpy.positive (2.10).
    """
    return one(elementwise.positive, "positive", a, dtype)


def sqrt(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the square root; integers give Float32.

    Follows: mindspore.numpy.sqrt (2.10).
    """
    return one(elementwise.sqrt, "sqrt", x, dtype)


def square(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the square.

    Follows: mindspore.numpy.square (2.10).
    """
    return one(elementwise.square, "square", x, dtype)


def rint(x: Array, dtype: DType | None = None) -> Tensor:
    """Round to the nearest integer, halves to even.

    Follows: mindspore.numpy.rint (2.10).
    """
    return one(elementwise.round, "rint", x, dtype)


def bitwise_not(x: Array, dtype: DType | None = None) -> Tensor:
    """Flip the bits of integers.

    Follows: mindspore.numpy.bitwise_not (2.10).
    """
    return one(comparison.bitwise_not, "bitwise_not", x, dtype)


def cbrt(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the cube root, of the sign of `x`; Float32 but for Float64.

    Follows: mindspore.numpy.cbrt (2.10).
    """
    return cast(computed(_cube_root, "cbrt", x), dtype)


def ceil(x: Array, dtype: DType | None = None) -> Tensor:
    """Round up; the result is Float32, whatever `x` is.

    Follows: mindspore.numpy.ceil (2.10).
    """
    return cast(elementwise.ceil(wrap(data_of(x, "ceil", "x").float())), dtype)


def trunc(x: Array, dtype: DType | None = None) -> Tensor:
    """Round towards zero; the result is Float32 but for Float16.

    Follows: mindspore.numpy.trunc (2.10).
    """
    data = data_of(x, "trunc", "x")
    return cast(elementwise.trunc(wrap(data if data.dtype is torch.float16 else data.float())), dtype)


def fix(x: Array) -> Tensor:
    """Round towards zero, as `trunc`.

    Follows: mindspore.numpy.fix (2.10).
    """
    return trunc(x)


def around(a: Array, decimals: int = 0) -> Tensor:
    """Round to a number of decimals, halves to even.

    Raises:
        ValueError: `decimals` is negative.

    Follows: mindspore.numpy.around (2.10).
    """
    if not isinstance(decimals, int):
        raise TypeError(f"For 'around', decimals must be an int, got {describe(decimals)}.")
    if decimals < 0:
        raise ValueError(f"For 'around', decimals must not be negative, got {decimals}.")
    tensor = tensor_of(a, "around", "a")
    return elementwise.round(tensor, decimals=decimals) if tensor._data.is_floating_point() else tensor


def exp2(x: Array, dtype: DType | None = None) -> Tensor:
    """Return 2 to the power of each element; integers stay integers.

    Follows: mindspore.numpy.exp2 (2.10).
    """
    return cast(arithmetic.pow(2, tensor_of(x, "exp2", "x")), dtype)


def reciprocal(x: Array, dtype: DType | None = None) -> Tensor:
    """Return 1 / x; integers divide as integers.

    Follows: mindspore.numpy.reciprocal (2.10).
    """
    tensor = tensor_of(x, "reciprocal", "x")
    if tensor._data.is_floating_point() or tensor._data.is_complex():
        return cast(elementwise.reciprocal(tensor), dtype)
    return cast(arithmetic.div(1, tensor, rounding_mode="trunc"), dtype)


def sign(x: Array, dtype: DType | None = None) -> Tensor:
    """Return -1, 0 or 1; integers give Float32.

    Raises:
        TypeError: `x` holds bools.

    Follows: mindspore.numpy.sign (2.10).
    """
    data = data_of(x, "sign", "x")
    if data.dtype is torch.bool:
        raise TypeError("For 'sign', x must hold numbers, got Bool.")
    return cast(elementwise.sign(wrap(data if data.is_floating_point() else data.float())), dtype)


def clip(x: Array, xmin: Array | None, xmax: Array | None, dtype: DType | None = None) -> Tensor:
    """Keep values between bounds, one of which may be None; bounds take the dtype of `x`.

    Raises:
        ValueError: both bounds are None.

    Follows: mindspore.numpy.clip (2.10).
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', xmin and xmax must not both be None.")
    result = tensor_of(x, "clip", "x")
    for bound, bounded in ((xmin, arithmetic.maximum), (xmax, arithmetic.minimum)):
        if bound is not None:
            result = bounded(result, wrap(data_of(bound, "clip", "a bound").to(result._data.dtype)))
    return cast(result, dtype)


absolute = fabs = abs
invert = bitwise_not
radians = deg2rad
round = around


def _cube_root(data: Data) -> Data:
    values = float32_or_64(data)
    return values.sign() * values.abs() ** (1 / 3)
