"""Explanation by random masks."""

from typing import Any

import numpy as np
import torch

from msbridge.contrib.explainer.explanation.attribution import PerturbationAttribution, check_images
from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor

__all__ = ["RISE"]

MASKS = 6000
CELLS = 10  # of a mask, along an axis, before it is enlarged
SHARE = 0.5  # of cells that let the image through


class RISE(PerturbationAttribution):
    """The mean of random masks, weighted by the probability of a class under each: the image shines through them.

    Args:
        network: the classifier, which returns logits.
        activation_fn: what makes probabilities of logits, such as nn.Softmax().
        perturbation_per_eval: how many images are evaluated at once.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `perturbation_per_eval` is not positive; when called, a shape does not fit.

    Called with images of shape (n, c, h, w) and labels, it returns maps of shape (n, k, h, w): for an int, or a Tensor
    of no axis or of shape (n,), k is 1; otherwise the labels have the shape (n, k). The masks come from NumPy's global
    generator. They are grids of 10 by 10 cells, enlarged and shifted; the image keeps a half of them.

    Follows: mindspore.explainer.explanation.RISE (1.3).
    """

    def __init__(self, network: Any, activation_fn: Any, perturbation_per_eval: int = 32) -> None:
        super().__init__(network, activation_fn, perturbation_per_eval)
        self._num_masks = MASKS

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Return the maps, shape (n, k, h, w)."""
        labels, images = _labels(inputs, targets), inputs.asnumpy()
        maps = np.zeros((*labels.shape, *images.shape[2:]))
        for image, wanted, saliency_map in zip(images, labels, maps, strict=True):
            for first in range(0, self._num_masks, self._perturbation_per_eval):
                masks = _masks(min(self._perturbation_per_eval, self._num_masks - first), images.shape[2:])
                scores = self._probabilities(masks * image[None])[:, wanted]
                saliency_map += np.einsum("mk,mhw->khw", scores, masks[:, 0])
        return Tensor((maps / self._num_masks).astype(images.dtype))


def _labels(inputs: Tensor, targets: Any) -> np.ndarray:
    check_images("RISE", inputs)
    instance(targets, "targets", "RISE", (Tensor, int, tuple, list))
    labels = np.asarray(targets.asnumpy() if isinstance(targets, Tensor) else targets).astype(np.int64)
    if labels.ndim > 2 or (labels.ndim and len(labels) != len(inputs)):
        raise ValueError(
            f"For 'RISE', targets must be one label, or those of {len(inputs)} images each, got shape {labels.shape}."
        )
    return np.broadcast_to(labels, (len(inputs),))[:, None] if labels.ndim < 2 else labels


def _masks(count: int, size: tuple[int, ...]) -> np.ndarray:
    """Draw masks of shape (count, 1, h, w)."""
    height, width = size
    grids = torch.from_numpy((np.random.random((count, 1, CELLS, CELLS)) < SHARE).astype(np.float32))
    enlarged = torch.nn.functional.interpolate(
        grids, (height + CELLS, width + CELLS), mode="bilinear", align_corners=False
    ).numpy()
    rows, columns = np.random.randint(0, CELLS + 1, count), np.random.randint(0, CELLS + 1, count)
    return np.stack(
        [
            mask[:, row : row + height, column : column + width]
            for mask, row, column in zip(enlarged, rows, columns, strict=True)
        ]
    )
