"""The cosine similarity of a set's rows."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance, one_of
from msbridge.train.metrics.metric import Metric, rearrange_inputs


class CosineSimilarity(Metric):
    """The similarity of every row with every row.

    Args:
        similarity: "cosine", or "dot" for the dot product.
        reduction: "none", or "sum" or "mean" over the last axis.
        zero_diagonal: whether a row's similarity with itself counts as 0.

    Raises:
        TypeError: `similarity` or `reduction` is not a string, or `zero_diagonal` is not a bool.
        ValueError: unknown `similarity` or `reduction`.

    Follows: mindspore.train.CosineSimilarity (2.10).
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True) -> None:
        super().__init__()
        for name, value, allowed in (
            ("similarity", similarity, ["dot", "cosine"]),
            ("reduction", reduction, ["none", "sum", "mean"]),
        ):
            instance(value, name, None, str)
            one_of(value, name, None, allowed)
        self.similarity = similarity
        self.reduction = reduction
        self.zero_diagonal = instance(zero_diagonal, "zero_diagonal", None, bool)
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._matrix: np.ndarray | None = None

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        """Add the rows, (rows, features); they replace the ones before.

        Args:
            inputs: one array or Tensor, (rows, features).

        Raises:
            AxisError: there is no axis of features.
        """
        rows = self._convert_data(inputs)
        if rows.ndim < 2:
            raise np.exceptions.AxisError(1, rows.ndim, "For 'CosineSimilarity.update', of the rows")
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=-1, keepdims=True)
        matrix = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(matrix, 0)
        self._matrix = matrix

    def eval(self) -> np.ndarray:
        """Return the similarities, (rows, rows) or (rows,).

        Returns:
            An array of the dtype of the rows.

        Raises:
            RuntimeError: there were no rows.
        """
        if self._matrix is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        if self.reduction == "none":
            return self._matrix
        reduced: np.ndarray = self._matrix.sum(-1) if self.reduction == "sum" else self._matrix.mean(-1)
        return reduced
