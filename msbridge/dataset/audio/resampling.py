"""Another sample rate."""

import math
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.audio.arguments import count, positive, single
from msbridge.dataset.audio.base import AudioTensorOperation
from msbridge.dataset.audio.enums import BorderType, ResampleMethod
from msbridge.dataset.audio.windows import pad_waves

__all__ = ["Resample"]

KAISER_BETA = 14.769656459379492
MAX_MATRIX_ELEMENTS = 1 << 18  # elements: 44100 Hz to 16000 Hz has 70,560


class Resample(AudioTensorOperation):
    """Resample waveforms by a windowed sinc filter.

    Args:
        orig_freq: sample rate of the input; positive.
        new_freq: sample rate of the output; positive.
        resample_method: the window.
        lowpass_filter_width: zeros of the sinc on each side; positive.
        rolloff: edge of the filter, as a part of half of the lower rate, in (0, 1].
        beta: shape of the Kaiser window.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: a rate is below 1.

    Follows: mindspore.dataset.audio.Resample (2.10).
    """

    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ) -> None:
        self.orig_freq, self.new_freq = positive(orig_freq, "orig_freq"), positive(new_freq, "new_freq")
        require_type(resample_method, "resample_method", ResampleMethod)
        count(lowpass_filter_width, "lowpass_filter_width", 1)
        within(require_type(rolloff, "rolloff", float), "rolloff", 0, 1.0, "(]")
        shape = KAISER_BETA if beta is None else float(require_type(beta, "beta", (int, float, bool, np.floating)))
        self._resampler = Resampler(
            self.orig_freq, self.new_freq, resample_method, lowpass_filter_width, rolloff, shape
        )

    def transform_value(self, value: Any) -> Any:
        return self._copy_input(value) if self.orig_freq == self.new_freq else super().transform_value(value)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self._copy_input(rows) if self.orig_freq == self.new_freq else super().stack(rows)

    def _copy_input(self, value: Any) -> np.ndarray:
        """Return a copy in the input's own dtype."""
        self.to_computed_dtype(value)
        return np.array(value)

    def compute(self, data: np.ndarray) -> np.ndarray:
        return self._resampler(data)


class Resampler:
    """A filter for each position of an output between the inputs; made once for a dtype."""

    def __init__(
        self,
        orig_freq: float,
        new_freq: float,
        method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        zeros: int = 6,
        rolloff: float = 0.99,
        beta: float = KAISER_BETA,
    ) -> None:
        self.is_possible = min(orig_freq, new_freq) >= 1
        divisor = math.gcd(int(orig_freq), int(new_freq)) or 1
        self.old, self.new = (max(1, int(single(rate) // divisor)) for rate in (orig_freq, new_freq))
        self.method, self.zeros, self.beta = method, zeros, beta
        self.edge = np.float32(min(self.old, self.new)) * np.float32(rolloff)
        self.margin = math.ceil(np.float32(zeros * self.old) / self.edge)
        self.is_dense = self.old * self.new <= MAX_MATRIX_ELEMENTS
        self._filters: dict[np.dtype[Any], np.ndarray] = {}

    def __call__(self, waves: np.ndarray) -> np.ndarray:
        """Resample waveforms (..., time)."""
        if not self.is_possible:
            raise RuntimeError("Resample: invalid parameter, 'orig_freq' and 'new_freq' should be 1 or more.")
        filters = self._filters.get(waves.dtype)
        if filters is None:
            filters = self._filters[waves.dtype] = self._compute_filters(waves.dtype)
        time = waves.shape[-1]
        target = math.ceil(self.new * time / self.old)
        rows = pad_waves(waves.reshape(-1, time), self.margin, self.margin + self.old, BorderType.CONSTANT)
        windows = np.lib.stride_tricks.sliding_window_view(rows, len(filters), axis=-1)
        if self.is_dense:
            # A copy, for BLAS takes no rows that overlap.
            periods = np.ascontiguousarray(windows[:, :: self.old][:, : math.ceil(target / self.new)])
            resampled = (periods @ filters).reshape(len(rows), -1)[:, :target]
        else:
            outputs = np.arange(target)
            resampled = np.einsum(
                "ntk,kt->nt", windows[:, outputs * self.old // self.new], filters[:, outputs % self.new]
            )
        return np.ascontiguousarray(resampled).reshape(*waves.shape[:-1], target)

    def _compute_filters(self, dtype: np.dtype[Any]) -> np.ndarray:
        """Return the filters of the `new` outputs that fall on `old` inputs.

        Returns:
            Shape (taps, new). The taps are all inputs that some output needs, one matrix for a fast product; or, where
            that would be large, those around each output.
        """
        kind: Any = dtype.type
        outputs = np.arange(self.new)
        if self.is_dense:
            taps = np.arange(-self.margin, self.margin + self.old)[:, None]
        else:
            taps = outputs * self.old // self.new + np.arange(-self.margin, self.margin + 2)[:, None]
        at = (-outputs.astype(dtype) / kind(self.new) + taps.astype(dtype) / kind(self.old)) * kind(self.edge)
        at = np.clip(at, -self.zeros, self.zeros)
        if self.method == ResampleMethod.SINC_INTERPOLATION:
            window = np.square(np.cos(at * kind(math.pi) / kind(self.zeros) / kind(2)))
        else:
            beta = single(self.beta)
            inside = np.sqrt(np.maximum(0, 1 - np.square(at.astype(np.float64) / self.zeros)))
            window = (np.i0(beta * inside) / np.i0(beta)).astype(dtype)
        at *= kind(math.pi)
        sinc = np.divide(np.sin(at), at, out=np.ones_like(at), where=at != 0)
        return kind(self.edge / np.float32(self.old)) * sinc * window
