"""The base of encoder and decoder layers of the parallel Transformer: checks, arrangement, products.

Follows: mindspore.parallel._transformer.transformer (2.0).
"""

from collections.abc import Callable
from typing import Any

from msbridge.core.checks.arguments import positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList
from msbridge.nn.transformer.checks import _check_past_none_input_none, check_divisible, check_input
from msbridge.nn.transformer.feed_forward import FeedForward
from msbridge.nn.transformer.layers import Activation, _LayerNorm
from msbridge.nn.transformer.moe import MoE, MoEConfig, _check_moe_config
from msbridge.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    _check_config,
)
from msbridge.ops.operations import Add, Assign, Mul, NotEqual, ReduceSum, StridedSlice, Tile

LambdaFunc = Callable[..., Any]


class LayerOfTransformer(Cell):
    """An encoder or decoder layer, with the operators that the `construct` of subclasses takes for given."""

    add = add_3d = Add()
    mul = Mul()
    assign = Assign()
    not_equal = NotEqual()
    reducesum = ReduceSum()
    slice = StridedSlice()
    tile = Tile()

    def _add_norms(
        self, hidden_size: int, is_post: bool, norm_type: Type, use_past: bool, moe_config: MoEConfig
    ) -> None:
        self.use_moe = moe_config.expert_num > 1
        self.use_past = use_past
        self.hidden_size = hidden_size
        self.post_layernorm_residual = is_post
        self.dtype = mstype.float16
        self.layernorm1 = _LayerNorm((hidden_size,)).to_float(norm_type)
        self.layernorm2 = _LayerNorm((hidden_size,)).to_float(norm_type)


class StackOfLayers(Cell):
    """An encoder or decoder: several layers, and what they return together."""

    def _add_blocks(
        self,
        make_layer: Callable[[OpParallelConfig | MoEParallelConfig], Cell],
        num_layers: int,
        lambda_func: LambdaFunc | None,
        offset: int,
        moe_config: MoEConfig,
        parallel_config: TransformerOpParallelConfig,
    ) -> None:
        _check_config(parallel_config)
        _check_moe_config(moe_config, parallel_config)
        self.use_moe = moe_config.expert_num > 1
        self.num_layers = num_layers
        arrange = lambda_func or _get_lambda_func()
        part = parallel_config.moe_parallel_config if self.use_moe else parallel_config.dp_mp_config
        self.blocks = CellList()
        for i in range(num_layers):
            block = make_layer(part)
            arrange(block, layer_id=i, layers=num_layers, offset=offset, parallel_config=parallel_config)
            self.blocks.append(block)

    def _pass_through(self, hidden_states: Tensor, *inputs: Any) -> tuple[Any, ...]:
        """Return the output of layers, their keys and values, and with experts the sum of their losses of balance."""
        presents: tuple[Any, ...] = ()
        total = Tensor(0.0, mstype.float32)
        for block in self.blocks:
            hidden_states, present, *losses = block(hidden_states, *inputs)
            presents = (*presents, present)
            total = sum(losses, total)
        return (hidden_states, presents, total) if self.use_moe else (hidden_states, presents)


def _get_lambda_func(total_layer: int | None = None) -> LambdaFunc:
    """Return the function that sets the stage, the fusion of gradients and the recomputation of a layer.

    Args:
        total_layer: number of all layers; None for those passed to the function.

    Follows: mindspore.parallel._transformer.transformer._get_lambda_func (2.0).
    """

    def arrange(
        network: Cell, layer_id: int, offset: int, parallel_config: TransformerOpParallelConfig, layers: int
    ) -> None:
        layers, stages = total_layer or layers, parallel_config.pipeline_stage
        if layers < stages:
            raise ValueError(f"The number of layers, {layers}, must not be under that of pipeline stages, {stages}.")
        number = layer_id + offset
        network.pipeline_stage = min(number // (layers // stages), stages - 1)
        network.set_comm_fusion(number // max(layers // parallel_config.gradient_aggregation_group, 1) + 1)
        settings = parallel_config.recompute
        if settings is True:
            network.recompute()
        elif settings and settings.recompute:
            network.recompute(
                parallel_optimizer_comm_recompute=settings.parallel_optimizer_comm_recompute,
                mp_comm_recompute=settings.mp_comm_recompute,
                recompute_slice_activation=settings.recompute_slice_activation,
            )

    return arrange


def parts_of_attention(parallel_config: OpParallelConfig | MoEParallelConfig) -> OpParallelConfig:
    """Return the part of a layer's configuration for the attention."""
    return parallel_config.dpmp if isinstance(parallel_config, MoEParallelConfig) else parallel_config


def feed_forward(
    hidden_size: int,
    ffn_hidden_size: int,
    dropout_rate: float,
    hidden_act: Activation,
    param_init_type: Type,
    moe_config: MoEConfig,
    parallel_config: OpParallelConfig | MoEParallelConfig,
) -> Cell:
    """Return the two products of a layer, or its experts."""
    sizes = (hidden_size, ffn_hidden_size, dropout_rate, hidden_act)
    if moe_config.expert_num > 1:
        return MoE(*sizes, param_init_type, moe_config, parallel_config)
    return FeedForward(*sizes, param_init_type=param_init_type, parallel_config=parallel_config)


def check_states(owner: str, batch_size: int | None, use_past: bool) -> None:
    """Require a batch size where there are states of former steps."""
    if batch_size or use_past:
        positive_int(batch_size, "batch_size", owner)


def check_parts(
    owner: str, moe_config: MoEConfig, parallel_config: OpParallelConfig | MoEParallelConfig, **sizes: int
) -> None:
    """Require that the sizes of a layer suit its parts."""
    _check_config(parallel_config)
    check_divisible(owner, "model_parallel", parallel_config.model_parallel, **sizes)
    _check_moe_config(moe_config, parallel_config)


def check_steps(use_past: bool, init_reset: Any, batch_valid_length: Any, owner: str) -> None:
    """Require the inputs of decoding step by step, or their defaults."""
    is_tensor = isinstance(init_reset, Tensor)
    _check_past_none_input_none(use_past, "init_reset", owner, True, is_tensor, init_reset is True)
    is_tensor, is_default = isinstance(batch_valid_length, Tensor), batch_valid_length is None
    _check_past_none_input_none(use_past, "batch_valid_length", owner, None, is_tensor, is_default)
    if use_past:
        check_input(init_reset, "init_reset", (mstype.bool_,), owner)
        check_input(batch_valid_length, "batch_valid_length", (mstype.int32,), owner)
