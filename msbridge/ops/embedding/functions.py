"""Looking rows up in a table."""

import torch
from torch.nn import functional as F

from msbridge.core.errors import describe, explain
from msbridge.core.tensor import Tensor, wrap

__all__ = ["embedding"]


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Give the rows of `weight` that `input` names.

    Args:
        input: row numbers; any shape, Int32 or Int64.
        weight: shape (rows, size).
        padding_idx: a row without gradient.
        max_norm: the rows used are first shrunk, in place, to at most this norm.
        norm_type: which norm `max_norm` means.
        scale_grad_by_freq: whether a row's gradient is divided by how often it is used.

    Raises:
        RuntimeError: a row number is out of range.
        TypeError: `input` is not of integers.

    Follows: mindspore.ops.embedding (2.10).
    """
    try:
        settings = (padding_idx, max_norm, norm_type, scale_grad_by_freq)
        return wrap(F.embedding(input._data, weight._data, *settings))
    except Exception as error:
        raise explain_lookup(error, "Embedding", input, weight) from error


def explain_lookup(error: Exception, op: str, input: Tensor, table: Tensor) -> Exception:
    """Say why rows could not be looked up."""
    if not hasattr(input, "_data") or input._data.is_floating_point():
        return TypeError(f"For '{op}' (Gather), the row numbers must be a Tensor of integers, got {describe(input)}.")
    if isinstance(error, IndexError):
        return RuntimeError(f"For '{op}' (Gather), the row numbers must be in [0, {table.shape[0]}): {error}.")
    return explain(error, op, input=input, weight=table)


def lookup_with_zeros(table: Tensor, indices: Tensor, offset: int = 0) -> Tensor:
    """Give the rows `indices - offset` of `table`; rows that it has not are zero."""
    try:
        rows = indices._data.long() - offset
        count = table._data.shape[0]
        inside = (rows >= 0) & (rows < count)
        found = table._data[torch.where(inside, rows, 0)]
        return wrap(torch.where(inside.reshape(*rows.shape, *(1,) * (table._data.dim() - 1)), found, 0))
    except Exception as error:
        raise explain_lookup(error, "EmbeddingLookup", indices, table) from error
