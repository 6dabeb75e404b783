"""Recurrent operators, as the primitives of accelerators give them: with every gate among the outputs."""

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap

__all__: list[str] = []


def run_lstm(
    x: Tensor, w: Tensor, b: Tensor, init_h: Tensor | None, init_c: Tensor | None, forget_bias: float
) -> tuple[Tensor, ...]:
    """Run an LSTM over a sequence.

    Args:
        x: shape (steps, batch, in).
        w: shape (in + hidden, 4·hidden): the gates i, j, f, o, of inputs and state together.
        b: shape (4·hidden,).
        init_h: shape (1, batch, hidden); None for zeros.
        init_c: shape (1, batch, hidden); None for zeros.
        forget_bias: added to the gate f.

    Returns:
        (y, h, c, i, j, f, o, tanh(c)), each of shape (steps, batch, hidden).
    """
    try:
        weights = w._data
        hidden, memory = (_begin(state, x._data, weights.shape[1] // 4) for state in (init_h, init_c))
        found = []
        for step in x._data:
            gates = torch.addmm(b._data.to(weights.dtype), torch.cat((step, hidden), 1).to(weights.dtype), weights)
            i, j, f, o = gates.chunk(4, 1)
            i, j, f, o = torch.sigmoid(i), torch.tanh(j), torch.sigmoid(f + forget_bias), torch.sigmoid(o)
            memory = f * memory + i * j
            bounded = torch.tanh(memory)
            hidden = o * bounded
            found.append((hidden, hidden, memory, i, j, f, o, bounded))
        return tuple(wrap(torch.stack(parts)) for parts in zip(*found, strict=True))
    except Exception as error:
        raise explain(error, "DynamicRNN", x=x, weight=w) from error


def run_gru(
    x: Tensor,
    weight_input: Tensor,
    weight_hidden: Tensor,
    bias_input: Tensor | None,
    bias_hidden: Tensor | None,
    init_h: Tensor | None,
    gate_order: str,
) -> tuple[Tensor, ...]:
    """Run a GRU over a sequence.

    Args:
        x: shape (steps, batch, in).
        weight_input: shape (in, 3·hidden).
        weight_hidden: shape (hidden, 3·hidden).
        bias_input: shape (3·hidden,).
        bias_hidden: shape (3·hidden,).
        init_h: shape (batch, hidden); None for zeros.
        gate_order: "rzh" or "zrh": which of reset and update comes first.

    Returns:
        (y, h, update, reset, new, hidden part of new), each of shape (steps, batch, hidden).
    """
    try:
        hidden = _begin(init_h, x._data, weight_hidden.shape[0])
        inner = None if bias_hidden is None else bias_hidden._data
        outer = None if bias_input is None else bias_input._data
        found = []
        for step in x._data:
            from_input = F.linear(step, weight_input._data.T, outer).chunk(3, 1)
            from_hidden = F.linear(hidden.to(step.dtype), weight_hidden._data.T, inner).chunk(3, 1)
            first, second = (torch.sigmoid(from_input[n] + from_hidden[n]) for n in (0, 1))
            reset, update = (first, second) if gate_order == "rzh" else (second, first)
            new = torch.tanh(from_input[2] + reset * from_hidden[2])
            hidden = (1 - update) * new + update * hidden
            found.append((hidden, hidden, update, reset, new, from_hidden[2]))
        return tuple(wrap(torch.stack(parts)) for parts in zip(*found, strict=True))
    except Exception as error:
        raise explain(error, "DynamicGRUV2", x=x, weight=weight_input) from error


def _begin(state: Tensor | None, data: torch.Tensor, size: int) -> torch.Tensor:
    if state is None:
        return data.new_zeros(data.shape[1], size)
    return state._data.reshape(data.shape[1], size)


def run_packed_lstm(
    x: Tensor, h: Tensor, c: Tensor, w: Tensor, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Run layers of an LSTM whose parameters lie in one tensor.

    For each layer and direction `w` holds the weights of input and state; the biases of all of them follow.
    """
    try:
        flat, ways, rows = w._data.flatten(), 1 + bidirectional, 4 * hidden_size
        weights, biases, start = [], [], 0
        for layer in range(num_layers):
            columns = x.shape[2] if layer == 0 else hidden_size * ways
            for _ in range(ways):
                pair = []
                for width in (columns, hidden_size):
                    pair.append(flat[start : start + rows * width].reshape(rows, width))
                    start += rows * width
                weights.append(pair)
        for _ in weights:
            biases.append([flat[start : start + rows], flat[start + rows : start + 2 * rows]] if has_bias else [])
            start += 2 * rows
        parts = [part for pair, bias in zip(weights, biases, strict=True) for part in (*pair, *bias)]
        settings = (has_bias, num_layers, 0.0, False, bidirectional, False)
        output, last_h, last_c = torch.lstm(x._data, (h._data, c._data), parts, *settings)
        return wrap(output), wrap(last_h), wrap(last_c)
    except Exception as error:
        raise explain(error, "LSTM", x=x, weight=w) from error
