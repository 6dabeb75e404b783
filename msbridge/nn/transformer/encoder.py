"""Encoder of the parallel Transformer."""

from functools import partial
from typing import Any

import numpy as np

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.transformer.attention import MultiHeadAttention
from msbridge.nn.transformer.blocks import (
    LambdaFunc,
    LayerOfTransformer,
    StackOfLayers,
    check_parts,
    check_states,
    check_steps,
    feed_forward,
    parts_of_attention,
)
from msbridge.nn.transformer.checks import HALF_OR_SINGLE, check_arguments, check_input, positive
from msbridge.nn.transformer.layers import Activation
from msbridge.nn.transformer.moe import MoEConfig, default_moe_config
from msbridge.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    default_dpmp_config,
    default_transformer_config,
)
from msbridge.ops.framework.control.functions import assign

__all__ = ["TransformerEncoder", "TransformerEncoderLayer"]


class TransformerEncoderLayer(LayerOfTransformer):
    """Attend to oneself, then pass each place through two products.

    Args:
        batch_size: sequences, for decoding step by step; else None will do.
        hidden_size: length of the input's last axis.
        ffn_hidden_size: length between the products.
        num_heads: heads of the attention.
        seq_length: places of a sequence.
        attention_dropout_rate: dropout of the attention, while training.
        hidden_dropout_rate: dropout of the outputs, while training.
        post_layernorm_residual: add what was normalised, instead of the input, and normalise the result.
        layernorm_compute_type: of the normalisations, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters of the products, float32 or float16.
        hidden_act: name or class of the activation.
        use_past: decode step by step; see `MultiHeadAttention`.
        moe_config: experts in place of the two products.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        x: shape (batch, seq_length, hidden_size) or (batch * seq_length, hidden_size), float32 or float16;
            (batch, 1, hidden_size) in a step.
        input_mask: shape (batch, seq_length, seq_length), float32 or float16, or None.
        init_reset: with `use_past` a bool Tensor of shape (1,): False forgets the states of former steps.
        batch_valid_length: with `use_past`, int32, shape (batch,): the tokens of each sequence.

    Returns:
        The output, of the shape of `x`, and a tuple of keys and values; with experts also the loss of balance.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another; a rate is out of range.

    Follows: mindspore.parallel._transformer.TransformerEncoderLayer (2.0).
    """

    @check_arguments(OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        batch_size: int | None,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Type = mstype.float32,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        hidden_act: Activation = "gelu",
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ) -> None:
        super().__init__()
        check_states(self.cls_name, batch_size, use_past)
        sizes = {"num_heads": num_heads, "hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size}
        check_parts(self.cls_name, moe_config, parallel_config, **sizes)
        self.batch_size = batch_size
        self.seq_length = seq_length
        self._add_norms(hidden_size, post_layernorm_residual, layernorm_compute_type, use_past, moe_config)
        self.attention = MultiHeadAttention(
            batch_size=batch_size,
            src_seq_length=seq_length,
            tgt_seq_length=seq_length,
            hidden_size=hidden_size,
            num_heads=num_heads,
            hidden_dropout_rate=hidden_dropout_rate,
            attention_dropout_rate=attention_dropout_rate,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
            use_past=use_past,
            parallel_config=parts_of_attention(parallel_config),
        )
        self.output = feed_forward(
            hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act, param_init_type, moe_config, parallel_config
        )
        self.key_past: Parameter | None = None
        self.value_past: Parameter | None = None
        if use_past:
            head = hidden_size // num_heads
            self.key_past = _state_parameter((batch_size, num_heads, head, seq_length), "key_past")
            self.value_past = _state_parameter((batch_size, num_heads, seq_length, head), "value_past")

    def construct(
        self,
        x: Tensor,
        input_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        self._check_input(x, input_mask, init_reset, batch_valid_length)
        is_post = self.post_layernorm_residual
        input_x = (x if is_post else self.layernorm1(x)).astype(self.dtype)
        if self.key_past is not None and self.value_past is not None:
            for state in (self.key_past, self.value_past):
                assign(state, state * init_reset.astype(self.dtype))  # type: ignore[union-attr]  # checked
        attention, present = self.attention(
            input_x, input_x, input_x, input_mask, self.key_past, self.value_past, batch_valid_length
        )
        x = (input_x if is_post else x) + attention
        output_x = self.layernorm2(x).astype(self.dtype)
        output, *losses = self.output(output_x) if self.use_moe else (self.output(output_x),)
        if self.key_past is not None and self.value_past is not None:
            assign(self.key_past, present[0])
            assign(self.value_past, present[1])
        output = self.layernorm1(output_x + output) if is_post else x + output
        return output, present, *losses

    def _check_input(
        self, x: Tensor, input_mask: Tensor | None, init_reset: Any, batch_valid_length: Tensor | None
    ) -> bool:
        check_input(x, "x", HALF_OR_SINGLE, self.cls_name)
        if input_mask is not None:
            check_input(input_mask, "input_mask", HALF_OR_SINGLE, self.cls_name)
        check_steps(self.use_past, init_reset, batch_valid_length, self.cls_name)
        return True


class TransformerEncoder(StackOfLayers):
    """Several encoder layers.

    Args:
        batch_size: sequences, for decoding step by step.
        num_layers: number of layers.
        hidden_size: length of the input's last axis.
        ffn_hidden_size: length between the products.
        seq_length: places of a sequence.
        num_heads: heads of the attention.
        attention_dropout_rate: dropout of the attention, while training.
        hidden_dropout_rate: dropout of the outputs, while training.
        hidden_act: name or class of the activation.
        post_layernorm_residual: add what was normalised, instead of the input, and normalise the result.
        layernorm_compute_type: of the normalisations, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters of the products, float32 or float16.
        lambda_func: called as (layer, layer_id=, layers=, offset=, parallel_config=) on each layer, to set its stage,
            fusion of gradients and recomputation; None for one that takes these from `parallel_config`.
        offset: number of the first layer, for `lambda_func`.
        use_past: decode step by step; see `MultiHeadAttention`.
        moe_config: experts in place of the two products.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        hidden_states: as `x` of a layer.
        attention_mask: as `input_mask` of a layer.
        init_reset: as of a layer.
        batch_valid_length: as of a layer.

    Returns:
        The output; a tuple of keys and values for each layer; with experts also the loss of balance.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another; a rate is out of range.

    Follows: mindspore.parallel._transformer.TransformerEncoder (2.0).
    """

    @check_arguments(TransformerOpParallelConfig, batch_size=positive)
    def __init__(
        self,
        batch_size: int,
        num_layers: int,
        hidden_size: int,
        ffn_hidden_size: int,
        seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Activation = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Type = mstype.float32,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        lambda_func: LambdaFunc | None = None,
        offset: int = 0,
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ) -> None:
        super().__init__()
        sizes = (batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length)
        rates = (attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual)
        types = (layernorm_compute_type, softmax_compute_type, param_init_type)
        layer = partial(TransformerEncoderLayer, *sizes, *rates, *types, hidden_act, use_past, moe_config)
        self._add_blocks(layer, num_layers, lambda_func, offset, moe_config, parallel_config)

    def construct(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        return self._pass_through(hidden_states, attention_mask, init_reset, batch_valid_length)


def _state_parameter(shape: tuple[Any, ...], name: str) -> Parameter:
    return Parameter(Tensor(np.zeros(shape), mstype.float16), name=name)
