"""Whether a map stays when the image changes a little."""

import logging
from typing import Any

import numpy as np

from msbridge.contrib.explainer.benchmark.metric import LabelSensitiveMetric
from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import SequentialCell

__all__ = ["Robustness"]

_log = logging.getLogger(__name__)
CHANGES = 10
MAX_ATTEMPTS = 3  # to find a change that leaves the probabilities
RADIUS = 0.2  # of the noise
CLOSE = 0.1  # the distance of probabilities that counts as the same decision


class Robustness(LabelSensitiveMetric):
    """Robustness of the map of a class to small noise on the image, in (0, 1].

    It is exp(−d / s), d being the greatest distance of ten maps from that of the image, s the length of the latter.

    Args:
        num_labels: how many classes there are.
        activation_fn: what makes probabilities of logits, such as nn.Softmax().

    Raises:
        TypeError: an argument is of another type.
        ValueError: `num_labels` is not positive.

    Follows: mindspore.explainer.benchmark.Robustness (1.3).
    """

    def __init__(self, num_labels: int, activation_fn: Cell) -> None:
        super().__init__(num_labels)
        self._activation_fn = instance(activation_fn, "activation_fn", "Robustness", Cell)

    def evaluate(self, explainer: Any, inputs: Tensor, targets: Any, saliency: Tensor | None = None) -> np.ndarray:
        """Evaluate one image; the noise comes from NumPy's global generator.

        Args:
            explainer: the method, of mindspore.explainer.explanation.
            inputs: shape (1, c, h, w).
            targets: the label: an int, or a Tensor of one value.
            saliency: the map, shape (1, 1, h, w); None asks `explainer` for it.

        Returns:
            The result, shape (1,); NaN if the map is zero.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is more than one image or label, or the label is out of range.

        Follows: mindspore.explainer.benchmark.Robustness.evaluate (1.3).
        """
        label = self._check_with_label(explainer, inputs, targets, saliency)
        saliency_maps = (explainer(inputs, label) if saliency is None else saliency).asnumpy()
        length = np.linalg.norm(saliency_maps)
        if not length:
            _log.warning("For 'Robustness.evaluate', the map is zero: the result is NaN.")
            return np.array([np.nan])
        network = SequentialCell([explainer.network, self._activation_fn])
        distances = [
            np.linalg.norm(explainer(_add_noise(network, inputs), label).asnumpy() - saliency_maps)
            for _ in range(CHANGES)
        ]
        result: np.ndarray = np.exp(-np.array([max(distances)]) / length)
        return result


def _add_noise(network: Cell, inputs: Tensor) -> Tensor:
    """Return the image with noise that leaves the probabilities, if one is found."""
    image, before = inputs.asnumpy(), network(inputs).asnumpy()
    for _ in range(MAX_ATTEMPTS):
        noise = (2 * np.random.rand(*image.shape) - 1) * RADIUS
        changed = Tensor((image + noise).astype(np.float32))
        if np.linalg.norm(network(changed).asnumpy() - before) <= CLOSE:
            break
    return changed
