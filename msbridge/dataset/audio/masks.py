"""Masks over parts of a spectrogram."""

from typing import ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.audio.arguments import count, flag, non_negative, real
from msbridge.dataset.audio.base import SPECTROGRAM, AudioTensorOperation, RandomAudioOperation
from msbridge.dataset.row_random import RowRandom

__all__ = ["FrequencyMasking", "MaskAlongAxis", "MaskAlongAxisIID", "TimeMasking"]

FREQUENCY, TIME = 1, 2


class MaskAlongAxis(AudioTensorOperation):
    """Overwrite a range of frequencies or of frames.

    Args:
        mask_start: where the range begins.
        mask_width: how many are overwritten; positive.
        mask_value: with what.
        axis: 1 for frequencies, 2 for frames.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the range does not fit.

    Follows: mindspore.dataset.audio.MaskAlongAxis (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int) -> None:
        self.mask_start, self.mask_width = count(mask_start, "mask_start"), count(mask_width, "mask_width", 1)
        self.mask_value = real(mask_value, "mask_value")
        self.axis = within(require_type(axis, "axis", int), "axis", FREQUENCY, TIME)

    def compute(self, data: np.ndarray) -> np.ndarray:
        return mask(data, "MaskAlongAxis", self.axis, self.mask_start, self.mask_width, self.mask_value)


class MaskAlongAxisIID(RandomAudioOperation):
    """Overwrite a random range of frequencies or of frames.

    Args:
        mask_param: largest width of the range.
        mask_value: what it is overwritten with.
        axis: 1 for frequencies, 2 for frames.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: `mask_param` exceeds the axis.

    Follows: mindspore.dataset.audio.MaskAlongAxisIID (2.10).
    """

    def __init__(self, mask_param: int, mask_value: float, axis: int) -> None:
        self.mask_param, self.mask_value = count(mask_param, "mask_param"), real(mask_value, "mask_value")
        self.axis = within(require_type(axis, "axis", int), "axis", FREQUENCY, TIME)

    def compute(self, data: np.ndarray, draw: RowRandom) -> np.ndarray:
        return mask_randomly(data, "MaskAlongAxisIID", self.axis, self.mask_param, self.mask_value, draw)


class _Masking(RandomAudioOperation):
    """Overwrite a range, a random one or a given one."""

    axis: ClassVar[int]

    def __init__(self, iid_masks: bool, mask_param: int, mask_start: int, mask_value: float) -> None:
        self.iid_masks = flag(iid_masks, "iid_masks")
        self.mask_param = int(non_negative(require_type(mask_param, "mask_param", int), "mask_param"))
        self.mask_start = int(non_negative(require_type(mask_start, "mask_start", int), "mask_start"))
        self.mask_value = non_negative(mask_value, "mask_value")

    def compute(self, data: np.ndarray, draw: RowRandom) -> np.ndarray:
        op = type(self).__name__
        if self.iid_masks:
            return mask_randomly(data, op, self.axis, self.mask_param, self.mask_value, draw)
        _fits(data, op, self.axis, self.mask_param)
        return mask(data, op, self.axis, self.mask_start, self.mask_param, self.mask_value)


class FrequencyMasking(_Masking):
    """Overwrite a range of frequencies.

    Args:
        iid_masks: the range is random.
        freq_mask_param: its width; the largest one where it is random.
        mask_start: where it begins, unless it is random.
        mask_value: what it is overwritten with; not negative.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the range does not fit.

    Follows: mindspore.dataset.audio.FrequencyMasking (2.10).
    """

    axis: ClassVar[int] = FREQUENCY

    def __init__(
        self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        super().__init__(iid_masks, freq_mask_param, mask_start, mask_value)


class TimeMasking(_Masking):
    """Overwrite a range of frames.

    Args:
        iid_masks: the range is random.
        time_mask_param: its width; the largest one where it is random.
        mask_start: where it begins, unless it is random.
        mask_value: what it is overwritten with; not negative.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the range does not fit.

    Follows: mindspore.dataset.audio.TimeMasking (2.10).
    """

    axis: ClassVar[int] = TIME

    def __init__(
        self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        super().__init__(iid_masks, time_mask_param, mask_start, mask_value)


def mask(data: np.ndarray, op: str, axis: int, start: int, width: int, value: float) -> np.ndarray:
    """Return a copy with `width` frequencies or frames overwritten."""
    if not width:
        return data
    size = data.shape[axis - 3]
    if start + width > size:
        raise RuntimeError(
            f"{op}: the sum of 'mask_start' and 'mask_width' should be no more than the length of the masked "
            f"dimension, but got: 'mask_start' {start}, 'mask_width' {width} and length {size}."
        )
    overwritten = data.copy()
    overwritten.swapaxes(axis - 3, -1)[..., start : start + width] = np.float32(value)
    return overwritten


def mask_randomly(data: np.ndarray, op: str, axis: int, largest: int, value: float, draw: RowRandom) -> np.ndarray:
    """Return a copy with a random range overwritten: width and beginning are uniform."""
    _fits(data, op, axis, largest)
    width = draw.integer(0, largest)
    return mask(data, op, axis, draw.integer(0, data.shape[axis - 3] - width), width, value)


def _fits(data: np.ndarray, op: str, axis: int, width: int) -> None:
    if width > data.shape[axis - 3]:
        raise RuntimeError(
            f"{op}: mask_param should be less than or equal to the length of the masked dimension, but got: {width} "
            f"and {data.shape[axis - 3]}."
        )
