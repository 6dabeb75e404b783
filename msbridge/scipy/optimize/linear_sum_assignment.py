"""Assignments of rows to columns."""

import importlib
from types import ModuleType

import numpy as np
import torch

from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["LinearSumAssignment", "linear_sum_assignment"]


def linear_sum_assignment(
    cost_matrix: Tensor, maximize: bool, dimension_limit: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Assign each row a column of its own so that the sum of the costs is least.

    Args:
        cost_matrix: shape (m, n).
        maximize: make the sum greatest instead.
        dimension_limit: how many columns there are; the others are left out, and the results end with -1. None means
            all.

    Returns:
        The rows and their columns, each of shape (min(m, n),), Int64.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the costs are not a matrix.
        ImportError: scipy, which computes it, is not installed.

    Follows: mindspore.scipy.optimize.linear_sum_assignment (2.10).
    """
    instance(cost_matrix, "cost_matrix", "linear_sum_assignment", Tensor)
    boolean(maximize, "maximize", "linear_sum_assignment")
    if dimension_limit is not None and not isinstance(dimension_limit, Tensor):
        raise TypeError("For 'linear_sum_assignment', dimension_limit must be a Tensor of one int64.")
    if cost_matrix.ndim != 2:
        raise ValueError(f"For 'linear_sum_assignment', cost_matrix must have 2 axes, got shape {cost_matrix.shape}.")
    height, width = cost_matrix.shape
    limit = width if dimension_limit is None else min(int(dimension_limit), width)
    costs = cost_matrix.asnumpy()[:, :limit]
    found = _scipy_optimize().linear_sum_assignment(costs, maximize)
    count = min(height, width)
    rows, columns = (np.pad(one, (0, count - len(one)), constant_values=-1).astype(np.int64) for one in found)
    device = cost_matrix._data.device
    return wrap(torch.from_numpy(rows).to(device)), wrap(torch.from_numpy(columns).to(device))


def _scipy_optimize() -> ModuleType:
    try:
        return importlib.import_module("scipy.optimize")
    except ModuleNotFoundError as error:
        raise ImportError("'linear_sum_assignment' is computed by scipy. Install it: pip install scipy") from error


def _linear_sum_assignment(
    cost_matrix: Tensor, maximize: Tensor, dimension_limit: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Assign each row a column; see `linear_sum_assignment`. `maximize` is a Tensor of one bool, results have two axes.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.scipy.optimize.linear_sum_assignment._linear_sum_assignment (1.8 to 1.10).
    """
    instance(maximize, "maximize", "linear_sum_assignment", Tensor)
    rows, columns = linear_sum_assignment(cost_matrix, bool(maximize), dimension_limit)
    return rows[None], columns[None]


class LinearSumAssignment(Primitive):
    """The primitive of `linear_sum_assignment`.

    Follows: mindspore.scipy.ops.LinearSumAssignment (2.10).
    """

    def __init__(self) -> None:
        super().__init__("LinearSumAssignment")

    def __call__(self, cost_matrix: Tensor, dimension_limit: Tensor, maximize: bool) -> tuple[Tensor, Tensor]:
        return linear_sum_assignment(cost_matrix, maximize, dimension_limit)
