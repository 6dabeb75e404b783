"""Transforms of images together with bounding boxes (x, y, width, height, …), float32 of shape (N, 4 or more)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import TensorOperation, Transform, eager_draw
from msbridge.dataset.transforms.compose import Compose, call
from msbridge.dataset.vision import base
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.geometry.crop import RandomCrop, RandomResizedCrop, crop_image
from msbridge.dataset.vision.geometry.flip import flip_image
from msbridge.dataset.vision.geometry.resize import RandomResize, Resize, crop_and_resize, resize_image

__all__ = [
    "BoundingBoxAugment",
    "RandomCropWithBBox",
    "RandomHorizontalFlipWithBBox",
    "RandomResizeWithBBox",
    "RandomResizedCropWithBBox",
    "RandomVerticalFlipWithBBox",
    "ResizeWithBBox",
]

Boxed = tuple[np.ndarray, np.ndarray]


class BoxTransform(TensorOperation):
    """Base of the transforms of an image and its boxes."""

    def __call__(self, *inputs: Any) -> Boxed:
        """Return the image, as an array, and its boxes.

        Args:
            inputs: an image (H, W) or (H, W, C), or a PIL image, and boxes (N, 4 or more).
        """
        op = type(self).__name__
        image, boxes = (base.array_of(part, op) for part in base.eager_images(inputs, op, 2))
        check_boxes(image, boxes, op)
        return self.apply(base.plane_of(image, op), boxes.copy(), eager_draw())

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        """Transform an image and its boxes; these may be changed in place."""
        raise NotImplementedError


class RandomHorizontalFlipWithBBox(BoxTransform):
    """Flip images and their boxes horizontally with probability `prob`.

    Args:
        prob: in [0, 1].

    Follows: mindspore.dataset.vision.RandomHorizontalFlipWithBBox (2.10).
    """

    direction = 1

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = base.check_probability(prob)

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        if draw.uniform() >= self.prob:
            return image, boxes
        start, length = (0, 2) if self.direction else (1, 3)
        boxes[:, start] = image.shape[self.direction] - boxes[:, start] - boxes[:, length]
        return flip_image(image, self.direction, type(self).__name__), boxes


class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """Flip images and their boxes vertically with probability `prob`.

    Args:
        prob: in [0, 1].

    Follows: mindspore.dataset.vision.RandomVerticalFlipWithBBox (2.10).
    """

    direction = 0


class ResizeWithBBox(BoxTransform):
    """Resize images and their boxes.

    Args:
        size: (height, width); or one int, the shorter side, the other one keeps the proportion.
        interpolation: how to interpolate.

    Follows: mindspore.dataset.vision.ResizeWithBBox (2.10).
    """

    def __init__(self, size: int | Sequence[int], interpolation: Inter = Inter.LINEAR) -> None:
        self.resize = Resize(size, interpolation)

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        return _resize(image, boxes, self.resize)


class RandomResizeWithBBox(BoxTransform):
    """Resize images, by a random interpolation, and their boxes.

    Args:
        size: (height, width); or one int, the shorter side, the other one keeps the proportion.

    Follows: mindspore.dataset.vision.RandomResizeWithBBox (2.10).
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        self.choices = RandomResize(size).choices

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        return _resize(image, boxes, self.choices[draw.integer(0, len(self.choices) - 1)])


class RandomCropWithBBox(BoxTransform):
    """Crop images and their boxes at a random place; boxes outside of the part are left out.

    As in MindSpore, the boxes do not move with what `pad_if_needed` puts in front.

    Args:
        size: (height, width), or one int for both.
        padding: put around the image first; as in `Pad`.
        pad_if_needed: pad a side that is shorter than the part.
        fill_value: of a constant border.
        padding_mode: how the border is filled.

    Follows: mindspore.dataset.vision.RandomCropWithBBox (2.10).
    """

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.crop = RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        left, top = self.crop.padding[:2]
        boxes[:, 0] += left
        boxes[:, 1] += top
        image, rows, columns = self.crop.add_border(image)
        height, width = self.crop.size
        row, column = draw.integer(0, rows - height), draw.integer(0, columns - width)
        part = crop_image(image, row, column, height, width, "RandomCropWithBBox")
        return part, boxes_inside(boxes, row, column, height, width)


class RandomResizedCropWithBBox(BoxTransform):
    """Crop a random part of images and their boxes, and resize it; boxes outside of the part are left out.

    Args:
        size: (height, width) of the result, or one int for both.
        scale: (low, high) share of the image's area.
        ratio: (low, high) width : height.
        interpolation: how to resize.
        max_attempts: to find a part that fits; then the middle is taken.

    Follows: mindspore.dataset.vision.RandomResizedCropWithBBox (2.10).
    """

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self.crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        box = self.crop.box(image.shape[0], image.shape[1], draw)
        size = self.crop.size
        part = crop_and_resize(image, box, size, self.crop.interpolation, "RandomResizedCropWithBBox")
        return part, _scale_boxes(boxes_inside(boxes, *box), size[1] / box[3], size[0] / box[2])


class BoundingBoxAugment(BoxTransform):
    """Apply a transform to the parts of images inside their boxes, each with a probability.

    Args:
        transform: a transform of images; a result of another size is resized to the box.
        ratio: the probability of each box, in [0, 1].

    Follows: mindspore.dataset.vision.BoundingBoxAugment (2.10).
    """

    def __init__(self, transform: Any, ratio: float = 0.3) -> None:
        self.ratio = base.check_probability(ratio, "ratio")
        if not isinstance(transform, (Transform, Compose)) or transform.python_only:
            raise TypeError(f"Argument transform should be a transform of arrays (TensorOperation), got {transform!r}.")
        self.transform = transform

    def apply(self, image: np.ndarray, boxes: np.ndarray, draw: RowRandom) -> Boxed:
        image = image.copy()
        for number, (left, top, width, height) in enumerate(boxes[:, :4].astype(np.int64).tolist()):
            if draw.uniform() >= self.ratio:
                continue
            part = np.ascontiguousarray(image[top : top + height, left : left + width])
            changed = call(self.transform, (part,), draw.child(number))
            if changed.shape[:2] != (height, width):
                changed = resize_image(changed, height, width, Inter.BILINEAR)
            image[top : top + height, left : left + width] = changed
        return image, boxes


def check_boxes(image: np.ndarray, boxes: np.ndarray, op: str) -> None:
    """Raise unless the boxes are float32 of shape (N, 4 or more) inside the image."""
    if image.ndim < 2:
        raise RuntimeError(f"{op}: the image should have at least two dimensions, got shape {image.shape}.")
    if boxes.ndim != 2 or boxes.shape[1] < 4 or boxes.dtype != np.float32:
        raise RuntimeError(
            f"{op}: bounding boxes should be of shape (N, 4) or wider and of float32, got {boxes.shape}, {boxes.dtype}."
        )
    ends = boxes[:, :2] + boxes[:, 2:4]
    if (boxes[:, :2] < 0).any() or (ends > [image.shape[1], image.shape[0]]).any():
        raise RuntimeError(f"{op}: bounding boxes reach outside of an image of shape {image.shape}: {boxes.tolist()}.")


def boxes_inside(boxes: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """Return the boxes cut to a part of the image, relative to it; boxes that do not touch it are left out."""
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:4]
    low, size = np.array([left, top], np.float32), np.array([width, height], np.float32)
    touching = ((starts <= low + size) & (ends >= low)).all(axis=1)
    kept = boxes[touching]
    starts, ends = np.clip(starts[touching] - low, 0, size), np.clip(ends[touching] - low, 0, size)
    kept[:, :2], kept[:, 2:4] = starts, ends - starts
    return kept


def _resize(image: np.ndarray, boxes: np.ndarray, resize: Resize) -> Boxed:
    done = resize.transform_value(image)
    return done, _scale_boxes(boxes, done.shape[1] / image.shape[1], done.shape[0] / image.shape[0])


def _scale_boxes(boxes: np.ndarray, across: float, down: float) -> np.ndarray:
    boxes[:, :4] *= np.array([across, down, across, down], np.float32)
    return boxes
