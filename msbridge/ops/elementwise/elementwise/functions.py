"""Functions of each element: signs, rounding, powers, logarithms, trigonometry, limits, casts."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.integer_gradients import dual_of
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch, of_group
from msbridge.core.types.promotion import promote_weak
from msbridge.ops.elementwise.arithmetic.functions import maximum, minimum
from msbridge.ops.elementwise.elementwise.kernels import conjugate, imaginary_part, real_part
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, binary_same, call_kernel, scalar_or_tensor, unary, unary_with
from msbridge.ops.kernel_calls.number_tensors import number_tensor
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def _abs(data: torch.Tensor) -> torch.Tensor:
    if data.is_complex():
        return torch.abs(data).to(data.dtype)
    return data if data.dtype is torch.bool else torch.abs(data)


abs = define(
    unary, _abs, "Return the absolute value; of complex numbers the magnitude, complex too.", dtypes="any -> same"
)
neg = define(unary, torch.neg, "Change the sign.", dtypes="number -> same")


def _positive(data: torch.Tensor) -> torch.Tensor:
    return data.view_as(data)


positive = define(unary, _positive, "Return `input` as it is.", dtypes="any -> same")
sign = define(unary, torch.sign, "Return -1, 0 or 1, as the sign is.", dtypes="any -> same")
sgn = define(unary, torch.sgn, "Return the sign; for complex numbers `input / |input|`.", dtypes="any -> same")


def _is_negative(data: torch.Tensor) -> torch.Tensor:
    return data < 0


signbit = define(
    unary,
    _is_negative,
    "Return a boolean tensor, true where an element is below 0; -0.0 is not.",
    name="signbit",
    dtypes="real -> bool",
)
ceil = define(unary, torch.ceil, "Round up.", dtypes="real number -> same")
floor = define(unary, torch.floor, "Round down.", dtypes="real number -> same")
trunc = define(unary, torch.trunc, "Round to zero.", dtypes="real -> same")
frac = define(
    unary, torch.frac, "Return the fractional part, with the sign of the number.", "x", dtypes="real -> number"
)
exp = define(unary, torch.exp, "Return e to the power of each element.", dtypes="any -> float")
exp2 = define(unary, torch.exp2, "Return 2 to the power of each element.", dtypes="any -> float")
expm1 = define(unary, torch.expm1, "Return exp(input) - 1, exact for small elements.", dtypes="any -> float")
log = define(unary, torch.log, "Return the natural logarithm.", dtypes="any -> float")
log2 = define(unary, torch.log2, "Return the logarithm to base 2.", dtypes="any -> float")
log10 = define(unary, torch.log10, "Return the logarithm to base 10.", dtypes="any -> float")
log1p = define(unary, torch.log1p, "Return log(1 + input), exact for small elements.", dtypes="any -> float")
sqrt = define(unary, torch.sqrt, "Return the square root; integers yield Float32.", "x", dtypes="any -> float")
rsqrt = define(unary, torch.rsqrt, "Return 1 / √input.", dtypes="any -> float")
square = define(unary, torch.square, "Return the square.", dtypes="any -> number")
reciprocal = define(unary, torch.reciprocal, "Return 1 / input.", dtypes="any -> float")


def inv(x: Tensor) -> Tensor:
    """Return 1 / x, of integers rounded towards 0.

    Args:
        x: any shape; any dtype but Bool.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.inv (2.10).
    """
    return unary(lambda data: torch.reciprocal(data).to(data.dtype), "inv", x)


isnan = define(unary, torch.isnan, "Return a boolean tensor, true where an element is NaN.", dtypes="any -> bool")
isinf = define(unary, torch.isinf, "Return a boolean tensor, true where an element is infinite.", dtypes="any -> bool")
isfinite = define(
    unary,
    torch.isfinite,
    "Return a boolean tensor, true where an element is neither infinite nor NaN.",
    dtypes="any -> bool",
)
isposinf = define(
    unary, torch.isposinf, "Return a boolean tensor, true where an element is +infinity.", dtypes="real -> bool"
)
isneginf = define(
    unary, torch.isneginf, "Return a boolean tensor, true where an element is -infinity.", dtypes="real -> bool"
)
real = define(
    unary,
    real_part,
    "Return the real part; a view of complex numbers, a copy of real ones.",
    name="real",
    dtypes="any -> component",
)
imag = define(
    unary,
    imaginary_part,
    "Return the imaginary part; a view of complex numbers, zeros of real ones.",
    name="imag",
    dtypes="any -> component",
)
conj = define(unary, conjugate, "Return the complex conjugate.", name="conj", dtypes="any -> same")
angle = define(
    unary,
    torch.angle,
    "Return the angle of complex numbers; of real ones 0 or π.",
    args="input: any shape and dtype.",
    returns="A Tensor of the shape of `input`, a real dtype; Float32 for integers and bools.",
)


absolute = abs
negative = neg
tensor_exp = exp
tensor_expm1 = expm1


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to `decimals` places, halves to the even neighbour.

    Args:
        input: any shape; integers or floats.
        decimals: how many places stay; negative ones are left of the point.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor, or is of another dtype.

    Follows: mindspore.ops.round (2.10).
    """
    if decimals == 0:
        return unary(torch.round, "round", input)
    return unary(lambda data: torch.round(data, decimals=decimals), "round", input)


def cast(input: Tensor | Number, dtype: Type) -> Tensor:
    """Change the dtype; floats become integers by cutting off, and the gradient passes through as if they did not.

    A tensor that has the dtype is returned itself.

    Args:
        input: a Tensor or number.
        dtype: a MindSpore dtype.

    Returns:
        A Tensor of the shape of `input` and the dtype `dtype`; a number becomes a 0-d Tensor.

    Raises:
        TypeError: `dtype` is not a MindSpore dtype of numbers.

    Examples:
        >>> ops.cast(Tensor([1.7, -1.7]), ms.int32)
        Tensor(shape=[2], dtype=Int32, value= [ 1, -1])
        >>> ops.Cast()(Tensor([1, 2]), ms.float16).dtype
        mindspore.float16

    Follows: mindspore.ops.cast (2.10).
    """
    try:
        source = input._data  # type: ignore[union-attr]
        data = source.to(dtype.torch)
    except Exception:
        return wrap(as_torch(input, dtype_to_torch(dtype)))
    if data is source:
        state.effects += 1  # of a graph, whose result is a Tensor of its own
        return input if dtype.torch else cast(input, of_group(dtype))  # type: ignore[return-value]
    if source.requires_grad and not data.requires_grad and torch.is_grad_enabled():
        data = dual_of(data, source)
    return wrap(data)


def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Change the dtype to that of `other`.

    Args:
        input: any shape and dtype.
        other: a Tensor, whose dtype is taken.

    Returns:
        A Tensor of the shape of `input`; `input` itself where it has the dtype.

    Follows: mindspore.ops.type_as (2.10).
    """
    return cast(input, other.dtype)


def clamp(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """Bound the elements from below and above; None does not bound.

    Args:
        input: any shape; any dtype but Complex.
        min: the least value, a number or a Tensor that broadcasts against `input`.
        max: the largest, likewise.

    Returns:
        A Tensor of the shape that the inputs broadcast to, of the dtype of `input`.

    Raises:
        ValueError: neither bound is given.

    Follows: mindspore.ops.clamp (2.10).
    """
    try:
        return wrap(_clamp(input._data, scalar_or_tensor(min), scalar_or_tensor(max)))
    except Exception as error:
        return retry_in_wider_dtype(error, "clamp", clamp, input, min, max, input=input, min=min, max=max)


clip = clamp


def clip_by_value(
    x: Tensor | Sequence[Tensor],
    clip_value_min: Tensor | Number | None = None,
    clip_value_max: Tensor | Number | None = None,
) -> Any:
    """Bound the elements of a Tensor, or of each Tensor of a sequence; the dtype stays.

    An element that equals a bound gets half of its gradient, as from `maximum` and `minimum`; that of `clamp` is whole.

    Args:
        x: a Tensor, or a tuple or list of them.
        clip_value_min: the least value, a number or a Tensor that broadcasts against `x`.
        clip_value_max: the largest, likewise.

    Returns:
        A Tensor of the shape and dtype of `x`; a tuple of Tensors for several.

    Raises:
        ValueError: neither bound is given.

    Examples:
        >>> ops.clip_by_value(Tensor([-2.0, 0.5, 2.0]), -1, 1).asnumpy().tolist()
        [-1.0, 0.5, 1.0]

    Follows: mindspore.ops.clip_by_value (2.10).
    """
    if isinstance(x, Sequence) and not isinstance(x, str):
        return tuple(clip_by_value(tensor, clip_value_min, clip_value_max) for tensor in x)
    if isinstance(x, Tensor) and x._data.requires_grad:
        if clip_value_min is not None:
            x = type_as(maximum(x, clip_value_min), x)
        return x if clip_value_max is None else type_as(minimum(x, clip_value_max), x)
    result = clamp(x, clip_value_min, clip_value_max)
    return result if result._data.dtype is x._data.dtype else type_as(result, x)


@explaining
def clip_by_norm(
    x: Tensor | Sequence[Tensor],
    max_norm: float | Tensor,
    norm_type: float | Tensor = 2.0,
    error_if_nonfinite: bool = False,
) -> Any:
    """Scale tensors down so that their joint norm is at most `max_norm`.

    Args:
        x: a Tensor or a sequence of them. The norm of whole numbers is a whole number, as in MindSpore.
        max_norm: the largest norm.
        norm_type: the order p of the norm; inf for the largest magnitude.
        error_if_nonfinite: refuse a norm that is NaN or infinite.

    Returns:
        A Tensor of the shape and dtype of `x`; a sequence of Tensors for several.

    Raises:
        RuntimeError: the norm is not finite and `error_if_nonfinite` is set.

    Follows: mindspore.ops.clip_by_norm (2.10).
    """
    tensors = [x] if isinstance(x, Tensor) else list(x)
    data = [tensor._data for tensor in tensors]
    order: Any = norm_type.item() if isinstance(norm_type, Tensor) else norm_type
    norms = torch.stack([torch.linalg.vector_norm(item.float(), order) for item in data])
    if any(item.is_floating_point() for item in data):
        total = torch.linalg.vector_norm(norms, order)
    else:
        total = torch.linalg.vector_norm(norms.trunc(), order).trunc()
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(f"For 'clip_by_norm', the norm of order {order} is {total.item()}: it cannot be clipped.")
    limit = max_norm._data.float() if isinstance(max_norm, Tensor) else max_norm
    factor = (limit / (total + 1e-6)).clamp(max=1.0)
    clipped = tuple(wrap((item.float() * factor).to(torch.result_type(item, 1.0))) for item in data)
    return clipped[0] if isinstance(x, Tensor) else clipped


def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """Replace NaN (by 0) and the infinities (by the largest and smallest finite numbers).

    Args:
        input: any shape and dtype.
        nan: replaces NaN; None for 0.
        posinf: replaces infinity; None for the largest finite number of the dtype.
        neginf: replaces -infinity; None for the smallest one.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.nan_to_num (2.10).
    """
    return unary_with(torch.nan_to_num, "nan_to_num", input, nan, posinf, neginf)


def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """Return log(x / (1 - x)), with x bounded to [eps, 1 - eps] first where `eps` is given.

    Args:
        input: any shape; any dtype but Complex.
        eps: the distance that is kept from 0 and 1; None for none.

    Returns:
        A Tensor of the shape and dtype of `input`; Float32 for integers and bools.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.

    Follows: mindspore.ops.logit (2.10).
    """
    return unary_with(torch.logit, "logit", input, eps)


polar = define(
    binary_same,
    torch.polar,
    "Make complex numbers of magnitudes and angles.",
    "abs angle",
    args=("abs: any shape; Float32 or Float64.\nangle: in radians; broadcasts against `abs`, of the same dtype."),
    returns="A Tensor of the broadcast shape; Complex64 or Complex128.",
)
view_as_real = define(
    unary,
    torch.view_as_real,
    "Show complex numbers as pairs of real ones, along a new last axis; shares memory.",
    args="input: any shape; complex.",
    returns="A Tensor of shape (*input.shape, 2), of the float of half the size.",
)


def _clamp(data: torch.Tensor, low: Any, high: Any) -> torch.Tensor:
    if low is None and high is None:
        raise ValueError("For 'clamp', min and max cannot both be None.")
    if isinstance(low, torch.Tensor) and high is not None and not isinstance(high, torch.Tensor):
        high = number_tensor(high, low.dtype, low.device)
    if isinstance(high, torch.Tensor) and low is not None and not isinstance(low, torch.Tensor):
        low = number_tensor(low, high.dtype, high.device)
    if low is None:
        return torch.clamp_max(data, high)  # of nan it is nan in every torch
    return torch.clamp(data, low, high)


def ldexp(x: Tensor, other: Tensor | Number) -> Tensor:
    """Return `x * 2**other`; integers count as Float32, beside half precision as well.

    Args:
        x: any shape.
        other: the exponent: a Tensor that broadcasts against `x`, or a number.

    Returns:
        A Tensor of the broadcast shape; floats.

    Follows: mindspore.ops.ldexp (2.10).
    """
    return call_kernel(_times_power_of_two, "ldexp", x, other)


def _times_power_of_two(data: torch.Tensor, exponent: torch.Tensor | Number) -> torch.Tensor:
    return torch.mul(*promote_weak(data, torch.pow(2.0, torch.as_tensor(exponent))))
