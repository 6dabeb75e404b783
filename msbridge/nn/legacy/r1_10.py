"""Layers and optimizers of 1.10."""

import functools
from collections.abc import Iterable
from typing import Any

from msbridge.core.checks.arguments import above, instance
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn import transformer
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.compiler_attributes import Marks
from msbridge.nn.layers.activations.softmax import Softmax
from msbridge.nn.layers.recurrent import rnn
from msbridge.nn.layers.shape import Flatten
from msbridge.nn.legacy import r1_0
from msbridge.nn.losses.elementwise import SmoothL1Loss
from msbridge.nn.members.attaching import P, member_of
from msbridge.nn.optim.cells.adafactor import AdaFactor
from msbridge.nn.optim.cells.adam import Adam
from msbridge.nn.optim.cells.momentum import SGD
from msbridge.nn.steps import micro_batches
from msbridge.nn.transformer import attention, feed_forward
from msbridge.ops.legacy.r1_10_functions import smooth_l1_loss
from msbridge.ops.operations import Identity, ReverseSequence, ReverseV2


class Dropout(r1_0.Dropout):
    """While training, zero drawn elements and divide the rest by the probability to keep, which is a float.

    Follows: mindspore.nn.Dropout (1.10).
    """

    def __init__(self, keep_prob: float = 0.5, dtype: Type = mstype.float32, *, p: float | None = None) -> None:
        if p is None:
            instance(keep_prob, "keep_prob", "Dropout", float)
        super().__init__(keep_prob, dtype, p=p)

    __init__.__signature__ = r1_0.DROPOUT_ARGUMENTS  # type: ignore[attr-defined]


class _Reverse(Cell):
    """Reverse an axis."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, input_x: Tensor) -> Any:
        return ReverseV2([self.dim])(input_x)


class _ReverseSequence(Cell):
    """Reverse the first steps of each sequence, as many as it has."""

    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None:
        super().__init__()
        self.seq_dim, self.batch_dim = seq_dim, batch_dim

    def construct(self, x: Tensor, seq_lengths: Tensor) -> Any:
        return ReverseSequence(self.seq_dim, self.batch_dim)(x, seq_lengths)


def _construct(self: Cell, *inputs: Any, **kwargs: Any) -> None:
    """Return None; a class that computes something overrides it."""


def _flatten(self: Flatten, x: Tensor) -> Tensor:
    """Make a matrix: all axes but the first become one."""
    if x.ndim == 0:
        raise IndexError("For 'Flatten', the input must have an axis.")
    return _today_flatten(self, x) if x.ndim > 1 else x.reshape((-1, 1))


def _smooth_l1_loss(self: SmoothL1Loss, logits: Tensor, labels: Tensor) -> Tensor:
    return smooth_l1_loss(logits, labels, self.beta, self.reduction)


@functools.wraps(AdaFactor.__init__)
def _adafactor(self: AdaFactor, *args: Any, **kwargs: Any) -> None:
    """Construct the optimizer, whose count of steps comes before its moments."""
    _today_adafactor(self, *args, **kwargs)
    moments = {name: self._params.pop(name) for name in list(self._params) if name.startswith("exp_avg")}
    self._params.update(moments)


@functools.wraps(rnn._RNNBase.__init__)
def _recurrent(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, which holds the Cells that reverse sequences."""
    _today_recurrent(self, *args, **kwargs)
    del self.dropout_op
    self.reverse, self.reverse_sequence = _Reverse(0), _ReverseSequence(0, 1)
    self.dropout_op = Dropout(1.0 - self.dropout) if self.dropout < 1 else Dropout(p=self.dropout)


def _fill_buckets(self: SGD, first: int, rows: Iterable[tuple[Any, Any, Any, Any]]) -> None:
    """Put parameters into buckets, all with the weight decay of the optimizer."""
    decay = self._arguments()["weight_decay"]
    _today_fill(
        self, first, ((each, rate, {**options, "weight_decay": decay}, key) for each, rate, options, key in rows)
    )


def _sgd_operator(one: SGD) -> Any:
    return P.SGD(one.dampening, 0.0, one.nesterov)


@functools.wraps(attention.MultiHeadAttention.__init__)
def _attention(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, which has a softmax for three axes, too."""
    _today_attention(self, *args, **kwargs)
    self.softmax_3d = Softmax()
    for name in ("dense1", "dense2", "dense3"):
        self._cells[name] = self._cells.pop(name)


@functools.wraps(feed_forward.FeedForward.__init__)
def _feed_forward(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, which has a Dropout for three axes and one for four, too."""
    _today_feed_forward(self, *args, **kwargs)
    keep_prob = self.dropout.keep_prob
    self.dropout_3d, self.dropout_4d = Dropout(keep_prob), Dropout(keep_prob)


def _dropout_of_rate(p: float) -> Dropout:
    return Dropout(1.0 - p)


IGNORED = [
    *("_scope", "_cell_init_args", "_auto_prefix", "_cells", "_params", "_construct_inputs_names"),
    *("_construct_inputs_num", "_create_time", "_func_graph_flags", "_parallel_inputs_run", "_parameter_layout_dict"),
    *("_params_list", "_tensor_list", "_phase", "_auto_parallel_mode", "_forward_pre_hook", "_forward_hook"),
    *("_enable_forward_pre_hook", "_enable_forward_hook", "_bprop_debug", "_enable_backward_hook"),
    *("_cell_backward_hook", "_is_run", "_param_prefix", "_attr_synced", "pynative", "requires_grad"),
    *("_auto_parallel_compile_and_run", "cell_type"),
]
_today_adafactor, _today_fill, _today_flatten = AdaFactor.__init__, SGD._fill_buckets, Flatten.construct
_today_recurrent = rnn._RNNBase.__init__
_today_attention, _today_feed_forward = attention.MultiHeadAttention.__init__, feed_forward.FeedForward.__init__
_RECURRENT = [
    Part(rnn._RNNBase, "__init__", _recurrent),
    Part(rnn._RNNBase, "_has_operators", False),  # to_float casts what enters the layer, not what enters its operators
]


def _identity(self: Cell, x: Tensor) -> Tensor:
    """Return the values of the input in memory of their own.

    Follows: mindspore.nn.Identity (1.10).
    """
    return Identity()(x)  # type: ignore[no-any-return]


OVERRIDES = {
    "nn.AdaFactor.__init__": _adafactor,
    "nn.Adam": [Part(Adam, "_power_shape", (1,)), Part(Adam, "_keeps_largest", True)],
    "nn.Cell.IGNORE_LIST": Part(Marks, "IGNORE_LIST", IGNORED),
    "nn.Identity.construct": _identity,
    "nn.PipelineCell": [
        Part(micro_batches, "_check_network", lambda network, name: None),
        Part(micro_batches, "above", lambda value, name, op: value if op == "PipelineCell" else above(value, name, op)),
    ],
    "nn.Cell.construct": _construct,
    "nn.Dropout": Dropout,
    "nn.Flatten.construct": _flatten,
    "nn.GRU": _RECURRENT,
    "nn.LSTM": _RECURRENT,
    "nn.RNN": _RECURRENT,
    "nn.SGD": Part(SGD, "_fill_buckets", _fill_buckets),
    "nn.SGD.opt": member_of(SGD, "opt", _sgd_operator),
    "nn.SmoothL1Loss.construct": _smooth_l1_loss,
    "nn.Transformer": [
        transformer.Transformer,
        Part(attention, "Dropout", _dropout_of_rate),
        Part(feed_forward, "Dropout", _dropout_of_rate),
        Part(attention.MultiHeadAttention, "__init__", _attention),
        Part(feed_forward.FeedForward, "__init__", _feed_forward),
    ],
    "nn.TransformerDecoder": transformer.TransformerDecoder,
    "nn.TransformerDecoderLayer": transformer.TransformerDecoderLayer,
    "nn.TransformerEncoder": transformer.TransformerEncoder,
    "nn.TransformerEncoderLayer": transformer.TransformerEncoderLayer,
}
