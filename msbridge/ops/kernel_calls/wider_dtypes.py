"""Wider dtypes for kernels that torch does not have: unsigned integers, bool, half precision.

Only after torch has refused: the operator runs again, and the torch functions of the table see other types. Likewise
with a number that a Tensor's type does not hold, as -1e9 in a mask of float16: there it is what a cast makes of it.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from msbridge.core.errors.explain import explain
from msbridge.ops.kernel_calls.integer_kernels import IntegerKernels

__all__ = ["fit_number", "lacks_kernel", "retry_in_wider_dtype", "retry_torch_function"]

_REFUSALS = (
    *("\" not implemented for '", "intended to support complex"),
    *("Boolean inputs not", "Low precision dtypes not"),
)
UNSIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


@dataclass(frozen=True, slots=True)
class Way:
    """The computation of a torch function on a dtype that it does not take."""

    dtype: torch.dtype  # what it is computed in
    there: Callable[[torch.Tensor], torch.Tensor]  # returns the data in that type
    back: Callable[[torch.Tensor], torch.Tensor]  # returns a result of it in the type that was given
    results: int = 99  # how many of the results come back; the others are indices, or nothing of the given type
    number: Callable[[Any], Any] | None = None  # returns a Python number among the arguments as the data are seen


def _cast(given: torch.dtype, dtype: torch.dtype) -> Way:
    return Way(dtype, lambda data: data.to(dtype), lambda data: data.to(given))


def _bits(given: torch.dtype, signed: torch.dtype, results: int = 99) -> Way:
    """The same bits as a signed integer: for moving, for bitwise operators, and for sums and products modulo 2ⁿ."""
    return Way(signed, lambda data: data.view(signed), lambda data: data.view(given), results)


def _as_ordered_ints(given: torch.dtype, signed: torch.dtype, results: int) -> Way:
    """The same order as a signed integer: the highest bit is turned around."""
    low = torch.iinfo(signed).min
    return Way(signed, lambda data: data.view(signed) ^ low, lambda data: (data ^ low).view(given), results)


def _as_comparable_ints(given: torch.dtype, signed: torch.dtype) -> Way:
    """The same order, of numbers too."""
    low = torch.iinfo(signed).min
    return Way(signed, lambda data: data.view(signed) ^ low, lambda data: data, 0, lambda number: number + low)


BITS = {given: _bits(given, signed) for given, signed in UNSIGNED.items()}
PLACES_OF_BITS = {given: _bits(given, signed, 0) for given, signed in UNSIGNED.items()}
ORDER = {given: _as_ordered_ints(given, signed, 1) for given, signed in UNSIGNED.items()}
ORDERS = {given: _as_ordered_ints(given, signed, 2) for given, signed in UNSIGNED.items()}
PLACES = {given: _as_ordered_ints(given, signed, 0) for given, signed in UNSIGNED.items()}
COMPARED = {given: _as_comparable_ints(given, signed) for given, signed in UNSIGNED.items()}
VALUES = {given: _cast(given, torch.int64) for given in UNSIGNED}
BYTES = {torch.bool: _cast(torch.bool, torch.uint8)}
FLOATS = {given: _cast(given, torch.float32) for given in INTEGERS}
HALF = {torch.float16: _cast(torch.float16, torch.float32)}

_ROWS: tuple[tuple[str, Mapping[torch.dtype, Way]], ...] = (
    ("neg negative square pow bitwise_not logical_not logical_and logical_or logical_xor", BITS),
    ("nonzero", PLACES_OF_BITS),
    ("fliplr flipud masked_select repeat_interleave combinations diff diag_embed", BITS),
    ("flip triu tril rot90 where gather scatter masked_fill cross bmm baddbmm addbmm matmul", BITS),
    ("bitwise_left_shift lshift add add_ sub sub_ mul mul_ ne eq", BITS),
    ("scatter_add scatter_add_ index_add index_add_ index_put index_put_ diagonal_scatter", BITS),
    ("max min topk cummax cummin sort", ORDER),
    ("amax amin aminmax maximum minimum", ORDERS),
    ("argmax argmin", PLACES),
    ("gt ge lt le", COMPARED),
    ("relu clamp clamp_min clamp_max heaviside bitwise_right_shift rshift fmod remainder", VALUES),
    ("div true_divide floor_divide float_power atan2 gcd lcm sum prod cumsum cumprod trace", VALUES),
    ("relu trunc fmod remainder threshold", BYTES),
    ("selu hardswish hardsigmoid", FLOATS),
    ("leaky_relu", {given: _cast(given, torch.float32) for given in (torch.bool, *UNSIGNED)}),
    ("avg_pool3d det logdet slogdet qr cholesky cdist vander bessel_j0 bessel_j1 bessel_y0 bessel_y1", HALF),
    ("modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1", HALF),
)


def _table() -> Mapping[str, Mapping[torch.dtype, Way]]:
    ways: dict[str, dict[torch.dtype, Way]] = {}
    for names, row in _ROWS:
        for name in names.split():
            ways.setdefault(name, {}).update(row)
    return ways


WAYS = _table()


def _floor_quotient(left: Any, right: Any, **_: Any) -> torch.Tensor:
    """Divide, and round the real part down; there is no imaginary part, as in MindSpore."""
    quotient = torch.div(left, right)
    return torch.nan_to_num(torch.floor(quotient.real), 0.0, 0.0, 0.0).to(quotient.dtype)


def _floor_remainder(left: Any, right: Any) -> torch.Tensor:
    return left - _floor_quotient(left, right) * right


def _whole_slope(data: torch.Tensor, negative_slope: float, **_: Any) -> torch.Tensor:
    """Return a leaky ReLU whose slope is a whole number, as the data."""
    return torch.where(data > 0, data, data * int(negative_slope))


def _whole_fraction(data: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(data, dtype=torch.int64 if data.dtype is torch.bool else data.dtype)


COMPLEX = (torch.complex64, torch.complex128)
_ROWS_INSTEAD: tuple[tuple[str, tuple[torch.dtype, ...], Callable[..., torch.Tensor]], ...] = (
    ("sign", COMPLEX, torch.sgn),
    ("abs", tuple(UNSIGNED), torch.clone),
    ("div", COMPLEX, _floor_quotient),
    ("remainder", COMPLEX, _floor_remainder),
    ("log_sigmoid", COMPLEX, lambda data: -torch.log(1 + torch.exp(-data))),
    ("frac", (torch.bool, *INTEGERS), _whole_fraction),
    ("leaky_relu", INTEGERS, _whole_slope),
)
INSTEAD = {(name, dtype): function for name, dtypes, function in _ROWS_INSTEAD for dtype in dtypes}


class _Wider(TorchFunctionMode):
    """Sends the functions of the table on in another type, those that take the given one as well."""

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "").removeprefix("special_").removeprefix("linalg_").lstrip("_")
        for given in {data.dtype for data in _tensors((*args, *kwargs.values()))}:
            if other := INSTEAD.get((name, given)):
                return other(*args, **kwargs)
            if way := WAYS.get(name, {}).get(given):
                named = zip(kwargs, _there(kwargs.values(), given, way), strict=True)
                return _back(function(*_there(args, given, way), **dict(named)), way)
        return function(*args, **kwargs)


class _Fitted(TorchFunctionMode):
    """Casts numbers that the type of the first tensor does not hold: to infinity, or cut."""

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        data = next(_tensors((*args, *kwargs.values())), None)
        if data is None:
            return function(*args, **kwargs)
        named = {name: fit_number(value, data.dtype) for name, value in kwargs.items()}
        return function(*(fit_number(value, data.dtype) for value in args), **named)


def fit_number(value: Any, dtype: torch.dtype) -> Any:
    """Return a number, or a tensor of one, as it is in `dtype`; what it holds anyway stays as it is."""
    if isinstance(value, torch.Tensor):
        return value if value.dim() or value.dtype is dtype else value.to(dtype)
    if type(value) not in (int, float) or dtype.is_complex or dtype is torch.bool:
        return value
    limits = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    if limits.min <= value <= limits.max or (value != value and dtype.is_floating_point):
        return value
    return torch.tensor(value, dtype=torch.float64 if type(value) is float else torch.int64).to(dtype).item()


class _Thread(threading.local):
    is_again = False


_thread = _Thread()


def retry_in_wider_dtype(error: Exception, op: str, call: Callable[..., Any], *args: Any, **arguments: object) -> Any:
    """Compute once more what torch refused for want of a kernel, or say what was wrong.

    Args:
        error: what was raised.
        op: the operator's name.
        call: computes it, from `args`.
        args: what it was called with.
        arguments: likewise by name, for the message.

    Raises:
        Exception: as `explain` says, where no other type helps either.
    """
    if _thread.is_again or not (lacks_kernel(error) or _overflows(error)):
        try:
            raise explain(error, op, **arguments) from error
        finally:
            del error  # as in `explain`
    _thread.is_again = True
    try:
        with _Fitted() if _overflows(error) else _Wider(), IntegerKernels():
            return call(*args)
    except Exception as failure:
        raise explain(failure, op, **arguments) from failure
    finally:
        _thread.is_again = False


def retry_torch_function(
    error: Exception, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Run one of torch's functions again, which refused for want of a kernel.

    Raises:
        Exception: `error`, where that was not the reason.
    """
    if not (lacks_kernel(error) or _overflows(error)):
        raise error
    with _Fitted() if _overflows(error) else _Wider(), IntegerKernels():
        return function(*args, **kwargs)


def lacks_kernel(error: Exception) -> bool:
    """Whether torch refused a dtype; before torch 2.8 that was any RuntimeError, known by its words."""
    return isinstance(error, NotImplementedError) or any(words in str(error) for words in _REFUSALS)


def _overflows(error: Exception) -> bool:
    return "without overflow" in str(error)


def _tensors(values: Any) -> Any:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, tuple | list):
            yield from _tensors(value)


def _there(values: Any, given: torch.dtype, way: Way) -> list[Any]:
    return [_one_there(value, given, way) for value in values]


def _one_there(value: Any, given: torch.dtype, way: Way) -> Any:
    if isinstance(value, torch.Tensor):
        return way.there(value) if value.dtype is given else value
    if isinstance(value, list | tuple):
        return _there(value, given, way)
    if way.number and isinstance(value, bool | int | float):
        return way.number(value)
    return way.dtype if value is given else value


def _back(results: Any, way: Way) -> Any:
    if isinstance(results, torch.Tensor):
        return way.back(results) if way.results and results.dtype is way.dtype else results
    if isinstance(results, tuple | list):
        return type(results)(
            [
                way.back(one) if place < way.results and one.dtype is way.dtype else one
                for place, one in enumerate(results)
            ]
        )
    return results
