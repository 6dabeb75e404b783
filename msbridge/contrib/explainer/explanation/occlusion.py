"""Explanation by hiding windows of the image."""

from typing import Any

import numpy as np

from msbridge.contrib.explainer.explanation.attribution import PerturbationAttribution, labels_of
from msbridge.core.tensor.tensor import Tensor

__all__ = ["Occlusion"]

WINDOWS = 32  # along an axis of the image
MIN_WINDOW = 3  # pixels of a window of an image that has no more than so many


class Occlusion(PerturbationAttribution):
    """The fall of a class's probability when a window of the image is black, averaged over the windows.

    Args:
        network: the classifier, which returns logits.
        activation_fn: what makes probabilities of logits, such as nn.Softmax().
        perturbation_per_eval: how many images are evaluated at once.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `perturbation_per_eval` is not positive; when called, a shape does not fit.

    Called with images of shape (n, c, h, w), and a label or n of them, it returns maps of shape (n, 1, h, w): the
    magnitude of the sum of the falls over a pixel's windows, divided by one more than their number.

    Follows: mindspore.explainer.explanation.Occlusion (1.3).
    """

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Return the maps, shape (n, 1, h, w)."""
        labels, images = labels_of("Occlusion", inputs, targets), inputs.asnumpy().astype(np.float32)
        rows, columns = (_windows(size) for size in images.shape[2:])
        places = [(row, column) for row in rows for column in columns]
        maps = np.zeros((len(images), 1, *images.shape[2:]), np.float32)
        counts = np.ones_like(maps)
        whole = self._probabilities(images)
        for number, (image, label) in enumerate(zip(images, labels, strict=True)):
            for first in range(0, len(places), self._perturbation_per_eval):
                chosen = places[first : first + self._perturbation_per_eval]
                changed = np.repeat(image[None], len(chosen), 0)
                for one, (row, column) in zip(changed, chosen, strict=True):
                    one[:, row, column] = 0
                falls = whole[number, label] - self._probabilities(changed)[:, label]
                for fall, (row, column) in zip(falls, chosen, strict=True):
                    maps[number, 0, row, column] += fall
                    counts[number, 0, row, column] += 1
        return Tensor(np.abs(maps / counts))


def _windows(size: int) -> list[slice]:
    length, step = (size // WINDOWS, size // WINDOWS) if size > WINDOWS else (MIN_WINDOW, 1)
    return [slice(first, first + length) for first in range(0, size - length + 1, step)]
