"""Window functions and the continuation of waveforms at their ends."""

from collections.abc import Callable
from functools import cache

import numpy as np

from msbridge.dataset.audio.enums import BorderType, WindowType

KAISER_BETA = 12.0
A0, A2, ALPHA, BETA = (float(np.float32(value)) for value in (0.42, 0.08, 0.54, 0.46))
BORDERS = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}
# Each of the part of the period that has passed, 0 … 1; two of them of twice that, in float32, as in MindSpore.
WINDOWS: dict[WindowType, Callable[[np.ndarray], np.ndarray]] = {
    WindowType.BARTLETT: lambda at: 1 - np.abs(_twice(at) - 1),
    WindowType.BLACKMAN: lambda at: A0 - 0.5 * np.cos(2 * np.pi * at) + A2 * np.cos(4 * np.pi * at),
    WindowType.HAMMING: lambda at: ALPHA - BETA * np.cos(2 * np.pi * at),
    WindowType.HANN: lambda at: 0.5 - 0.5 * np.cos(2 * np.pi * at),
    WindowType.KAISER: lambda at: np.i0(KAISER_BETA * np.sqrt(1 - np.square(_twice(at) - 1))) / np.i0(KAISER_BETA),
}


def _twice(at: np.ndarray) -> np.ndarray:
    return (2 * at).astype(np.float32).astype(np.float64)


@cache
def window_of(kind: WindowType, length: int, n_fft: int) -> np.ndarray:
    """Return a periodic window of float32, in the middle of `n_fft` places; one of length 1 is 1."""
    values = np.ones(1) if length == 1 else WINDOWS[kind](np.arange(length) / length)
    left = (n_fft - length) // 2
    window = np.pad(values.astype(np.float32), (left, n_fft - length - left))
    window.flags.writeable = False
    return window


def pad_waves(waves: np.ndarray, left: int, right: int, mode: BorderType) -> np.ndarray:
    """Continue waveforms at both ends of the last axis."""
    if not left and not right:
        return waves
    widths = [(0, 0)] * (waves.ndim - 1) + [(left, right)]
    return np.pad(waves, widths, BORDERS[mode])  # type: ignore[call-overload]
