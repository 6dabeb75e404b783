"""Variance of probabilities under dropout."""

from dataclasses import dataclass

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dropout import Dropout

__all__ = ["Spread", "Variances"]

DRAWS = 10
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Variances:
    """The variances of an image's probabilities, shape (classes,)."""

    values: np.ndarray

    def of(self, probabilities: np.ndarray) -> dict[str, np.ndarray]:
        """Return standard deviations ("sd") and the ends of the 95 % intervals of beta distributions around the means.

        Raises:
            ImportError: SciPy is not installed.
        """
        try:
            from scipy.stats import beta
        except ImportError as error:
            raise ImportError("intervals are computed with SciPy: pip install scipy") from error
        means, variances = probabilities.astype(np.float64), self.values.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            first = means**2 * (1 - means) / variances - means
            low, high = beta.interval(LEVEL, first, first * (1 - means) / means)
            deviations = np.sqrt(variances)
        is_known = np.isfinite(low) & np.isfinite(high) & np.isfinite(deviations)
        return {
            "sd": np.where(is_known, deviations, 0),
            "itl95_low": np.where(is_known, low, means),
            "itl95_hi": np.where(is_known, high, means),
        }


class Spread:
    """Draws probabilities of a network whose dropout layers, and only they, are in training.

    Args:
        network: returns probabilities; it is changed.

    Raises:
        ValueError: it has no layer nn.Dropout.
    """

    def __init__(self, network: Cell) -> None:
        layers = [cell for _, cell in network.cells_and_names() if isinstance(cell, Dropout)]
        if not layers:
            raise ValueError("Uncertainty is what varies under dropout: the network must have a layer nn.Dropout.")
        network.set_train(False)
        for layer in layers:
            layer.set_train(True)
        self._network = network

    def of(self, images: np.ndarray) -> list[Variances]:
        """Return the variances for every image."""
        draws = np.stack([self._network(Tensor(images)).asnumpy() for _ in range(DRAWS)])
        return [Variances(values) for values in draws.var(axis=0)]
