"""LinearTransformation: arrays multiplied by a matrix."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.transforms.base import Transform

__all__ = ["LinearTransformation"]


class LinearTransformation(Transform):
    """Subtract a mean from the flattened array and multiply it by a square matrix, such as a whitening matrix.

    Args:
        transformation_matrix: (d, d), with d the number of elements of an input.
        mean_vector: (d,).

    Follows: mindspore.dataset.vision.LinearTransformation (2.10).
    """

    python_only = True

    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> None:
        require_type(transformation_matrix, "transformation_matrix", np.ndarray)
        require_type(mean_vector, "mean_vector", np.ndarray)
        rows, columns = transformation_matrix.shape[0], transformation_matrix.shape[1]
        if rows != columns:
            raise ValueError(f"transformation_matrix should be square, got shape {transformation_matrix.shape}.")
        if mean_vector.shape[0] != rows:
            raise ValueError(
                f"mean_vector should have {rows} elements as the matrix has rows, got {mean_vector.shape}."
            )
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def check_inputs(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"LinearTransformation takes one input, got {len(inputs)}.")
        return inputs[0]

    def transform_value(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"img should be NumPy array. Got {type(value)}.")
        if value.size != len(self.transformation_matrix):
            raise ValueError(
                f"transformation_matrix of shape {self.transformation_matrix.shape} does not fit an array of shape "
                f"{value.shape}."
            )
        return np.dot(value.reshape(1, -1) - self.mean_vector, self.transformation_matrix).reshape(value.shape)
