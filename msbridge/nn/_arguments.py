"""Checks of the arguments that layers are made with; they run at construction only."""

from typing import Any

from msbridge.core.dtype import Type
from msbridge.core.initializer import HeUniform, Initializer, Uniform, initializer
from msbridge.core.parameter import Parameter
from msbridge.core.release import default
from msbridge.core.tensor import Tensor

Init = Tensor | str | Initializer | float | None


def positive_int(value: Any, name: str, op: str) -> int:
    """Give `value`.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{op}', the '{name}' must be int, but got '{type(value).__name__}'")
    if value <= 0:
        raise ValueError(f"For '{op}', the '{name}' must be int and must > 0, but got '{value}'.")
    return value


def boolean(value: Any, name: str, op: str) -> bool:
    """Give `value`.

    Raises:
        TypeError: it is not a bool.
    """
    if not isinstance(value, bool):
        raise TypeError(f"For '{op}', the '{name}' must be a bool, but got {type(value).__name__}.")
    return value


def one_of(value: Any, allowed: tuple, name: str, op: str) -> Any:
    """Give `value`.

    Raises:
        ValueError: it is not one of `allowed`.
    """
    if value not in allowed:
        raise ValueError(f"For '{op}', the '{name}' must be one of {list(allowed)}, but got {value!r}.")
    return value


def weight_and_bias_init(row: str, weight_init: Init, bias_init: Init, fan_in: int) -> tuple[Init, Init]:
    """Replace what is None by the default of the followed release (`row` in mappings/releases.toml).

    "he_uniform" draws the weight from HeUniform(√5) and the bias from ±1/√fan_in; "normal" from N(0, 0.01²), and zeros.
    """
    if default(row) == "normal":
        return ("normal" if weight_init is None else weight_init, "zeros" if bias_init is None else bias_init)
    weight = HeUniform(5**0.5) if weight_init is None else weight_init
    return weight, (Uniform(1 / fan_in**0.5) if bias_init is None else bias_init)


def made(
    init: Any, shape: tuple[int, ...] | list[int], dtype: Type, name: str, requires_grad: bool = True
) -> Parameter:
    """Make a Parameter."""
    return Parameter(initializer(init, shape, dtype), name=name, requires_grad=requires_grad)
