"""Layers of 1.5."""

import contextlib
import functools
from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell import flags
from msbridge.nn.cell.compiler_attributes import Marks
from msbridge.nn.cell.flags import Flags
from msbridge.nn.layers.recurrent import rnn
from msbridge.nn.legacy.r1_0 import Dropout


class CellGuard(contextlib.nullcontext):  # type: ignore[type-arg]
    """A context around the call of a Cell; there is no graph to build here.

    Follows: mindspore.nn.Cell.CellGuard (1.5).
    """


@functools.wraps(rnn._RNNBase.__init__)
def _recurrent(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer; the Cell of its steps is the last one, and has one name for all kinds."""
    _today_recurrent(self, *args, **kwargs)
    steps = self.rnn
    del self.rnn, self.dropout_op
    object.__setattr__(steps, "__class__", _steps_of(type(steps)))
    self.dropout_op = Dropout(1.0 - self.dropout)
    self.rnn = steps


@functools.cache
def _steps_of(kind: type) -> type:
    """Return a class of steps under the name that all of them had."""
    return type("_DynamicRNN", (kind,), {"__module__": kind.__module__})


_IGNORED = [
    *("_scope", "_cell_init_args", "_auto_prefix", "_cells", "_params", "_construct_inputs_names"),
    *("_construct_inputs_num", "_create_time", "_mindspore_flags", "_parallel_inputs_run", "_parameter_layout_dict"),
    *("_params_list", "_tensor_list", "_phase", "_auto_parallel_mode", "_backward_hook", "_bprop_debug", "_is_run"),
    *("_param_prefix", "_attr_synced", "enable_hook", "pynative", "requires_grad", "_auto_parallel_compile_and_run"),
    "cell_type",
]
_today_recurrent = rnn._RNNBase.__init__
_RECURRENT = Part(rnn._RNNBase, "__init__", _recurrent)
OVERRIDES = {
    "nn.Cell.CellGuard": CellGuard,
    "nn.GRU": _RECURRENT,
    "nn.RNN": _RECURRENT,
    "nn.Cell.IGNORE_LIST": Part(Marks, "IGNORE_LIST", _IGNORED),
    "nn.Cell.to_float": [
        Part(Flags, "to_float", Flags.to_float),  # with the flags, as in 1.0.0 and today
        Part(flags, "_PRECISIONS", {"fp16": mstype.float16, "fp32": mstype.float32}),
    ],
}
