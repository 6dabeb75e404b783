"""The bases of the measures: they evaluate one image at a time, and gather the results."""

from typing import Any

import numpy as np

from msbridge.contrib.explainer.explanation.attribution import Attribution
from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.tensor.tensor import Tensor

__all__ = ["AttributionMetric", "LabelAgnosticMetric", "LabelSensitiveMetric", "label_of", "values_of"]


class AttributionMetric:
    """Base of the measures.

    Follows: mindspore.explainer.benchmark, the base of its classes (1.3).
    """

    def _check(self, explainer: Any, inputs: Any) -> None:
        """Check the explanation's class, and that there is one image.

        Raises:
            TypeError: an argument is of another type.
            ValueError: the images have not the shape (1, c, h, w).
        """
        owner = f"{type(self).__name__}.evaluate"
        instance(explainer, "explainer", owner, Attribution)
        instance(inputs, "inputs", owner, Tensor)
        if inputs.ndim != 4 or len(inputs) != 1:
            raise ValueError(f"For '{owner}', inputs must be one image of shape (1, c, h, w), got {inputs.shape}.")


class LabelAgnosticMetric(AttributionMetric):
    """Base of measures that look at an image only.

    Follows: mindspore.explainer.benchmark, the base of its classes (1.3).
    """

    def __init__(self) -> None:
        self._global_results: list[float] = []

    @property
    def performance(self) -> float:
        """The mean of the results; 0 if there is none."""
        return sum(self._global_results) / len(self._global_results) if self._global_results else 0.0

    def aggregate(self, result: Any) -> None:
        """Add results: a number or an array."""
        self._global_results += values_of(result)

    def get_results(self) -> list[float]:
        """Return a list of the results."""
        return list(self._global_results)

    def reset(self) -> None:
        """Forget the results."""
        self._global_results.clear()


class LabelSensitiveMetric(AttributionMetric):
    """Base of measures of an image and a label.

    Args:
        num_labels: how many classes there are.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.explainer.benchmark, the base of its classes (1.3).
    """

    def __init__(self, num_labels: int) -> None:
        self._num_labels = positive_int(num_labels, "num_labels", type(self).__name__)
        self.reset()

    @property
    def num_labels(self) -> int:
        """The number of classes."""
        return self._num_labels

    @property
    def class_performances(self) -> list[float]:
        """The mean of the results of every class; 0 if it has none."""
        return [sum(found) / max(len(found), 1) for found in self._global_results.values()]

    @property
    def performance(self) -> float:
        """The mean of all results; 0 if there is none."""
        every = [one for found in self._global_results.values() for one in found]
        return sum(every) / len(every) if every else 0.0

    def aggregate(self, result: Any, targets: Any) -> None:
        """Add results to those of their labels.

        Raises:
            ValueError: there are not as many labels as results.
        """
        values = values_of(result)
        labels = [targets] * len(values) if isinstance(targets, int) else [int(one) for one in values_of(targets)]
        if len(labels) != len(values):
            raise ValueError(f"For 'aggregate', {len(values)} results need as many labels, got {len(labels)}.")
        for label, value in zip(labels, values, strict=True):
            self._global_results[label].append(value)

    def get_results(self) -> dict[int, list[float]]:
        """Return the results by label."""
        return {label: list(found) for label, found in self._global_results.items()}

    def reset(self) -> None:
        """Forget the results."""
        self._global_results: dict[int, list[float]] = {label: [] for label in range(self._num_labels)}

    def _check_with_label(self, explainer: Any, inputs: Any, targets: Any, saliency: Any) -> int:
        """Check the arguments of `evaluate`, and return the label.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is more than one image or label, the label is out of range, or there are more classes.
        """
        self._check(explainer, inputs)
        owner = f"{type(self).__name__}.evaluate"
        classes = explainer.network(inputs).shape[1]
        if classes > self._num_labels:
            raise ValueError(
                f"For '{owner}', the network has {classes} classes, more than num_labels={self._num_labels}."
            )
        instance(saliency, "saliency", owner, (Tensor, type(None)))
        label = label_of(owner, targets)
        if not 0 <= label < self._num_labels:
            raise ValueError(f"For '{owner}', targets must be in [0, {self._num_labels}), got {label}.")
        return label


def label_of(owner: str, targets: Any) -> int:
    """Return the one label that is given, as an int or a Tensor.

    Raises:
        TypeError: it is neither.
        ValueError: it has several values.
    """
    instance(targets, "targets", owner, (int, Tensor))
    if not isinstance(targets, Tensor):
        return int(targets)
    if targets.ndim > 1 or targets.size != 1:
        raise ValueError(f"For '{owner}', targets must be one label, got shape {targets.shape}.")
    return int(targets.asnumpy().reshape(()))


def values_of(result: Any) -> list[float]:
    """Return the numbers of a Tensor, an array or a number as a list."""
    found = result.asnumpy() if isinstance(result, Tensor) else result
    return [float(one) for one in np.asarray(found).reshape(-1)]
