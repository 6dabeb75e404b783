"""Bases, steps and helpers of recurrent layers that libraries take from MindSpore's private modules."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.layers.recurrent.rnn import RecurrentCell
from msbridge.nn.layers.recurrent.rnn_steps import OneDirection, Weights
from msbridge.ops.framework.creation.functions import zeros


class RNNCellBase(RecurrentCell):
    """The parameters of one step of a recurrent layer: `num_chunks` gates, one below the other.

    Follows: mindspore.nn.layer.rnn_cells.RNNCellBase (2.10).
    """

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool, num_chunks: int, dtype: Type = mstype.float32
    ) -> None:
        super().__init__(num_chunks, input_size, hidden_size, has_bias, dtype)


class DynamicGRUAscend(OneDirection):
    """One layer of a GRU, whose inputs and weights are rounded to float16, as an Ascend computes it.

    Follows: mindspore.nn.layer.rnns._DynamicGRUAscend (2.10).
    """

    mode = "GRU"

    def _run(self, x: Tensor, state: Any, seq_length: Tensor | None, weights: Weights) -> tuple[Tensor, Any]:
        rounded = [None if one is None else wrap(one._data.half().to(state._data.dtype)) for one in weights[:2]]
        steps = wrap(x._data.half().to(state._data.dtype))
        return super()._run(steps, state, seq_length, (*rounded, *weights[2:]))


class DynamicLSTMAscend(OneDirection):
    """One layer of an LSTM in float16, as an Ascend computes it.

    Follows: mindspore.nn.layer.rnns._DynamicLSTMAscend (2.10).
    """

    mode = "LSTM"

    def _run(self, x: Tensor, state: Any, seq_length: Tensor | None, weights: Weights) -> tuple[Tensor, Any]:
        halves = [None if one is None else wrap(one._data.half()) for one in weights]
        h, c = (wrap(one._data.half()) for one in state)
        return super()._run(wrap(x._data.half()), (h, c), seq_length, halves)


def sequence_mask(lengths: Tensor, maxlen: int) -> Tensor:
    """Return 1 for the steps that count, shape (batch, maxlen), Int32.

    Follows: mindspore.nn.layer.rnns.sequence_mask (2.10).
    """
    places = torch.arange(maxlen, device=lengths._data.device)
    return wrap((places < lengths._data[..., None]).int())


def select_by_mask(inputs: Tensor, mask: Tensor) -> Tensor:
    """Set steps of `inputs`, shape (steps, batch, n), to zero where `mask`, shape (batch, steps), is 0.

    Follows: mindspore.nn.layer.rnns.select_by_mask (2.10).
    """
    return wrap(inputs._data * mask._data.bool()[..., None].transpose(0, 1))


def get_hidden(output: Tensor, seq_length: Tensor) -> Tensor:
    """Return the output, shape (steps, batch, n), at the last step of each sequence: shape (batch, n).

    Follows: mindspore.nn.layer.rnns.get_hidden (2.10).
    """
    lengths = seq_length._data.long()
    return wrap(output._data[lengths - 1, torch.arange(len(lengths), device=lengths.device)])


def init_state(shape: tuple[int, ...], dtype: Type, is_lstm: bool) -> Any:
    """Return zeros as a state to begin with, for an LSTM a pair.

    Follows: mindspore.nn.layer.rnns._init_state (2.10).
    """
    return (zeros(shape, dtype), zeros(shape, dtype)) if is_lstm else zeros(shape, dtype)


def lstm_cell(
    inputs: Tensor,
    hidden: tuple[Tensor, Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None,
    b_hh: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """One step of an LSTM.

    Follows: mindspore.nn.layer.rnn_cells._lstm_cell (2.10).
    """
    state = [part._data for part in hidden]
    found = torch.lstm_cell(inputs._data, state, w_ih._data, w_hh._data, *_biases(b_ih, b_hh))
    return wrap(found[0]), wrap(found[1])


def gru_cell(
    inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None, b_hh: Tensor | None
) -> Tensor:
    """One step of a GRU.

    Follows: mindspore.nn.layer.rnn_cells._gru_cell (2.10).
    """
    return wrap(torch.gru_cell(inputs._data, hidden._data, w_ih._data, w_hh._data, *_biases(b_ih, b_hh)))


def rnn_tanh_cell(
    inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None, b_hh: Tensor | None
) -> Tensor:
    """One step of an RNN with tanh.

    Follows: mindspore.nn.layer.rnn_cells._rnn_tanh_cell (2.10).
    """
    return wrap(torch.rnn_tanh_cell(inputs._data, hidden._data, w_ih._data, w_hh._data, *_biases(b_ih, b_hh)))


def rnn_relu_cell(
    inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None, b_hh: Tensor | None
) -> Tensor:
    """One step of an RNN with ReLU.

    Follows: mindspore.nn.layer.rnn_cells._rnn_relu_cell (2.10).
    """
    return wrap(torch.rnn_relu_cell(inputs._data, hidden._data, w_ih._data, w_hh._data, *_biases(b_ih, b_hh)))


def _biases(*biases: Tensor | None) -> list[torch.Tensor | None]:
    return [None if bias is None else bias._data for bias in biases]
