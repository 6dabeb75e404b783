"""Whether maps of different classes differ."""

from typing import Any

import numpy as np

from msbridge.contrib.explainer.benchmark.metric import LabelAgnosticMetric
from msbridge.core.tensor.tensor import Tensor

__all__ = ["ClassSensitivity"]


class ClassSensitivity(LabelAgnosticMetric):
    """Difference between the maps of the most and of the least probable class, in [0, 1]: (1 − their correlation) / 2.

    Follows: mindspore.explainer.benchmark.ClassSensitivity (1.3).
    """

    def evaluate(self, explainer: Any, inputs: Tensor) -> np.ndarray:
        """Evaluate one image.

        Args:
            explainer: the method, of mindspore.explainer.explanation.
            inputs: shape (1, c, h, w).

        Returns:
            The result, shape (1,). A map of zeros counts as uncorrelated.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is more than one image.

        Follows: mindspore.explainer.benchmark.ClassSensitivity.evaluate (1.3).
        """
        self._check(explainer, inputs)
        logits = explainer.network(inputs).asnumpy()
        most, least = (
            explainer(inputs, Tensor(label.astype(np.int32))).asnumpy().reshape(-1)
            for label in (logits.argmax(1), logits.argmin(1))
        )
        correlation = np.corrcoef(most, least)[0, 1] if most.any() and least.any() else 0.0
        return np.array([(1 - correlation) / 2])
