"""Operators that take and put values by index."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value, is_symbolic
from msbridge.train.exporting.operators.shapes import slice_axis

__all__ = ["RULES"]

aten = torch.ops.aten


def _embedding(g: Graph, table: Value, indices: Value, *_: Any) -> Value:
    return g.call("Gather", table, indices, 0, batch_dims=0)


def _index_select(g: Graph, x: Value, axis: int, indices: Value) -> Value:
    return g.call("Gather", x, indices, x.axis(axis), batch_dims=0)


def _gather(g: Graph, x: Value, axis: int, indices: Value, **_: Any) -> Value:
    return g.call("GatherD", x, x.axis(axis), indices)


def _index(g: Graph, x: Value, indices: Sequence[Value | None]) -> Value:
    if any(one is not None and one.dtype == torch.bool for one in indices):
        return _index_by_mask(g, x, indices)
    axes = [axis for axis, one in enumerate(indices) if one is not None]
    if len(axes) == 1:
        gathered = _wrap_indices(g, indices[axes[0]], x.shape[axes[0]])
        return g.call("Gather", x, gathered, axes[0], batch_dims=0)
    result = g.result
    front = [*axes, *(axis for axis in range(x.rank) if axis not in axes)]
    joined = _stack_indices(g, [_wrap_indices(g, indices[axis], x.shape[axis]) for axis in axes])
    is_moved = axes == list(range(axes[0], axes[-1] + 1)) and axes[0] > 0
    places = joined.rank - 1
    order = list(range(result.dim()))
    if is_moved:  # torch leaves what it found where the indexed axes were
        order = [*range(places, places + axes[0]), *range(places), *range(places + axes[0], result.dim())]
        back = [order.index(axis) for axis in range(result.dim())]
        meta = result.permute(back)
    else:
        meta = result
    gathered = g.call("GatherNd", g.transpose(x, front), joined, meta=meta)
    return g.transpose(gathered, order)


def _wrap_indices(g: Graph, indices: Any, length: Any) -> Value:
    """Return indices that count from the front, as those of a script may count from behind."""
    if indices.dtype == torch.bool:
        raise Unwritable("by a mask, of which it is only known when it runs how many values it takes")
    if is_symbolic(length):
        return indices  # type: ignore[no-any-return]
    if indices.data is not None:
        return g.constant(torch.where(indices.data < 0, indices.data + int(length), indices.data))
    return g.call("FloorMod", indices, g.operand(int(length), indices.dtype), meta=indices.meta)


def _stack_indices(g: Graph, indices: Sequence[Value]) -> Value:
    """Return the indices of several axes as one tensor, whose last axis counts the axes."""
    shape = torch.broadcast_shapes(*(one.shape for one in indices))
    parts = [g.expand(g.cast(one, torch.int64), shape) for one in indices]
    if all(one.data is not None for one in parts):
        return g.constant(torch.stack([one.data for one in parts], -1))  # type: ignore[misc]
    meta = torch.stack([one.meta for one in parts], -1)
    settings = {"axis": len(shape), "num": len(parts), "N": len(parts)}
    return g.call("Stack", parts, meta=meta, **settings)


def _index_put(g: Graph, x: Value, indices: Sequence[Value | None], values: Value, accumulate: bool = False) -> Value:
    axes = [axis for axis, one in enumerate(indices) if one is not None]
    if axes != list(range(len(axes))):
        raise Unwritable("to places that no index of the first axis names")
    joined = _stack_indices(g, [_wrap_indices(g, indices[axis], x.shape[axis]) for axis in axes])
    shape = [*joined.shape[:-1], *x.shape[len(axes) :]]
    primitive = "TensorScatterAdd" if accumulate else "TensorScatterUpdate"
    return g.call(primitive, x, joined, g.expand(g.cast(values, x.dtype), shape))


def _index_by_mask(g: Graph, x: Value, indices: Sequence[Value | None]) -> Value:
    mask = indices[0]
    if mask is None or len(indices) > 1:
        raise Unwritable("by a mask among other indices")
    rows = g.result.shape[0]
    places = g.call("NonZero", mask, meta=g.result.new_empty((rows, mask.rank), dtype=torch.int64))
    return g.call("GatherNd", x, places)


def _nonzero(g: Graph, x: Value) -> Value:
    return g.call("NonZero", x)


def _masked_select(g: Graph, x: Value, mask: Value) -> Value:
    return g.call("MaskedSelect", x, mask)


REDUCTIONS = {
    "sum": "TensorScatterAdd",
    "prod": "TensorScatterMul",
    "amax": "TensorScatterMax",
    "amin": "TensorScatterMin",
}


def _scatter_reduce(
    g: Graph, x: Value, axis: int, index: Value, source: Value, reduce: str, *, include_self: bool = True
) -> Value:
    if reduce not in REDUCTIONS or not include_self or any(map(is_symbolic, index.shape)):
        raise Unwritable(reduce if include_self else "without the values that were there")
    axis, places = x.axis(axis), []
    for axis_of_index, length in enumerate(index.shape):
        along = torch.arange(int(length)).reshape([-1] + [1] * (index.rank - 1 - axis_of_index))
        places.append(_wrap_indices(g, index, x.shape[axis]) if axis_of_index == axis else g.constant(along))
    for axis_of_index, length in enumerate(index.shape):
        if source.shape[axis_of_index] != length:
            source = slice_axis(
                g, source, axis_of_index, 0, int(length), meta=source.meta.narrow(axis_of_index, 0, int(length))
            )
    return g.call(REDUCTIONS[reduce], x, _stack_indices(g, places), source)


RULES = {
    aten.nonzero.default: _nonzero,
    aten.masked_select.default: _masked_select,
    aten.scatter_reduce.two: _scatter_reduce,
    aten.embedding.default: _embedding,
    aten.index_select.default: _index_select,
    aten.gather.default: _gather,
    aten.index.Tensor: _index,
    aten._unsafe_index.Tensor: _index,
    aten.index_put.default: _index_put,
}
