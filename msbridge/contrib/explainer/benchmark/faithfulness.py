"""Whether the pixels that a map shows are those that the network decides by."""

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.contrib.explainer.benchmark.metric import LabelSensitiveMetric
from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import SequentialCell

__all__ = ["Faithfulness"]

_log = logging.getLogger(__name__)
SHARE = 0.5  # of the pixels that are changed
Predict = Callable[[np.ndarray], np.ndarray]


class Faithfulness(LabelSensitiveMetric):
    """Whether the pixels that a map shows are those that the network decides by.

    Half the pixels, the most salient ones, are changed in √(h·w) steps.

    Args:
        num_labels: how many classes there are.
        activation_fn: what makes probabilities of logits, such as nn.Softmax().
        metric: "NaiveFaithfulness": the correlation of a step's saliency with the fall of the probability, when only
            the pixels of this step become black. "DeletionAUC": 1 − the mean fall, when the pixels become black one
            step after the other. "InsertionAUC": the mean rise, when they appear on a black image.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `num_labels` is not positive, or there is no such metric.

    Follows: mindspore.explainer.benchmark.Faithfulness (1.3); as documented, pixels of earlier steps stay changed.
    """

    def __init__(self, num_labels: int, activation_fn: Cell, metric: str = "NaiveFaithfulness") -> None:
        super().__init__(num_labels)
        self._activation_fn = instance(activation_fn, "activation_fn", "Faithfulness", Cell)
        self._measure = _MEASURES[one_of(metric, "metric", "Faithfulness", _MEASURES)]

    def evaluate(self, explainer: Any, inputs: Tensor, targets: Any, saliency: Tensor | None = None) -> np.ndarray:
        """Evaluate one image.

        Args:
            explainer: the method, of mindspore.explainer.explanation.
            inputs: shape (1, c, h, w).
            targets: the label: an int, or a Tensor of one value.
            saliency: the map, shape (1, 1, h, w); None asks `explainer` for it.

        Returns:
            (1 + the measure) / 2, shape (1,).

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is more than one image or label, or the label is out of range.

        Follows: mindspore.explainer.benchmark.Faithfulness.evaluate (1.3).
        """
        label = self._check_with_label(explainer, inputs, targets, saliency)
        saliency_map = (explainer(inputs, label) if saliency is None else saliency).asnumpy()[0].mean(0)
        network = SequentialCell([explainer.network, self._activation_fn])

        def predict(images: np.ndarray) -> np.ndarray:
            probabilities: np.ndarray = network(Tensor(images.astype(np.float32))).asnumpy()[:, label]
            return probabilities

        return np.array([(1 + self._measure(predict, inputs.asnumpy()[0], saliency_map)) / 2])


def _naive(predict: Predict, image: np.ndarray, saliency: np.ndarray) -> float:
    steps = _steps(saliency)
    importance = (saliency * steps).sum((1, 2)) / steps.sum((1, 2))
    probabilities = predict(np.where(steps[:, None], 0, image))
    if np.ptp(saliency) == 0 or np.ptp(probabilities) == 0:
        _log.warning(
            "For 'Faithfulness.evaluate', the map or the probabilities are uniform: the correlation counts as 0."
        )
        return 0.0
    return -float(np.corrcoef(importance, probabilities)[0, 1])


def _deletion(predict: Predict, image: np.ndarray, saliency: np.ndarray) -> float:
    changed = np.logical_or.accumulate(_steps(saliency))
    falls = predict(image[None]) - predict(np.where(changed[:, None], 0, image))
    return 1 - _mean_of_curve(falls)


def _insertion(predict: Predict, image: np.ndarray, saliency: np.ndarray) -> float:
    changed = np.logical_or.accumulate(_steps(saliency))
    rises = predict(np.where(changed[:, None], image, 0)) - predict(np.zeros_like(image)[None])
    return _mean_of_curve(rises)


def _steps(saliency: np.ndarray) -> np.ndarray:
    """Return masks of the pixels that every step changes, shape (steps, h, w), the most salient first."""
    ranks = np.empty(saliency.size, np.int64)
    ranks[np.argsort(-saliency.reshape(-1), kind="stable")] = np.arange(saliency.size)
    count = int(np.sqrt(saliency.size))
    each = max(int(saliency.size * SHARE / count), 1)
    of_step = ranks.reshape(saliency.shape) // each
    return np.stack([of_step == step for step in range(count)])


def _mean_of_curve(curve: np.ndarray) -> float:
    return float((curve.sum() - curve[0] - curve[-1]) / len(curve))


_MEASURES = {"NaiveFaithfulness": _naive, "DeletionAUC": _deletion, "InsertionAUC": _insertion}
