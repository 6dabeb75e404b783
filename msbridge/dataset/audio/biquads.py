"""Second-order filters, each a row of six coefficients that follow from its settings.

The formulas are those of R. Bristow-Johnson's "Audio EQ Cookbook", and of SoX where that has others.
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.audio.arguments import flag, nonzero_int, real, single
from msbridge.dataset.audio.base import AudioTensorOperation
from msbridge.dataset.audio.filters import recursive_filter

__all__ = [
    "AllpassBiquad",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "DeemphBiquad",
    "EqualizerBiquad",
    "HighpassBiquad",
    "LowpassBiquad",
    "RiaaBiquad",
    "TrebleBiquad",
]

# Of the curve that recordings of a sample rate are cut with: centre frequency, slope, gain.
DEEMPHASES = {44100: (5283.0, 0.4845, -9.477), 48000: (5356.0, 0.479, -9.62)}
# Of the vinyl curve at a sample rate: two zeros, two poles.
RIAA_CURVES = {
    44100: (-0.2014898, 0.9233820, 0.7083149, 0.9924091),
    48000: (-0.1766069, 0.9321590, 0.7396325, 0.9931330),
    88200: (-0.1168735, 0.9648312, 0.8590646, 0.9964002),
    96000: (-0.1141486, 0.9676817, 0.8699137, 0.9966946),
}


class Coefficients(NamedTuple):
    """b0 + b1 · z⁻¹ + b2 · z⁻² over a0 + a1 · z⁻¹ + a2 · z⁻²."""

    b0: float
    b1: float
    b2: float
    a0: float
    a1: float
    a2: float


class BiquadFilter(AudioTensorOperation):
    """A second-order filter; the outputs are limited to [-1, 1]."""

    keeps_float: ClassVar[bool] = True
    coefficients: Coefficients

    def compute(self, data: np.ndarray) -> np.ndarray:
        return recursive_filter(data, self.coefficients[3:], self.coefficients[:3])


class Biquad(BiquadFilter):
    """Filter waveforms by the six coefficients of a second-order section.

    Args:
        b0: factor of the input.
        b1: factor of the input one step ago.
        b2: factor of the input two steps ago.
        a0: what all are divided by; not 0.
        a1: factor of the output one step ago.
        a2: factor of the output two steps ago.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is not a number.
        ValueError: one is out of range, or `a0` is 0.

    Follows: mindspore.dataset.audio.Biquad (2.10).
    """

    takes_lists: ClassVar[bool] = True

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> None:
        values = zip(Coefficients._fields, (b0, b1, b2, a0, a1, a2), strict=True)
        self.coefficients = Coefficients(*(single(real(value, name)) for name, value in values))
        if not a0:
            raise ValueError("Input a0 is not within the required interval of [-16777216, 0) and (0, 16777216].")


def _angle(sample_rate: int, frequency: float, name: str = "central_freq") -> float:
    """Return the frequency as an angle per sample."""
    return 2 * math.pi * single(real(frequency, name)) / nonzero_int(sample_rate, "sample_rate")


def _quality(value: float) -> float:
    """Return the quality factor."""
    return single(real(value, "Q", 0, 1, "(]"))


def _amplitude(gain: float, precision: type[np.floating[Any]] = np.float32) -> Any:
    """Return the square root of the amplitude that a gain in decibels means; the quotient is rounded to a precision."""
    with np.errstate(over="ignore"):
        return np.exp(np.float64(precision(single(real(gain, "gain"))) / precision(40)) * math.log(10))


def _shelf(angle: Any, alpha: Any, amplitude: Any, sign: float) -> Coefficients:
    """Return a shelf, in the precision of the arguments: `sign` is 1 for the low one and -1 for the high one."""
    with np.errstate(all="ignore"):
        kind = np.asarray(amplitude).dtype.type
        one, two, sign = kind(1), kind(2), kind(sign)
        above, below = amplitude + one, amplitude - one
        edge, cosine = two * np.sqrt(amplitude) * alpha, sign * np.cos(angle)
        return Coefficients(
            amplitude * (above - below * cosine + edge),
            sign * two * amplitude * (below - above * cosine),
            amplitude * (above - below * cosine - edge),
            above + below * cosine + edge,
            sign * -two * (below + above * cosine),
            above + below * cosine - edge,
        )


class AllpassBiquad(BiquadFilter):
    """Change the phases around a frequency, and no amplitude.

    Args:
        sample_rate: in Hz; not 0.
        central_freq: centre, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.AllpassBiquad (2.10).
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, central_freq)
        alpha, cosine = math.sin(angle) / 2 / _quality(Q), math.cos(angle)
        self.coefficients = Coefficients(1 - alpha, -2 * cosine, 1 + alpha, 1 + alpha, -2 * cosine, 1 - alpha)


class BandBiquad(BiquadFilter):
    """Pass a band of frequencies, with slopes that fall off like a logarithm.

    Args:
        sample_rate: in Hz; not 0.
        central_freq: centre of the band, in Hz.
        Q: quality factor, in (0, 1].
        noise: amplify for sounds without pitch, such as percussion.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the band is so wide that no filter is left.

    Follows: mindspore.dataset.audio.BandBiquad (2.10).
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False) -> None:
        angle = _angle(sample_rate, central_freq)
        width = np.float64(np.float32(central_freq) / np.float32(_quality(Q)))
        with np.errstate(all="ignore"):
            a2 = np.exp(-2 * math.pi * width / sample_rate)
            a1 = -4 * a2 / (1 + a2) * math.cos(angle)
            b0 = np.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
            if flag(noise, "noise"):
                b0 *= np.sqrt(((1 + a2) * (1 + a2) - a1 * a1) * (1 - a2) / (1 + a2)) / b0
        self._has_poles = a2 > np.finfo(np.float64).eps
        self.coefficients = Coefficients(b0, 0.0, 0.0, 1.0, a1, a2)

    def compute(self, data: np.ndarray) -> np.ndarray:
        if not self._has_poles:
            raise RuntimeError("BandBiquad: zero division error, 'central_freq / Q / sample_rate' is too large.")
        return super().compute(data)


class BandpassBiquad(BiquadFilter):
    """Pass a band of frequencies (Butterworth).

    Args:
        sample_rate: in Hz; not 0.
        central_freq: centre of the band, in Hz.
        Q: quality factor, in (0, 1].
        const_skirt_gain: the gain at the peak is Q instead of 1.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.BandpassBiquad (2.10).
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False) -> None:
        angle = np.float32(_angle(sample_rate, central_freq))  # MindSpore computes this filter in float32
        peak = np.sin(angle) / np.float32(2)
        alpha = peak / np.float32(_quality(Q))
        edge = peak if flag(const_skirt_gain, "const_skirt_gain") else alpha
        one, two = np.float32(1), np.float32(2)
        self.coefficients = Coefficients(edge, 0.0, -edge, one + alpha, -two * np.cos(angle), one - alpha)


class BandrejectBiquad(BiquadFilter):
    """Stop a band of frequencies (Butterworth).

    Args:
        sample_rate: in Hz; not 0.
        central_freq: centre of the band, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.BandrejectBiquad (2.10).
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, central_freq)
        alpha, cosine = math.sin(angle) / 2 / _quality(Q), math.cos(angle)
        self.coefficients = Coefficients(1.0, -2 * cosine, 1.0, 1 + alpha, -2 * cosine, 1 - alpha)


class BassBiquad(BiquadFilter):
    """Raise or lower the low frequencies.

    Args:
        sample_rate: in Hz; not 0.
        gain: of the low frequencies, in decibels.
        central_freq: edge of the shelf, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.BassBiquad (2.10).
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, central_freq)
        shelf = _shelf(angle, math.sin(angle) / 2 / _quality(Q), _amplitude(gain), 1)
        with np.errstate(all="ignore"):
            self.coefficients = Coefficients(*(value / shelf.a0 for value in shelf))


class TrebleBiquad(BiquadFilter):
    """Raise or lower the high frequencies.

    Args:
        sample_rate: in Hz; not 0.
        gain: of the high frequencies, in decibels.
        central_freq: edge of the shelf, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.TrebleBiquad (2.10).
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707) -> None:
        angle = np.float32(_angle(sample_rate, central_freq))  # MindSpore computes this filter in float32
        alpha = np.sin(angle) / np.float32(2) / np.float32(_quality(Q))
        self.coefficients = _shelf(angle, alpha, np.float32(_amplitude(gain)), -1)


class DeemphBiquad(BiquadFilter):
    """Undo the raised high frequencies of a recording (ISO 908).

    Args:
        sample_rate: 44100 or 48000.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: it is not an int.
        ValueError: it is another rate.

    Follows: mindspore.dataset.audio.DeemphBiquad (2.10).
    """

    def __init__(self, sample_rate: int) -> None:
        if require_type(sample_rate, "sample_rate", int) not in DEEMPHASES:
            raise ValueError(f"Argument sample_rate should be 44100 or 48000, but got {sample_rate}.")
        frequency, slope, gain = DEEMPHASES[sample_rate]
        angle, amplitude = _angle(sample_rate, frequency), math.exp(gain / 40 * math.log(10))
        alpha = math.sin(angle) / 2 * math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
        self.coefficients = _shelf(angle, alpha, amplitude, -1)


class EqualizerBiquad(BiquadFilter):
    """Raise or lower a band of frequencies.

    Args:
        sample_rate: in Hz; not 0.
        center_freq: centre of the band, in Hz.
        gain: at the centre, in decibels.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.EqualizerBiquad (2.10).
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, center_freq)
        amplitude, cosine = _amplitude(gain, np.float64), math.cos(angle)
        alpha = math.sin(angle) / 2 / _quality(Q)
        with np.errstate(all="ignore"):
            up, down = alpha * amplitude, alpha / amplitude
            self.coefficients = Coefficients(1 + up, -2 * cosine, 1 - up, 1 + down, -2 * cosine, 1 - down)


class HighpassBiquad(BiquadFilter):
    """Pass the frequencies above an edge.

    Args:
        sample_rate: in Hz; not 0.
        cutoff_freq: the edge, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.HighpassBiquad (2.10).
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, cutoff_freq, "cutoff_freq")
        alpha, cosine = math.sin(angle) / 2 / _quality(Q), math.cos(angle)
        outer = (1 + cosine) / 2
        self.coefficients = Coefficients(outer, -1 - cosine, outer, 1 + alpha, -2 * cosine, 1 - alpha)


class LowpassBiquad(BiquadFilter):
    """Pass the frequencies below an edge.

    Args:
        sample_rate: in Hz; not 0.
        cutoff_freq: the edge, in Hz.
        Q: quality factor, in (0, 1].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.LowpassBiquad (2.10).
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:
        angle = _angle(sample_rate, cutoff_freq, "cutoff_freq")
        alpha, cosine = math.sin(angle) / 2 / _quality(Q), math.cos(angle)
        outer = (1 - cosine) / 2
        self.coefficients = Coefficients(outer, 1 - cosine, outer, 1 + alpha, -2 * cosine, 1 - alpha)


class RiaaBiquad(BiquadFilter):
    """Undo the curve that vinyl records are cut with; the gain is 1 at 1 kHz.

    Args:
        sample_rate: 44100, 48000, 88200 or 96000.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: it is not an int.
        ValueError: it is another rate.

    Follows: mindspore.dataset.audio.RiaaBiquad (2.10).
    """

    def __init__(self, sample_rate: int) -> None:
        if require_type(sample_rate, "sample_rate", int) not in RIAA_CURVES:
            raise ValueError(f"sample_rate should be one of {list(RIAA_CURVES)}, but got {sample_rate}.")
        # MindSpore computes this filter in float32.
        zero0, zero1, pole0, pole1 = np.array(RIAA_CURVES[sample_rate], np.float32)
        b = np.array([1, -(zero0 + zero1), zero0 * zero1])
        a = np.array([1, -(pole0 + pole1), pole0 * pole1])
        angles = np.arange(3, dtype=np.float32) * np.float32(2 * math.pi * 1000 / sample_rate)
        powers = [_dot(row, np.cos(angles)) ** 2 + _dot(row, np.sin(angles)) ** 2 for row in (b, a)]
        b *= 1 / np.sqrt(powers[0] / powers[1])
        self.coefficients = Coefficients(*b, *a)


def _dot(row: np.ndarray, other: np.ndarray) -> np.float32:
    """Add up the products from the left, each sum rounded."""
    return np.cumsum(row * other)[-1]
