"""Recurrent layers and cells.

The gates lie in torch's order, and so do the parameters of each layer: a checkpoint needs no reshaping.
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, in_range, instance, one_of, positive_int
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.initializer import Uniform
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.layers.parameter_init import make_parameter
from msbridge.nn.layers.recurrent.rnn_steps import LAYERS, STEPS, run_lengths
from msbridge.ops.neural.convolution.kernels import explain_linear
from msbridge.ops.neural.dropout.kernels import drop_elements

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNCell"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class _RNNBase(Cell):
    """Layers of recurrent cells over a sequence.

    Parameters, all drawn from ±1/√hidden_size: for each layer, and each direction of it, `weight_ih_l{layer}`
    (gates·hidden, in), then all `weight_hh_l{layer}` (gates·hidden, hidden), `bias_ih_…` and `bias_hh_…`; those of the
    way back end in `_reverse`.
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.hidden_size = positive_int(hidden_size, "hidden_size", op)
        self.input_size = positive_int(input_size, "input_size", op)
        self.num_layers = positive_int(num_layers, "num_layers", op)
        self.has_bias = boolean(has_bias, "has_bias", op)
        self.batch_first = boolean(batch_first, "batch_first", op)
        self.bidirectional = boolean(bidirectional, "bidirectional", op)
        instance(dropout, "dropout", op, float)
        in_range(dropout, "dropout", op, 0, 1)
        self.dropout = dropout
        self.rnn = STEPS[mode]()
        self.dropout_op = Dropout(p=float(dropout))
        self._layer = LAYERS[mode]
        self.is_lstm = mode == "LSTM"
        rows = _GATES[mode] * hidden_size
        shapes: dict[str, Callable[[int], tuple[int, ...]]] = {
            "weight_ih": lambda layer: (rows, input_size if layer == 0 else hidden_size * (1 + bidirectional)),
            "weight_hh": lambda layer: (rows, hidden_size),
        }
        if has_bias:
            shapes["bias_ih"] = shapes["bias_hh"] = lambda layer: (rows,)
        ends = ("", "_reverse") if bidirectional else ("",)
        for kind, shape in shapes.items():
            for layer in range(num_layers):
                for end in ends:
                    name = f"{kind}_l{layer}{end}"
                    setattr(self, name, make_parameter(Uniform(1 / hidden_size**0.5), shape(layer), dtype, name))
        self._names = [[f"{kind}_l{layer}{end}" for kind in shapes] for layer in range(num_layers) for end in ends]

    def construct(
        self, x: Tensor, hx: Tensor | tuple[Tensor, Tensor] | None = None, seq_length: Tensor | None = None
    ) -> tuple[Tensor, Any]:
        """Run over a sequence.

        Args:
            x: shape (steps, batch, input_size), or (batch, steps, input_size) with `batch_first`.
            hx: the state to begin with, shape (directions·layers, batch, hidden_size), for LSTM a pair; None for zeros.
            seq_length: shape (batch,): how many steps of each sequence count; the outputs after them are zero.

        Returns:
            The outputs, shape (steps, batch, directions·hidden_size), and the last state.
        """
        try:
            data = x._data
            if data.dim() != 3 or data.shape[2] != self.input_size:
                raise ValueError(f"x must have shape (steps, batch, {self.input_size}), got {tuple(data.shape)}.")
            state = self._state(data, hx)
            if seq_length is None:
                weights = [weight for names in self._names for weight in self._weights(names, data)]
                settings = (self.has_bias, self.num_layers, self.dropout, self.training, self.bidirectional)
                output, *last = self._layer(data, state, weights, *settings, self.batch_first)
            else:
                output, last = self._run_lengths(data, state, seq_length._data)
            states = tuple(wrap(part) for part in last)
            return wrap(output), states if self.is_lstm else states[0]
        except Exception as error:
            raise explain(error, self.cls_name, x=x) from error

    def _state(self, data: torch.Tensor, hx: Any) -> Any:
        batch = data.shape[0 if self.batch_first else 1]
        shape = (self.num_layers * (1 + self.bidirectional), batch, self.hidden_size)
        if hx is None:
            zeros = data.new_zeros(shape)
            return (zeros, zeros) if self.is_lstm else zeros
        parts = tuple(part._data for part in (hx if self.is_lstm else (hx,)))
        for part in parts:
            if part.shape != shape:
                raise ValueError(f"the state must have shape {shape}, got {tuple(part.shape)}.")
        return parts if self.is_lstm else parts[0]

    def _weights(self, names: list[str], data: torch.Tensor) -> list[torch.Tensor]:
        return [self.__dict__[name]._data.to(data.dtype) for name in names]

    def _run_lengths(
        self, data: torch.Tensor, state: Any, lengths: torch.Tensor
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Run layer by layer; what lies after a sequence's end neither counts nor comes out."""
        steps = data.transpose(0, 1) if self.batch_first else data
        lengths = lengths.long().to(data.device)
        ways = 1 + self.bidirectional
        states = state if self.is_lstm else (state,)
        last: list[list[torch.Tensor]] = [[] for _ in states]
        for layer in range(self.num_layers):
            outputs = []
            for way in range(ways):
                index = layer * ways + way
                begin = [part[index : index + 1] for part in states]
                output, ends = self._run_way(steps, begin, self._names[index], lengths, way == 1)
                outputs.append(output)
                for found, end in zip(last, ends, strict=True):
                    found.append(end)
            steps = torch.cat(outputs, -1)
            if self.dropout and self.training and layer < self.num_layers - 1:
                steps = drop_elements(steps, self.dropout)
        return (steps.transpose(0, 1) if self.batch_first else steps), [torch.cat(found) for found in last]

    def _run_way(
        self,
        steps: torch.Tensor,
        begin: list[torch.Tensor],
        names: list[str],
        lengths: torch.Tensor,
        is_reversed: bool,
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        weights = self._weights(names, steps)
        places = torch.arange(len(steps), device=steps.device)[:, None]
        mirrored = torch.where(places < lengths, lengths - 1 - places, places)
        if is_reversed:
            steps = steps.gather(0, mirrored[..., None].expand_as(steps))
        output, ends = run_lengths(self._layer, steps, [part[0] for part in begin], weights, lengths)
        if is_reversed:
            output = output.gather(0, mirrored[..., None].expand_as(output))
        return output, [end[None] for end in ends]


class _Gated(_RNNBase):
    """Layers whose units have gates."""

    _mode: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        sizes = (input_size, hidden_size, num_layers)
        super().__init__(self._mode, *sizes, has_bias, batch_first, dropout, bidirectional, dtype)


class LSTM(_Gated):
    """Long short-term memory over a sequence.

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the state.
        num_layers: layers on top of each other.
        has_bias: whether there are biases.
        batch_first: whether the batch is axis 0.
        dropout: between the layers, while training, in [0, 1).
        bidirectional: whether each layer also runs backwards.
        dtype: of the parameters.
        input_size, hidden_size, num_layers, has_bias, batch_first: as in every recurrent layer.
        dropout, bidirectional, dtype: as in every recurrent layer.

    Inputs:
        x: shape (time, N, input_size), or (N, time, input_size) with `batch_first`; of the parameters' dtype.
        hx: the first state and memory, each of shape (num_layers·directions, N, hidden_size); None for zeros.
        seq_length: shape (N,), Int32: how much of each sequence counts; None for all.

    Outputs:
        A tuple of the last layer's states, shape (time, N, directions·hidden_size), N first with `batch_first`, and the
            last states and memories of all layers, a pair of the shapes of `hx`.

    Follows: mindspore.nn.LSTM (2.10).
    """

    _mode = "LSTM"


class GRU(_Gated):
    """Gated recurrent units over a sequence.

    Args:
        input_size, hidden_size, num_layers, has_bias, batch_first: as in every recurrent layer.
        dropout, bidirectional, dtype: as in every recurrent layer.

    Inputs, Outputs: as in every recurrent layer.

    Follows: mindspore.nn.GRU (2.10).
    """

    _mode = "GRU"


class RNN(_RNNBase):
    """Plain recurrent units over a sequence.

    Args:
        input_size, hidden_size, num_layers, has_bias, batch_first: as in every recurrent layer.
        dropout, bidirectional, dtype: as in every recurrent layer.
        nonlinearity: "tanh" or "relu".

    Inputs, Outputs: as in every recurrent layer.

    Follows: mindspore.nn.RNN (2.10).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Type = mstype.float32,
        *,
        nonlinearity: str = "tanh",
    ) -> None:
        mode = f"RNN_{one_of(nonlinearity, 'nonlinearity', 'RNN', ('tanh', 'relu')).upper()}"
        sizes = (input_size, hidden_size, num_layers)
        super().__init__(mode, *sizes, has_bias, batch_first, dropout, bidirectional, dtype)
        self.nonlinearity = nonlinearity


class RecurrentCell(Cell):
    """One step of a recurrent layer."""

    bias_ih: Parameter | None
    bias_hh: Parameter | None
    _step: Callable[..., Any]

    def __init__(self, gates: int, input_size: int, hidden_size: int, has_bias: bool, dtype: Type) -> None:
        super().__init__()
        self.has_bias = boolean(has_bias, "has_bias", self.cls_name)
        self.hidden_size = positive_int(hidden_size, "hidden_size", self.cls_name)
        self.input_size = positive_int(input_size, "input_size", self.cls_name)
        bound, rows = Uniform(1 / hidden_size**0.5), gates * hidden_size
        self.weight_ih = make_parameter(bound, (rows, input_size), dtype, None)
        self.weight_hh = make_parameter(bound, (rows, hidden_size), dtype, None)
        self.bias_ih = make_parameter(bound, (rows,), dtype, None) if has_bias else None
        self.bias_hh = make_parameter(bound, (rows,), dtype, None) if has_bias else None

    def _run(self, x: Tensor, state: Any) -> Any:
        try:
            biases = [None if bias is None else bias._data for bias in (self.bias_ih, self.bias_hh)]
            return self._step(x._data, state, self.weight_ih._data, self.weight_hh._data, *biases)
        except Exception as error:
            raise explain_linear(error, self.cls_name, x=x, weight=self.weight_ih) from error


class LSTMCell(RecurrentCell):
    """One step of an LSTM: (x, (h, c)) → (h, c).

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the state.
        has_bias: whether there are biases.
        dtype: of the parameters.

    Inputs:
        x: shape (N, input_size), of the parameters' dtype.
        hx: a pair (state, memory), each of shape (N, hidden_size).

    Outputs:
        A pair of the next ones, of the same shapes.

    Follows: mindspore.nn.LSTMCell (2.10).
    """

    _step = staticmethod(torch.lstm_cell)

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Type = mstype.float32) -> None:
        super().__init__(4, input_size, hidden_size, has_bias, dtype)

    def construct(self, x: Tensor, hx: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        hidden, memory = self._run(x, tuple(part._data for part in hx))
        return wrap(hidden), wrap(memory)


class GRUCell(RecurrentCell):
    """One step of a GRU: (x, h) → h.

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the state.
        has_bias: whether there are biases.
        dtype: of the parameters.

    Inputs:
        x: shape (N, input_size), of the parameters' dtype.
        hx: the state, shape (N, hidden_size).

    Outputs:
        The next state, a Tensor of that shape.

    Follows: mindspore.nn.GRUCell (2.10).
    """

    _step = staticmethod(torch.gru_cell)

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Type = mstype.float32) -> None:
        super().__init__(3, input_size, hidden_size, has_bias, dtype)

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return wrap(self._run(x, hx._data))


class RNNCell(RecurrentCell):
    """One step of an RNN: (x, h) → h.

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the state.
        has_bias: whether there are biases.
        nonlinearity: "tanh" or "relu".
        dtype: of the parameters.

    Inputs:
        x: shape (N, input_size), of the parameters' dtype.
        hx: the state, shape (N, hidden_size).

    Outputs:
        The next state, a Tensor of that shape.

    Follows: mindspore.nn.RNNCell (2.10).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__(1, input_size, hidden_size, has_bias, dtype)
        instance(nonlinearity, "nonlinearity", self.cls_name, str)
        self.nonlinearity = one_of(nonlinearity, "nonlinearity", self.cls_name, ("tanh", "relu"))
        self._step = torch.rnn_tanh_cell if nonlinearity == "tanh" else torch.rnn_relu_cell

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return wrap(self._run(x, hx._data))
