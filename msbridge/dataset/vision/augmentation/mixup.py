"""Mixing the images of a batch: MixUp, MixUpBatch, CutMixBatch."""

import math
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import TensorOperation, eager_draw
from msbridge.dataset.vision import base
from msbridge.dataset.vision.enums import ImageBatchFormat

__all__ = ["CutMixBatch", "MixUp", "MixUpBatch"]


class MixUp(TensorOperation):
    """Blend each image and label of a batch with another one, by shares of a beta distribution.

    Args:
        batch_size: images in a batch.
        alpha: both parameters of the distribution.
        is_single: blend with the next image of the batch; else with the mixed image of the batch before.

    Follows: mindspore.dataset.vision.MixUp (2.10).
    """

    python_only = True

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        require_type(is_single, "is_single", bool)
        require_type(batch_size, "batch_size", int)
        _check_alpha(alpha)
        self.batch_size = within(batch_size, "batch_size", 1, base.MAX_SIDE)
        self.alpha, self.is_single = alpha, is_single
        self._before: tuple[Any, Any] | None = None

    def __call__(self, image: Any, label: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the mixed images and labels, both float64.

        Args:
            image: (batch_size, H, W, C).
            label: (batch_size, classes).
        """
        shares = np.random.default_rng(eager_draw().bits()).beta(self.alpha, self.alpha, self.batch_size)
        if self.is_single:
            following = [*range(1, self.batch_size), 0]
            return _blend(shares, image, label, image[following], label[following])
        before, self._before = self._before, None
        if before is None:
            shares, before = np.ones(self.batch_size), (0, 0)
        mixed = _blend(shares, image, label, *before)
        self._before = mixed
        return mixed


class MixUpBatch(TensorOperation):
    """Blend the images of a batch, and their labels, with those of the shuffled batch.

    Args:
        alpha: both parameters of the beta distribution of the share, more than 0.

    Follows: mindspore.dataset.vision.MixUpBatch (2.10).
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = _check_alpha(alpha)

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the mixed images, of their dtype, and the mixed labels, float32.

        Args:
            inputs: images (N, H, W, C) or (N, C, H, W), and one-hot labels (N, classes) or (N, rows, classes).
        """
        batch, labels = _batch(inputs, "MixUpBatch")
        if batch.ndim != 4 or len(batch) != len(labels):
            raise RuntimeError(
                f"MixUpBatch: images should have four axes and one label each, got {batch.shape} and {labels.shape}."
            )
        if labels.ndim not in (2, 3):
            raise RuntimeError(f"MixUpBatch: wrong labels shape, it should be (N, classes), got {labels.shape}.")
        draw = eager_draw()
        share = _beta(self.alpha, draw)
        order = draw.order(len(batch))
        blended = share * batch.astype(np.float32) + (1 - share) * batch[order].astype(np.float32)
        if batch.dtype.kind in "iu":
            blended = np.rint(blended)
        mixed = share * labels.astype(np.float32) + (1 - share) * labels[order].astype(np.float32)
        return blended.astype(batch.dtype), mixed.astype(np.float32)


class CutMixBatch(TensorOperation):
    """Replace a rectangle of each image of a batch by that of another one, and mix the labels by area.

    Args:
        image_batch_format: the order of the batch's axes.
        alpha: both parameters of the beta distribution of the share that stays, more than 0.
        prob: of each image to be changed, in [0, 1].

    Follows: mindspore.dataset.vision.CutMixBatch (2.10).
    """

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0) -> None:
        self.image_batch_format: ImageBatchFormat = require_type(
            image_batch_format, "image_batch_format", ImageBatchFormat
        )
        self.alpha = _check_alpha(alpha)
        self.prob = base.check_probability(prob)

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the changed images, of their dtype, and the mixed labels, float32.

        Args:
            inputs: images (N, H, W, C) or (N, C, H, W), and one-hot labels (N, classes) or (N, rows, classes).
        """
        batch, labels = _batch(inputs, "CutMixBatch")
        if batch.ndim != 4 or labels.ndim not in (2, 3) or len(batch) != len(labels):
            raise RuntimeError(
                "CutMixBatch: images should be of four axes and as many as the one-hot labels, got "
                f"{batch.shape} and {labels.shape}."
            )
        planes = batch if self.image_batch_format is ImageBatchFormat.NCHW else batch.transpose(0, 3, 1, 2)
        if planes.shape[1] not in (1, 3):
            raise RuntimeError(
                f"CutMixBatch: images of 1 or 3 channels are needed in the order {self.image_batch_format.name}, got "
                f"{batch.shape}."
            )
        draw = eager_draw()
        order = draw.order(len(batch))
        rows, columns = planes.shape[2:]
        changed, mixed = planes.copy(), labels.astype(np.float32)
        for number, other in enumerate(order):
            if draw.uniform() >= self.prob:
                continue
            top, left, height, width = cut_box(rows, columns, 1 - _beta(self.alpha, draw), draw)
            part = (slice(None), slice(top, top + height), slice(left, left + width))
            changed[number][part] = planes[other][part]
            share = 1 - height * width / (rows * columns)
            mixed[number] = share * labels[number] + (1 - share) * labels[other]
        if self.image_batch_format is ImageBatchFormat.NHWC:
            changed = np.ascontiguousarray(changed.transpose(0, 2, 3, 1))
        return changed, mixed


def cut_box(rows: int, columns: int, area: float, draw: RowRandom) -> tuple[int, int, int, int]:
    """Find a rectangle (top, left, height, width) of about a share `area`; what lies outside is cut off."""
    side = math.sqrt(area)
    ends = []
    for size in (rows, columns):
        middle, half = draw.integer(0, size), int(size * side) // 2
        start, stop = (min(max(place, 0), size - 1) for place in (middle - half, middle + half))
        ends.append((start, max(stop - start, 1)))
    (top, height), (left, width) = ends
    return top, left, height, width


def _batch(inputs: tuple[Any, ...], op: str) -> tuple[np.ndarray, np.ndarray]:
    batch, labels = (base.array_of(part, op) for part in base.eager_images(inputs[:2], op, 2))
    if batch.dtype not in (np.uint8, np.float32) and batch.dtype.kind not in "iuf":
        raise RuntimeError(f"{op}: images of {batch.dtype} are not supported.")
    if labels.dtype.kind not in "iuf":
        raise RuntimeError(f"{op}: labels of {labels.dtype} are not supported; they should be numbers.")
    return batch, labels


def _beta(alpha: float, draw: RowRandom) -> float:
    return float(np.random.default_rng(draw.bits()).beta(alpha, alpha))


def _blend(shares: np.ndarray, image: Any, label: Any, *others: Any) -> tuple[np.ndarray, np.ndarray]:
    of_images, of_labels = shares.reshape(-1, 1, 1, 1), shares.reshape(-1, 1)
    return (
        of_images * image + (1 - of_images) * others[0],
        of_labels * label + (1 - of_labels) * others[1],
    )


def _check_alpha(alpha: Any) -> float:
    return float(within(require_type(alpha, "alpha", (int, float)), "alpha", 0, base.MAX_SIDE, "(]"))
