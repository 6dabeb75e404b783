"""Checks of a distribution's parameters, and the dtype that they are kept in."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type

__all__ = [
    *("a_tensor", "a_tuple", "as_tensor", "below", "continuous", "discrete", "not_negative", "parameter_type"),
    *("positive", "probabilities", "same_distribution", "sums_to_one"),
]

INTEGERS = mstype.int_type + mstype.uint_type


def continuous(dtype: Any, owner: str) -> Type:
    """Return `dtype`, a floating one.

    Raises:
        TypeError: it is another one.
    """
    return _one_of(dtype, mstype.float_type, owner)


def discrete(dtype: Any, owner: str) -> Type:
    """Return `dtype`, one of integers or of floating point numbers.

    Raises:
        TypeError: it is another one.
    """
    return _one_of(dtype, INTEGERS + mstype.float_type, owner)


def _one_of(dtype: Any, allowed: tuple[Type, ...], owner: str) -> Type:
    if dtype not in allowed:
        raise TypeError(f"For '{owner}', the 'dtype' should be one of {list(allowed)}, but got {dtype!r}.")
    return dtype


def as_tensor(value: Any, dtype: Type = mstype.float32) -> Tensor:
    """Return a Tensor of a parameter; a Parameter stays itself.

    Raises:
        TypeError: neither a number, a list, an array nor a Tensor.
    """
    if isinstance(value, Parameter):
        return value
    if isinstance(value, bool):
        raise TypeError("A parameter of a distribution cannot be a bool.")
    if isinstance(value, Tensor | np.ndarray | list | int | float):
        return Tensor(value, dtype=dtype)
    raise TypeError(f"A parameter of a distribution cannot be {type(value).__name__}: it becomes a Tensor of {dtype}.")


def a_tensor(value: Any, name: str) -> Tensor:
    """Return `value`, a Tensor.

    Raises:
        TypeError: it is not one.
    """
    if not isinstance(value, Tensor):
        raise TypeError(f"For {name}, input type must be a Tensor or Parameter, but got {type(value).__name__}.")
    return value


def a_tuple(value: Any, name: str) -> tuple[int, ...]:
    """Return `value`, a tuple.

    Raises:
        TypeError: it is not one.
    """
    if not isinstance(value, tuple):
        raise TypeError(f"For {name}, input type must be a tuple, but got {type(value).__name__}.")
    return value


def parameter_type(values: Mapping[str, Any], dtype: Type | None) -> Type:
    """Return the dtype that parameters are kept in.

    Args:
        values: the parameters by name; numbers and lists have no dtype of their own.
        dtype: of the samples; counts where no parameter has one, unless it is one of integers.

    Raises:
        TypeError: two parameters have different dtypes.
    """
    common = None
    for name, value in values.items():
        if not hasattr(value, "dtype"):
            continue
        own = mstype.pytype_to_dtype(value.dtype) if isinstance(value, np.ndarray) else value.dtype
        if common is not None and own != common:
            raise TypeError(f"{name} should have the same dtype as other arguments, {common}, but got {own}.")
        common = own
    if common is None:
        return mstype.float32 if dtype is None or dtype in INTEGERS else dtype
    return mstype.float32 if common in INTEGERS or common == mstype.float64 else common


def _data_of(value: Tensor | None) -> torch.Tensor | None:
    return None if value is None else value._data


def positive(value: Tensor | None, name: str) -> None:
    """Check that what is given is greater than zero.

    Raises:
        ValueError: an element is not.
    """
    data = _data_of(value)
    if data is not None and not bool((data > 0).all()):
        raise ValueError(f"{name} must be greater than zero.")


def not_negative(value: Tensor, name: str) -> None:
    """Check that no element is below zero.

    Raises:
        ValueError: an element is.
    """
    if bool((value._data < 0).any()):
        raise ValueError(f"{name} must be greater than or equal to zero.")


def below(low: Tensor | None, high: Tensor | None) -> None:
    """Check that `low` is less than `high`, where both are given and are not Parameters.

    Raises:
        ValueError: an element is not.
    """
    if low is None or high is None or isinstance(low, Parameter) or isinstance(high, Parameter):
        return
    if not bool((low._data < high._data).all()):
        raise ValueError("low must be less than high")


def probabilities(value: Tensor | None) -> None:
    """Check that what is given lies between zero and one.

    Raises:
        ValueError: an element does not.
    """
    data = _data_of(value)
    if data is None:
        return
    if not bool((data > 0).all()):
        raise ValueError("Probabilities must be greater than zero")
    if not bool((data < 1).all()):
        raise ValueError("Probabilities must be less than one")


def sums_to_one(value: Tensor) -> None:
    """Check that the last axis sums to one.

    Raises:
        ValueError: it does not.
    """
    total = value._data.double().sum(-1)
    eps = torch.finfo(value._data.dtype).eps
    if not torch.allclose(total, torch.ones_like(total), rtol=10 * eps, atol=eps):
        raise ValueError("Probabilities for each category should sum to one for Categorical distribution.")


def same_distribution(name: str | None, expected: str) -> None:
    """Check the name of the other distribution of a divergence.

    Raises:
        ValueError: it is another one, or None.
    """
    if name is None:
        raise ValueError("Input dist must be a constant which is not None.")
    if name != expected:
        raise ValueError(f"Expected dist input is {expected}, but got {name}.")
