"""Computations that the faces of embedding share."""

import torch

from msbridge.core.errors.explain import describe, explain
from msbridge.core.tensor.tensor import Tensor, wrap


def explain_lookup(error: Exception, op: str, input: Tensor, table: Tensor) -> Exception:
    """Return why rows could not be looked up."""
    if not hasattr(input, "_data") or input._data.is_floating_point():
        return TypeError(f"For '{op}' (Gather), the row numbers must be a Tensor of integers, got {describe(input)}.")
    if isinstance(error, IndexError):
        return RuntimeError(f"For '{op}' (Gather), the row numbers must be in [0, {table.shape[0]}).")
    return explain(error, op, input=input, weight=table)


def lookup_with_zeros(table: Tensor, indices: Tensor, offset: int = 0) -> Tensor:
    """Return the rows `indices - offset` of `table`; rows that it has not are zero."""
    try:
        rows = indices._data.long() - offset
        count = table._data.shape[0]
        inside = (rows >= 0) & (rows < count)
        found = table._data[torch.where(inside, rows, 0)]
        return wrap(torch.where(inside.reshape(*rows.shape, *(1,) * (table._data.dim() - 1)), found, 0))
    except Exception as error:
        raise explain_lookup(error, "EmbeddingLookup", indices, table) from error


def multiply_one_hot(table: Tensor, indices: Tensor) -> Tensor:
    """Return the product of one-hot vectors with `table`, which MindSpore multiplies: the same rows, and zeros."""
    return lookup_with_zeros(table, indices)
