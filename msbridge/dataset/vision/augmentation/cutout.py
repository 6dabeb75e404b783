"""CutOut: random square regions set to zero."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.vision.base import RandomImageTransform, array_of

__all__ = ["CutOut"]


class CutOut(RandomImageTransform):
    """Set random square regions of images to 0; a region may reach over the border.

    Args:
        length: side of the squares.
        num_patches: how many.
        is_hwc: channels are the last axis, else the first.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.CutOut (2.10).
    """

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        int_within(length, "length")
        int_within(num_patches, "num_patches")
        require_type(is_hwc, "is_hwc", bool)
        self.length, self.num_patches, self.is_hwc = length, num_patches, is_hwc

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> np.ndarray:
        image = array_of(value, "CutOut").copy()
        if image.ndim != 3:
            raise RuntimeError(f"CutOut: image shape should be <H,W,C> or <C,H,W>, but got rank: {image.ndim}.")
        view = image if self.is_hwc else image.transpose(1, 2, 0)
        rows, columns = view.shape[:2]
        for _ in range(self.num_patches):
            if draw is None:
                break
            top, left = (draw.integer(0, side - 1) - self.length // 2 for side in (rows, columns))
            view[max(top, 0) : max(top + self.length, 0), max(left, 0) : max(left + self.length, 0)] = 0
        return image


class PlanesCutOut(CutOut):
    """Set random square regions of images (C, H, W) to 0.

    Follows: mindspore.dataset.vision.py_transforms.Cutout (1.10).
    """

    def __init__(self, length: int, num_patches: int = 1) -> None:
        super().__init__(length, num_patches, is_hwc=False)
