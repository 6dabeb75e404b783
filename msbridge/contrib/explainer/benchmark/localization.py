"""Whether a map shows where the object is."""

from typing import Any

import numpy as np

from msbridge.contrib.explainer.benchmark.metric import LabelSensitiveMetric
from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor

__all__ = ["Localization"]

NEAR = 15  # pixels around the greatest value in which the object must be
SALIENT = 0.5  # of the greatest value


class Localization(LabelSensitiveMetric):
    """Whether the map of a class shows where its object is.

    Args:
        num_labels: how many classes there are.
        metric: "PointingGame": 1 if the object is less than 15 pixels from the greatest value, else 0. "IoSR": the
            share of the object in the pixels that have more than half the greatest value.

    Raises:
        TypeError: `num_labels` is not an int.
        ValueError: it is not positive, or there is no such metric.

    Follows: mindspore.explainer.benchmark.Localization (1.3).
    """

    def __init__(self, num_labels: int, metric: str = "PointingGame") -> None:
        super().__init__(num_labels)
        self._metric = one_of(metric, "metric", "Localization", ("PointingGame", "IoSR"))

    def evaluate(
        self, explainer: Any, inputs: Tensor, targets: Any, saliency: Tensor | None = None, mask: Any = None
    ) -> np.ndarray:
        """Evaluate one image.

        Args:
            explainer: the method, of mindspore.explainer.explanation.
            inputs: shape (1, c, h, w).
            targets: the label: an int, or a Tensor of one value.
            saliency: the map, shape (1, 1, h, w); None asks `explainer` for it.
            mask: a Tensor or an array that is 1 where the object is, shape (1, 1, h, w).

        Returns:
            The result, shape (1,).

        Raises:
            TypeError: an argument is of another type.
            ValueError: a shape does not fit, or there is no mask.

        Follows: mindspore.explainer.benchmark.Localization.evaluate (1.3).
        """
        self._check_with_label(explainer, inputs, targets, saliency)
        if mask is None:
            raise ValueError("For 'Localization.evaluate', mask must be given.")
        instance(mask, "mask", "Localization.evaluate", (Tensor, np.ndarray))
        if len(mask.shape) != 4 or len(mask) != len(inputs):
            raise ValueError(f"For 'Localization.evaluate', mask must have the shape (1, 1, h, w), got {mask.shape}.")
        place = np.asarray(mask.asnumpy() if isinstance(mask, Tensor) else mask)[0, 0].astype(bool)
        saliency_map = (explainer(inputs, targets) if saliency is None else saliency).asnumpy()[0, 0]
        if self._metric == "PointingGame":
            row, column = np.unravel_index(saliency_map.argmax(), saliency_map.shape)
            rows, columns = np.ogrid[: saliency_map.shape[0], : saliency_map.shape[1]]
            is_near = (rows - row) ** 2 + (columns - column) ** 2 < NEAR**2
            return np.array([float((place & is_near).any())])
        is_salient = saliency_map > SALIENT * saliency_map.max()
        return np.array([(place & is_salient).sum() / max(is_salient.sum(), 1e-10)])
