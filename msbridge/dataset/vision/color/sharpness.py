"""Sharpening and blurring: AdjustSharpness, RandomSharpness, GaussianBlur."""

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform

__all__ = ["AdjustSharpness", "GaussianBlur", "RandomAdjustSharpness", "RandomSharpness"]

FILTERED = ("uint8", "uint16", "int16", "float32", "float64")  # dtypes that OpenCV filters


class AdjustSharpness(OnDevice, ImageTransform):
    """Adjust the sharpness of images, as arrays: blend them with what a 3 × 3 filter smoothed.

    Args:
        sharpness_factor: 0 is smoothed, 1 changes nothing, 2 sharpens.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustSharpness (2.10).
    """

    one_by_one = True

    def __init__(self, sharpness_factor: float) -> None:
        require_type(sharpness_factor, "sharpness_factor", (float, int))
        self.factor = float(within(sharpness_factor, "sharpness_factor", 0, base.MAX_SIDE))

    def transform_value(self, value: Any) -> np.ndarray:
        return sharpen_image(value, self.factor, "AdjustSharpness")


class RandomAdjustSharpness(RandomImageTransform):
    """Apply `AdjustSharpness` with probability `prob`.

    Args:
        degree: the factor: 0 is smoothed, 1 changes nothing, 2 sharpens.
        prob: in [0, 1].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomAdjustSharpness (2.10).
    """

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        self.degree = float(within(require_type(degree, "degree", (float, int)), "degree", 0, base.MAX_SIDE))
        self.prob = base.check_probability(prob)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        image = base.plane_of(value, "RandomAdjustSharpness")
        if draw is None or draw.uniform() >= self.prob:
            return image
        return sharpen_image(image, self.degree, "RandomAdjustSharpness")


class RandomSharpness(RandomImageTransform):
    """Adjust the sharpness of images by a random factor.

    Args:
        degrees: (low, high) of the factor: 0 is smoothed, 1 changes nothing, 2 sharpens.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomSharpness (2.10).
    """

    def __init__(self, degrees: Sequence[float] = (0.1, 1.9)) -> None:
        self.degrees = check_factors(degrees)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        factor = self.degrees[0] if draw is None else draw.uniform(*self.degrees)
        if is_pil(value):
            return base.enhance_with_pil(value, "Sharpness", factor)
        return sharpen_image(value, factor, "RandomSharpness")


class GaussianBlur(OnDevice, ImageTransform):
    """Blur images with a Gaussian kernel, as arrays.

    Args:
        kernel_size: odd (width, height), or one int for both.
        sigma: (across, down) standard deviations, or one number for both; 0 and None follow from the kernel's size.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.GaussianBlur (2.10).
    """

    one_by_one = True

    def __init__(self, kernel_size: int | Sequence[int], sigma: float | Sequence[float] | None = None) -> None:
        require_type(kernel_size, "kernel_size", (int, list, tuple))
        sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        if len(sizes) != 2:
            raise TypeError(f"Kernel size should be a single integer or (width, height), got {kernel_size!r}.")
        for size in sizes:
            within(require_type(size, "kernel_size", int), "kernel_size", 1, base.MAX_SIDE)
            if size % 2 == 0:
                raise ValueError(f"Input kernel_size is not an odd value, got {kernel_size!r}.")
        if sigma is not None:
            require_type(sigma, "sigma", (Number, list, tuple))
        sigmas: Any = (0, 0) if sigma is None else (sigma, sigma) if isinstance(sigma, Number) else sigma
        if len(sigmas) != 2:
            raise TypeError(f"Sigma should be a single number or (across, down), got {sigma!r}.")
        for width in sigmas:
            within(require_type(width, "sigma", Number), "sigma", 0, base.MAX_SIDE)
        self.kernel_size = (sizes[0], sizes[1])
        self.sigma = [float(width) or size * 0.15 + 0.35 for width, size in zip(sigmas, sizes, strict=True)]

    def transform_value(self, value: Any) -> np.ndarray:
        image = filterable(value, "GaussianBlur")
        cv2 = base.import_cv2("GaussianBlur")
        done = cv2.GaussianBlur(image, self.kernel_size, self.sigma[0], sigmaY=self.sigma[1])
        return done.reshape(image.shape)

    def check_chip(self) -> None:
        if any(size not in (1, 3, 5) for size in self.kernel_size):
            raise RuntimeError(f"On Ascend kernel_size must be of 1, 3 and 5, got {self.kernel_size}.")


def sharpen_image(value: Any, factor: float, op: str) -> np.ndarray:
    """Blend an image with what a 3 × 3 filter smoothed; its outermost pixels stay."""
    image = filterable(value, op)
    cv2 = base.import_cv2(op)
    kernel = np.ones((3, 3), np.float32)
    kernel[1, 1] = 5
    smooth = cv2.filter2D(image, -1, kernel / np.float32(13)).reshape(image.shape)
    smooth[[0, -1]], smooth[:, [0, -1]] = image[[0, -1]], image[:, [0, -1]]
    factor = float(np.float32(factor))
    return cv2.addWeighted(image, factor, smooth, 1 - factor, 0).reshape(image.shape)


def filterable(value: Any, op: str) -> np.ndarray:
    """Return one image as an array that OpenCV can filter; a bool one becomes uint8."""
    image = np.ascontiguousarray(base.plane_of(value, op))
    if image.dtype == np.bool_:
        return image.view(np.uint8)
    if image.dtype not in FILTERED:
        raise RuntimeError(f"{op}: images of {image.dtype} are not supported; it must be one of {FILTERED}.")
    return image


def check_factors(degrees: Any) -> tuple[float, float]:
    """Return the range (low, high) of a factor."""
    if degrees is None or not isinstance(degrees, (list, tuple)):
        raise TypeError(f"degrees must be either a tuple or a list, got {degrees!r}.")
    for end in degrees:
        require_type(end, "degrees", (int, float))
    if len(degrees) != 2:
        raise ValueError(f"degrees must be a sequence with length 2, got {degrees!r}.")
    for end in degrees:
        within(end, "degrees", 0, base.MAX_SIDE)
    if degrees[0] > degrees[1]:
        raise ValueError(f"degrees should be in (min,max) format, got {degrees!r}.")
    return float(degrees[0]), float(degrees[1])
