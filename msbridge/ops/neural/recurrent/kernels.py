"""Recurrent operators with every gate among the outputs, as the primitives of accelerators have them."""

import functools
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.converters.tensors.packed_recurrent import PackedWeights
from msbridge.core import torch_private
from msbridge.core.context.context import get_context
from msbridge.core.errors.explain import explain
from msbridge.core.jit.compiler import keep_out_of_graphs
from msbridge.core.tensor.tensor import Tensor, wrap

__all__: list[str] = []


class _Apart:
    """torch.lstm outside of graphs."""

    def __call__(self, *args: Any) -> tuple[torch.Tensor, ...]:
        return torch.lstm(*args)


_apart = _Apart()
keep_out_of_graphs(_Apart, "__call__")


def lstm(data: torch.Tensor, *args: Any) -> tuple[torch.Tensor, ...]:
    """torch.lstm; compiled code for training calls it as it is, where no gradient of the input is asked for.

    torch (2.13) compiles that to a oneDNN kernel, of whose outputs one is missing: a TypeError. Where a network is
    exported with a free number of steps, an operator of ours replaces it: torch's exporter would count the steps.
    """
    if torch_private.is_exporting() and isinstance(data.shape[1 if args[-1] is True else 0], torch.SymInt):
        (h, c), weights, has_bias, num_layers, _, _, bidirectional, batch_first = args
        return lstm_operator()(data, h, c, weights, has_bias, num_layers, bidirectional, batch_first)  # type: ignore[no-any-return]
    if torch.compiler.is_dynamo_compiling() and torch.is_grad_enabled() and not data.requires_grad:
        return _apart(data, *args)
    return torch.lstm(data, *args)


@functools.cache
def lstm_operator() -> Any:
    """Return inference of torch.lstm as an operator that exported graphs have as one node, for any lengths."""
    global _library
    _library = torch.library.Library("msbridge", "FRAGMENT")
    _library.define(
        "lstm(Tensor x, Tensor h, Tensor c, Tensor[] weights, bool has_biases, int num_layers, bool bidirectional, "
        "bool batch_first) -> (Tensor, Tensor, Tensor)"
    )
    _library.impl("lstm", _infer, "CompositeExplicitAutograd")
    torch.library.register_fake("msbridge::lstm", _empty_outputs, lib=_library)
    return torch.ops.msbridge.lstm.default


_library: torch.library.Library | None = None  # torch forgets the operators of a library that nothing holds


def _infer(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, weights: list[torch.Tensor], has_biases: bool, *settings: Any
) -> tuple[torch.Tensor, ...]:
    num_layers, bidirectional, batch_first = settings
    return torch.lstm(x, (h, c), weights, has_biases, num_layers, 0.0, False, bidirectional, batch_first)


def _empty_outputs(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, weights: list[torch.Tensor], *settings: Any
) -> tuple[torch.Tensor, ...]:
    """Return empty tensors of the shapes of the outputs and of the last state."""
    _, _, bidirectional, _ = settings
    outputs = x.new_empty(*x.shape[:2], h.shape[2] * (1 + bidirectional))
    return outputs, torch.empty_like(h), torch.empty_like(c)


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
        outputs = []
        for step in x._data:
            gates = torch.addmm(b._data.to(weights.dtype), torch.cat((step, hidden), 1).to(weights.dtype), weights)
            i, j, f, o = gates.chunk(4, 1)
            i, j, f, o = torch.sigmoid(i), torch.tanh(j), torch.sigmoid(f + forget_bias), torch.sigmoid(o)
            memory = f * memory + i * j
            bounded = torch.tanh(memory)
            hidden = o * bounded
            outputs.append((hidden, hidden, memory, i, j, f, o, bounded))
        return tuple(wrap(torch.stack(parts)) for parts in zip(*outputs, strict=True))
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
        outputs = []
        for step in x._data:
            from_input = F.linear(step, weight_input._data.T, outer).chunk(3, 1)
            from_hidden = F.linear(hidden.to(step.dtype), weight_hidden._data.T, inner).chunk(3, 1)
            first, second = (torch.sigmoid(from_input[n] + from_hidden[n]) for n in (0, 1))
            reset, update = (first, second) if gate_order == "rzh" else (second, first)
            new = torch.tanh(from_input[2] + reset * from_hidden[2])
            hidden = (1 - update) * new + update * hidden
            outputs.append((hidden, hidden, update, reset, new, from_hidden[2]))
        return tuple(wrap(torch.stack(parts)) for parts in zip(*outputs, strict=True))
    except Exception as error:
        raise explain(error, "DynamicGRUV2", x=x, weight=weight_input) from error


def _begin(state: Tensor | None, data: torch.Tensor, size: int) -> torch.Tensor:
    if state is None:
        return data.new_zeros(data.shape[1], size)
    return state._data.reshape(data.shape[1], size)


def run_packed_lstm(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float = 0.0,
    training: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Run layers of an LSTM whose parameters lie in one tensor, as the device has them (`PackedWeights`)."""
    try:
        is_cudnn = get_context("device_target") == "GPU"
        layout = _layout(x, hidden_size, num_layers, has_bias, bidirectional, is_cudnn)
        parts = layout.unpack(w._data.flatten())
        settings = (has_bias, num_layers, dropout, training, bidirectional, False)
        output, last_h, last_c = lstm(x._data, (h._data, c._data), parts, *settings)
        return wrap(output), wrap(last_h), wrap(last_c)
    except Exception as error:
        raise explain(error, "LSTM", x=x, weight=w) from error


def run_packed_gru(
    x: Tensor,
    h: Tensor,
    w: Tensor,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """Run layers of a GRU whose parameters lie in one tensor: the matrices of all layers, then the biases of all."""
    try:
        layout = _layout(x, hidden_size, num_layers, has_bias, bidirectional, is_cudnn=True, gates=3)
        parts = layout.unpack(w._data.flatten())
        output, last = torch.gru(
            x._data, h._data, parts, has_bias, num_layers, dropout, dropout > 0, bidirectional, False
        )
        return wrap(output), wrap(last)
    except Exception as error:
        raise explain(error, "CudnnGRU", x=x, weight=w) from error


def _layout(
    x: Tensor,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    is_cudnn: bool,
    gates: int = 4,
) -> PackedWeights:
    """Return the layout, in one tensor, of the weights of layers that run over `x`."""
    ways = 1 + bidirectional
    columns = (x.shape[2] if layer == 0 else hidden_size * ways for layer in range(num_layers) for _ in range(ways))
    return PackedWeights(tuple(columns), hidden_size, has_bias, is_cudnn, gates)
