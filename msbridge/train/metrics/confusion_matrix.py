"""Confusion matrices: how often each class was taken for each other."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.runtime import device_to_host
from msbridge.train.metrics.classes import first_largest
from msbridge.train.metrics.counts import quotient
from msbridge.train.metrics.metric import Metric, check_counts, rearrange_inputs, take_pair

_NORMALIZATIONS = ("prediction", "target", "all", "no_norm", None)


class ConfusionMatrix(Metric):
    """The number of times a class (row) was predicted as a class (column).

    Args:
        num_classes: number of classes.
        normalize: "target" divides by the row's sum, "prediction" by the column's, "all" by the number of samples;
            "no_norm" (None) returns counts.
        threshold: floating predictions of the labels' own shape count as class 1 from here on, as class 0 below.

    Raises:
        TypeError: `num_classes` is not an int, or `threshold` not a float.
        ValueError: unknown `normalize`.

    Follows: mindspore.train.ConfusionMatrix (2.10).
    """

    def __init__(self, num_classes: int, normalize: str | None = "no_norm", threshold: float = 0.5) -> None:
        super().__init__()
        instance(num_classes, "num_classes", None, int)
        one_of(normalize, "normalize", "ConfusionMatrix", _NORMALIZATIONS)
        instance(threshold, "threshold", None, float)
        self.num_classes = num_classes
        self.normalize = normalize
        self.threshold = threshold
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._matrix: torch.Tensor | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predictions and classes; predictions with an axis more are scores of the classes along axis 1.

        Raises:
            ValueError: there are not two inputs, their shapes do not go together, or a class is out of range.
        """
        predicted, true = take_pair("ConfusionMatrix", inputs)
        if predicted.dim() == true.dim():
            if predicted.is_floating_point():
                predicted = predicted >= self.threshold
            predicted = predicted.long()
        elif predicted.dim() == true.dim() + 1:
            predicted = first_largest(predicted)
        else:
            raise ValueError(
                "For 'ConfusionMatrix.update', predicted value (input[0]) must have as many axes as true value "
                f"(input[1]), or one more, but got {predicted.dim()} and {true.dim()}."
            )
        check_counts("ConfusionMatrix", predicted, true)
        cells = true.reshape(-1).long() * self.num_classes + predicted.reshape(-1)
        counts = torch.zeros(self.num_classes**2, dtype=torch.int64, device=cells.device)
        try:
            counts.index_add_(0, cells, torch.ones_like(cells, dtype=torch.int64))
        except (IndexError, RuntimeError) as error:
            raise ValueError(
                f"For 'ConfusionMatrix.update', classes must be in [0, {self.num_classes}), but got others."
            ) from error
        self._matrix = counts if self._matrix is None else self._matrix + counts

    def eval(self) -> np.ndarray:
        """Return the matrix, of shape (num_classes, num_classes).

        Returns:
            An array of float64: a row for each label, a column for each prediction.

        Raises:
            RuntimeError: there were no samples.
        """
        if self._matrix is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        counts = device_to_host.to_numpy(self._matrix).astype(np.float64).reshape(self.num_classes, self.num_classes)
        axes = {"target": 1, "prediction": 0, "all": None}
        if self.normalize not in axes:
            return counts
        return quotient(counts, counts.sum(axis=axes[self.normalize], keepdims=True))
