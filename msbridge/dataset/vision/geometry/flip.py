"""HorizontalFlip, VerticalFlip and their random forms."""

from typing import Any

import numpy as np

from msbridge.dataset.row_random import BlockRandom, RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.transforms.lookup_tables import opencv
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform

__all__ = ["HorizontalFlip", "RandomHorizontalFlip", "RandomVerticalFlip", "VerticalFlip"]


class HorizontalFlip(OnDevice, ImageTransform):
    """Flip images horizontally, as arrays.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.HorizontalFlip (2.10).
    """

    def transform_value(self, value: Any) -> Any:
        return flip_image(base.array_of(value, "HorizontalFlip"), 1, "HorizontalFlip")


class VerticalFlip(OnDevice, ImageTransform):
    """Flip images vertically, as arrays.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.VerticalFlip (2.10).
    """

    def transform_value(self, value: Any) -> Any:
        return flip_image(base.array_of(value, "VerticalFlip"), 0, "VerticalFlip")


class _RandomFlip(RandomImageTransform):
    direction = 0  # of the two image axes

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = base.check_probability(prob)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        if draw is not None and draw.uniform() < self.prob:
            return flip_image(value, self.direction, type(self).__name__)
        return value

    def stack(self, rows: np.ndarray, draws: BlockRandom | None = None) -> np.ndarray | None:
        if draws is None or rows.ndim < 3:
            return None
        chosen = draws.uniform() < self.prob
        axis = self.direction + 1 if rows.ndim == 3 else rows.ndim - 3 + self.direction
        turned = rows.copy()
        turned[chosen] = flip_array(rows[chosen], axis)
        return turned


class RandomHorizontalFlip(_RandomFlip):
    """Flip images horizontally with probability `prob`.

    Args:
        prob: in [0, 1].

    Inputs, Outputs: as in every geometric transform.

    Examples:
        >>> image = np.arange(6, dtype=np.uint8).reshape(1, 2, 3)
        >>> vision.RandomHorizontalFlip(1.0)(image)[0].tolist()
        [[3, 4, 5], [0, 1, 2]]

    Follows: mindspore.dataset.vision.RandomHorizontalFlip (2.10).
    """

    direction = 1


class RandomVerticalFlip(_RandomFlip):
    """Flip images vertically with probability `prob`.

    Args:
        prob: in [0, 1].

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomVerticalFlip (2.10).
    """

    direction = 0


def flip_image(image: Any, direction: int, op: str) -> Any:
    """Flip an image along its height (0) or width (1)."""
    if is_pil(image):
        pil = base.import_pil(op)
        return image.transpose(pil.Transpose.FLIP_LEFT_RIGHT if direction else pil.Transpose.FLIP_TOP_BOTTOM)
    array = base.array_of(image, op)
    return flip_array(array, base.axes(array, op)[direction])


def flip_array(array: np.ndarray, axis: int) -> np.ndarray:
    """Return an array in reverse order along an axis, in memory of its own."""
    cv2 = opencv()
    channels = array.shape[axis + 1 :]
    if cv2 is None or array.dtype != np.uint8 or not array.size or len(channels) > 1 or channels > (4,):
        return np.ascontiguousarray(np.flip(array, axis))
    rows = np.ascontiguousarray(array).reshape(-1, array.shape[axis], *channels)  # numpy takes 30 times as long
    return cv2.flip(rows, 1).reshape(array.shape)
