"""Pooling.

What is padded or rounded up, and every average, is computed by the primitives of three axes: those of two do not pad by
widths, and no form of `AvgPool` is read by all releases.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value, is_symbolic

__all__ = ["RULES"]

aten = torch.ops.aten


def _each(value: Sequence[int] | int, axes: int) -> tuple[int, ...]:
    items = (value,) if isinstance(value, int) else tuple(value)
    return items * axes if len(items) == 1 else items


def _max_pool(axes: int) -> Callable[..., list[Any]]:
    def rule(
        g: Graph, x: Value, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> list[Any]:
        kernel, padding = _each(kernel, axes), _each(padding, axes)
        stride = _each(stride, axes) if stride else kernel
        meta = g.result[0] if isinstance(g.result, tuple | list) else g.result
        if max(_each(dilation, axes)) > 1 or x.rank != axes + 2:
            raise Unwritable("with a dilation, or without an axis of samples")
        if axes == 2 and not any(padding) and not ceil_mode:
            sizes = {"kernel_size": (1, 1, *kernel), "strides": (1, 1, *stride)}
            return [g.call("MaxPool", x, meta=meta, **sizes, pad_mode="VALID", format="NCHW"), None]
        settings = {"pad_mode": "CALCULATED", "ceil_mode": int(ceil_mode)}
        return [_in_volumes(g, "MaxPool3D", x, (kernel, stride, padding), meta, settings), None]

    return rule


def _avg_pool(axes: int) -> Callable[..., Value]:
    def rule(
        g: Graph,
        x: Value,
        kernel: Any,
        stride: Any = (),
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Value:
        kernel, padding = _each(kernel, axes), _each(padding, axes)
        stride = _each(stride, axes) if stride else kernel
        if x.rank != axes + 2:
            raise Unwritable("without an axis of samples")
        settings = {"pad_mode": "PAD", "ceil_mode": ceil_mode, "count_include_pad": count_include_pad}
        settings |= {"divisor_override": divisor_override or 0}
        return _in_volumes(g, "AvgPool3D", x, (kernel, stride, padding), g.result, settings)

    return rule


def _in_volumes(
    g: Graph, primitive: str, x: Value, windows: Sequence[tuple[int, ...]], meta: Any, settings: dict[str, Any]
) -> Value:
    """Call a primitive of three axes; images become volumes of one layer."""
    is_image = x.rank == 4
    if is_image:
        windows = [(first, *one) for first, one in zip((1, 1, 0), windows, strict=True)]
    kernel, stride, padding = windows
    pads = tuple(width for width in padding for _ in range(2))
    volume = g.unsqueeze(x, 2) if is_image else x
    sizes = {"kernel_size": (1, 1, *kernel), "strides": (1, 1, *stride), "pad_list": pads, "format": "NCDHW"}
    result = meta.unsqueeze(2) if is_image else meta
    extra = {"pad": pads} if primitive == "AvgPool3D" else {}
    y = g.call(primitive, volume, meta=result, **sizes, **extra, **settings)
    return g.squeeze(y, 2) if is_image else y


def _adaptive_avg_pool(axes: int) -> Callable[..., Value]:
    def rule(g: Graph, x: Value, size: Sequence[Any]) -> Value:
        lengths = x.shape[2:]
        if x.rank == axes + 2 and not any(map(is_symbolic, (*lengths, *size))):
            kernel = tuple(int(one) // wish for one, wish in zip(lengths, size, strict=True))
            if all(one == wish * width for one, wish, width in zip(lengths, size, kernel, strict=True)):
                return _avg_pool(axes)(g, x, kernel)
        return g.call(f"AdaptiveAvgPool{axes}D", x, output_size=_sizes(size))

    return rule


def _adaptive_max_pool(axes: int) -> Callable[..., list[Value]]:
    def rule(g: Graph, x: Value, size: Sequence[Any]) -> list[Value]:
        if axes == 2:
            pair = g.call("AdaptiveMaxPool2D", x, output_size=_sizes(size))
        else:
            values, places = g.result
            sizes = g.constant(torch.tensor(_sizes(size), dtype=torch.int32))
            pair = g.call("AdaptiveMaxPool3D", x, sizes, meta=[values, places.to(torch.int32)])
        return [g.item(pair, 0), g.cast(g.item(pair, 1), torch.int64)]

    return rule


def _sizes(size: Sequence[Any]) -> tuple[int, ...]:
    """Return the lengths of a result; -1 for those of the input that are only known when the graph runs."""
    return tuple(-1 if is_symbolic(length) else int(length) for length in size)


def _first(rule: Callable[..., list[Any]]) -> Callable[..., Any]:
    return lambda g, *args, **kwargs: rule(g, *args, **kwargs)[0]


RULES: dict[Any, Callable[..., Any]] = {
    aten.max_pool2d.default: _first(_max_pool(2)),
    aten.max_pool3d.default: _first(_max_pool(3)),
    aten.max_pool2d_with_indices.default: _max_pool(2),
    aten.max_pool3d_with_indices.default: _max_pool(3),
    aten.avg_pool2d.default: _avg_pool(2),
    aten.avg_pool3d.default: _avg_pool(3),
    aten._adaptive_avg_pool2d.default: _adaptive_avg_pool(2),
    aten._adaptive_avg_pool3d.default: _adaptive_avg_pool(3),
    aten.adaptive_max_pool2d.default: _adaptive_max_pool(2),
    aten.adaptive_max_pool3d.default: _adaptive_max_pool(3),
}
