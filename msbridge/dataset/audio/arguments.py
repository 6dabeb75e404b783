"""Argument checks that audio transforms share: each takes (value, name) and returns the value, or raises."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, PIPELINES, int_within, require_type, within

flag = PIPELINES.boolean
INT32_MIN = -INT32_MAX - 1
MAX_FLOAT_INTEGER = 16777216  # all integers up to here are float32 numbers


def real(
    value: Any, name: str, low: float = -MAX_FLOAT_INTEGER, high: float = MAX_FLOAT_INTEGER, ends: str = "[]"
) -> float:
    """Return `value`, an int or a float between `low` and `high`."""
    return float(within(require_type(value, name, (int, float)), name, low, high, ends))


def positive(value: Any, name: str) -> float:
    """Return `value`, a positive number."""
    return real(value, name, 0, ends="(]")


def non_negative(value: Any, name: str) -> float:
    """Return `value`, a number of 0 or more."""
    return real(value, name, 0)


def count(value: Any, name: str, low: int = 0) -> int:
    """Return `value`, an int of `low` or more."""
    return int_within(value, name, low)


def optional_count(value: Any, name: str, default: int, low: int = 1) -> int:
    """Return `value`, an int of `low` or more; None means the default."""
    return default if value is None else int_within(value, name, low)


def nonzero_int(value: Any, name: str) -> int:
    """Return `value`, an int of 32 bits but 0."""
    if int_within(value, name, INT32_MIN) == 0:
        raise ValueError(f"Input {name} is not within the required interval of [{INT32_MIN}, 0) and (0, {INT32_MAX}].")
    return int(value)


def window_within(win_length: Any, n_fft: int, low: int = 1) -> int:
    """Return the length of the window, at most `n_fft`, which None means."""
    length = optional_count(win_length, "win_length", n_fft, low)
    if length > n_fft:
        raise ValueError(
            f"Input win_length should be no more than n_fft, but got win_length: {length} and n_fft: {n_fft}."
        )
    return length


def highest_frequency(f_max: Any, f_min: float, sample_rate: int, is_equal_allowed: bool) -> float:
    """Return the upper end of a band of frequencies; None means half of the sample rate.

    Raises:
        ValueError: it is not above `f_min`.
    """
    if f_max is None:
        if f_min >= sample_rate // 2:
            raise ValueError(
                "sample_rate // 2 should be greater than f_min when f_max is set to None, but got f_min: "
                f"{f_min} and sample_rate: {sample_rate}."
            )
        return float(sample_rate // 2)
    if f_min > f_max or (f_min == f_max and not is_equal_allowed):
        raise ValueError(f"f_max should be greater than f_min, but got f_min: {f_min} and f_max: {f_max}.")
    return float(f_max)


def single(value: float) -> float:
    """Round to float32, as MindSpore keeps the settings of its audio transforms."""
    return float(np.float32(value))
