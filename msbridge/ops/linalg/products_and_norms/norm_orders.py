"""The orders of norms of vectors and of matrices: which there are, and the dtypes of the results."""

from typing import Any

import torch

from msbridge.ops.kernel_calls.families import Axis

__all__ = ["is_of_vectors", "norm_dtype", "unknown_order_error"]


def norm_dtype(op: str, dtype: torch.dtype, ord: Any, axes: Axis, data: torch.Tensor) -> torch.dtype:
    """Return the dtype of a norm; of integers `norm` has sums in int64, and the largest and least in their own."""
    if op != "norm" or dtype.is_floating_point or dtype.is_complex:
        return data.dtype
    if ord in (float("inf"), -float("inf")):
        return dtype
    is_of_matrices = len(axes) == 2 if isinstance(axes, tuple) else axes is None and data.dim() == 2
    return torch.int64 if ord in ((1, -1) if is_of_matrices else (0,)) else data.dtype


def unknown_order_error(op: str, ord: str, axes: Axis, ndim: int) -> Exception:
    """Return the refusal of an order that there is not: of matrices a ValueError, of vectors a TypeError."""
    is_of_matrices = len(axes) == 2 if isinstance(axes, tuple) else axes is None and ndim == 2
    if is_of_matrices:
        return ValueError(f"For '{op}', ord must be 2, -2, 1, -1, inf, -inf, 'fro', 'nuc' or None, got {ord!r}.")
    return TypeError(f"For '{op}', ord must be a number or None for vectors, got {ord!r}.")


def is_of_vectors(data: torch.Tensor, ord: Any, axes: Axis) -> bool:
    """Whether a norm sums powers of elements; there it is complex where they are, as MindSpore's is."""
    matrices = len(axes) == 2 if isinstance(axes, tuple) else axes is None and data.dim() == 2
    return ord in (None, "fro") or not matrices
