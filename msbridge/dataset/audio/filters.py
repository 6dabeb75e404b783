"""Recursive filters: LFilter, Filtfilt, and what runs them."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.audio.arguments import flag, real
from msbridge.dataset.audio.base import AudioTensorOperation, import_scipy

__all__ = ["Filtfilt", "LFilter"]

SECOND_ORDER = 3  # coefficients


def recursive_filter(
    waves: np.ndarray,
    a_coeffs: Sequence[float] | np.ndarray,
    b_coeffs: Sequence[float] | np.ndarray,
    clamp: bool = True,
) -> np.ndarray:
    """Evaluate y[n] = Σ b[k] · x[n-k] - Σ a[k] · y[n-k] along the last axis, in the dtype of `waves`.

    Every sum is rounded in the order of the formula, so the results are MindSpore's bit for bit up to the second order.

    Args:
        waves: shape (..., time); float16, float32 or float64.
        a_coeffs: of the outputs; they are divided by the first.
        b_coeffs: of the inputs; as many.
        clamp: limit the outputs to [-1, 1]; what is fed back is not limited.

    Returns:
        An array of the shape and dtype of `waves`.
    """
    a, b = np.array(a_coeffs, waves.dtype), np.array(b_coeffs, waves.dtype)
    a, b = a / a[0], b / a[0]
    forward = np.zeros_like(waves)
    for delay, factor in enumerate(b[: waves.shape[-1]]):
        forward[..., delay:] += factor * waves[..., : waves.shape[-1] - delay]
    feedback = _half_precision if waves.dtype == np.float16 else _feedback
    filtered = feedback(forward, a) if len(a) > 1 else forward
    return np.clip(filtered, -1, 1, out=filtered) if clamp else filtered


def _feedback(forward: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Add the terms of earlier outputs.

    A second-order section computes (b1 · x[n-1] - a1 · y[n-1]) + (b2 · x[n-2] - a2 · y[n-2]). With the input one step
    early, b1 = 1 and no other b, that is the formula's order of sums, which an ill-conditioned filter depends on.
    """
    signal = import_scipy("signal", "A recursive filter")
    if len(a) > SECOND_ORDER:
        return signal.lfilter([1.0], a.astype(np.float64), forward).astype(forward.dtype)
    a1, a2 = [*a[1:], forward.dtype.type(0)][:2]
    section = np.array([[0, 1, 0, 1, a1, a2]], forward.dtype)
    early = np.concatenate([forward, np.zeros_like(forward[..., :1])], axis=-1)
    return signal.sosfilt(section, early)[..., 1:]


def _half_precision(forward: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Add the terms of earlier outputs sample by sample: no library filters in float16."""
    outputs = np.moveaxis(forward, -1, 0).copy()
    for now in range(1, len(outputs)):
        for delay in range(1, min(len(a), now + 1)):
            outputs[now] -= a[delay] * outputs[now - delay]
    return np.moveaxis(outputs, 0, -1)


class LFilter(AudioTensorOperation):
    """Filter waveforms by a difference equation.

    Args:
        a_coeffs: coefficients of the outputs, lowest delay first; the first is not 0.
        b_coeffs: coefficients of the inputs; as many.
        clamp: limit the outputs to [-1, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a coefficient is out of range, or the numbers of coefficients differ.
        RuntimeError: when called: there are no coefficients, or the first of `a_coeffs` is 0.

    Follows: mindspore.dataset.audio.LFilter (2.10).
    """

    keeps_float: ClassVar[bool] = True

    def __init__(self, a_coeffs: Sequence[float], b_coeffs: Sequence[float], clamp: bool = True) -> None:
        for name, coefficients in (("a_coeffs", a_coeffs), ("b_coeffs", b_coeffs)):
            require_type(coefficients, name, (list, tuple))
            for position, value in enumerate(coefficients):
                real(value, f"{name}[{position}]")
        if len(a_coeffs) != len(b_coeffs):
            raise ValueError("The size of a_coeffs should be the same as that of b_coeffs.")
        self.a_coeffs, self.b_coeffs = np.array(a_coeffs, np.float32), np.array(b_coeffs, np.float32)
        self.clamp = flag(clamp, "clamp")

    def to_computed_dtype(self, value: object) -> np.ndarray:
        if not self.a_coeffs.size or not self.a_coeffs[0]:
            raise RuntimeError(f"{type(self).__name__}: a_coeffs[0] can not be equal to zero, got {self.a_coeffs}.")
        return super().to_computed_dtype(value)

    def compute(self, data: np.ndarray) -> np.ndarray:
        return recursive_filter(data, self.a_coeffs, self.b_coeffs, self.clamp)


class Filtfilt(LFilter):
    """Filter waveforms forward and backward, which leaves the phases.

    Args:
        a_coeffs: coefficients of the outputs, lowest delay first; the first is not 0.
        b_coeffs: coefficients of the inputs; as many.
        clamp: limit the outputs of the second pass to [-1, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a coefficient is out of range, or the numbers of coefficients differ.
        RuntimeError: when called: there are no coefficients, or the first of `a_coeffs` is 0.

    Follows: mindspore.dataset.audio.Filtfilt (2.10).
    """

    def compute(self, data: np.ndarray) -> np.ndarray:
        forward = recursive_filter(data, self.a_coeffs, self.b_coeffs, clamp=False)
        backward = recursive_filter(forward[..., ::-1], self.a_coeffs, self.b_coeffs, self.clamp)
        return np.ascontiguousarray(backward[..., ::-1])
