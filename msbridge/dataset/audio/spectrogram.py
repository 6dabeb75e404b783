"""Spectrograms and what is made of them only: Spectrogram, InverseSpectrogram, SpectralCentroid, GriffinLim."""

from typing import ClassVar

import numpy as np
import torch

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.audio.arguments import count, flag, non_negative, optional_count, positive, single, window_within
from msbridge.dataset.audio.base import COMPLEX_SPECTROGRAM, AudioTensorOperation, RandomAudioOperation, linspace
from msbridge.dataset.audio.enums import BorderType, WindowType
from msbridge.dataset.audio.stft import Framing, power_of, spectrum, waves_of
from msbridge.dataset.row_random import RowRandom

__all__ = ["GriffinLim", "InverseSpectrogram", "SpectralCentroid", "Spectrogram"]


class Spectrogram(AudioTensorOperation):
    """Compute spectrograms of waveforms.

    Args:
        n_fft: samples of a frame; positive.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; half of `win_length` by default.
        pad: zeros at both ends.
        window: the window function.
        power: exponent of the magnitudes; 0 for complex numbers, whose parts are a last axis of two.
        normalized: divide by the root of the window's energy.
        center: put half a frame in front and behind.
        pad_mode: of what.
        onesided: n_fft // 2 + 1 frequencies instead of `n_fft`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the waveform is shorter than a frame.

    Follows: mindspore.dataset.audio.Spectrogram (2.10).
    """

    takes_lists: ClassVar[bool] = True

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        self.power = non_negative(power, "power")
        self.framing = framing_of(n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided)

    def compute(self, data: np.ndarray) -> np.ndarray:
        return power_of(spectrum(data, self.framing, "Spectrogram"), single(self.power))


def framing_of(
    n_fft: int,
    win_length: int | None,
    hop_length: int | None,
    pad: int,
    window: WindowType,
    normalized: bool,
    center: bool,
    pad_mode: BorderType,
    onesided: bool,
) -> Framing:
    """Check how a waveform is to be cut into frames."""
    length = window_within(win_length, count(n_fft, "n_fft", 1))
    return Framing(
        n_fft,
        length,
        optional_count(hop_length, "hop_length", length // 2),
        require_type(window, "window", WindowType),
        count(pad, "pad"),
        flag(center, "center"),
        require_type(pad_mode, "pad_mode", BorderType),
        flag(normalized, "normalized"),
        flag(onesided, "onesided"),
    )


class InverseSpectrogram(AudioTensorOperation):
    """Compute waveforms from complex spectrograms (..., freq, time, 2).

    Args:
        length: of the waveform, without `pad`; None for what the frames cover.
        n_fft: samples of a frame; positive.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; half of `win_length` by default.
        pad: samples that are cut off at both ends, where `length` is given.
        window: the window function.
        normalized: the spectrograms are divided by the root of the window's energy.
        center: half a frame was in front and behind.
        pad_mode: of what; without effect.
        onesided: there are n_fft // 2 + 1 frequencies instead of `n_fft`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the number of frequencies does not fit `n_fft`.

    Follows: mindspore.dataset.audio.InverseSpectrogram (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = COMPLEX_SPECTROGRAM

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        self.length = optional_count(length, "length", 0, low=0)
        self.framing = framing_of(n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided)

    def compute(self, data: np.ndarray) -> np.ndarray:
        framing = self.framing
        if framing.normalized:
            data = data * data.dtype.type(single(framing.energy))
        spectra = torch.view_as_complex(torch.from_numpy(np.ascontiguousarray(data, np.float64)))
        if not framing.onesided:
            spectra = spectra[..., : framing.n_fft // 2 + 1, :]
        if framing.pad and not self.length:
            raise RuntimeError("InverseSpectrogram: 'pad' needs a 'length'.")
        frames = data.shape[-2]
        length = self.length + 2 * framing.pad if self.length else (frames - 1) * framing.hop_length
        waves = waves_of(spectra, framing, length, "InverseSpectrogram").numpy().astype(data.dtype)
        if not framing.pad:
            return waves
        return waves[..., framing.pad : length - framing.pad].astype(np.float32)


class SpectralCentroid(AudioTensorOperation):
    """Compute the mean frequency of each frame, weighted by magnitude.

    Args:
        sample_rate: in Hz; not negative.
        n_fft: samples of a frame; positive.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; half of `win_length` by default.
        pad: zeros at both ends.
        window: the window function.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the sample rate is 0, or the waveform is shorter than a frame.

    Follows: mindspore.dataset.audio.SpectralCentroid (2.10).
    """

    takes_lists: ClassVar[bool] = True

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ) -> None:
        self.sample_rate = count(sample_rate, "sample_rate")
        self.framing = framing_of(n_fft, win_length, hop_length, pad, window, False, True, BorderType.REFLECT, True)

    def compute(self, data: np.ndarray) -> np.ndarray:
        if not self.sample_rate:
            raise RuntimeError("SpectralCentroid: 'sample_rate' must be greater than 0, got: 0.")
        magnitudes = power_of(spectrum(data, self.framing, "SpectralCentroid"), 1.0).astype(np.float64)
        frequencies = linspace(0, self.sample_rate // 2, magnitudes.shape[-2], data.dtype).astype(np.float64)
        centroids = (frequencies[:, None] * magnitudes).sum(-2, keepdims=True) / magnitudes.sum(-2, keepdims=True)
        return centroids.astype(data.dtype)


class GriffinLim(RandomAudioOperation):
    """Compute waveforms from spectrograms without phases, which are found by iteration.

    Args:
        n_fft: samples of a frame; positive.
        n_iter: number of iterations; positive.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; half of `win_length` by default.
        window_type: the window function.
        power: exponent of the magnitudes that the spectrograms hold; positive.
        momentum: how far each iteration goes beyond the new phases; not negative.
        length: of the waveform; None for what the frames cover.
        rand_init: begin with random phases.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the number of frequencies does not fit `n_fft`, or `momentum` is 1 or more.

    Follows: mindspore.dataset.audio.GriffinLim (2.10).
    """

    heavy: ClassVar[bool] = True

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ) -> None:
        self.n_iter = count(n_iter, "n_iter", 1)
        window_length = window_within(win_length, count(n_fft, "n_fft", 1), 0) or n_fft
        hop = optional_count(hop_length, "hop_length", 0, low=0) or window_length // 2
        self.framing = Framing(n_fft, window_length, hop, require_type(window_type, "window_type", WindowType))
        self.power, self.momentum = positive(power, "power"), non_negative(momentum, "momentum")
        self.length = 0 if length is None else int_within(length, "length", 0)
        self.rand_init = flag(rand_init, "rand_init")

    def compute(self, data: np.ndarray, draw: RowRandom) -> np.ndarray:
        if self.momentum >= 1:
            raise RuntimeError(f"GriffinLim: momentum equal to or greater than 1 can be unstable, got {self.momentum}.")
        magnitudes = np.power(data, data.dtype.type(1 / single(self.power))).reshape(-1, *data.shape[-2:])
        magnitudes = torch.from_numpy(magnitudes.astype(np.float64))
        angles = torch.ones(magnitudes.shape, dtype=torch.complex128)
        if self.rand_init:
            parts = np.random.default_rng(draw.bits()).random((*magnitudes.shape, 2))
            angles = torch.view_as_complex(torch.from_numpy(parts))
        before = torch.zeros_like(angles)
        covered = (data.shape[-1] - 1) * self.framing.hop_length
        momentum = np.float32(self.momentum)
        for _ in range(2):  # MindSpore puts the momentum into this form twice
            momentum /= np.float32(1) + momentum
        for _ in range(self.n_iter):
            waves = waves_of(angles * magnitudes, self.framing, covered, "GriffinLim").numpy().astype(data.dtype)
            now = spectrum(waves, self.framing, "GriffinLim").to(torch.complex128)
            angles = now - float(momentum) * before
            angles = angles / (angles.abs() + single(1e-16))
            before = now
        waves = waves_of(angles * magnitudes, self.framing, self.length, "GriffinLim").numpy().astype(data.dtype)
        return waves[0] if data.ndim == 2 else waves
