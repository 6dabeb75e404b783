"""Cepstral coefficients and what follows them: MFCC, LFCC, ComputeDeltas, SlidingWindowCmn."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.audio.amplitude import decibels
from msbridge.dataset.audio.arguments import count, flag, highest_frequency, non_negative, real
from msbridge.dataset.audio.base import SPECTROGRAM, AudioTensorOperation
from msbridge.dataset.audio.enums import BorderType, NormMode
from msbridge.dataset.audio.filter_banks import cosines, linear_filters
from msbridge.dataset.audio.mel import MelSpectrogram
from msbridge.dataset.audio.spectrogram import Spectrogram
from msbridge.dataset.audio.windows import pad_waves

__all__ = ["LFCC", "MFCC", "ComputeDeltas", "SlidingWindowCmn"]

LOG_OFFSET = np.float32(1e-6)
DCT_TYPE = 2


class MFCC(AudioTensorOperation):
    """Compute mel-frequency cepstral coefficients of waveforms, in float32.

    Args:
        sample_rate: in Hz; not negative.
        n_mfcc: number of coefficients.
        dct_type: 2.
        norm: of the cosine transform.
        log_mels: take logarithms instead of decibels.
        melkwargs: arguments of `MelSpectrogram`; None for its defaults.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range, or there are fewer filters than coefficients.
        RuntimeError: when called: the waveform is too short, or `pad_mode` is EDGE.

    Follows: mindspore.dataset.audio.MFCC (2.10).
    """

    heavy: ClassVar[bool] = True
    is_rowwise: ClassVar[bool] = False

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = DCT_TYPE,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: Mapping[str, Any] | None = None,
    ) -> None:
        count(sample_rate, "sample_rate")
        self.log_mels = flag(log_mels, "log_mels")
        require_type(norm, "norm", NormMode)
        count(n_mfcc, "n_mfcc")
        _check_type(dct_type)
        settings = _settings(melkwargs, "melkwargs")
        settings["f_min"] = real(settings.get("f_min", 0.0), "f_min")
        settings.setdefault("f_max", sample_rate // 2)
        self.mel_spectrogram = MelSpectrogram(sample_rate, **settings)
        n_mels = self.mel_spectrogram.bands.n_mels
        if n_mels < n_mfcc:
            raise ValueError(f"Input n_mels should be greater than or equal to n_mfcc, but got {n_mels} and {n_mfcc}.")
        self._dct = cosines(n_mfcc, n_mels, norm)

    def compute(self, data: np.ndarray) -> np.ndarray:
        _no_edge(self.mel_spectrogram.framing.pad_mode, "MFCC")
        return _cepstra(self.mel_spectrogram.compute(data), self.log_mels, self._dct)


class LFCC(AudioTensorOperation):
    """Compute linear-frequency cepstral coefficients of waveforms, in float32.

    Args:
        sample_rate: in Hz; not negative.
        n_filter: number of filters; positive.
        n_lfcc: number of coefficients; positive.
        f_min: lower end of the first filter, in Hz; not negative.
        f_max: upper end of the last filter, in Hz; half of the sample rate by default.
        dct_type: 2.
        norm: of the cosine transform.
        log_lf: take logarithms instead of decibels.
        speckwargs: arguments of `Spectrogram`; None for its defaults.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the waveform is too short, or `pad_mode` is EDGE.

    Follows: mindspore.dataset.audio.LFCC (2.10).
    """

    heavy: ClassVar[bool] = True
    is_rowwise: ClassVar[bool] = False

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = DCT_TYPE,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: Mapping[str, Any] | None = None,
    ) -> None:
        count(sample_rate, "sample_rate")
        count(n_filter, "n_filter", 1)
        count(n_lfcc, "n_lfcc", 1)
        self.log_lf = flag(log_lf, "log_lf")
        require_type(norm, "norm", NormMode)
        non_negative(f_min, "f_min")
        if f_max is not None:
            non_negative(f_max, "f_max")
        self.f_max = highest_frequency(f_max, f_min, sample_rate, is_equal_allowed=True)
        _check_type(dct_type)
        settings = _settings(speckwargs, "speckwargs")
        if "power" in settings:
            require_type(settings["power"], "power", float)
        self.spectrogram = Spectrogram(**settings)
        n_fft = self.spectrogram.framing.n_fft
        if n_fft < n_lfcc:
            raise ValueError(
                f"n_fft should be greater than or equal to n_lfcc, but got n_fft: {n_fft} and n_lfcc: {n_lfcc}."
            )
        self._filters = np.ascontiguousarray(linear_filters(n_fft // 2 + 1, f_min, self.f_max, n_filter, sample_rate).T)
        self._dct = cosines(n_lfcc, n_filter, norm)

    def compute(self, data: np.ndarray) -> np.ndarray:
        _no_edge(self.spectrogram.framing.pad_mode, "LFCC")
        return _cepstra(self._filters @ self.spectrogram.compute(data), self.log_lf, self._dct)


def _settings(given: Any, name: str) -> dict[str, Any]:
    """Return the arguments of the spectrogram below."""
    return {} if given is None else dict(require_type(given, name, dict))


def _check_type(dct_type: Any) -> None:
    if dct_type != DCT_TYPE:
        raise ValueError(f"Input dct_type must be 2, but got : {dct_type}.")


def _no_edge(pad_mode: BorderType, op: str) -> None:
    """Refuse the one border that MindSpore has no cepstra for."""
    if pad_mode == BorderType.EDGE:
        raise RuntimeError(f"{op}: invalid BorderType, EDGE is not supported.")


def _cepstra(bands: np.ndarray, is_log: bool, dct: np.ndarray) -> np.ndarray:
    """Return (..., coefficient, time) of bands (..., band, time)."""
    bands = bands.astype(np.float32, copy=False)
    levels = np.log(bands + LOG_OFFSET) if is_log else decibels(bands)
    return np.ascontiguousarray(dct.T) @ levels


class ComputeDeltas(AudioTensorOperation):
    """Compute the slopes of a spectrogram in time, by regression.

    Args:
        win_length: frames of a regression; 3 or more.
        pad_mode: how the ends are continued.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `win_length` is out of range.

    Follows: mindspore.dataset.audio.ComputeDeltas (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE) -> None:
        self.pad_mode = require_type(pad_mode, "pad_mode", BorderType)
        self.win_length = count(win_length, "win_length", 3)

    def compute(self, data: np.ndarray) -> np.ndarray:
        kind, reach, time = data.dtype.type, (self.win_length - 1) // 2, data.shape[-1]
        wide = pad_waves(data, reach, reach, self.pad_mode)
        slopes = np.zeros_like(data)
        for distance in range(-reach, reach + 1):
            slopes += kind(distance) * wide[..., reach + distance : reach + distance + time]
        return slopes / kind(reach * (reach + 1) * (2 * reach + 1) // 3)


class SlidingWindowCmn(AudioTensorOperation):
    """Subtract the mean of a sliding window from each feature, shape (..., time, freq).

    Args:
        cmn_window: frames of the window.
        min_cmn_window: frames at the beginning, where the window is on the left.
        center: the window is around the frame instead of on its left.
        norm_vars: also divide by the standard deviation.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is negative.
        RuntimeError: when called: a window has no frames.

    Follows: mindspore.dataset.audio.SlidingWindowCmn (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM
    is_rowwise: ClassVar[bool] = False

    def __init__(
        self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False
    ) -> None:
        self.cmn_window, self.min_cmn_window = count(cmn_window, "cmn_window"), count(min_cmn_window, "min_cmn_window")
        self.center, self.norm_vars = flag(center, "center"), flag(norm_vars, "norm_vars")

    def compute(self, data: np.ndarray) -> np.ndarray:
        frames = data.shape[-2]
        starts, ends = self._windows(frames)
        sizes = (ends - starts).astype(data.dtype)[:, None]
        if not sizes.all():
            raise RuntimeError("SlidingWindowCmn: 'cmn_window' leaves no frames in a window.")
        sums = _sliding_sums(data, starts, ends)
        normalized = data - sums / sizes
        if self.norm_vars:
            variances = _sliding_sums(np.square(data), starts, ends) / sizes - np.square(sums) / np.square(sizes)
            normalized = np.where(sizes == 1, 0, normalized * (1 / np.sqrt(variances))).astype(data.dtype)
        return normalized.squeeze() if data.ndim == 2 and frames == 1 else normalized

    def _windows(self, frames: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and the last row of each frame's window."""
        at = np.arange(frames)
        starts = at - (self.cmn_window // 2 if self.center else self.cmn_window)
        ends = starts + self.cmn_window if self.center else at + 1
        ends = np.where(starts < 0, ends - starts, ends)
        starts = np.maximum(starts, 0)
        if not self.center:
            ends = np.where(ends > at, np.maximum(at + 1, self.min_cmn_window), ends)
        starts = np.where(ends > frames, np.maximum(starts - (ends - frames), 0), starts)
        return starts, np.minimum(ends, frames)


def _sliding_sums(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the sums over windows of frames; each follows from the last one by what leaves and what enters.

    The rounding is that of MindSpore: a running sum, in the dtype of the data.
    """
    steps = np.zeros((*data.shape[:-2], 2 * len(starts), data.shape[-1]), data.dtype)
    steps[..., 1, :] = data[..., starts[0] : ends[0], :].sum(-2)
    leaving, entering = np.flatnonzero(np.diff(starts) > 0), np.flatnonzero(np.diff(ends) > 0)
    steps[..., 2 * (leaving + 1), :] = -data[..., starts[leaving], :]
    steps[..., 2 * (entering + 1) + 1, :] = data[..., ends[entering], :]
    return np.cumsum(steps, axis=-2, dtype=data.dtype)[..., 1::2, :]
