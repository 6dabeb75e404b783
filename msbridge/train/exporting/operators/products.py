"""Products of matrices, and convolutions, which MindSpore has with two spatial axes or three."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Unwritable, Value

__all__ = ["RULES", "add_bias"]

aten = torch.ops.aten


def _mm(g: Graph, left: Value, right: Value) -> Value:
    return _product(g, left, right, g.result)


def _product(g: Graph, left: Value, right: Value, meta: Any, transpose: bool = False) -> Value:
    primitive = "MatMul" if left.rank == 2 else "BatchMatMul"
    extra = {"transpose_x1": False, "transpose_x2": transpose} if primitive == "MatMul" else {}
    return g.call(primitive, left, right, meta=meta, transpose_a=False, transpose_b=transpose, **extra)


def _addmm(g: Graph, bias: Value, left: Value, right: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    product = _scale(g, _product(g, left, right, left.meta @ right.meta), alpha)
    bias = _scale(g, bias, beta)
    return add_bias(g, product, bias) if bias.rank == 1 else g.call("Add", product, bias)


def _scale(g: Graph, x: Value, factor: Any) -> Value:
    return x if factor == 1 else g.call("Mul", x, g.operand(factor, x.dtype), meta=x.meta)


def _linear(g: Graph, x: Value, weight: Value, bias: Value | None = None) -> Value:
    flat = g.reshape(x, [_rows(x), x.shape[-1]]) if x.rank != 2 else x
    product = _product(g, flat, weight, flat.meta @ weight.meta.T, transpose=True)
    if bias is not None:
        product = add_bias(g, product, bias)
    return g.reshape(product, g.result.shape) if x.rank != 2 else product


def _rows(x: Value) -> Any:
    return x.meta.reshape(-1, x.shape[-1]).shape[0]


def add_bias(g: Graph, x: Value, bias: Value) -> Value:
    """Add a vector along the second axis."""
    return g.call("BiasAdd", x, bias, meta=x.meta, format="NCHW", data_format="NCHW")


def _convolution(
    g: Graph,
    x: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    is_transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Value:
    axes, meta = weight.rank - 2, g.result
    if x.rank != weight.rank:
        raise Unwritable("without an axis of samples")
    stride, padding, dilation = (_each(one, axes) for one in (stride, padding, dilation))
    if axes == 1:  # as MindSpore does it: in a row of an image
        x, weight = (g.reshape(one, [*one.shape[:2], 1, one.shape[2]]) for one in (x, weight))
        stride, padding, dilation = (1, *stride), (0, *padding), (1, *dilation)
        output_padding = (0, *_each(output_padding, 1))
        meta = meta.unsqueeze(2)
    attributes = _settings(weight, stride, padding, dilation, groups, x.rank)
    if is_transposed:
        y = _transpose(g, x, weight, meta, attributes, _each(output_padding, max(axes, 2)))
    else:
        y = g.call("Conv2D" if x.rank == 4 else "Conv3D", x, weight, meta=meta, **attributes)
    if bias is not None:
        y = add_bias(g, y, bias) if y.rank == 4 else _add_bias(g, y, bias)
    return g.reshape(y, g.result.shape) if axes == 1 else y


def _add_bias(g: Graph, x: Value, bias: Value) -> Value:
    return g.call("Add", x, g.reshape(bias, [-1] + [1] * (x.rank - 2)), meta=x.meta)


def _each(value: Sequence[int], axes: int) -> tuple[int, ...]:
    return tuple(value) * axes if len(value) == 1 else tuple(value)


def _settings(
    weight: Value, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int, rank: int
) -> dict[str, Any]:
    form = "NCHW" if rank == 4 else "NCDHW"
    pads = tuple(width for width in padding for _ in range(2))
    settings: dict[str, Any] = {"kernel_size": tuple(weight.shape[2:]), "mode": 1, "out_channel": int(weight.shape[0])}
    settings |= {"pad_mode": "pad", "pad": pads, "pad_list": pads, "stride": (1, 1, *stride)}
    settings |= {"dilation": (1, 1, *dilation), "group": groups, "groups": groups, "format": form}
    if rank == 5:
        settings |= {"stride": tuple(stride), "strides": (1, 1, *stride), "offset_x": 0}
        settings |= {"dilation": tuple(dilation), "dilations": (1, 1, *dilation)}
    return settings


def _transpose(g: Graph, x: Value, weight: Value, meta: Any, attributes: dict[str, Any], extra: Sequence[int]) -> Value:
    if x.rank == 5:
        attributes |= {"in_channel": int(weight.shape[0]), "out_channel": int(meta.shape[1])}
        attributes |= {"input_size": tuple(map(int, meta.shape)), "output_padding": (0, 0, *extra)}
        return g.call("Conv3DTranspose", x, weight, meta=meta, **attributes)
    shape = tuple(map(g.length, meta.shape))
    return g.call("Conv2DBackpropInput", x, weight, shape, meta=meta, **attributes | {"pad_mode": "PAD"})


RULES = {
    aten.mm.default: _mm,
    aten.bmm.default: _mm,
    aten.addmm.default: _addmm,
    aten.linear.default: _linear,
    aten.convolution.default: _convolution,
}
