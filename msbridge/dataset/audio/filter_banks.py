"""Matrices that take a spectrum to bands of frequencies, and bands to cepstral coefficients."""

import math
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, require_type
from msbridge.dataset.audio.arguments import count, non_negative, positive, single
from msbridge.dataset.audio.base import linspace
from msbridge.dataset.audio.enums import MelType, NormMode, NormType

__all__ = ["create_dct", "linear_fbanks", "melscale_fbanks"]

# Slaney's scale: linear up to 1 kHz, logarithmic above.
LINEAR_HZ_PER_MEL = 200.0 / 3
BREAK_HZ = 1000.0
BREAK_MEL = BREAK_HZ / LINEAR_HZ_PER_MEL
LOG_STEP = math.log(6.4) / 27.0
SINGLE = np.dtype(np.float32)


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """Create the matrix of a discrete cosine transform (type II).

    Args:
        n_mfcc: number of coefficients; positive.
        n_mels: number of bands; positive.
        norm: orthonormal, or none.

    Returns:
        float32 of shape (n_mels, n_mfcc), to be multiplied from the right.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is not positive.

    Follows: mindspore.dataset.audio.create_dct (2.10).
    """
    for name, value in (("n_mfcc", n_mfcc), ("n_mels", n_mels)):
        if not isinstance(value, int) or value > INT32_MAX:
            raise TypeError(f"{name} with value {value} is not of type {int} of 32 bits, but got {type(value)}.")
    require_type(norm, "norm", NormMode)
    for name, value in (("n_mfcc", n_mfcc), ("n_mels", n_mels)):
        if value <= 0:
            raise ValueError(f"{name} must be greater than 0, but got {value}.")
    return cosines(n_mfcc, n_mels, norm)


def cosines(n_mfcc: int, n_mels: int, norm: NormMode) -> np.ndarray:
    """Create the matrix of a cosine transform as `create_dct` does, of arguments that are checked."""
    angles = math.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc)
    matrix = np.cos(angles.astype(np.float32))
    if norm == NormMode.NONE:
        return matrix * np.float32(2)
    matrix[:, :1] *= np.float32(1 / math.sqrt(2))
    return matrix * np.float32(math.sqrt(2.0 / n_mels))


def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """Create triangular filters, equally spaced.

    Args:
        n_freqs: number of frequencies, from 0 to half of the sample rate.
        f_min: lower end of the first filter, in Hz.
        f_max: upper end of the last filter, in Hz.
        n_filter: number of filters; positive.
        sample_rate: in Hz; positive.

    Returns:
        float32 of shape (n_freqs, n_filter).

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range, or `f_min` is above `f_max`.

    Follows: mindspore.dataset.audio.linear_fbanks (2.10).
    """
    _check_band(n_freqs, f_min, f_max)
    count(n_filter, "n_filter", 1)
    count(sample_rate, "sample_rate", 1)
    return linear_filters(n_freqs, f_min, f_max, n_filter, sample_rate)


def linear_filters(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """Create triangular filters as `linear_fbanks` does, of arguments that are checked."""
    corners = linspace(single(f_min), single(f_max), n_filter + 2, SINGLE)
    return _triangles(linspace(0, sample_rate / 2, n_freqs, SINGLE), corners)


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Create triangular filters, equally spaced on the mel scale.

    Args:
        n_freqs: number of frequencies, from 0 to half of the sample rate.
        f_min: lower end of the first filter, in Hz.
        f_max: upper end of the last filter, in Hz.
        n_mels: number of filters; positive.
        sample_rate: in Hz; positive.
        norm: divide each filter by its width, or not.
        mel_type: formula of the scale.

    Returns:
        float32 of shape (n_freqs, n_mels).

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range, or `f_min` is above `f_max`.

    Follows: mindspore.dataset.audio.melscale_fbanks (2.10).
    """
    _check_band(n_freqs, f_min, f_max)
    count(n_mels, "n_mels", 1)
    count(sample_rate, "sample_rate", 1)
    require_type(norm, "norm", NormType)
    require_type(mel_type, "mel_type", MelType)
    return mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type, SINGLE)


def mel_filters(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType,
    mel_type: MelType,
    dtype: np.dtype[Any],
) -> np.ndarray:
    """Create triangular filters as `melscale_fbanks` does, of arguments that are checked, in a dtype."""
    low, high = (_mels(single(end), mel_type) for end in (f_min, f_max))
    corners = _frequencies(linspace(low, high, n_mels + 2, dtype), mel_type)
    filters = _triangles(linspace(0, sample_rate / 2, n_freqs, dtype), corners)
    return filters * (2 / (corners[2:] - corners[:-2])) if norm == NormType.SLANEY else filters


def _check_band(n_freqs: int, f_min: float, f_max: float) -> None:
    count(n_freqs, "n_freqs")
    non_negative(f_min, "f_min")
    positive(f_max, "f_max")
    if f_min > f_max:
        raise ValueError(f"Input f_min should be no more than f_max, but got f_min: {f_min} and f_max: {f_max}.")


def _mels(frequency: float, mel_type: MelType) -> float:
    """Convert Hz to mel."""
    if mel_type == MelType.HTK:
        return float(2595.0 * np.log10(1.0 + frequency / 700.0))
    if frequency < BREAK_HZ:
        return frequency / LINEAR_HZ_PER_MEL
    return BREAK_MEL + math.log(frequency / BREAK_HZ) / LOG_STEP


def _frequencies(mels: np.ndarray, mel_type: MelType) -> np.ndarray:
    """Convert mel to Hz."""
    exact = mels.astype(np.float64)
    if mel_type == MelType.HTK:
        return (700.0 * (np.power(10.0, exact / 2595.0) - 1.0)).astype(mels.dtype)
    logarithmic = BREAK_HZ * np.exp(LOG_STEP * (exact - BREAK_MEL))
    return np.where(exact >= BREAK_MEL, logarithmic, LINEAR_HZ_PER_MEL * exact).astype(mels.dtype)


def _triangles(frequencies: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return filters that rise from one corner to the next and fall to the one after it: (freq, filter)."""
    widths = np.diff(corners)
    distances = corners - frequencies[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        rising, falling = -distances[:, :-2] / widths[:-1], distances[:, 2:] / widths[1:]
    return np.maximum(0, np.minimum(rising, falling)).astype(corners.dtype)
