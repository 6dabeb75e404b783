"""Transforms of pixel values: Rescale, Normalize, ToTensor, HWC2CHW."""

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.transforms.cast import TypeCast, as_numpy_dtype
from msbridge.dataset.transforms.lookup_tables import look_up_pixels
from msbridge.dataset.vision.base import ImageTransform, OnDevice, array_of

__all__ = ["HWC2CHW", "Normalize", "NormalizePad", "Rescale", "ToTensor", "ToType"]


class Rescale(ImageTransform):
    """Multiply pixels by `rescale` and add `shift`, in float32.

    Args:
        rescale: factor.
        shift: added after the multiplication, without rounding in between.

    Examples:
        >>> vision.Rescale(1 / 255, 0.0)(np.full((1, 1, 3), 255, np.uint8)).tolist()
        [[[1.0, 1.0, 1.0]]]

    Follows: mindspore.dataset.vision.Rescale (2.10).
    """

    pointwise = True

    def __init__(self, rescale: float, shift: float) -> None:
        for name, number in (("rescale", rescale), ("shift", shift)):
            require_type(number, name, Number)
        self.rescale, self.shift = float(rescale), float(shift)

    def transform_value(self, value: Any) -> np.ndarray:
        return rescale_pixels(array_of(value, "Rescale"), self.rescale, self.shift)

    def stack(self, rows: np.ndarray) -> np.ndarray:
        return self.transform_value(rows)


def rescale_pixels(image: np.ndarray, factor: float, shift: float) -> np.ndarray:
    """Compute image · factor + shift in float32 with one rounding at the end, as a fused multiply-add does."""
    if image.dtype.kind not in "buif" or image.dtype in (np.int64, np.uint64, np.uint32):
        raise RuntimeError(f"Rescale: load image failed: images of {image.dtype} are not supported.")
    if image.dtype == np.bool_:
        image = image.view(np.uint8)  # 255 in PIL images of mode "1"
    if image.dtype == np.float64:
        return (image * np.float64(np.float32(factor)) + np.float64(np.float32(shift))).astype(np.float32)
    if not shift:
        return image.astype(np.float32) * np.float32(factor)
    if image.dtype == np.uint8 and image.size > 1024:
        return look_up_pixels(rescale_pixels(np.arange(256, dtype=np.uint8), factor, shift), image)
    # The product of two float32 is exact in float64, so only the sum and the end are rounded.
    product = image.astype(np.float32).astype(np.float64)
    product *= np.float64(np.float32(factor))
    product += np.float64(np.float32(shift))
    return product.astype(np.float32)


class Normalize(OnDevice, ImageTransform):
    """Normalize pixels: subtract the channel's mean and divide by its standard deviation, in float32.

    Args:
        mean: per channel, or one for all; in [0, 255].
        std: per channel, or one for all; in (0, 255].
        is_hwc: channels are the last axis, else the third last.

    Raises:
        TypeError: `mean` or `std` is not a list or tuple.
        ValueError: they differ in length, or a value is out of range.

    Examples:
        >>> image = np.full((1, 1, 3), 100, np.uint8)
        >>> vision.Normalize([100, 90, 110], [10, 10, 10])(image).tolist()
        [[[0.0, 1.0, -1.0]]]

    Follows: mindspore.dataset.vision.Normalize (2.10).
    """

    by_channel = True

    def __init__(self, mean: Sequence[float], std: Sequence[float], is_hwc: bool = True) -> None:
        for name, values in (("mean", mean), ("std", std)):
            require_type(values, name, (list, tuple))
        if len(mean) != len(std):
            raise ValueError(f"Length of mean and std must be equal, got {len(mean)} and {len(std)}.")
        for position, (middle, width) in enumerate(zip(mean, std, strict=True)):
            within(middle, f"mean[{position}]", 0, 255)
            within(width, f"std[{position}]", 0, 255, "(]")
        require_type(is_hwc, "is_hwc", bool)
        self.mean, self.std, self.is_hwc = list(mean), list(std), is_hwc
        self.pointwise = len(mean) == 1
        self._mean, self._std = np.array(mean, np.float32), np.array(std, np.float32)

    def transform_value(self, value: Any) -> np.ndarray:
        image = array_of(value, "Normalize")
        if image.ndim < 2:
            raise RuntimeError(f"Normalize: input tensor should have at least 2 dimensions, but got: {image.ndim}.")
        if image.dtype == np.bool_:
            image = image.view(np.uint8)  # 255 in PIL images of mode "1"
        if image.dtype.kind not in "buif":
            raise RuntimeError(f"Normalize: unsupported type, currently support numbers, got {image.dtype}.")
        axis = -1 if self.is_hwc else -3
        channels = 1 if image.ndim == 2 else image.shape[axis]
        if len(self.mean) not in (1, channels):
            raise RuntimeError(
                "Normalize: number of channels does not match the size of mean and std vectors, got channels: "
                f"{channels}, size of mean: {len(self.mean)}."
            )
        shape = (-1,) if self.is_hwc or len(self.mean) == 1 else (-1, 1, 1)
        centred = image.astype(np.float32)
        centred -= self._mean.reshape(shape)
        centred /= self._std.reshape(shape)
        return centred


class NormalizePad(ImageTransform):
    """Normalize pixels of (H, W) or (H, W, C), and append as many zeros as one channel has.

    As in MindSpore, the zeros come behind all other values, also where channels are the last axis: there the result has
    one channel more, but the values of a pixel are not together.

    Args:
        mean: per channel, or one for all.
        std: per channel, or one for all.
        dtype: "float32" or "float16".
        is_hwc: channels are the last axis, else the first.

    Follows: mindspore.dataset.vision.NormalizePad (2.10).
    """

    one_by_one = True

    def __init__(
        self, mean: Sequence[float], std: Sequence[float], dtype: str = "float32", is_hwc: bool = True
    ) -> None:
        self.normalize = Normalize(mean, std, is_hwc)
        if not isinstance(dtype, str):
            raise TypeError(f"dtype should be string, got {dtype!r}.")
        if dtype not in ("float32", "float16"):
            raise ValueError(f"dtype only supports float32 or float16, got {dtype!r}.")
        self.dtype, self.is_hwc = np.dtype(dtype), is_hwc

    def transform_value(self, value: Any) -> np.ndarray:
        image = array_of(value, "NormalizePad")
        if image.ndim == 2 and self.is_hwc:
            image = image[..., None]
        if image.ndim != 3:
            raise RuntimeError(
                f"NormalizePad: input tensor is not in shape of <H,W,C> or <H,W>, but got {image.shape}."
            )
        axis = 2 if self.is_hwc else 0
        shape = list(image.shape)
        shape[axis] += 1
        padded = np.zeros(shape, self.dtype)
        padded.reshape(-1)[: image.size] = self.normalize.transform_value(image).reshape(-1)
        return padded


class ToTensor(ImageTransform):
    """Convert images (H, W, C) or (H, W) to (C, H, W), divided by 255.

    Args:
        output_type: dtype of the result.

    Follows: mindspore.dataset.vision.ToTensor (2.10).
    """

    by_channel = True

    def __init__(self, output_type: Any = np.float32) -> None:
        self.output_type = as_numpy_dtype(output_type)

    def transform_value(self, value: Any) -> np.ndarray:
        image = array_of(value, "ToTensor")
        if image.ndim not in (2, 3):
            raise RuntimeError(f"ToTensor: image shape should be <H,W,C> or <H,W>, but got rank: {image.ndim}.")
        if image is not value:  # Pillow's path divides, OpenCV's multiplies with the inverse
            whole = image.astype(np.float32) / np.float32(255)
            return np.ascontiguousarray(np.atleast_3d(whole).transpose(2, 0, 1)).astype(self.output_type, copy=False)
        return np.ascontiguousarray(self._convert(image[None])[0])

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self._convert(rows) if rows.ndim in (3, 4) else None

    def _convert(self, images: np.ndarray) -> np.ndarray:
        channels_first = images[:, None] if images.ndim == 3 else images.transpose(0, 3, 1, 2)
        if images.dtype in (np.int64, np.uint64, np.uint32) or images.dtype.kind in "US":
            raise RuntimeError(f"ToTensor: Input includes unsupported data type {images.dtype}.")
        return rescale_pixels(channels_first, 1 / 255.0, 0.0).astype(self.output_type, copy=False)


class HWC2CHW(ImageTransform):
    """Transpose images (H, W, C) to (C, H, W); (H, W) stays.

    Examples:
        >>> vision.HWC2CHW()(np.zeros((4, 6, 3), np.uint8)).shape
        (3, 4, 6)

    Follows: mindspore.dataset.vision.HWC2CHW (2.10).
    """

    by_channel = True

    def transform_value(self, value: Any) -> np.ndarray:
        image = array_of(value, "HWC2CHW")
        if image.ndim not in (2, 3):
            raise RuntimeError(f"HWC2CHW: image shape should be <H,W> or <H,W,C>, but got rank: {image.ndim}.")
        return image if image.ndim == 2 else np.ascontiguousarray(image.transpose(2, 0, 1))

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        if rows.ndim == 3:
            return rows
        return rows.transpose(0, 3, 1, 2) if rows.ndim == 4 else None


class ToType(TypeCast):
    """Cast values to another dtype; `transforms.TypeCast` under its vision name.

    Args:
        data_type: a dtype of MindSpore or numpy, or the name of one.

    Follows: mindspore.dataset.vision.ToType (2.10).
    """


class PlanesNormalize(Normalize):
    """Normalize pixels of (C, H, W): subtract the channel's mean, divide by its standard deviation, in float32.

    Args:
        mean: per channel, or one for all.
        std: per channel, or one for all.

    Follows: mindspore.dataset.vision.py_transforms.Normalize (1.10).
    """

    def __init__(self, mean: Sequence[float], std: Sequence[float]) -> None:
        super().__init__(mean, std, is_hwc=False)
