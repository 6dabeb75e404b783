"""The share of samples whose class is among the k highest scores."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import integer
from msbridge.train.metrics.metric import Metric, Total, check_counts, rearrange_inputs, take_pair


class TopKCategoricalAccuracy(Metric):
    """The share of samples whose class is among the `k` highest scores; of equal scores the first classes go first.

    Args:
        k: how many scores count.

    Raises:
        TypeError: `k` is not an int.
        ValueError: `k` is below 1.

    Follows: mindspore.train.TopKCategoricalAccuracy (2.10).
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        integer(k, "k", "TopKCategoricalAccuracy")
        if k < 1:
            raise ValueError(
                f"For 'TopKCategoricalAccuracy', the argument 'k' must be at least 1, but got 'k' value: {k}."
            )
        self.k = k
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add scores (samples, classes) and classes (samples,) or one-hot rows.

        Raises:
            AxisError: the scores have one axis.
            ValueError: there are not two inputs, or fewer than `k` classes.
        """
        scores, true = take_pair("TopKCategoricalAccuracy", inputs)
        if scores.dim() == 1:
            raise np.exceptions.AxisError(1, 1, "For 'TopKCategoricalAccuracy.update', of the predicted value")
        if scores.dim() == true.dim():
            true = true.argmax(1)
        if scores.dim() != 2 or scores.shape[1] < self.k:
            raise ValueError(
                f"For 'TopKCategoricalAccuracy.update', predicted value must have shape (samples, at least {self.k} "
                f"classes), but got {tuple(scores.shape)}."
            )
        check_counts("TopKCategoricalAccuracy", scores[:, 0], true)
        self._total.add((_places(scores, true.reshape(-1, 1).long()) < self.k).sum(), len(true))

    def eval(self) -> float:
        """Return the share.

        Returns:
            A float in [0, 1].

        Raises:
            RuntimeError: there were no samples.
        """
        return self._total.mean("TopKCategoricalAccuracy")


def _places(scores: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
    """Count the classes before the true one, without sorting all scores; all of them, where there is no such class."""
    classes = torch.arange(scores.shape[1], device=scores.device)
    known = true.clamp(0, scores.shape[1] - 1)
    own = scores.gather(1, known)
    is_before = (scores > own) | ((scores == own) & (classes < true)) | own.isnan() | (known != true)
    return is_before.sum(1)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class has the highest score.

    Follows: mindspore.train.Top1CategoricalAccuracy (2.10).
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class is among the five highest scores.

    Follows: mindspore.train.Top5CategoricalAccuracy (2.10).
    """

    def __init__(self) -> None:
        super().__init__(5)
