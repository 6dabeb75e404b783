"""Checks of the arguments that mint's layers are made with, and what their parameters start from."""

from typing import Any

from msbridge.core import dtype as mstype
from msbridge.core.dtype import Type
from msbridge.core.initializer import HeUniform, Uniform
from msbridge.core.parameter import Parameter
from msbridge.nn._arguments import made, positive_int


def ints(value: Any, rank: int, name: str, op: str, least: int | None = 1) -> tuple[int, ...]:
    """Give one int for each of `rank` spatial axes.

    Raises:
        TypeError: `value` is neither an int nor `rank` of them.
        ValueError: one is below `least`.
    """
    sizes = tuple(value) if isinstance(value, tuple | list) else (value,) * rank
    if len(sizes) != rank or any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
        raise TypeError(f"For '{op}', the '{name}' must be an int or {rank} ints, but got {value!r}.")
    if least is not None and min(sizes) < least:
        raise ValueError(f"For '{op}', every item of '{name}' must be int and must >= {least}, but got {value!r}.")
    return sizes


def divisible(value: int, divisor: int, name: str, divisor_name: str, op: str) -> int:
    """Give `value`.

    Raises:
        TypeError: one of both is no int.
        ValueError: one is not positive, or `value` is no multiple of `divisor`.
    """
    positive_int(divisor, divisor_name, op)
    if positive_int(value, name, op) % divisor:
        raise ValueError(
            f"For '{op}', the '{name}' must be divided by '{divisor_name}', but got {value} and {divisor}."
        )
    return value


def kind_of(dtype: Type | None) -> Type:
    """Give the dtype of a layer's parameters: Float32 by default."""
    return mstype.float32 if dtype is None else dtype


def drawn_weight(shape: tuple[int, ...], dtype: Type) -> Parameter:
    """Make a weight, drawn as torch does."""
    return made(HeUniform(5**0.5), shape, dtype, "weight")


def drawn_bias(length: int, fan_in: int, dtype: Type) -> Parameter:
    """Make a bias, drawn from ±1/√fan_in."""
    return made(Uniform(1 / fan_in**0.5), (length,), dtype, "bias")
