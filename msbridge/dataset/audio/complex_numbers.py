"""Transforms of complex numbers, whose real and imaginary parts are the last axis."""

from typing import Any, ClassVar

import numpy as np

from msbridge.dataset.audio.arguments import non_negative, single
from msbridge.dataset.audio.base import COMPLEX, AudioTensorOperation, only_arrays, to_computed_dtype
from msbridge.dataset.transforms.base import TensorOperation

__all__ = ["Angle", "ComplexNorm", "Magphase"]


class Angle(AudioTensorOperation):
    """Compute the angles of complex numbers.

    Follows: mindspore.dataset.audio.Angle (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = COMPLEX

    def compute(self, data: np.ndarray) -> np.ndarray:
        return np.asarray(np.arctan2(data[..., 1], data[..., 0]))


class ComplexNorm(AudioTensorOperation):
    """Compute a power of the absolute values of complex numbers.

    Args:
        power: the exponent; not negative.

    Raises:
        TypeError: it is not a number.
        ValueError: it is negative.

    Follows: mindspore.dataset.audio.ComplexNorm (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = COMPLEX

    def __init__(self, power: float = 1.0) -> None:
        self.power = non_negative(power, "power")

    def compute(self, data: np.ndarray) -> np.ndarray:
        squares = np.square(data, dtype=np.float64)
        return np.asarray(np.power(squares[..., 0] + squares[..., 1], 0.5 * single(self.power)).astype(data.dtype))


class Magphase(TensorOperation):
    """Split complex numbers into a power of their absolute values, and their angles: two columns.

    Args:
        power: the exponent; not negative.

    Raises:
        TypeError: it is not a number.
        ValueError: it is negative.

    Follows: mindspore.dataset.audio.Magphase (2.10).
    """

    def __init__(self, power: float = 1.0) -> None:
        self._norm, self._angle = ComplexNorm(power), Angle()
        self.power = self._norm.power

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        """Transform one array into two."""
        only_arrays(inputs)
        if len(inputs) != 1:
            raise RuntimeError(f"Magphase: it takes one input, got {len(inputs)}.")
        data = to_computed_dtype(inputs[0], "Magphase", COMPLEX)
        return self._norm.compute(data), self._angle.compute(data)
