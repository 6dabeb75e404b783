"""Cells that run one recurrent layer in one direction, with weights that are passed in.

Layers such as `nn.LSTM` hold one of them, and libraries take them from MindSpore's private module as bases of layers
of their own.

Follows: mindspore.nn.layer.rnns._DynamicRNNBase and its kin (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.ops.neural.recurrent.kernels import lstm

__all__: list[str] = []

Layer = Callable[..., Any]
State = Tensor | tuple[Tensor, Tensor]
Weights = Sequence[Tensor | None]

LAYERS: dict[str, Layer] = {
    "LSTM": lstm,
    "GRU": torch.gru,
    "RNN_TANH": torch.rnn_tanh,
    "RNN_RELU": torch.rnn_relu,
}


def run_lengths(
    layer: Layer, steps: torch.Tensor, begin: Sequence[torch.Tensor], weights: list[torch.Tensor], lengths: torch.Tensor
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Run a layer over sequences of different lengths.

    Args:
        layer: one of `LAYERS`.
        steps: shape (steps, batch, in).
        begin: the state before the first step, each part of shape (batch, hidden); an LSTM has two.
        weights: of one layer in one direction, with or without biases.
        lengths: shape (batch,), int64: how many steps of each sequence count.

    Returns:
        The outputs, zero behind the end of a sequence, and the state at its end.
    """
    has_bias = len(weights) == 4
    inside = (torch.arange(len(steps), device=steps.device)[:, None] < lengths)[..., None]
    outputs, ends = [], list(begin)
    for step, counts in zip(steps, inside, strict=True):
        state = tuple(end[None] for end in ends) if len(ends) == 2 else ends[0][None]
        result, *found = layer(step[None], state, weights, has_bias, 1, 0.0, False, False, False)
        ends = [torch.where(counts, new[0], old) for new, old in zip(found, ends, strict=True)]
        outputs.append(torch.where(counts, result[0], 0))
    return torch.stack(outputs), ends


def run_one_way(
    mode: str, op: str, x: Tensor, h: State, seq_length: Tensor | None, weights: Weights
) -> tuple[Tensor, State]:
    """Run one layer in one direction; see `OneDirection.construct`."""
    try:
        begin = [part._data for part in (h if isinstance(h, tuple) else (h,))]
        given = [weight._data for weight in weights if weight is not None]
        shape = (x._data.shape[1], given[1].shape[1])
        if any(part.shape != shape for part in begin):  # torch's kernels do not look, and read beyond it
            raise ValueError(f"For '{op}', the state must have shape {shape}, got {tuple(begin[0].shape)}.")
        if seq_length is None:
            state = tuple(part[None] for part in begin) if mode == "LSTM" else begin[0][None]
            output, *found = LAYERS[mode](x._data, state, given, len(given) == 4, 1, 0.0, False, False, False)
            ends = [part[0] for part in found]
        else:
            output, ends = run_lengths(LAYERS[mode], x._data, begin, given, seq_length._data.long())
        return wrap(output), (wrap(ends[0]), wrap(ends[1])) if mode == "LSTM" else wrap(ends[0])
    except Exception as error:
        raise explain(error, op, x=x, h=h, seq_length=seq_length) from error


class OneDirection(Cell):
    """One recurrent layer in one direction.

    Attributes:
        mode: one of `LAYERS`.
    """

    mode: str

    def construct(
        self,
        x: Tensor,
        h_0: State,
        seq_length: Tensor | None,
        w_ih: Tensor,
        w_hh: Tensor,
        b_ih: Tensor | None,
        b_hh: Tensor | None,
    ) -> tuple[Tensor, State]:
        """Run over a sequence.

        Args:
            x: shape (steps, batch, in).
            h_0: the state to begin with, shape (batch, hidden), for LSTM a pair.
            seq_length: shape (batch,): how many steps of each sequence count; None for all.
            w_ih: shape (gates·hidden, in).
            w_hh: shape (gates·hidden, hidden).
            b_ih: shape (gates·hidden,); None without biases.
            b_hh: likewise.

        Returns:
            The outputs, shape (steps, batch, hidden), and the last state, of the form of `h_0`.
        """
        return self._run(x, h_0, seq_length, (w_ih, w_hh, b_ih, b_hh))

    def _run(self, x: Tensor, state: State, seq_length: Tensor | None, weights: Weights) -> tuple[Tensor, State]:
        return run_one_way(self.mode, self.cls_name, x, state, seq_length, weights)


class _DynamicRNNBase(OneDirection):
    """One recurrent layer in one direction, which calls the state `h`.

    Args:
        mode: "RNN_RELU", "RNN_TANH", "GRU" or "LSTM".

    Raises:
        ValueError: another mode.

    Follows: mindspore.nn.layer.rnns._DynamicRNNBase (2.10).
    """

    def __init__(self, mode: str) -> None:
        super().__init__()
        one_of(mode, "mode", None, LAYERS)
        self.mode = mode
        self.is_lstm = mode == "LSTM"

    def construct(self, x: Tensor, h: State, seq_length: Tensor | None, *weights: Any, **named: Any) -> Any:
        """Run over a sequence; see `OneDirection`."""
        return super().construct(x, h, seq_length, *weights, **named)


class _DynamicRNNRelu(_DynamicRNNBase):
    """One layer of an RNN with ReLU.

    Follows: mindspore.nn.layer.rnns._DynamicRNNRelu (2.10).
    """

    def __init__(self) -> None:
        super().__init__("RNN_RELU")


class _DynamicRNNTanh(_DynamicRNNBase):
    """One layer of an RNN with tanh.

    Follows: mindspore.nn.layer.rnns._DynamicRNNTanh (2.10).
    """

    def __init__(self) -> None:
        super().__init__("RNN_TANH")


class _DynamicGRUCPUGPU(OneDirection):
    """One layer of a GRU.

    Follows: mindspore.nn.layer.rnns._DynamicGRUCPUGPU (2.10).
    """

    mode = "GRU"


class _DynamicLSTMCPUGPU(OneDirection):
    """One layer of an LSTM. Where all steps count, its states have an axis of length 1 in front.

    Follows: mindspore.nn.layer.rnns._DynamicLSTMCPUGPU (2.10).
    """

    mode = "LSTM"

    def _run(self, x: Tensor, state: State, seq_length: Tensor | None, weights: Weights) -> tuple[Tensor, State]:
        output, (h, c) = super()._run(x, state, seq_length, weights)
        return output, ((h, c) if seq_length is not None else (wrap(h._data[None]), wrap(c._data[None])))


STEPS: dict[str, Callable[[], Cell]] = {
    "LSTM": _DynamicLSTMCPUGPU,
    "GRU": _DynamicGRUCPUGPU,
    "RNN_TANH": _DynamicRNNTanh,
    "RNN_RELU": _DynamicRNNRelu,
}
