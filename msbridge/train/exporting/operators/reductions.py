"""Reductions, searches and sorting."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value

__all__ = ["RULES"]

aten = torch.ops.aten


def _axes(x: Value, axes: Any) -> tuple[int, ...]:
    if axes is None or (isinstance(axes, Sequence) and not axes):
        return tuple(range(x.rank))
    return tuple(x.axis(axis) for axis in ((axes,) if isinstance(axes, int) else axes))


def _reduction(primitive: str) -> Callable[..., Value]:
    def rule(g: Graph, x: Value, axes: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
        x = g.cast(x, g.result.dtype)
        if x.rank == 0:
            return x
        extra = {"skip_mode": False} if primitive == "ReduceSum" else {}
        return g.call(primitive, x, _axes(x, axes), keep_dims=keepdim, **extra)

    return rule


def _arg(primitive: str) -> Callable[..., Value]:
    def rule(g: Graph, x: Value, axis: int | None = None, keepdim: bool = False) -> Value:
        if axis is None:
            x, axis = g.reshape(x, [-1]), 0
        found = _with_value(g, primitive, x, axis, keepdim)[1]
        return g.reshape(found, g.result.shape)

    return rule


def _with_value(g: Graph, primitive: str, x: Value, axis: int, keepdim: bool) -> tuple[Value, Value]:
    if x.dtype == torch.int64 or x.dtype == torch.bool:
        raise Unwritable(f"of {str(x.dtype).removeprefix('torch.')}")
    axis = x.axis(axis)
    meta = x.meta.amax(axis, keepdim)
    metas = [meta.to(torch.int32), meta]
    pair = g.call(primitive, x, meta=metas, axis=axis, dimension=axis, keep_dims=keepdim)
    return g.item(pair, 1), g.cast(g.item(pair, 0), torch.int64)


def _extreme(primitive: str) -> Callable[..., tuple[Value, Value]]:
    return lambda g, x, axis, keepdim=False: _with_value(g, primitive, x, axis, keepdim)


def _cumulative(primitive: str) -> Callable[..., Value]:
    def rule(g: Graph, x: Value, axis: int, *, dtype: Any = None) -> Value:
        return g.call(primitive, g.cast(x, g.result.dtype), x.axis(axis), exclusive=False, reverse=False)

    return rule


def _topk(
    g: Graph, x: Value, count: Any, axis: int = -1, largest: bool = True, is_sorted: bool = True
) -> tuple[Value, Value]:
    axis = x.axis(axis)
    order = [one for one in range(x.rank) if one != axis] + [axis]
    data = g.transpose(x, order)
    data = data if largest else g.call("Neg", data, meta=data.meta)
    meta = data.meta.narrow(-1, 0, count)
    pair = g.call("TopK", data, count, meta=[meta, meta.to(torch.int32)], sorted=True)
    values, indices = g.item(pair, 0), g.cast(g.item(pair, 1), torch.int64)
    values = values if largest else g.call("Neg", values, meta=values.meta)
    back = [order.index(one) for one in range(x.rank)]
    return g.transpose(values, back), g.transpose(indices, back)


def _sort(g: Graph, x: Value, *args: Any, stable: Any = None, dim: int = -1, descending: bool = False) -> Any:
    axis, descending = (args[-2], args[-1]) if len(args) > 1 else (args[0] if args else dim, descending)
    metas = [x.meta, x.meta.to(torch.int32)]
    pair = g.call("Sort", x, meta=metas, axis=x.axis(axis), descending=descending)
    return g.item(pair, 0), g.cast(g.item(pair, 1), torch.int64)


RULES: dict[Any, Callable[..., Any]] = {
    aten.sum.default: _reduction("ReduceSum"),
    aten.sum.dim_IntList: _reduction("ReduceSum"),
    aten.mean.default: _reduction("ReduceMean"),
    aten.mean.dim: _reduction("ReduceMean"),
    aten.amax.default: _reduction("ReduceMax"),
    aten.amin.default: _reduction("ReduceMin"),
    aten.max.default: _reduction("ReduceMax"),
    aten.min.default: _reduction("ReduceMin"),
    aten.prod.default: _reduction("ReduceProd"),
    aten.prod.dim_int: _reduction("ReduceProd"),
    aten.any.default: _reduction("ReduceAny"),
    aten.any.dim: _reduction("ReduceAny"),
    aten.any.dims: _reduction("ReduceAny"),
    aten.all.default: _reduction("ReduceAll"),
    aten.all.dim: _reduction("ReduceAll"),
    aten.all.dims: _reduction("ReduceAll"),
    aten.argmax.default: _arg("ArgMaxWithValue"),
    aten.argmin.default: _arg("ArgMinWithValue"),
    aten.max.dim: _extreme("ArgMaxWithValue"),
    aten.min.dim: _extreme("ArgMinWithValue"),
    aten.cumsum.default: _cumulative("CumSum"),
    aten.cumprod.default: _cumulative("CumProd"),
    aten.topk.default: _topk,
    aten.sort.default: _sort,
    aten.sort.stable: _sort,
}
