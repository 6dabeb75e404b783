"""Normalization and softmax."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Value

__all__ = ["RULES"]

aten = torch.ops.aten


def _softmax(g: Graph, x: Value, axis: int, half_to_float: bool = False) -> Value:
    return g.call("Softmax", g.cast(x, g.result.dtype), axis=(x.axis(axis),))


def _log_softmax(g: Graph, x: Value, axis: int, half_to_float: bool = False) -> Value:
    return g.call("LogSoftmax", g.cast(x, g.result.dtype), axis=x.axis(axis))


def _layer_norm(
    g: Graph,
    x: Value,
    shape: Sequence[int],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    *_: Any,
) -> list[Any]:
    axis = x.rank - len(shape)
    weight = g.constant(torch.ones(*shape, dtype=x.dtype)) if weight is None else weight
    bias = g.constant(torch.zeros(*shape, dtype=x.dtype)) if bias is None else bias
    settings = {"begin_norm_axis": axis, "begin_params_axis": axis, "epsilon": eps}
    result = g.result[0] if isinstance(g.result, tuple | list) else g.result
    return [g.item(g.call("LayerNorm", x, weight, bias, meta=[result], **settings), 0), None, None]


def _batch_norm(
    g: Graph,
    x: Value,
    weight: Value | None,
    bias: Value | None,
    mean: Value,
    variance: Value,
    momentum: float,
    eps: float,
) -> list[Any]:
    channels, shape = int(x.shape[1]), x.shape
    weight = g.constant(torch.ones(channels, dtype=mean.dtype)) if weight is None else weight
    bias = g.constant(torch.zeros(channels, dtype=mean.dtype)) if bias is None else bias
    if x.rank not in (2, 4):
        flat = x.meta.reshape(shape[0], shape[1], -1, 1)
        x = g.reshape(x, flat.shape)
    settings = {"is_training": False, "epsilon": eps, "momentum": momentum, "format": "NCHW", "data_format": "NCHW"}
    metas = [x.meta, *[mean.meta] * 4]
    y = g.item(g.call("BatchNorm", x, weight, bias, mean, variance, meta=metas, **settings), 0)
    return [g.reshape(y, shape), None, None]


def _only(rule: Any) -> Any:
    return lambda g, *args, **kwargs: rule(g, *args, **kwargs)[0]


RULES = {
    aten._softmax.default: _softmax,
    aten._log_softmax.default: _log_softmax,
    aten.layer_norm.default: _only(_layer_norm),
    aten.native_layer_norm.default: _layer_norm,
    aten._native_batch_norm_legit_no_training.default: _batch_norm,
}
