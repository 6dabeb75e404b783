"""Recurrent layers whose number of steps is only known when the graph runs."""

from typing import Any

import torch

from msbridge.ops.neural.recurrent.kernels import lstm_operator
from msbridge.train.exporting.graph import Graph, Value

__all__ = ["RULES"]


def _lstm(
    g: Graph,
    x: Value,
    h: Value,
    c: Value,
    weights: list[Value],
    has_biases: bool,
    num_layers: int,
    bidirectional: bool,
    batch_first: bool,
) -> list[Value]:
    """An `LSTM` for each layer and direction, with its weights in one tensor."""
    ways, each = 1 + bidirectional, 4 if has_biases else 2
    steps = g.transpose(x, (1, 0, 2)) if batch_first else x
    last: tuple[list[Value], list[Value]] = ([], [])
    for layer in range(num_layers):
        outputs = []
        for way in range(ways):
            number = layer * ways + way
            state = [_part(g, one, number) for one in (h, c)]
            given = _reverse(g, steps) if way else steps
            output, *ends = _one_way(g, given, state, weights[number * each : (number + 1) * each])
            outputs.append(_reverse(g, output) if way else output)
            for found, end in zip(last, ends, strict=True):
                found.append(end)
        steps = _concatenate(g, outputs, 2)
    output = g.transpose(steps, (1, 0, 2)) if batch_first else steps
    return [output, *(_concatenate(g, ends, 0) for ends in last)]


def _one_way(g: Graph, x: Value, state: list[Value], weights: list[Value]) -> list[Value]:
    inner, rows, biases = weights[0], weights[1], weights[2:]
    if biases:  # the kernel of a CPU has one
        biases = [g.call("Add", *biases, meta=biases[0].meta)]
    packed = _concatenate(g, [_column(g, one) for one in (inner, rows, *biases)], 0)
    size = int(rows.shape[1])
    settings: dict[str, Any] = {
        "input_size": int(x.shape[2]),
        "hidden_size": size,
        "num_layers": 1,
        "has_bias": bool(biases),
    }
    settings |= {"bidirectional": False, "dropout": 0.0, "proj_size": 0}
    output = x.meta.new_empty((*x.shape[:2], size))
    unused = x.meta.new_empty((1, 1))
    metas = [output, state[0].meta, state[1].meta, unused, unused]
    several = g.call("LSTM", x, *state, packed, meta=metas, **settings)
    return [g.item(several, number) for number in range(3)]


def _column(g: Graph, weight: Value) -> Value:
    return g.reshape(weight, (int(weight.meta.numel()), 1, 1))


def _part(g: Graph, state: Value, number: int) -> Value:
    """One layer and direction of a state, with an axis of length 1."""
    if state.shape[0] == 1:
        return state
    if state.data is not None:
        return g.constant(state.data[number : number + 1])
    meta = state.meta[number : number + 1]
    return g.call("Gather", state, g.constant(torch.tensor([number])), 0, meta=meta, batch_dims=0)


def _reverse(g: Graph, x: Value) -> Value:
    return g.call("ReverseV2", x, meta=x.meta, axis=(0,))


def _concatenate(g: Graph, parts: list[Value], axis: int) -> Value:
    if len(parts) == 1:
        return parts[0]
    meta = torch.cat([one.meta for one in parts], axis)
    return g.call("Concat", parts, meta=meta, axis=axis, inputNums=len(parts))


RULES: dict[Any, Any] = {lstm_operator(): _lstm}
