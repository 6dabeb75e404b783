"""Computations that the faces of scattering share."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import long, select_at
from msbridge.ops.kernel_calls.families import plain_shape

RowUpdate = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Any]


def _write_rows(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    rows[index] = updates


def _add(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    rows.index_add_(0, index, updates)


def _sub(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    rows.index_add_(0, index, updates, alpha=-1)


def _mul(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    _reduce(rows, index, updates, "prod")


def _div(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    divisors = _reduce(torch.ones_like(rows), index, updates, "prod")
    rows.div_(divisors, rounding_mode=None if rows.is_floating_point() or rows.is_complex() else "trunc")


def _max(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    _reduce(rows, index, updates, "amax")


def _min(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor) -> None:
    _reduce(rows, index, updates, "amin")


def _reduce(rows: torch.Tensor, index: torch.Tensor, updates: torch.Tensor, how: str) -> torch.Tensor:
    places = index.view(-1, *[1] * (rows.dim() - 1)).expand_as(updates)
    return rows.scatter_reduce_(0, places, updates, how)


def _by_vectors(step: RowUpdate) -> RowUpdate:
    """Make the step that takes index vectors in the last axis of `indices`."""

    def write(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        depth = indices.size(-1)
        sizes, rest = data.shape[:depth], data.shape[depth:]
        updates = fitting(updates, indices.shape[:-1] + rest).to(data.dtype).reshape(-1, *rest)
        indices = long(indices)
        index = torch.zeros(indices.shape[:-1], dtype=torch.int64, device=data.device)
        for axis, size in enumerate(sizes):
            check_indices(indices[..., axis], size)
            index = index * size + indices[..., axis]
        rows = data.reshape(-1, *rest)
        step(rows, index.reshape(-1), updates)
        if not data.is_contiguous():
            data.copy_(rows.view_as(data))
        return data

    return write


def fitting(updates: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """Return `updates`, which must have this shape.

    Raises:
        ValueError: they have another, even one that would broadcast.
    """
    if updates.shape != shape:
        raise ValueError(f"updates must have shape {tuple(shape)} for these indices, got {tuple(updates.shape)}.")
    return updates


def check_indices(index: torch.Tensor, size: int) -> None:
    """Refuse indices that do not fit the tensor."""
    # On a device the check would wait for it; there an index out of range is undefined, as on Ascend.
    if index.device.type == "cpu" and index.numel() and not torch.compiler.is_compiling():
        least, most = index.aminmax()
        if least < 0 or most >= size:
            wrong = least.item() if least < 0 else most.item()
            raise RuntimeError(f"an index is out of range: indices lie in [0, {size}), got {wrong}")


STEPS = {"put": _write_rows, "add": _add, "sub": _sub, "mul": _mul, "div": _div, "max": _max, "min": _min}


VECTORS = {name: _by_vectors(step) for name, step in STEPS.items()}


def sparse_to_dense(indices: Tensor, values: Tensor, sparse_shape: Sequence[int] | Tensor) -> Tensor:
    """Put `values` into zeros of `sparse_shape`, at the places that index vectors name.

    Args:
        indices: shape (..., k): each vector names an element of the first k axes.
        values: shape (...), followed by the shape of a slice; a number is for all.
        sparse_shape: that of the result.

    Returns:
        A Tensor of that shape and the dtype of `values`.

    Follows: mindspore.ops.SparseToDense (2.10).
    """
    return select_at(scatter_data, "SparseToDense", values, indices, sparse_shape)


def scatter_data(updates: torch.Tensor, indices: torch.Tensor, shape: Sequence[int] | Tensor) -> torch.Tensor:
    """Write `updates` at the places that `indices` name."""
    result: torch.Tensor = VECTORS["add"](updates.new_zeros(plain_shape(shape)), indices, updates)
    return result
