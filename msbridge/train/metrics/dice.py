"""The overlap of two masks."""

from typing import Any

from msbridge.core.checks.arguments import above, instance
from msbridge.train.metrics.metric import Metric, Total, rearrange_inputs, take_pair


class Dice(Metric):
    """The Dice coefficient 2·Σpt / (Σp² + Σt² + smooth) of each batch; their sum over the number of samples.

    Args:
        smooth: keeps the divisor above 0.

    Raises:
        TypeError: `smooth` is not a float.
        ValueError: `smooth` is not above 0.

    Follows: mindspore.train.Dice (2.10).
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        instance(smooth, "smooth", None, float)
        above(smooth, "smooth", "Dice")
        self.smooth = smooth
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._total = Total()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predicted and true masks of the same shape.

        Raises:
            ValueError: there are not two inputs, or their shapes differ.
        """
        predicted, true = take_pair("Dice", inputs)
        if predicted.shape != true.shape:
            raise ValueError(
                "For 'Dice.update', predicted value (input[0]) and true value (input[1]) should have same shape, "
                f"but got predicted value shape: {tuple(predicted.shape)}, true value shape: {tuple(true.shape)}."
            )
        samples = len(predicted) if predicted.dim() else 1
        predicted, true = predicted.double().reshape(-1), true.double().reshape(-1)
        overlap = 2 * predicted.dot(true) / (predicted.dot(predicted) + true.dot(true) + self.smooth)
        self._total.add(overlap, samples)

    def eval(self) -> float:
        """Return the sum of the coefficients over the number of samples.

        Returns:
            A float.

        Raises:
            RuntimeError: there was no batch.
        """
        return float(self._total.mean("Dice coefficient"))
