"""Operators that move values without changing them."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value, is_symbolic

__all__ = ["RULES", "slice_axis"]

aten = torch.ops.aten
LAST = 2**63 - 1  # torch's end of a slice that continues to the end


def _view(g: Graph, x: Value, shape: Sequence[Any]) -> Value:
    return g.reshape(x, [size if isinstance(wish, int) and wish == -1 else wish for wish, size in _pairs(g, shape)])


def _pairs(g: Graph, shape: Sequence[Any]) -> Any:
    return zip(shape, g.result.shape, strict=True)


def _in_result_shape(g: Graph, x: Value, *_: Any) -> Value:
    """Axes of length one come and go."""
    return g.reshape(x, g.result.shape)


def _permute(g: Graph, x: Value, axes: Sequence[int]) -> Value:
    return g.transpose(x, axes)


def _swap(g: Graph, x: Value, one: int = 0, other: int = 1) -> Value:
    axes = list(range(x.rank))
    if axes:
        axes[x.axis(one)], axes[x.axis(other)] = x.axis(other), x.axis(one)
    return g.transpose(x, axes)


def _expand(g: Graph, x: Value, *_: Any, **__: Any) -> Value:
    return g.expand(x, g.result.shape)


def _cat(g: Graph, tensors: Sequence[Value], axis: int = 0) -> Value:
    dtype = g.result.dtype
    parts = [g.cast(one, dtype) for one in tensors if not (one.rank == 1 and one.shape[0] == 0)]
    if len(parts) == 1:
        return parts[0]
    return g.call("Concat", parts, axis=axis % g.result.dim(), inputNums=len(parts))


def slice_axis(g: Graph, x: Value, axis: int, start: Any, end: Any, step: int = 1, meta: Any = None) -> Value:
    """Return a part along one axis; `end` of None means the end."""
    axis = x.axis(axis)
    begins = [0] * x.rank
    ends = [0 if is_symbolic(length) else int(length) for length in x.shape]
    mask = sum(1 << one for one in range(x.rank) if is_symbolic(x.shape[one]) and (one != axis or end is None))
    begins[axis] = start
    if end is not None:
        ends[axis] = end
    masks = {"begin_mask": 0, "end_mask": mask, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
    strides = [step if one == axis else 1 for one in range(x.rank)]
    return g.call("StridedSlice", x, begins, ends, strides, meta=meta, **masks)


def _slice(g: Graph, x: Value, axis: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Value:
    start = 0 if start is None else start
    end = None if end is None or (isinstance(end, int) and end == LAST) else end
    length = x.shape[x.axis(axis)]
    if not is_symbolic(length):
        settled = slice(*(None if isinstance(one, Value) else one for one in (start, end, step))).indices(int(length))
        start = start if isinstance(start, Value) else settled[0]
        end = end if isinstance(end, Value) else max(settled[0], settled[1])
        if (start, end, step) == (0, int(length), 1):
            return x
    elif (start, end, step) == (0, None, 1):
        return x
    return slice_axis(g, x, axis, start, end, step)


def _select(g: Graph, x: Value, axis: int, index: Any) -> Value:
    axis = x.axis(axis)
    length = x.shape[axis]
    if isinstance(index, Value):
        raise Unwritable("an index that is only known when it runs")
    if index < 0 and not is_symbolic(length):
        index += int(length)
    begin, end = index, (None if index == -1 else index + 1)
    meta = x.meta.narrow(axis, 0, 1)
    return _in_result_shape(g, slice_axis(g, x, axis, begin, end, meta=meta))


def _unbind(g: Graph, x: Value, axis: int = 0) -> list[Value]:
    axis, metas = x.axis(axis), g.result
    if len(metas) == 1:
        return [g.reshape(x, metas[0].shape)]
    several = g.call("Unstack", x, axis=axis, num=len(metas))
    return [g.item(several, index) for index in range(len(metas))]


def _split(g: Graph, x: Value, sizes: Any, axis: int = 0) -> list[Value]:
    axis, metas = x.axis(axis), g.result
    lengths = [meta.shape[axis] for meta in metas]
    if any(map(is_symbolic, lengths)):
        raise Unwritable("parts of lengths that are only known when it runs")
    if len(metas) == 1:
        return [x]
    if len(set(lengths)) == 1:
        several = g.call("Split", x, axis=axis, output_num=len(metas))
        return [g.item(several, index) for index in range(len(metas))]
    parts, start = [], 0
    for meta, length in zip(metas, lengths, strict=True):
        parts.append(slice_axis(g, x, axis, start, start + int(length), meta=meta))
        start += int(length)
    return parts


def _flip(g: Graph, x: Value, axes: Sequence[int]) -> Value:
    return g.call("ReverseV2", x, axis=tuple(x.axis(axis) for axis in axes)) if axes else x


def _repeat(g: Graph, x: Value, times: Sequence[Any]) -> Value:
    return g.call("Tile", g.reshape(x, [1] * (len(times) - x.rank) + list(x.shape)), tuple(times))


def _pad(g: Graph, x: Value, widths: Sequence[int], value: float = 0.0) -> Value:
    """Pad, or cut where a width is negative; torch counts the axes from the last."""
    pairs = list(zip(widths[::2], widths[1::2], strict=True))[::-1]
    pairs = [(0, 0)] * (x.rank - len(pairs)) + pairs
    for axis, (before, behind) in enumerate(pairs):
        if before < 0 or behind < 0:
            length = x.shape[axis]
            start, end = max(0, -before), length - max(0, -behind)
            x = slice_axis(g, x, axis, start, end, meta=x.meta.narrow(axis, start, end - start))
    pairs = [(max(0, before), max(0, behind)) for before, behind in pairs]
    return pad(g, x, pairs, value) if any(map(any, pairs)) else x


def pad(g: Graph, x: Value, pairs: Sequence[tuple[int, int]], value: float = 0.0) -> Value:
    """Pad each axis by two widths with a value."""
    meta = x.meta.new_empty([length + sum(pair) for length, pair in zip(x.shape, pairs, strict=True)])
    if value == 0 and x.dtype.is_floating_point:
        return g.call("Pad", x, meta=meta, paddings=tuple(pairs))
    for axis, widths in enumerate(pairs):
        for is_behind, width in enumerate(widths):
            if width:
                shape = [*x.shape[:axis], width, *x.shape[axis + 1 :]]
                filled = g.expand(g.operand(value, x.dtype), shape)
                parts = (x, filled) if is_behind else (filled, x)
                meta = torch.cat([part.meta for part in parts], axis)
                x = g.call("Concat", parts, meta=meta, axis=axis, inputNums=2)
    return x


def _full(g: Graph, shape: Sequence[Any], value: Any, **_: Any) -> Value:
    """Return one number as often as is known when it runs."""
    return g.call("FillV2", tuple(shape), g.operand(value, g.result.dtype))


def _scalar_tensor(g: Graph, value: Any, **_: Any) -> Value:
    return g.operand(value, g.result.dtype)


def _arange(g: Graph, start: Any, end: Any, step: Any = 1, **_: Any) -> Value:
    """Count to a number that is known when it runs, by adding up ones: `Range` is not called alike by all releases."""
    result = g.result
    ones = g.call("FillV2", (g.length(result.shape[0]),), g.operand(1, torch.int64), meta=result.to(torch.int64))
    places = g.call("CumSum", ones, 0, meta=ones.meta, exclusive=True, reverse=False)
    found = g.cast(places, result.dtype)
    if step != 1:
        found = g.call("Mul", found, g.operand(step, result.dtype))
    return found if start == 0 else g.call("Add", found, g.operand(start, result.dtype))


RULES = {
    aten.view.default: _view,
    aten._unsafe_view.default: _view,
    aten.reshape.default: _view,
    aten.unsqueeze.default: _in_result_shape,
    aten.squeeze.default: _in_result_shape,
    aten.squeeze.dim: _in_result_shape,
    aten.squeeze.dims: _in_result_shape,
    aten.permute.default: _permute,
    aten.transpose.int: _swap,
    aten.t.default: _swap,
    aten.expand.default: _expand,
    aten.cat.default: _cat,
    aten.slice.Tensor: _slice,
    aten.select.int: _select,
    aten.unbind.int: _unbind,
    aten.split.Tensor: _split,
    aten.split_with_sizes.default: _split,
    aten.flip.default: _flip,
    aten.repeat.default: _repeat,
    aten.constant_pad_nd.default: _pad,
    aten.full.default: _full,
    aten.arange.start_step: _arange,
    aten.scalar_tensor.default: _scalar_tensor,
}
