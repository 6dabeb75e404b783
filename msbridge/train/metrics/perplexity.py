"""Perplexity: the uncertainty of a language model."""

import math
from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.train.metrics.metric import Metric, Total, no_samples, rearrange_inputs, take_pair

_MIN_PROBABILITY = 1e-10  # the smallest probability that counts


class Perplexity(Metric):
    """The exponential of the mean negative logarithm of the true labels' probabilities.

    Args:
        ignore_label: labels that do not count; None counts all.

    Raises:
        TypeError: `ignore_label` is not an int.

    Follows: mindspore.train.Perplexity (2.10).
    """

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        if ignore_label is not None:
            instance(ignore_label, "ignore_label", None, int)
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()
        self._ignored = Total()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add probabilities (..., labels) and labels (...).

        Raises:
            IndexError: a label is out of range, or the probabilities have one axis; a negative one counts from the end.
            ValueError: there are not two inputs.
            RuntimeError: the shapes do not go together.
        """
        predicted, true = take_pair("Perplexity", inputs)
        if true.numel() * predicted.shape[-1] != predicted.numel():
            raise RuntimeError(
                "For 'Perplexity.update', predicted value (input[0]) and label (input[1]) should have the same shape, "
                f"but got predicted value shape {tuple(predicted.shape)}, label shape {tuple(true.shape)}."
            )
        if predicted.dim() == 1:
            raise IndexError("For 'Perplexity.update', predicted value (input[0]) must have an axis of labels.")
        true = true.reshape(-1, 1).long()
        labels = predicted.shape[-1]
        try:
            probabilities = predicted.reshape(-1, labels).gather(1, torch.where(true < 0, true + labels, true))
        except RuntimeError:
            raise IndexError(f"For 'Perplexity.update', labels must be in [{-labels}, {labels}).") from None
        is_ignored = (true == self.ignore_label) if self.ignore_label is not None else true.new_zeros(true.shape).bool()
        probabilities = probabilities.masked_fill(is_ignored, 1).clamp(min=_MIN_PROBABILITY)
        self._total.add(-probabilities.log().sum(), true.numel())
        self._ignored.add(is_ignored.sum(), true.numel())

    def eval(self) -> float:
        """Return the perplexity.

        Returns:
            A float, at least 1.

        Raises:
            RuntimeError: there were no labels.
        """
        counted = round(self._total.count * (1 - self._ignored.mean("Perplexity")))
        if not counted:
            raise no_samples("Perplexity")
        return math.exp(self._total.mean("Perplexity") * self._total.count / counted)
