"""The mel scale: MelScale, InverseMelScale, MelSpectrogram."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.audio.arguments import count, highest_frequency, non_negative, positive, real, single
from msbridge.dataset.audio.base import SPECTROGRAM, AudioTensorOperation, RandomAudioOperation
from msbridge.dataset.audio.enums import BorderType, MelType, NormType, WindowType
from msbridge.dataset.audio.filter_banks import mel_filters
from msbridge.dataset.audio.spectrogram import framing_of
from msbridge.dataset.audio.stft import power_of, spectrum
from msbridge.dataset.row_random import RowRandom

__all__ = ["InverseMelScale", "MelScale", "MelSpectrogram"]


class Bands:
    """Filters of the mel scale, made once for a dtype."""

    def __init__(
        self,
        n_stft: int,
        f_min: float,
        f_max: float,
        n_mels: int,
        sample_rate: int,
        norm: NormType,
        mel_type: MelType,
    ) -> None:
        self.n_stft, self.n_mels = n_stft, n_mels
        self._settings = n_stft, f_min, f_max, n_mels, sample_rate, norm, mel_type
        self._filters: dict[np.dtype[Any], np.ndarray] = {}

    def filters(self, dtype: np.dtype[Any]) -> np.ndarray:
        """Return the filters, (freq, mel)."""
        found = self._filters.get(dtype)
        if found is None:
            found = self._filters[dtype] = mel_filters(*self._settings, dtype)
        return found

    def apply(self, spectra: np.ndarray, op: str) -> np.ndarray:
        """Return (..., mel, time) of spectrograms (..., freq, time)."""
        if spectra.shape[-2] != self.n_stft:
            raise RuntimeError(f"{op}: the input should have {self.n_stft} frequencies, got {spectra.shape[-2]}.")
        return np.ascontiguousarray(self.filters(spectra.dtype).T) @ spectra


def band_settings(
    n_mels: int, sample_rate: int, f_min: float, f_max: float | None, norm: NormType, mel_type: MelType
) -> float:
    """Check the settings of MelScale and InverseMelScale, and return the upper end of the band."""
    count(n_mels, "n_mels", 1)
    count(sample_rate, "sample_rate", 1)
    real(f_min, "f_min")
    if f_max is not None:
        positive(f_max, "f_max")
    require_type(norm, "norm", NormType)
    require_type(mel_type, "mel_type", MelType)
    return highest_frequency(f_max, f_min, sample_rate, is_equal_allowed=False)


class MelScale(AudioTensorOperation):
    """Convert spectrograms to the mel scale.

    Args:
        n_mels: number of filters; positive.
        sample_rate: in Hz; positive.
        f_min: lower end of the first filter, in Hz.
        f_max: upper end of the last filter, in Hz; half of the sample rate by default.
        n_stft: number of frequencies of the input; positive.
        norm: divide each filter by its width, or not.
        mel_type: formula of the scale.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the input has another number of frequencies.

    Follows: mindspore.dataset.audio.MelScale (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        self.f_max = band_settings(n_mels, sample_rate, f_min, f_max, norm, mel_type)
        count(n_stft, "n_stft", 1)
        self.bands = Bands(n_stft, f_min, self.f_max, n_mels, sample_rate, norm, mel_type)

    def compute(self, data: np.ndarray) -> np.ndarray:
        return self.bands.apply(data, "MelScale")


class InverseMelScale(RandomAudioOperation):
    """Find spectrograms whose mel scale comes close, by gradient descent from random ones.

    Args:
        n_stft: number of frequencies of the result; positive.
        n_mels: number of filters; positive.
        sample_rate: in Hz; positive.
        f_min: lower end of the first filter, in Hz.
        f_max: upper end of the last filter, in Hz; half of the sample rate by default.
        max_iter: largest number of steps; positive.
        tolerance_loss: ends the descent when the mean squared error is below; positive.
        tolerance_change: ends it when the error changes by less; positive.
        sgdargs: "sgd_lr", the size of a step, and "sgd_momentum", which is without effect in MindSpore, too.
        norm: divide each filter by its width, or not.
        mel_type: formula of the scale.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        KeyError: `sgdargs` lacks an entry.
        RuntimeError: when called: the input has another number of bands.

    Follows: mindspore.dataset.audio.InverseMelScale (2.10).
    """

    heavy: ClassVar[bool] = True

    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-5,
        tolerance_change: float = 1e-8,
        sgdargs: Mapping[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        self.f_max = band_settings(n_mels, sample_rate, f_min, f_max, norm, mel_type)
        count(n_stft, "n_stft", 1)
        self.max_iter = count(max_iter, "max_iter", 1)
        self.tolerance_loss = positive(tolerance_loss, "tolerance_loss")
        self.tolerance_change = positive(tolerance_change, "tolerance_change")
        self.sgdargs = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        for name in ("sgd_lr", "sgd_momentum"):
            non_negative(self.sgdargs[name], name)
        self.bands = Bands(n_stft, f_min, self.f_max, n_mels, sample_rate, norm, mel_type)

    def compute(self, data: np.ndarray, draw: RowRandom) -> np.ndarray:
        *front, n_mels, time = data.shape
        if n_mels != self.bands.n_mels:
            raise RuntimeError(
                f"InverseMelScale: n_mels must be equal to the penultimate dimension of input, got {n_mels} and "
                f"{self.bands.n_mels}."
            )
        filters = self.bands.filters(np.dtype(np.float32)).astype(data.dtype)
        random = np.random.default_rng(draw.bits())
        channels = data.reshape(-1, n_mels, time)
        found = [self._descend(channel, filters, random) for channel in channels]
        return np.stack(found).reshape(*(front or [1]), len(filters), time)

    def _descend(self, target: np.ndarray, filters: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return the spectrogram (freq, time) of one channel (mel, time)."""
        kind, time = target.dtype.type, target.shape[-1]
        guess = random.random((len(filters), time)).astype(target.dtype)
        step = kind(single(self.sgdargs["sgd_lr"])) / kind(time)
        back, loss = np.ascontiguousarray(filters.T), np.inf
        least, change = single(self.tolerance_loss), single(self.tolerance_change)
        for _ in range(self.max_iter):
            error = target - back @ guess
            now = float(np.square(error).mean())
            if now < least or abs(loss - now) < change:
                break
            loss = now
            guess += step * (filters @ error)
        return np.maximum(guess, 0)


class MelSpectrogram(AudioTensorOperation):
    """Compute spectrograms of waveforms on the mel scale.

    Args:
        sample_rate: in Hz; not negative.
        n_fft: samples of a frame; positive, less than twice the waveform's length.
        win_length: samples under the window, at most `n_fft`, the default.
        hop_length: samples from frame to frame; half of `win_length` by default.
        f_min: lower end of the first filter, in Hz; a float.
        f_max: upper end of the last filter, in Hz; half of the sample rate by default.
        pad: zeros at both ends.
        n_mels: number of filters.
        window: the window function.
        power: exponent of the magnitudes; positive.
        normalized: divide by the root of the window's energy.
        center: put half a frame in front and behind.
        pad_mode: of what.
        onesided: has to be True, for the filters fit no other spectrum.
        norm: divide each filter by its width, or not.
        mel_scale: formula of the scale.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the waveform is too short.

    Follows: mindspore.dataset.audio.MelSpectrogram (2.10).
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ) -> None:
        require_type(f_min, "f_min", float)
        if f_max is not None:
            non_negative(f_max, "f_max")
        require_type(norm, "norm", NormType)
        require_type(mel_scale, "mel_scale", MelType)
        count(n_mels, "n_mels")
        self.power = positive(power, "power")
        self.framing = framing_of(n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided)
        self.f_max = highest_frequency(f_max, f_min, count(sample_rate, "sample_rate"), is_equal_allowed=True)
        self.bands = Bands(n_fft // 2 + 1, f_min, self.f_max, n_mels, sample_rate, norm, mel_scale)

    def compute(self, data: np.ndarray) -> np.ndarray:
        if self.framing.n_fft >= 2 * data.shape[-1]:
            raise RuntimeError(
                "MelSpectrogram: Padding size should be less than the corresponding input dimension, got n_fft "
                f"{self.framing.n_fft} for {data.shape[-1]} samples."
            )
        found = spectrum(data, self.framing, "MelSpectrogram")
        return self.bands.apply(power_of(found, single(self.power)), "MelSpectrogram")
