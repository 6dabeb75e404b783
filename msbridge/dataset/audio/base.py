"""The base of audio transforms: which arrays they take, and in which dtype they compute."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import RandomTransform, Transform

__all__ = ["AudioTensorOperation"]

WAVE = ("time",)
SPECTROGRAM = ("freq", "time")
COMPLEX = ("complex=2",)
COMPLEX_SPECTROGRAM = ("freq", "time", "complex=2")


class AudioTensorOperation(Transform):
    """Base of the transforms of waveforms and spectrograms.

    Follows: mindspore.dataset.audio.transforms.AudioTensorOperation (2.10).
    """

    accepts: ClassVar[str] = "audio"
    axes: ClassVar[tuple[str, ...]] = WAVE  # the input's last axes; any number of others may come in front
    keeps_float: ClassVar[bool] = False  # computes in the input's dtype, which has to be a floating one
    takes_lists: ClassVar[bool] = False  # an eager call also takes what numpy makes an array of
    is_rowwise: ClassVar[bool] = True  # the axes in front are free, so a stack of rows is computed at once

    def transform_value(self, value: Any) -> Any:
        with np.errstate(all="ignore"):  # infinities and NaN are results, as in MindSpore
            return self.compute(self.to_computed_dtype(value))

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        if not self.is_rowwise or rows.ndim <= len(self.axes):
            return None
        with np.errstate(all="ignore"):
            return self.compute(self.to_computed_dtype(rows))

    def compute(self, data: np.ndarray) -> Any:
        """Transform an array that `to_computed_dtype` has let in; never in place."""
        raise NotImplementedError

    def to_computed_dtype(self, value: Any) -> np.ndarray:
        """Return the array in the dtype of the computation, or raise."""
        return to_computed_dtype(value, type(self).__name__, self.axes, self.keeps_float)

    def check_inputs(self, *inputs: Any) -> Any:
        only_arrays(inputs, self.takes_lists)
        return super().check_inputs(*inputs)


class RandomAudioOperation(RandomTransform):
    """Base of the audio transforms with random numbers."""

    accepts: ClassVar[str] = "audio"
    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        if draw is None:
            raise ValueError("a random transform needs the row's numbers")
        with np.errstate(all="ignore"):
            return self.compute(to_computed_dtype(value, type(self).__name__, self.axes), draw)

    def compute(self, data: np.ndarray, draw: RowRandom) -> Any:
        """Transform an array that `to_computed_dtype` has let in; never in place."""
        raise NotImplementedError

    def check_inputs(self, *inputs: Any) -> Any:
        only_arrays(inputs)
        return super().check_inputs(*inputs)


def to_computed_dtype(value: Any, op: str, axes: tuple[str, ...], keeps_float: bool = False) -> np.ndarray:
    """Return the array in the dtype of the computation: float64 stays, any other number becomes float32.

    Args:
        value: what came in.
        op: the transform.
        axes: what its last axes mean.
        keeps_float: every floating dtype stays, anything else raises.

    Raises:
        TypeError: it is not an array.
        RuntimeError: it is empty, has too few axes, or another dtype.
    """
    data = np.asarray(value)
    if data.dtype == object:
        raise TypeError(f"{op}: Invalid user input. Got {type(value)}, which cannot be converted into a tensor.")
    if not data.size:
        raise RuntimeError(f"{op}: Input Tensor has no data, got shape {data.shape}.")
    if data.ndim < len(axes) or (axes[-1] == COMPLEX[0] and data.shape[-1] != 2):
        raise RuntimeError(f"{op}: input tensor is not in shape of <..., {', '.join(axes)}>, got shape {data.shape}.")
    if data.dtype.kind not in ("f" if keeps_float else "biuf"):
        wanted = "[float16, float32, float64]" if keeps_float else "[int, float, double]"
        raise RuntimeError(f"{op}: input tensor type should be {wanted}, but got: {data.dtype}.")
    if keeps_float or data.dtype == np.float64:
        return data
    return data.astype(np.float32, copy=False)


def only_arrays(inputs: tuple[Any, ...], takes_lists: bool = False) -> None:
    """Refuse inputs of an eager call that are not arrays."""
    for value in inputs:
        if not takes_lists and not isinstance(value, np.ndarray):
            raise TypeError(f"Input should be NumPy audio, got {type(value)}.")


def import_scipy(part: str, what: str) -> ModuleType:
    """Import a part of SciPy; a missing one raises with the `pip install` line."""
    import importlib

    try:
        return importlib.import_module(f"scipy.{part}")
    except ImportError as error:
        raise ImportError(f'{what} needs SciPy: pip install "msbridge[audio]"') from error


def round_half_away(values: np.ndarray) -> np.ndarray:
    """Round to integers, halves away from zero as C does."""
    return np.copysign(np.floor(np.abs(values) + 0.5), values)


def linspace(start: float, end: float, number: int, dtype: np.dtype[Any]) -> np.ndarray:
    """Return `number` equally spaced values as sums in `dtype`: start + i · interval."""
    kind: Callable[[float], Any] = dtype.type
    if start > end:
        raise RuntimeError(f"Linspace: start should be no greater than end, but got {start} and {end}.")
    interval = kind(0) if number == 1 else (kind(end) - kind(start)) / kind(number - 1)
    return kind(start) + np.arange(number, dtype=dtype) * interval
