"""The two products after the attention of the parallel Transformer."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.transformer.checks import HALF_OR_SINGLE, check_arguments, check_divisible, check_input
from msbridge.nn.transformer.layers import Activation, _Linear, activation_of
from msbridge.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    _check_config,
    default_dpmp_config,
)

__all__ = ["FeedForward"]


class FeedForward(Cell):
    """Compute dropout(activation(x @ W1 + b1) @ W2 + b2) in float16.

    Args:
        hidden_size: length of the input's last axis.
        ffn_hidden_size: length between the products.
        dropout_rate: dropout of the output, while training.
        hidden_act: name or class of the activation.
        expert_num: how many experts share the rows of the input, one after the other.
        expert_group_size: rows of an expert, in a mode that is not carried out here; kept.
        param_init_type: of the parameters, float32 or float16.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        x: shape (…, hidden_size), float32 or float16.

    Returns:
        A Tensor of the shape of `x`, float16.

    Raises:
        TypeError: an argument or the input is of another type.
        ValueError: a size is not positive, or does not suit the parts; a rate is out of range.
        KeyError: there is no activation of that name.

    Follows: mindspore.parallel._transformer.FeedForward (2.0).
    """

    @check_arguments(OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Activation = "gelu",
        expert_num: int = 1,
        expert_group_size: int | None = None,
        param_init_type: Type = mstype.float32,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ) -> None:
        super().__init__()
        activation_of(hidden_act, self.cls_name)
        _check_config(parallel_config)
        parts = parallel_config.model_parallel
        sizes = {"ffn_hidden_size": ffn_hidden_size, "hidden_size": hidden_size}
        check_divisible(self.cls_name, "model_parallel", parts, **sizes)
        groups = parallel_config.expert_parallel if isinstance(parallel_config, MoEParallelConfig) else 1
        shared: dict[str, Any] = {
            "transpose_b": False,
            "expert_num": expert_num,
            "expert_group_size": expert_group_size,
            "outer_batch": max(parallel_config.data_parallel // groups, 1),
            "param_init_type": param_init_type,
        }
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **shared)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **shared)
        self.mapping.divide(parallel_config, by_columns=True)
        self.projection.divide(parallel_config, by_columns=False)
        self.dropout = Dropout(p=dropout_rate)

    def construct(self, x: Tensor) -> Tensor:
        check_input(x, "x", HALF_OR_SINGLE, self.cls_name)
        return self.dropout(self.projection(self.mapping(x.astype(mstype.float16))))
