"""Transforms of the histogram of pixel values: Equalize, AutoContrast, Invert, Solarize, Posterize."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform

__all__ = [
    "AutoContrast",
    "Equalize",
    "Invert",
    "Posterize",
    "RandomAutoContrast",
    "RandomEqualize",
    "RandomInvert",
    "RandomPosterize",
    "RandomSolarize",
    "Solarize",
]


class Invert(OnDevice, ImageTransform):
    """Invert images of three channels: 255 - value.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.Invert (2.10).
    """

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return _image_ops("Invert").invert(value)
        image = base.array_of(value, "Invert")
        if image.ndim != 3:
            raise RuntimeError(f"Invert: input tensor is not in shape of <H,W,C>, but got rank: {image.ndim}.")
        if image.shape[2] != 3:
            raise RuntimeError(f"Invert: the number of channels of input tensor is not 3, but got: {image.shape[2]}.")
        return invert_pixels(image)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return invert_pixels(rows) if rows.ndim == 4 and rows.shape[3] == 3 else None


class Equalize(OnDevice, ImageTransform):
    """Equalize the histogram of each channel.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.Equalize (2.10).
    """

    one_by_one = True

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return _image_ops("Equalize").equalize(value)
        return _by_plane(base.array_of(value, "Equalize"), _equalize, "Equalize")


class AutoContrast(OnDevice, ImageTransform):
    """Stretch the values of each channel over the whole range.

    Args:
        cutoff: percent of the lightest and darkest pixels to leave out, in [0, 50).
        ignore: values to leave out.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AutoContrast (2.10).
    """

    one_by_one = True

    def __init__(self, cutoff: float = 0.0, ignore: int | Sequence[int] | None = None) -> None:
        within(require_type(cutoff, "cutoff", (int, float)), "cutoff", 0, 50)
        if ignore is not None:
            require_type(ignore, "ignore", (list, tuple, int))
        self.cutoff = cutoff
        self.ignore = [] if ignore is None else [ignore] if isinstance(ignore, int) else list(ignore)
        for place in self.ignore:
            require_type(place, "item in ignore", int)
            within(place, "ignore", 0, 255)

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return _image_ops("AutoContrast").autocontrast(value, self.cutoff, self.ignore or None)
        return _by_plane(base.array_of(value, "AutoContrast"), self._stretch, "AutoContrast")

    def _stretch(self, plane: np.ndarray) -> np.ndarray:
        counts = np.bincount(plane.ravel(), minlength=256)
        counts[self.ignore] = 0
        if self.cutoff:
            cut = int(counts.sum() * self.cutoff / 100)
            counts = _without(_without(counts, cut)[::-1], cut)[::-1]
        present = np.flatnonzero(counts)
        if len(present) < 2:
            return plane
        low, high = present[0], present[-1]
        scale = np.float32(255) / np.float32(high - low)
        table = np.arange(256, dtype=np.float32) * scale + np.float32(-low) * scale
        return np.clip(table.astype(np.int32), 0, 255).astype(np.uint8)[plane]


class Solarize(OnDevice, ImageTransform):
    """Invert the values inside a range: 255 - value.

    Args:
        threshold: (low, high) of the range; one number, or two equal ones, is where it begins, without an end.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.Solarize (2.10).
    """

    def __init__(self, threshold: float | Sequence[float]) -> None:
        require_type(threshold, "threshold", (float, int, list, tuple))
        ends = (threshold,) * 2 if isinstance(threshold, (int, float)) else tuple(threshold)
        if len(ends) != 2:
            raise TypeError(f"threshold must be a single number or sequence of two numbers, got {threshold!r}.")
        for end in ends:
            within(end, "threshold", 0, 255)
        if ends[0] > ends[1]:
            raise ValueError(f"threshold must be in order of (min, max), got {threshold!r}.")
        self.ends = ends

    def transform_value(self, value: Any) -> Any:
        image = base.array_of(value, "Solarize")
        base.axes(image, "Solarize")
        return solarize_pixels(image, *self.ends)


class RandomSolarize(RandomImageTransform):
    """Invert the values inside a random part of a range: 255 - value.

    Args:
        threshold: (low, high) of the range.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomSolarize (2.10).
    """

    def __init__(self, threshold: tuple[int, int] = (0, 255)) -> None:
        require_type(threshold, "threshold", tuple)
        if len(threshold) != 2:
            raise ValueError(f"threshold must be a sequence of two numbers, got {threshold!r}.")
        for end in threshold:
            int_within(end, "threshold", 0, 255)
        if threshold[0] > threshold[1]:
            raise ValueError(f"threshold must be in min max format numbers, got {threshold!r}.")
        self.threshold = threshold

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        ends = sorted(draw.integer(*self.threshold) for _ in range(2)) if draw else self.threshold
        return solarize_pixels(base.array_of(value, "RandomSolarize"), *ends)


class Posterize(OnDevice, ImageTransform):
    """Reduce the number of bits per value.

    Args:
        bits: to keep, in [0, 8].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.Posterize (2.10).
    """

    def __init__(self, bits: int) -> None:
        int_within(bits, "bits", 0, 8)
        self.bits = bits

    def transform_value(self, value: Any) -> Any:
        return posterize_pixels(base.array_of(value, "Posterize"), self.bits)


class RandomPosterize(RandomImageTransform):
    """Reduce the number of bits per value to a random number.

    Args:
        bits: how many to keep; (low, high) or one number.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomPosterize (2.10).
    """

    def __init__(self, bits: int | Sequence[int] = (8, 8)) -> None:
        require_type(bits, "bits", (int, list, tuple))
        ends = (bits, bits) if isinstance(bits, int) else tuple(bits)
        if len(ends) != 2:
            raise TypeError(
                f"Size of bits should be a single integer or a list/tuple (min, max) of length 2, got {bits!r}."
            )
        for end in ends:
            int_within(end, "bits", 1, 8)
        if ends[0] > ends[1]:
            raise ValueError(f"Input bits must be in (min, max) order, got {bits!r}.")
        self.ends = ends

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        bits = draw.integer(*self.ends) if draw else self.ends[0]
        return posterize_pixels(base.array_of(value, "RandomPosterize"), bits)


class _Sometimes(RandomImageTransform):
    inner: Any

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = base.check_probability(prob)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        image = base.array_of(value, type(self).__name__)
        return self.inner.transform_value(image) if draw is not None and draw.uniform() < self.prob else image


class RandomInvert(_Sometimes):
    """Apply `Invert` with probability `prob`.

    Args:
        prob: in [0, 1].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomInvert (2.10).
    """

    inner = Invert()


class RandomEqualize(_Sometimes):
    """Apply `Equalize` with probability `prob`.

    Args:
        prob: in [0, 1].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomEqualize (2.10).
    """

    inner = Equalize()


class RandomAutoContrast(_Sometimes):
    """Apply `AutoContrast` with probability `prob`.

    Args:
        cutoff: percent of the lightest and darkest pixels to leave out, in [0, 50).
        ignore: values to leave out, in [0, 255].
        prob: in [0, 1].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomAutoContrast (2.10).
    """

    def __init__(self, cutoff: float = 0.0, ignore: int | Sequence[int] | None = None, prob: float = 0.5) -> None:
        super().__init__(prob)
        self.inner = AutoContrast(cutoff, ignore)


def _by_plane(image: np.ndarray, turn: Callable[[np.ndarray], np.ndarray], op: str) -> np.ndarray:
    if image.dtype == np.bool_:
        image = image.view(np.uint8)
    if image.dtype != np.uint8:
        raise RuntimeError(f"{op}: images must be of uint8, got {image.dtype}.")
    if image.ndim not in (2, 3):
        raise RuntimeError(f"{op}: image shape should be <H,W> or <H,W,C>, but got rank: {image.ndim}.")
    if image.ndim == 2:
        return turn(image)
    return np.stack([turn(image[..., channel]) for channel in range(image.shape[2])], axis=-1)


def _equalize(plane: np.ndarray) -> np.ndarray:
    counts = np.bincount(plane.ravel(), minlength=256)
    first = int(np.flatnonzero(counts)[0])
    above = plane.size - counts[first]
    if not above:
        return plane.copy()
    below = np.cumsum(counts) - counts[first]
    below[: first + 1] = 0
    table = below.astype(np.float32) * (np.float32(255) / np.float32(above))
    return np.clip(np.rint(table), 0, 255).astype(np.uint8)[plane]


def _without(counts: np.ndarray, cut: int) -> np.ndarray:
    """Remove `cut` pixels from the start of a histogram."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return counts - np.clip(cut - before, 0, counts)


def solarize_pixels(image: np.ndarray, low: float, high: float) -> np.ndarray:
    """Invert the values inside a range."""
    if image.dtype.kind not in "buif":
        raise RuntimeError(f"Solarize: the data type of image tensor should be a number, but got {image.dtype}.")
    values = image.view(np.uint8) if image.dtype == np.bool_ else image
    inside = values >= low if low == high else (values >= low) & (values <= high)
    return np.where(inside, invert_pixels(image), image)


def invert_pixels(image: np.ndarray) -> np.ndarray:
    """Compute 255 - value, within the dtype's range."""
    if image.dtype == np.uint8:
        return np.uint8(255) - image
    if image.dtype.kind == "f":
        return image.dtype.type(255) - image
    if image.dtype == np.bool_:
        return image.view(np.uint8) != 255  # the 1 of a PIL image of mode "1"; that of an array is 1
    limits = np.iinfo(image.dtype)
    return np.clip(255 - image.astype(np.int64), limits.min, limits.max).astype(image.dtype)


def posterize_pixels(image: np.ndarray, bits: int) -> np.ndarray:
    """Keep the highest bits."""
    if image.dtype.itemsize != 1:
        raise RuntimeError(f"Posterize: data type of input image should be int8 or uint8, but got {image.dtype}.")
    return image.view(np.uint8) & np.uint8((0xFF << (8 - bits)) & 0xFF)


def _image_ops(op: str) -> Any:
    base.import_pil(op)
    from PIL import ImageOps

    return ImageOps
