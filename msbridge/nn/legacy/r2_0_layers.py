"""Parts of layers as 2.0 had them: dense layers of attention, and the names by which Cells hold them."""

from typing import Any

from msbridge.core.parameter.initializer import HeUniform, Uniform
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.compiler_attributes import Marks
from msbridge.nn.cell.flags import Flags
from msbridge.nn.layers import attention, transformer
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.steps import wrappers


class _Linear(Dense):
    """A dense layer, whose weight and bias are drawn as today, not as nn.Dense of the release draws."""

    def __init__(
        self, in_channels: int, out_channels: int, has_bias: bool = True, dtype: Type = mstype.float32
    ) -> None:
        weight, bias = HeUniform(5**0.5), Uniform(in_channels**-0.5)
        super().__init__(in_channels, out_channels, weight, bias, has_bias, dtype=dtype)


def _add_linear_layers(self: Any, d_model: int, dim_feedforward: int, dropout: float, dtype: Type) -> None:
    self.linear1 = _Linear(d_model, dim_feedforward, dtype=dtype)
    self.dropout = Dropout(p=dropout)
    self.linear2 = _Linear(dim_feedforward, d_model, dtype=dtype)


def _feed_encoder(self: Any, x: Tensor) -> Tensor:
    return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _feed_decoder(self: Any, x: Tensor) -> Tensor:
    return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _keep(gradients: Any) -> Any:
    return gradients


def _to_float(self: Flags, dst_type: Type) -> Flags:
    """Compute in another floating type, which is not a flag.

    Follows: mindspore.nn.Cell.to_float (2.0).
    """
    _today_to_float(self, dst_type)
    for _, cell in self.cells_and_names():
        for name in ("fp16", "fp32", "bf16"):
            cell._flags.pop(name, None)
    return self


_today_to_float = Flags.to_float
_IGNORED = [
    *("_scope", "_cell_init_args", "_auto_prefix", "_cells", "_params", "_create_time", "_func_graph_flags"),
    *("_parameter_layout_dict", "_params_list", "_tensor_list", "_phase", "_forward_pre_hook", "_forward_hook"),
    *("_enable_forward_pre_hook", "_enable_forward_hook", "_bprop_debug", "_enable_backward_hook"),
    *("_cell_backward_hook", "_is_run", "_param_prefix", "_attr_synced", "pynative", "requires_grad", "cell_type"),
]


OVERRIDES = {
    "nn.Cell.IGNORE_LIST": Part(Marks, "IGNORE_LIST", _IGNORED),
    "nn.Cell.to_float": Part(Flags, "to_float", _to_float),
    "nn.MultiheadAttention": Part(attention, "_projection", _Linear),
    "nn.TrainOneStepCell": Part(wrappers, "_without_reducer", lambda: _keep),
    "nn.TransformerDecoderLayer": Part(transformer.TransformerDecoderLayer, "_feed", _feed_decoder),
    "nn.TransformerEncoderLayer": [
        Part(transformer.TransformerEncoderLayer, "_feed", _feed_encoder),
        Part(transformer._Block, "_add_dense_layers", _add_linear_layers),
    ],
}
