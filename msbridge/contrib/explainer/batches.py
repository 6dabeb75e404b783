"""Batches of a dataset of images, labels and boxes, in one form."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Batch", "check_labels", "read_batch"]

CHANNELS = (1, 3, 4)


@dataclass(frozen=True, slots=True)
class Batch:
    """Images of shape (n, c, h, w), the labels of every image, and boxes of shape (n, boxes, 4), if there are any."""

    images: np.ndarray
    labels: list[list[int]]
    given: np.ndarray | None
    boxes: np.ndarray | None

    def mask_of(self, number: int) -> dict[int, np.ndarray]:
        """Return, for the labels of an image that have boxes, what is inside of them, shape (1, 1, h, w)."""
        masks: dict[int, np.ndarray] = {}
        if self.boxes is None or self.given is None:
            return masks
        for label, (x, y, width, height) in zip(self.given[number], self.boxes[number], strict=False):
            if label in self.labels[number]:
                mask = masks.setdefault(int(label), np.zeros((1, 1, *self.images.shape[2:])))
                mask[:, :, y : y + height, x : x + width] = 1
        return masks


def check_labels(labels: Sequence[str]) -> None:
    """Check the names of the classes.

    Raises:
        ValueError: there is none, one is not a string or empty, or one is there twice.
    """
    if not labels or any(not isinstance(one, str) or not one.strip() for one in labels):
        raise ValueError("The names of the classes must be texts that are not empty, and there must be one.")
    if len(set(labels)) < len(labels):
        raise ValueError("The names of the classes must differ.")


def read_batch(columns: Sequence[np.ndarray], classes: int) -> Batch:
    """Return a row of a dataset as a batch; a single image becomes a batch of one.

    Args:
        columns: images, and perhaps labels, and perhaps boxes.
        classes: how many there are; labels that are none of them are left out.

    Raises:
        ValueError: there are more columns, or a shape does not fit.
    """
    if not 1 <= len(columns) <= 3:
        raise ValueError(f"The dataset must have the columns images, labels and boxes, or less; got {len(columns)}.")
    images = np.asarray(columns[0], np.float32)
    if images.ndim not in (3, 4) or images.shape[-3] not in CHANNELS:
        raise ValueError(
            f"Images must have the shape (c, h, w) or (n, c, h, w), c being 1, 3 or 4; got {images.shape}."
        )
    images = images if images.ndim == 4 else images[None]
    given = np.asarray(columns[1]).astype(np.int64).reshape(len(images), -1) if len(columns) > 1 else None
    boxes = None
    if len(columns) == 3:
        if columns[2].shape[-1] != 4:
            raise ValueError(f"Boxes must have the shape (n, boxes, 4), got {columns[2].shape}.")
        boxes = np.asarray(columns[2]).astype(np.int64).reshape(len(images), -1, 4)
    if given is None:
        return Batch(images, [[] for _ in images], None, None)
    labels = [sorted({int(one) for one in row if 0 <= one < classes}) for row in given]
    return Batch(images, labels, given, boxes)
