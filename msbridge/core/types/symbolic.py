"""Placeholders: Tensors with a shape, parts of which are unknown, and a dtype, but no values.

`Tensor(shape=[None, 3], dtype=mindspore.float32)` describes an input to `Cell.set_inputs`, `enable_dynamic` and
`jit(input_signature=…)`. What is in a symbolic Tensor in place of its torch tensor answers what can be known, and
refuses the rest.

Follows: mindspore.Tensor, mindspore.Symbol (2.10).
"""

import itertools
from typing import Any, NoReturn, Self

import torch

from msbridge.core.checks.arguments import above, boolean, in_range, integer

__all__ = ["UNKNOWN_LENGTH", "UNKNOWN_RANK", "Symbol", "Unfilled", "shape_refusal"]

UNKNOWN_LENGTH = -1
UNKNOWN_RANK = (-2,)
# The placeholder of a length which is not known, by axis: the inputs of a network often share those of equal axes.
# Multiples of 32, as networks halve the sides of images several times.
STAND_INS = tuple(32 * count for count in range(8, 24))


class Symbol:
    """The known facts about a length in the shape of a placeholder.

    Args:
        max: the largest length; at most 0 means that there is none.
        min: the smallest length.
        divisor: the length is `divisor` times a number, plus `remainder`.
        remainder: at least 0, and smaller than `divisor`.
        unique: all lengths with this symbol are the same; which is not checked.
        kwargs: taken as MindSpore takes them, and not looked at.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.Symbol (2.10).
    """

    def __init__(
        self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False, **kwargs: Any
    ) -> None:
        numbers = {"max": max, "min": min, "divisor": divisor, "remainder": remainder}
        for name, value in numbers.items():
            integer(value, name, "Symbol")
        boolean(unique, "unique", "Symbol")
        for name in ("min", "divisor"):
            above(numbers[name], name, "Symbol")
        in_range(remainder, "remainder", "Symbol", 0, divisor)
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def to_dict(self) -> dict[str, Any]:
        """Return the known constraints, by name."""
        known: dict[str, Any] = {}
        if self.max > 0:
            known["max"] = self.max
        if self.min > self.divisor:
            known["min"] = self.min
        if self.divisor != 1:
            known["divisor"] = self.divisor
        if self.remainder:
            known["remainder"] = self.remainder
        return known | ({"id": id(self)} if self.unique else {})

    def __str__(self) -> str:
        return str(self.to_dict())

    def refusal(self, length: int) -> str:
        """Return why a length is none of those that this represents; "" if it is one."""
        if length < self.min:
            return f"at least {self.min}"
        if 0 < self.max < length:
            return f"at most {self.max}"
        if length % self.divisor != self.remainder:
            return f"{self.divisor} times a number" + (f" plus {self.remainder}" if self.remainder else "")
        return ""


class Unfilled:
    """Stands in a placeholder in place of the torch tensor."""

    __slots__ = ("dtype", "shape", "symbols")

    device = torch.device("cpu")
    is_meta = False
    requires_grad = False

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, symbols: tuple[Any, ...] = ()) -> None:
        self.shape = shape
        self.dtype = dtype
        self.symbols = symbols

    @property
    def known_lengths(self) -> list[Any] | None:
        """The known facts about each length, Symbols as dicts; None where there are none."""
        if not any(isinstance(symbol, Symbol) for symbol in self.symbols):
            return None
        pairs = zip(self.symbols, self.shape, strict=True)
        return [symbol.to_dict() if isinstance(symbol, Symbol) else length for symbol, length in pairs]

    @property
    def example(self) -> tuple[int, ...]:
        """A shape of which this may be: what is not known of it is chosen."""
        return tuple(_example(symbol, axis) for axis, symbol in enumerate(self.symbols or self.shape))

    def dim(self) -> int:
        """Return the number of axes, as far as it is known."""
        return len(self.shape)

    def numel(self) -> int:
        """Return 0: there are no values."""
        return 0

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self.dtype.itemsize

    def stride(self) -> tuple[int, ...]:
        """Return the steps along the axes, of which the outermost length is not needed."""
        lengths = self.shape[:0:-1]
        return tuple(itertools.accumulate((1, *lengths), lambda step, length: step * abs(length)))[::-1][-self.dim() :]

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating one."""
        return self.dtype.is_floating_point

    def detach(self) -> Self:
        """Return this."""
        return self

    def clone(self) -> Self:
        """Return this: it is never changed."""
        return self

    def to(self, dtype: torch.dtype) -> "Unfilled":
        """Return the same of another dtype."""
        return Unfilled(self.shape, dtype, self.symbols)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self._refusal()

    def __getitem__(self, index: Any) -> NoReturn:
        raise self._refusal()

    def __reduce__(self) -> tuple[Any, ...]:
        return Unfilled, (self.shape, self.dtype, self.symbols)

    def _refusal(self) -> Exception:
        return (ValueError if self._is_unknown else TypeError)(self.complaint())

    def refusal_of(self, operator: str) -> Exception:
        """Return the error of an operator that is called with it."""
        return ValueError(f"For '{operator}': {self.complaint()}")

    @property
    def _is_unknown(self) -> bool:
        return any(length < 0 for length in self.shape)

    def complaint(self) -> str:
        """Return the message for code that reads values."""
        if not self._is_unknown:
            return (
                f"A Tensor of shape {self.shape} has no values: its 'init' is not an Initializer. "
                "Use mindspore.common.initializer.initializer, which takes a name."
            )
        return (
            f"A Tensor of shape {self.shape} represents an input of unknown shape and has no values; it is for "
            "set_inputs, enable_dynamic and input_signature."
        )


def _example(symbol: Any, axis: int) -> int:
    stand_in = STAND_INS[axis % len(STAND_INS)]
    if not isinstance(symbol, Symbol):
        return int(symbol) if isinstance(symbol, int) and symbol >= 0 else stand_in
    length = max(stand_in, symbol.min)
    length = min(length, symbol.max) if symbol.max > 0 else length
    return length - length % symbol.divisor + symbol.remainder


def shape_refusal(wanted: Unfilled | torch.Tensor, actual: torch.Tensor) -> str:
    """Return why a shape is none of those that a placeholder, or another tensor, represents; "" if it is one."""
    shape, given = tuple(wanted.shape), tuple(actual.shape)
    if shape == UNKNOWN_RANK:
        return ""
    if len(shape) != len(given):
        return f"must have {len(shape)} axes, but its shape is {given}"
    symbols = getattr(wanted, "symbols", None) or shape
    for axis, (length, symbol, actual_length) in enumerate(zip(shape, symbols, given, strict=True)):
        reason = symbol.refusal(actual_length) if isinstance(symbol, Symbol) else ""
        if length >= 0 and length != actual_length:
            reason = str(length)
        if reason:
            return f"must have a length of {reason} along axis {axis}, but its shape is {given}"
    return ""
