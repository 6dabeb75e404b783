"""Counts of each class as predicted, true, and both; and the metrics that are quotients of these."""

import sys
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.runtime import device_to_host
from msbridge.train.metrics.classes import check_class_number, to_classes, to_labels
from msbridge.train.metrics.metric import (
    Doubts,
    EvaluationBase,
    Metric,
    no_samples,
    rearrange_inputs,
    take_pair,
)


class _ClassCounts:
    """Counts per class, on the device."""

    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._doubts = Doubts()
        self.classes = 0
        self._counts: torch.Tensor | None = None  # rows: right, predicted, true

    def add(self, predicted: torch.Tensor, true: torch.Tensor) -> None:
        self.classes = check_class_number(self._metric, self.classes, predicted)
        predicted_classes, wanted = to_classes(predicted, true, self._doubts)
        self._doubts.note(
            f"For '{self._metric}.update', true value (input[1]) has classes that the predicted value (input[0]), "
            f"of {self.classes} classes, does not have.",
            (wanted >= self.classes).any() | (wanted < 0).any(),
        )
        wanted = wanted.clamp(0, self.classes - 1)
        if self._counts is None:
            self._counts = torch.zeros(3, self.classes, dtype=torch.int64, device=predicted.device)
        ones = torch.ones_like(predicted_classes, dtype=torch.int64)
        self._counts[0].index_add_(0, predicted_classes, (predicted_classes == wanted).long())
        self._counts[1].index_add_(0, predicted_classes, ones)
        self._counts[2].index_add_(0, wanted, ones)

    def read(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self._counts is None:
            raise no_samples(self._metric)
        self._doubts.check()
        right, predicted, true = device_to_host.to_numpy(self._counts).astype(np.float64)
        return right, predicted, true


def quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return above/below, 0 where `below` is 0."""
    shares: np.ndarray = np.divide(above, below, out=np.zeros_like(above), where=below != 0)
    return shares


class _Share(EvaluationBase):
    """Right predictions over predicted ones (row 1 of the counts) or over true ones (row 2)."""

    _row: int

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.eps = sys.float_info.min
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._counts = _ClassCounts(type(self).__name__)
        self._doubts = Doubts()
        self._samples: list[torch.Tensor] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predicted and true values, as `Accuracy` does.

        Raises:
            ValueError: there are not two inputs, their shapes do not go together, or the number of classes changed.
        """
        predicted, true = take_pair(type(self).__name__, inputs)
        if self._type == "classification":
            self._counts.add(predicted, true)
            return
        found, wanted = to_labels(predicted, true, self._doubts)
        divisor = found if self._row == 1 else wanted
        self._samples.append(torch.stack([(found * wanted).sum(1), divisor.sum(1)]))

    def eval(self, average: bool = False) -> np.ndarray | np.float64:
        """Return the share of each class (classification) or of each sample (multilabel), or their mean.

        Raises:
            TypeError: `average` is not a bool.
            RuntimeError: there were no samples.
            ValueError: a label was not a class, labels were not 0 and 1, or rows not one-hot.
        """
        name = type(self).__name__
        instance(average, "average", name, bool)
        if self._type == "classification":
            counts = self._counts.read()
            result = quotient(counts[0], counts[self._row])
        else:
            if not self._samples:
                raise no_samples(name)
            self._doubts.check()
            right, divisor = device_to_host.to_numpy(torch.cat(self._samples, 1)).astype(np.float64)
            result = quotient(right, divisor)
        return result.mean() if average else result


class Precision(_Share):
    """The share of a class's predictions that are right.

    Args:
        eval_type: "classification" or "multilabel".

    Raises:
        TypeError: unknown `eval_type`.

    Follows: mindspore.train.Precision (2.10).
    """

    _row = 1


class Recall(_Share):
    """The share of a class's samples that are found.

    Args:
        eval_type: "classification" or "multilabel".

    Raises:
        TypeError: unknown `eval_type`.

    Follows: mindspore.train.Recall (2.10).
    """

    _row = 2


class Fbeta(Metric):
    """The weighted harmonic mean of precision and recall, (1+β²)·right / (β²·true + predicted), of each class.

    Args:
        beta: the weight of recall.

    Raises:
        ValueError: `beta` is not above 0.

    Follows: mindspore.train.Fbeta (2.10).
    """

    def __init__(self, beta: float) -> None:
        super().__init__()
        if not beta > 0:
            raise ValueError(f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}.")
        self.beta = beta
        self.eps = sys.float_info.min
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._counts = _ClassCounts("Fbeta")

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add scores (samples, classes, ...) and classes (samples, ...) or one-hot rows.

        Raises:
            ValueError: there are not two inputs, their shapes do not go together, or the number of classes changed.
        """
        self._counts.add(*take_pair("Fbeta", inputs))

    def eval(self, average: bool = False) -> np.ndarray | np.float64:
        """Return the score of each class, or their mean.

        Args:
            average: return the mean over classes.

        Returns:
            An array (classes,) of float64, or a number of float64.

        Raises:
            TypeError: `average` is not a bool.
            RuntimeError: there were no samples.
            ValueError: a label was not a class.
        """
        instance(average, "average", type(self).__name__, bool)
        right, predicted, true = self._counts.read()
        weight = self.beta**2
        result = quotient((1 + weight) * right, weight * true + predicted)
        return result.mean() if average else result


class F1(Fbeta):
    """The harmonic mean of precision and recall, of each class.

    Follows: mindspore.train.F1 (2.10).
    """

    def __init__(self) -> None:
        super().__init__(1.0)
