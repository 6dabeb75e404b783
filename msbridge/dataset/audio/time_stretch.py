"""Another speed or another pitch: PhaseVocoder, TimeStretch, PitchShift."""

import math
from typing import ClassVar

import numpy as np
import torch

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.audio.arguments import (
    INT32_MIN,
    count,
    nonzero_int,
    optional_count,
    positive,
    window_within,
)
from msbridge.dataset.audio.base import COMPLEX_SPECTROGRAM, AudioTensorOperation, linspace, round_half_away
from msbridge.dataset.audio.enums import WindowType
from msbridge.dataset.audio.resampling import Resampler
from msbridge.dataset.audio.stft import Framing, power_of, spectrum, waves_of

__all__ = ["PhaseVocoder", "PitchShift", "TimeStretch"]


class PhaseVocoder(AudioTensorOperation):
    """Stretch complex spectrograms (..., freq, time, 2) in time, at the same pitch.

    Args:
        rate: how much faster; positive.
        phase_advance: what each frequency's phase advances from frame to frame, shape (freq, 1), of the input's dtype.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `rate` is out of range.
        RuntimeError: when called: shape or dtype of `phase_advance` does not fit.

    Follows: mindspore.dataset.audio.PhaseVocoder (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = COMPLEX_SPECTROGRAM
    is_rowwise: ClassVar[bool] = False

    def __init__(self, rate: float, phase_advance: np.ndarray) -> None:
        self.rate = positive(rate, "rate")
        self.phase_advance = require_type(phase_advance, "phase_advance", np.ndarray)

    def transform_value(self, value: np.ndarray) -> np.ndarray:
        advance = self.phase_advance
        if advance.ndim != 2 or advance.shape[1] != 1:
            raise RuntimeError(f"PhaseVocoder: 'phase_advance' should be in shape of <freq, 1>, got {advance.shape}.")
        data = self.to_computed_dtype(value)
        if advance.shape[0] != data.shape[-3]:
            raise RuntimeError(
                "PhaseVocoder: first dimension of 'phase_advance' should be equal to freq dimension length of input "
                f"tensor, got {advance.shape[0]} and {data.shape[-3]}."
            )
        if advance.dtype != np.asarray(value).dtype:
            raise RuntimeError(
                "PhaseVocoder: data type of phase_advance should be equal to data type of input tensor, but got: "
                f"{advance.dtype} and {np.asarray(value).dtype}."
            )
        return stretch_spectrogram(data, self.rate, advance[:, 0].astype(data.dtype))


class TimeStretch(AudioTensorOperation):
    """Stretch complex spectrograms (..., freq, time, 2) in time, at the same pitch.

    Args:
        hop_length: samples from frame to frame; n_freq - 1 by default.
        n_freq: number of frequencies; positive.
        fixed_rate: how much faster; 1 by default.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.TimeStretch (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = COMPLEX_SPECTROGRAM
    is_rowwise: ClassVar[bool] = False

    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None) -> None:
        self.n_freq = count(n_freq, "n_freq", 1)
        self.hop_length = optional_count(hop_length, "hop_length", n_freq - 1)
        self.fixed_rate = 1.0 if fixed_rate is None else positive(fixed_rate, "fixed_rate")

    def compute(self, data: np.ndarray) -> np.ndarray:
        return stretch_spectrogram(
            data, self.fixed_rate, linspace(0, math.pi * self.hop_length, self.n_freq, data.dtype)
        )


def stretch_spectrogram(data: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """Interpolate magnitudes, and add up the phases' steps.

    Args:
        data: shape (..., freq, time, 2).
        rate: how much faster.
        advance: the phase's step at each frequency; MindSpore starts it again after its end, along any axis.

    Returns:
        Shape (..., freq, ceil(time / rate), 2); at the rate of 1, the axes in front are one.
    """
    *front, freq, time, _ = data.shape
    packed = data.reshape(-1, freq, time, 2)
    if abs(np.float32(rate) - 1) <= np.finfo(np.float32).eps:
        return packed
    kind, pace = data.dtype.type, np.float32(rate)
    steps = np.arange(math.ceil(time / float(pace)) + 1, dtype=np.float32) * pace
    steps = steps[steps < time]
    first = steps.astype(np.int64)
    parts = (steps % 1).astype(data.dtype)
    wide = np.pad(packed, [(0, 0), (0, 0), (0, 2), (0, 0)]).astype(np.float64)
    angles = np.arctan2(wide[..., 1], wide[..., 0]).astype(data.dtype)
    sizes = np.hypot(wide[..., 1], wide[..., 0]).astype(data.dtype)
    here, there = angles[..., first], angles[..., first + 1]
    expected = np.resize(advance, (packed.shape[0] * freq)).reshape(-1, freq, 1)
    jumps = (there - here - expected).astype(np.float64)
    jumps = jumps - 2 * math.pi * round_half_away(jumps / (2 * math.pi)) + expected
    phases = np.concatenate([angles[..., :1], jumps[..., :-1].astype(data.dtype)], axis=-1)
    phases = np.cumsum(phases, axis=-1, dtype=data.dtype).astype(np.float64)
    magnitudes = parts * sizes[..., first + 1] + (kind(1) - parts) * sizes[..., first]
    made = np.stack([np.cos(phases), np.sin(phases)], axis=-1).astype(data.dtype) * magnitudes[..., None]
    return made.reshape(*front, freq, len(first), 2)


class PitchShift(AudioTensorOperation):
    """Shift the pitch of waveforms by steps.

    Args:
        sample_rate: in Hz; not negative.
        n_steps: how many steps up.
        bins_per_octave: steps of an octave; not 0.
        n_fft: samples of a frame; positive.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; a quarter of `win_length` by default.
        window: the window function.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the waveform is shorter than a frame.

    Follows: mindspore.dataset.audio.PitchShift (2.10).
    """

    heavy: ClassVar[bool] = True
    is_rowwise: ClassVar[bool] = False

    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ) -> None:
        self.sample_rate = count(sample_rate, "sample_rate")
        octaves = np.float32(-int_within(n_steps, "n_steps", INT32_MIN)) / np.float32(
            nonzero_int(bins_per_octave, "bins_per_octave")
        )
        self.rate = np.float32(np.power(2.0, np.float64(octaves)))
        length = window_within(win_length, count(n_fft, "n_fft", 1))
        hop = optional_count(hop_length, "hop_length", length // 4)
        self.framing = Framing(n_fft, length, hop, require_type(window, "window", WindowType))

    def compute(self, data: np.ndarray) -> np.ndarray:
        time = data.shape[-1]
        spectra = power_of(spectrum(data.reshape(-1, time), self.framing, "PitchShift"), 0)
        advance = linspace(0, math.pi * self.framing.hop_length, spectra.shape[-3], data.dtype)
        slower = np.ascontiguousarray(stretch_spectrogram(spectra, float(self.rate), advance), np.float64)
        length = int(round_half_away(np.asarray(time / self.rate)))
        waves = waves_of(torch.view_as_complex(torch.from_numpy(slower)), self.framing, length, "PitchShift").numpy()
        resampled = Resampler(int(self.sample_rate / self.rate), self.sample_rate)(waves.astype(data.dtype))
        shifted = np.zeros((len(resampled), time), data.dtype)
        kept = min(time, resampled.shape[-1])
        shifted[:, :kept] = resampled[:, :kept]
        return shifted.reshape(data.shape)
