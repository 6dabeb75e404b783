"""Recurrent layers of r1.x, whose weights lie in one tensor.

The gates are those of input, forgetting, cell and output, in this order.
"""

import math

from msbridge.converters.tensors.packed_recurrent import PackedWeights
from msbridge.core.checks.arguments import boolean, in_range, positive_int
from msbridge.core.parameter.initializer import Uniform
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.parameter_init import make_parameter
from msbridge.ops.neural.recurrent.kernels import run_packed_lstm
from msbridge.ops.operations import LSTM as LSTMOperator

__all__: list[str] = []


class LSTM(Cell):
    """Layers of a long short-term memory over a sequence, with one Parameter `weight` for all of them.

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the state.
        num_layers: layers on top of each other.
        has_bias: whether there are biases.
        batch_first: whether the batch is axis 0.
        dropout: between the layers, while training, in [0, 1].
        bidirectional: whether each layer also runs backwards.

    Raises:
        TypeError: `batch_first` is not a bool.
        ValueError: a size is not positive, or `dropout` out of range.

    `weight` has the shape (count, 1, 1): the weights of the input of all layers and directions, those of their states,
    and the biases; with device_target "GPU" those of input and state of each layer lie together, as cuDNN has them.

    Follows: mindspore.nn.LSTM (1.0).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self.batch_first = boolean(batch_first, "batch_first", "LSTM")
        positive_int(hidden_size, "hidden_size", "LSTM")
        positive_int(num_layers, "num_layers", "LSTM")
        self.lstm = LSTMOperator(input_size, hidden_size, num_layers, has_bias, bidirectional, 0.0)
        self._dropout = float(in_range(dropout, "dropout", "LSTM", 0, 1, "[]"))
        self._settings = (hidden_size, num_layers, has_bias, bidirectional)
        ways = 1 + bidirectional
        columns = [input_size] * ways + [hidden_size * ways] * ways * (num_layers - 1)
        count = PackedWeights(tuple(columns), hidden_size, has_bias, is_cudnn=False).count
        bound = 1 / math.sqrt(hidden_size)
        self.weight = make_parameter(Uniform(bound), (count, 1, 1), mstype.float32, "weight")

    def construct(self, x: Tensor, hx: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Run over a sequence.

        Args:
            x: shape (steps, batch, input_size), or (batch, steps, input_size) with `batch_first`.
            hx: the states to begin with, each of shape (directions·layers, batch, hidden_size).

        Returns:
            The outputs, shape (steps, batch, directions·hidden_size), and the last states.
        """
        x = x.swapaxes(0, 1) if self.batch_first else x
        output, h, c = run_packed_lstm(x, *hx, self.weight, *self._settings, self._dropout, self.training)
        return output.swapaxes(0, 1) if self.batch_first else output, (h, c)


class LSTMWithInputWeights(Cell):
    """One layer of an LSTM whose weights are an input.

    Args:
        input_size: length of the input's last axis.
        hidden_size: length of the output's last axis, of one direction.
        has_bias: whether there are biases among the weights.
        batch_first: whether the batch is the first axis of input and output.
        dropout: of the outputs of all but the last layer; there is one layer.
        bidirectional: whether a second direction runs from the end.

    Inputs:
        x: shape (length, batch, input_size).
        h: shape (directions, batch, hidden_size).
        c: the same.
        w: all weights in one, as of `mindspore.ops.LSTM`.

    Returns:
        The outputs, shape (length, batch, directions * hidden_size), h, c, and twice what a backward pass keeps there.

    Raises:
        TypeError: `batch_first` is not a bool.

    Follows: mindspore.nn.LSTMCell (1.0).
    """

    cls_name = "LSTMCell"  # type: ignore[assignment]  # as it is printed

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self.batch_first = boolean(batch_first, "batch_first", "LSTMCell")
        self.lstm = LSTMOperator(input_size, hidden_size, 1, has_bias, bidirectional, float(dropout))

    def construct(self, x: Tensor, h: Tensor, c: Tensor, w: Tensor) -> tuple[Tensor, ...]:
        x = x.swapaxes(0, 1) if self.batch_first else x
        output, *states = self.lstm(x, h, c, w)
        return output.swapaxes(0, 1) if self.batch_first else output, *states
