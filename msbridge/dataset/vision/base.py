"""The base of vision transforms: the axes of images, size arguments, the packages that do the work."""

from abc import ABC
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from msbridge.core.checks.arguments import int_within, is_int, require_type, within
from msbridge.dataset.transforms import base
from msbridge.dataset.transforms.base import RandomTransform, TensorOperation, Transform, is_pil
from msbridge.dataset.vision.enums import Inter

MAX_SIDE = 16777216
PIL_RESAMPLING = {Inter.NEAREST: 0, Inter.ANTIALIAS: 1, Inter.BILINEAR: 2, Inter.BICUBIC: 3}  # Pillow's numbers


def not_random(func: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as one that returns the same for the same input: its attribute `random` is False.

    Args:
        func: a function that transforms rows.

    Returns:
        The function itself.

    Follows: mindspore.dataset.vision.not_random (2.10).
    """
    return base.not_random(func)


class ImageTransform(Transform):
    """A transform of images: ndarrays (H, W), (H, W, C), (…, H, W, C), or PIL images."""

    accepts: ClassVar[str] = "image"
    one_by_one: ClassVar[bool] = False  # `transform_value` takes no stack of images

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        """Transform a stack of images as one array with a leading axis, which means the same."""
        return self.transform_value(rows) if rows.ndim >= 4 and not self.one_by_one else None


class RandomImageTransform(RandomTransform):
    """A transform of images with random numbers."""

    accepts: ClassVar[str] = "image"


class ImageTensorOperation(TensorOperation, ABC):
    """Class of the image transforms that MindSpore has in C++, for `isinstance` and as a base of a user's own.

    Follows: mindspore.dataset.vision.transforms.ImageTensorOperation (2.10).
    """

    @classmethod
    def __subclasshook__(cls, kind: type) -> Any:
        if cls is not ImageTensorOperation or not issubclass(kind, TensorOperation):
            return NotImplemented
        return True if getattr(kind, "accepts", "") == "image" and not kind.python_only else NotImplemented

    def __call__(self, *inputs: Any) -> Any:
        """Refuse: a user's own transform defines the call.

        Raises:
            TypeError: an input is neither an ndarray nor a PIL image.
            NotImplementedError: otherwise.
        """
        for value in inputs:
            if not isinstance(value, np.ndarray) and not is_pil(value):
                raise TypeError(f"Input should be NumPy or PIL image, got {type(value)}.")
        raise NotImplementedError(f"{type(self).__name__} has to define __call__.")


class OnDevice:
    """An image transform that MindSpore can also run on the chip."""

    chip_interpolations: ClassVar[tuple[Inter, ...] | None] = (
        None  # that the chip has; None: there is nothing to choose
    )
    interpolation: Inter

    def device(self, device_target: str = "CPU") -> Self:
        """Choose where the transform runs: here it is always the CPU, with the same result.

        Args:
            device_target: "CPU" or "Ascend".

        Returns:
            The transform itself.

        Raises:
            TypeError: `device_target` is not a string.
            ValueError: it names something else.
            RuntimeError: the chip does not have the interpolation.
        """
        if require_type(device_target, "device_target", str) not in ("CPU", "Ascend"):
            raise ValueError(f"device_target must be 'CPU' or 'Ascend', got {device_target!r}.")
        if device_target == "Ascend":
            self.check_chip()
        self.device_target = device_target
        return self

    def check_chip(self) -> None:
        """Raise where the chip cannot do what is asked."""
        if self.chip_interpolations is not None and self.interpolation not in self.chip_interpolations:
            names = ", ".join(way.name for way in self.chip_interpolations)
            raise RuntimeError(f"Invalid interpolation mode on Ascend: {self.interpolation.name}; it has {names}.")


def axes(image: np.ndarray, op: str) -> tuple[int, int]:
    """Return the axes of height and width; an array with fewer than two dimensions raises."""
    if image.ndim < 2:
        raise RuntimeError(
            f"{op}: the image tensor should have at least two dimensions, got shape {image.shape}. You may need to "
            "perform Decode first."
        )
    return (0, 1) if image.ndim == 2 else (image.ndim - 3, image.ndim - 2)


def cut(image: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """Return a part of the image (a view)."""
    if image.ndim == 2:
        return image[top : top + height, left : left + width]
    return image[..., top : top + height, left : left + width, :]


def check_size(size: Any, name: str = "Size") -> tuple[int, int]:
    """Return (height, width) of a size argument: one int, or two of them."""
    if is_int(size):
        size = (size, size)
    if not isinstance(size, (list, tuple)) or len(size) != 2:
        raise TypeError(f"{name} should be a single integer or a list/tuple (h, w) of length 2, got {size!r}.")
    for side in size:
        int_within(side, name.lower(), 1, MAX_SIDE)
    return size[0], size[1]


def check_probability(prob: Any, name: str = "prob") -> float:
    """Return the probability, a number in [0, 1]."""
    within(require_type(prob, name, (float, int)), name, 0.0, 1.0)
    return float(prob)


def array_of(image: Any, op: str) -> np.ndarray:
    """Return an image as an ndarray; PIL images are converted."""
    if is_pil(image):
        return np.asarray(image)
    if isinstance(image, np.ndarray):
        if not image.size:
            raise RuntimeError(f"{op}: Input Tensor has no data, its shape is {image.shape}.")
        return image
    raise TypeError(f"{op}: Input should be NumPy or PIL image, got {type(image)}.")


def plane_of(image: Any, op: str, ranks: Collection[int] = (2, 3)) -> np.ndarray:
    """Return one image as an array (H, W) or (H, W, C)."""
    array = array_of(image, op)
    if array.ndim not in ranks:
        raise RuntimeError(f"{op}: input tensor is not in shape of <H,W> or <H,W,C>, but got shape {array.shape}.")
    return array


def eager_images(inputs: tuple[Any, ...], op: str, count: int) -> tuple[Any, ...]:
    """Return the `count` inputs of a call; each has to be an array or a PIL image."""
    for value in inputs:
        if not isinstance(value, np.ndarray) and not is_pil(value):
            raise TypeError(f"Input should be NumPy or PIL image, got {type(value)}.")
    if len(inputs) != count:
        raise RuntimeError(f"{op}: it takes {count} inputs, got {len(inputs)}.")
    return inputs


def pil_of(image: Any) -> Any:
    """Return the PIL image; anything else raises."""
    if not is_pil(image):
        raise TypeError(
            f"img should be PIL image. Got {type(image)}. Use Decode() for encoded data or ToPIL() for decoded data."
        )
    return image


def import_cv2(what: str) -> ModuleType:
    """Import OpenCV; a missing one raises with the `pip install` line."""
    try:
        import cv2
    except ImportError as error:
        raise ImportError(f"{what} needs OpenCV: pip install opencv-python-headless") from error
    return cv2


def import_pil(what: str) -> ModuleType:
    """Import Pillow's Image module; a missing one raises with the `pip install` line."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(f"{what} needs Pillow: pip install pillow") from error
    return Image


def pil_resampling(interpolation: Inter) -> int:
    """Return Pillow's number for an interpolation."""
    if interpolation not in PIL_RESAMPLING:
        raise TypeError(f"Interpolation {interpolation.name} is not supported for PIL images.")
    return PIL_RESAMPLING[interpolation]


def enhance_with_pil(image: Any, what: str, factor: float) -> Any:
    """Enhance a PIL image: "Brightness", "Contrast", "Color" or "Sharpness"."""
    import_pil(what)
    from PIL import ImageEnhance

    return getattr(ImageEnhance, what)(image).enhance(factor)
