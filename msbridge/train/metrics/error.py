"""Mean errors of numbers."""

from typing import Any

import torch

from msbridge.train.metrics.metric import Metric, Total, rearrange_inputs, take_pair


class _MeanError(Metric):
    """Sums an error over all elements and divides by the number of samples."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predicted and true values of the same number of elements.

        Raises:
            ValueError: there are not two inputs, or they have different numbers of elements.
        """
        predicted, true = take_pair(type(self).__name__, inputs)
        if predicted.numel() != true.numel():
            raise ValueError(
                f"For '{type(self).__name__}.update', predicted and true value must have the same number of elements, "
                f"but got shapes {tuple(predicted.shape)} and {tuple(true.shape)}."
            )
        self._total.add(self._error(predicted - true.reshape(predicted.shape)).sum(), len(true) if true.dim() else 1)

    def eval(self) -> float:
        """Return the mean error.

        Raises:
            RuntimeError: there were no samples.
        """
        return self._total.mean(type(self).__name__)

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


class MAE(_MeanError):
    """The mean absolute error: |predicted − true|, summed over a sample's elements, averaged over samples.

    Follows: mindspore.train.MAE (2.10).
    """

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        return difference.abs()


class MSE(_MeanError):
    """The mean squared error: (predicted − true)², summed over a sample's elements, averaged over samples.

    Follows: mindspore.train.MSE (2.10).
    """

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        return difference.square()
