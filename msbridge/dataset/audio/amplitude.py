"""Transforms of samples one by one: gains, decibels, fades, codes."""

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.audio.arguments import count, non_negative, positive, real, single
from msbridge.dataset.audio.base import SPECTROGRAM, AudioTensorOperation, linspace
from msbridge.dataset.audio.enums import FadeShape, GainType, ScaleType

__all__ = [
    "AmplitudeToDB",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "Fade",
    "Gain",
    "MuLawDecoding",
    "MuLawEncoding",
    "Vol",
]

MIN_AMPLITUDE = 1e-10
# The rising and the falling curve of a fade, as functions of 0 … 1.
FADES: dict[FadeShape, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    FadeShape.LINEAR: (lambda at: at, lambda at: 1 - at),
    FadeShape.EXPONENTIAL: (lambda at: 2 ** (at - 1) * at, lambda at: 2**-at * (1 - at)),
    FadeShape.LOGARITHMIC: (lambda at: np.log10(at + 0.1) + 1, lambda at: np.log10(1.1 - at) + 1),
    FadeShape.QUARTER_SINE: (lambda at: np.sin(at * np.pi / 2), lambda at: np.sin(at * np.pi / 2 + np.pi / 2)),
    FadeShape.HALF_SINE: (
        lambda at: np.sin(at * np.pi - np.pi / 2) / 2 + 0.5,
        lambda at: np.sin(at * np.pi + np.pi / 2) / 2 + 0.5,
    ),
}


class AmplitudeToDB(AudioTensorOperation):
    """Convert a spectrogram to decibels.

    Args:
        stype: what it holds.
        ref_value: what counts as 0 dB; positive.
        amin: least reference; positive. Values below 1e-10 count as this, for any `amin`, as in MindSpore.
        top_db: values that lie lower below the largest one are raised; positive.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.AmplitudeToDB (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM
    is_rowwise: ClassVar[bool] = False

    def __init__(
        self, stype: ScaleType = ScaleType.POWER, ref_value: float = 1.0, amin: float = 1e-10, top_db: float = 80.0
    ) -> None:
        self.stype = require_type(stype, "stype", ScaleType)
        self.ref_value, self.amin = positive(ref_value, "ref_value"), positive(amin, "amin")
        self.top_db = positive(top_db, "top_db")

    def compute(self, data: np.ndarray) -> np.ndarray:
        multiplier = 10 if self.stype == ScaleType.POWER else 20
        return decibels(data, multiplier, self.amin, self.ref_value, self.top_db)


def decibels(
    data: np.ndarray, multiplier: int = 10, amin: float = MIN_AMPLITUDE, reference: float = 1.0, top_db: float = 80.0
) -> np.ndarray:
    """Convert spectrograms (..., channel, freq, time) to decibels, at most `top_db` below the channels' largest one."""
    kind = data.dtype.type
    levels = np.log10(np.maximum(data, kind(single(MIN_AMPLITUDE)))) * kind(multiplier)
    levels -= kind(multiplier) * kind(single(math.log10(max(single(amin), single(reference)))))
    largest = levels.max(axis=tuple(range(max(-3, -data.ndim), 0)), keepdims=True)
    return np.maximum(levels, largest - kind(single(top_db)), out=levels)


class Contrast(AudioTensorOperation):
    """Make quiet sounds clearer, much like a compressor.

    Args:
        enhancement_amount: how strongly, in [0, 100].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: it is not a number.
        ValueError: it is out of range.

    Follows: mindspore.dataset.audio.Contrast (2.10).
    """

    def __init__(self, enhancement_amount: float = 75.0) -> None:
        self.enhancement_amount = real(enhancement_amount, "enhancement_amount", 0, 100)

    def compute(self, data: np.ndarray) -> np.ndarray:
        kind = data.dtype.type
        angle = np.multiply(data, np.pi / 2, dtype=np.float64).astype(data.dtype)
        return np.sin(angle + kind(single(self.enhancement_amount)) / kind(750) * np.sin(angle * 4))


class DBToAmplitude(AudioTensorOperation):
    """Convert decibels to power or amplitude: ref · 10^(0.1 · power · x).

    Args:
        ref: factor of the result.
        power: 1 for power, 0.5 for amplitude.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is not a number.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.DBToAmplitude (2.10).
    """

    def __init__(self, ref: float, power: float) -> None:
        self.ref, self.power = real(ref, "ref"), real(power, "power")

    def compute(self, data: np.ndarray) -> np.ndarray:
        powers = np.power(np.power(10.0, data * 0.1, dtype=np.float64), single(self.power))
        return (single(self.ref) * powers).astype(data.dtype)


class DCShift(AudioTensorOperation):
    """Shift waveforms up or down, within [-1, 1].

    Args:
        shift: what is added, in [-2, 2].
        limiter_gain: gain of the peaks beyond the limiter's threshold; None leaves the limiter out.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `shift` is out of range.

    Follows: mindspore.dataset.audio.DCShift (2.10).
    """

    def __init__(self, shift: float, limiter_gain: float | None = None) -> None:
        self.shift = real(shift, "shift", -2, 2)
        if limiter_gain is not None:
            require_type(limiter_gain, "limiter_gain", (float, int))
        self.limiter_gain = limiter_gain or shift

    def compute(self, data: np.ndarray) -> np.ndarray:
        kind = data.dtype.type
        shift, gain = np.float32(self.shift), np.float32(self.limiter_gain)
        shifted = np.clip(data + kind(shift), -1, 1)
        if shift in (gain, 0):
            return shifted
        threshold = np.float32(1.0 - float(abs(shift) - gain))
        sign = 1 if shift > 0 else -1
        peaks = (data - kind(sign * threshold)) * kind(gain) / kind(1 - threshold)
        if shift > 0:
            return np.where(data > threshold, np.minimum(peaks + kind(threshold) + kind(shift), threshold), shifted)
        # MindSpore adds the threshold on the negative side, too.
        return np.where(data < -threshold, np.maximum(peaks + kind(threshold) + kind(shift), -threshold), shifted)


class Fade(AudioTensorOperation):
    """Fade waveforms in and out.

    Args:
        fade_in_len: samples of the rise.
        fade_out_len: samples of the fall.
        fade_shape: the curve.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a length is negative.
        RuntimeError: when called: a length exceeds the waveform's.

    Follows: mindspore.dataset.audio.Fade (2.10).
    """

    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR) -> None:
        self.fade_in_len, self.fade_out_len = count(fade_in_len, "fade_in_len"), count(fade_out_len, "fade_out_len")
        self.fade_shape = require_type(fade_shape, "fade_shape", FadeShape)

    def compute(self, data: np.ndarray) -> np.ndarray:
        time = data.shape[-1]
        for name, length in (("fade_in_len", self.fade_in_len), ("fade_out_len", self.fade_out_len)):
            if length > time:
                raise RuntimeError(
                    f"Fade: {name} should be no greater than the waveform's length {time}, got {length}."
                )
        faded = data.copy()
        lengths = (self.fade_in_len, self.fade_out_len)
        for part, curve, length in zip((faded, faded[..., ::-1]), FADES[self.fade_shape], lengths, strict=True):
            at = linspace(0, 1, length, data.dtype).astype(np.float64) if length else np.zeros(0)
            factors = curve(at).astype(data.dtype)
            part[..., :length] *= factors if part is faded else factors[::-1]
        return faded


class Gain(AudioTensorOperation):
    """Amplify waveforms.

    Args:
        gain_db: in decibels.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: it is not a number.
        ValueError: it is out of range.

    Follows: mindspore.dataset.audio.Gain (2.10).
    """

    def __init__(self, gain_db: float = 1.0) -> None:
        self.gain_db = real(gain_db, "gain_db")

    def compute(self, data: np.ndarray) -> np.ndarray:
        return data * _amplification(data.dtype.type(single(self.gain_db)))


def _amplification(gain_db: Any) -> Any:
    """Return the factor that a gain in decibels means, in the dtype of the gain."""
    kind = type(gain_db)
    return kind(np.power(10.0, np.float64(gain_db / kind(20))))


class MuLawDecoding(AudioTensorOperation):
    """Decode waveforms that are coded by the μ-law.

    Args:
        quantization_channels: number of code words; positive.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.dataset.audio.MuLawDecoding (2.10).
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.quantization_channels = count(quantization_channels, "quantization_channels", 1)

    def compute(self, data: np.ndarray) -> np.ndarray:
        mu = data.dtype.type(self.quantization_channels - 1)
        if not mu:
            raise RuntimeError("MuLawDecoding: 'quantization_channels' can not be one.")
        signal = (data / mu) * 2 - 1
        return np.sign(signal) * np.expm1(np.abs(signal) * np.log1p(mu)) / mu


class MuLawEncoding(AudioTensorOperation):
    """Code waveforms in [-1, 1] by the μ-law.

    Args:
        quantization_channels: number of code words; positive.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.dataset.audio.MuLawEncoding (2.10).
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.quantization_channels = count(quantization_channels, "quantization_channels", 1)

    def compute(self, data: np.ndarray) -> np.ndarray:
        mu = data.dtype.type(self.quantization_channels - 1)
        signal = np.sign(data) * np.log1p(mu * np.abs(data)) / np.log1p(mu)
        return ((signal + 1) / 2 * mu + data.dtype.type(0.5)).astype(np.int32)


class Vol(AudioTensorOperation):
    """Amplify waveforms and limit them to [-1, 1].

    Args:
        gain: of the unit `gain_type`; not negative as an amplitude, positive as a power.
        gain_type: the unit.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `gain` is out of range.

    Follows: mindspore.dataset.audio.Vol (2.10).
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE) -> None:
        require_type(gain, "gain", (int, float))
        check = {GainType.AMPLITUDE: non_negative, GainType.POWER: positive, GainType.DB: real}
        self.gain = check[require_type(gain_type, "gain_type", GainType)](gain, "gain")
        self.gain_type = gain_type

    def compute(self, data: np.ndarray) -> np.ndarray:
        factor = data.dtype.type(single(self.gain))
        if self.gain_type == GainType.POWER:
            factor = _amplification(data.dtype.type(10 * math.log10(single(self.gain))))
        elif self.gain_type == GainType.DB:
            factor = _amplification(data.dtype.type(single(self.gain)))
        return np.clip(data * factor, -1, 1)
