"""Mathematics element by element, of one tensor."""

import torch

from msbridge.core.checks.arguments import at_least
from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    Data,
    cast,
    compute,
    data_of,
    described,
    faces,
    float32_or_64,
    one,
    one_floating,
    tensor_of,
    value_error,
)
from msbridge.numpy.dtypes import DType
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.elementwise.trigonometry import functions as trigonometry
from msbridge.ops.kernel_calls.definitions import define

arccos = define(
    one_floating,
    trigonometry.acos,
    described("arccos", "Return the angle in [0, π] with this cosine.", "any -> half", "input"),
    "input dtype",
    name="arccos",
)
negative = define(
    one,
    elementwise.neg,
    described("negative", "Change the sign.", "number -> same", "a"),
    "a dtype",
    name="negative",
)
positive = define(
    one, elementwise.positive, described("positive", "Return the same values.", "any -> same", "a"), "a dtype"
)


def cbrt(x: Array, dtype: DType | None = None) -> Tensor:
    """Return the cube root, of the sign of `x`; Float32 but for Float64.

    Args:
        x: any shape and dtype.
        dtype: as in every function.

    Returns:
        A Tensor of the shape of `x`; Float32, or Float64 of Float64.

    Follows: mindspore.numpy.cbrt (2.10).
    """
    return cast(compute(_cube_root, "cbrt", x), dtype)


def ceil(x: Array, dtype: DType | None = None) -> Tensor:
    """Round up; the result is Float32, for any `x`.

    Args:
        x: any shape and dtype.
        dtype: as in every function.

    Returns:
        A Float32 Tensor of the shape of `x`.

    Follows: mindspore.numpy.ceil (2.10).
    """
    return cast(elementwise.ceil(wrap(data_of(x, "ceil", "x").float())), dtype)


def trunc(x: Array, dtype: DType | None = None) -> Tensor:
    """Round towards zero; the result is Float32 but for Float16.

    Args:
        x: any shape and dtype.
        dtype: as in every function.

    Returns:
        A Tensor of the shape of `x`; Float32, or Float16 of Float16.

    Follows: mindspore.numpy.trunc (2.10).
    """
    data = data_of(x, "trunc", "x")
    return cast(elementwise.trunc(wrap(data if data.dtype is torch.float16 else data.float())), dtype)


def fix(x: Array) -> Tensor:
    """Round towards zero, as `trunc`.

    Args:
        x: any shape and dtype.

    Returns:
        A Tensor of the shape of `x`; Float32, or Float16 of Float16.

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
    at_least(decimals, "decimals", "around")
    tensor = tensor_of(a, "around", "a")
    return elementwise.round(tensor, decimals=decimals) if tensor._data.is_floating_point() else tensor


def exp2(x: Array, dtype: DType | None = None) -> Tensor:
    """Return 2 to the power of each element; integers stay integers.

    Args:
        x: any shape and dtype.
        dtype: as in every function.

    Returns:
        A Tensor of the shape and dtype of `x`; Int64 for bools.

    Follows: mindspore.numpy.exp2 (2.10).
    """
    return cast(arithmetic.pow(2, tensor_of(x, "exp2", "x")), dtype)


def reciprocal(x: Array, dtype: DType | None = None) -> Tensor:
    """Return 1 / x; integers divide as integers.

    Args:
        x: any shape and dtype.
        dtype: as in every function.

    Returns:
        A Tensor of the shape and dtype of `x`; Int64 for bools.

    Follows: mindspore.numpy.reciprocal (2.10).
    """
    tensor = tensor_of(x, "reciprocal", "x")
    if tensor._data.is_floating_point() or tensor._data.is_complex():
        return cast(elementwise.reciprocal(tensor), dtype)
    return cast(arithmetic.div(1, tensor, rounding_mode="trunc"), dtype)


def sign(x: Array, dtype: DType | None = None) -> Tensor:
    """Return -1, 0 or 1; integers yield Float32.

    Args:
        x: any shape; any dtype but Bool.
        dtype: as in every function.

    Returns:
        A Tensor of the shape of `x`, of the dtype of floats, otherwise Float32.

    Raises:
        TypeError: `x` holds bools.

    Follows: mindspore.numpy.sign (2.10).
    """
    data = data_of(x, "sign", "x")
    if data.dtype is torch.bool:
        raise TypeError("For 'sign', x must hold numbers, got Bool.")
    return cast(elementwise.sign(wrap(data if data.is_floating_point() else data.float())), dtype)


def clip(x: Array, xmin: Array | None, xmax: Array | None, dtype: DType | None = None) -> Tensor:
    """Keep values between bounds, one of which may be None; numbers take the dtype of `x`, arrays promote it.

    Args:
        x: any shape; any dtype but Complex.
        xmin: a number, or an array that broadcasts against `x`; None for no bound.
        xmax: likewise.
        dtype: as in every function.

    Returns:
        A Tensor of the broadcast shape.

    Raises:
        ValueError: both bounds are None.

    Follows: mindspore.numpy.clip (2.10).
    """
    if xmin is None and xmax is None:
        raise value_error("For 'clip', xmin and xmax must not both be None.")
    result = tensor_of(x, "clip", "x")
    for bound, bounded in ((xmin, arithmetic.maximum), (xmax, arithmetic.minimum)):
        if bound is not None:
            limits = data_of(bound, "clip", "a bound")
            result = bounded(result, wrap(limits if limits.dim() else limits.to(result._data.dtype)))
    return cast(result, dtype)


round = around


_THIRD = 0.3333333432674408
"""1/3 in Float32, as which MindSpore holds it beside Float64, too."""


def _cube_root(data: Data) -> Data:
    values = float32_or_64(data)
    magnitudes = values.abs()
    return magnitudes / values * magnitudes**_THIRD  # NaN for 0 and the infinities, as there


SAME = faces(
    one,
    {
        "abs": elementwise.abs,
        "absolute": elementwise.abs,
        "bitwise_not": comparison.bitwise_not,
        "deg2rad": trigonometry.deg2rad,
        "exp": elementwise.exp,
        "expm1": elementwise.expm1,
        "fabs": elementwise.abs,
        "floor": elementwise.floor,
        "invert": comparison.bitwise_not,
        "log": elementwise.log,
        "log10": elementwise.log10,
        "log1p": elementwise.log1p,
        "log2": elementwise.log2,
        "rad2deg": trigonometry.rad2deg,
        "radians": trigonometry.deg2rad,
        "rint": elementwise.round,
        "sqrt": elementwise.sqrt,
        "square": elementwise.square,
    },
    {
        "any -> same": "abs absolute fabs",
        "any -> float": "exp expm1 log log10 log1p log2 sqrt",
        "any -> number": "square",
        "real -> float": "deg2rad rad2deg radians",
        "real number -> same": "floor rint",
        "integer or bool -> same": "bitwise_not invert",
    },
) | faces(
    one_floating,
    {
        "arccosh": trigonometry.acosh,
        "arcsin": trigonometry.asin,
        "arcsinh": trigonometry.asinh,
        "arctan": trigonometry.atan,
        "arctanh": trigonometry.atanh,
        "cos": trigonometry.cos,
        "cosh": trigonometry.cosh,
        "sin": trigonometry.sin,
        "sinh": trigonometry.sinh,
        "tan": trigonometry.tan,
        "tanh": activation.tanh,
    },
    {"any -> half": "arccosh arcsin arcsinh arctan arctanh cos cosh sin sinh tan tanh"},
)
