"""Decoder of the parallel Transformer."""

from functools import partial
from typing import Any

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
from msbridge.nn.transformer.layers import Activation, _LayerNorm
from msbridge.nn.transformer.moe import MoEConfig, default_moe_config
from msbridge.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    default_dpmp_config,
    default_transformer_config,
)

__all__ = ["TransformerDecoder", "TransformerDecoderLayer"]


class TransformerDecoderLayer(LayerOfTransformer):
    """Attend to oneself, then to the encoder's output, then pass each place through two products.

    Args:
        hidden_size: length of the input's last axis.
        ffn_hidden_size: length between the products.
        num_heads: heads of the attentions.
        batch_size: None will do.
        src_seq_length: places of the encoder's output.
        tgt_seq_length: places of a sequence.
        attention_dropout_rate: dropout of the attentions, while training.
        hidden_dropout_rate: dropout of the outputs, while training.
        post_layernorm_residual: add what was normalised, instead of the input.
        use_past: True is refused, as there.
        layernorm_compute_type: of the normalisations, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters of the products, float32 or float16.
        hidden_act: name or class of the activation.
        moe_config: experts in place of the two products.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        hidden_stats: shape (batch, tgt_seq_length, hidden_size) or (batch * tgt_seq_length, hidden_size), float32 or
            float16.
        decoder_mask: shape (batch, tgt_seq_length, tgt_seq_length), float32 or float16, or None.
        encoder_output: shape (batch, src_seq_length, hidden_size); None leaves out the second attention.
        memory_mask: shape (batch, tgt_seq_length, src_seq_length), or None.
        init_reset: True.
        batch_valid_length: None.

    Returns:
        The output, of the shape of the input, and a tuple of the keys and values of both attentions; with experts also
        the loss of balance.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another; a rate is out of range; `use_past` is True.

    Follows: mindspore.parallel._transformer.TransformerDecoderLayer (2.0).
    """

    @check_arguments(OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        batch_size: int | None,
        src_seq_length: int,
        tgt_seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        use_past: bool = False,
        layernorm_compute_type: Type = mstype.float32,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        hidden_act: Activation = "gelu",
        moe_config: MoEConfig = default_moe_config,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ) -> None:
        super().__init__()
        check_states(self.cls_name, batch_size, use_past)
        sizes = {"num_heads": num_heads, "hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size}
        check_parts(self.cls_name, moe_config, parallel_config, **sizes)
        if use_past:
            raise ValueError(f"The {self.cls_name} does not support use_past=True.")
        self.batch_size = batch_size
        self.softmax_compute_type = softmax_compute_type
        self.src_seq_length = src_seq_length
        self.tgt_seq_length = tgt_seq_length
        self._add_norms(hidden_size, post_layernorm_residual, layernorm_compute_type, use_past, moe_config)
        attention: dict[str, Any] = {
            "batch_size": batch_size,
            "src_seq_length": tgt_seq_length,
            "hidden_size": hidden_size,
            "num_heads": num_heads,
            "hidden_dropout_rate": hidden_dropout_rate,
            "attention_dropout_rate": attention_dropout_rate,
            "softmax_compute_type": softmax_compute_type,
            "param_init_type": param_init_type,
            "parallel_config": parts_of_attention(parallel_config),
        }
        self.attention = MultiHeadAttention(tgt_seq_length=tgt_seq_length, **attention)
        self.cross_attention = MultiHeadAttention(tgt_seq_length=src_seq_length, **attention)
        self.cross_attention_layernorm = _LayerNorm((hidden_size,)).to_float(layernorm_compute_type)
        self.output = feed_forward(
            hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act, param_init_type, moe_config, parallel_config
        )

    def construct(
        self,
        hidden_stats: Tensor,
        decoder_mask: Tensor | None,
        encoder_output: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        self._check_input(hidden_stats, decoder_mask, encoder_output, memory_mask, init_reset, batch_valid_length)
        is_post = self.post_layernorm_residual
        input_x = self.layernorm1(hidden_stats).astype(self.dtype)
        present: tuple[Tensor, ...]
        attention, present = self.attention(input_x, input_x, input_x, decoder_mask)
        x = (input_x if is_post else hidden_stats) + attention
        if encoder_output is not None:
            middle = self.cross_attention_layernorm(x).astype(self.dtype)
            memory = encoder_output.astype(self.dtype)
            attention, cross_present = self.cross_attention(middle, memory, memory, memory_mask)
            present += cross_present
            x = (middle if is_post else x) + attention
        output_x = self.layernorm2(x).astype(self.dtype)
        output, *losses = self.output(output_x) if self.use_moe else (self.output(output_x),)
        return (output_x if is_post else x) + output, present, *losses

    def _check_input(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        encoder_output: Tensor | None,
        memory_mask: Tensor | None,
        init_reset: Any,
        batch_valid_length: Tensor | None,
    ) -> bool:
        inputs = {
            "hidden_states": hidden_states,
            "attention_mask": attention_mask,
            "encoder_output": encoder_output,
            "memory_mask": memory_mask,
        }
        for name, x in inputs.items():
            if x is not None:
                check_input(x, name, HALF_OR_SINGLE, self.cls_name)
        check_steps(self.use_past, init_reset, batch_valid_length, self.cls_name)
        return True


class TransformerDecoder(StackOfLayers):
    """Several decoder layers.

    Args:
        num_layers: number of layers.
        batch_size: sequences.
        hidden_size: length of the input's last axis.
        ffn_hidden_size: length between the products.
        src_seq_length: places of the encoder's output.
        tgt_seq_length: places of a sequence.
        num_heads: heads of the attentions.
        attention_dropout_rate: dropout of the attentions, while training.
        hidden_dropout_rate: dropout of the outputs, while training.
        post_layernorm_residual: add what was normalised, instead of the input.
        layernorm_compute_type: of the normalisations, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters of the products, float32 or float16.
        hidden_act: name or class of the activation.
        lambda_func: called as (layer, layer_id=, layers=, offset=, parallel_config=) on each layer, to set its stage,
            fusion of gradients and recomputation; None for one that takes these from `parallel_config`.
        use_past: True is refused, as there.
        offset: number of the first layer, for `lambda_func`.
        moe_config: experts in place of the two products.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        hidden_states: as `hidden_stats` of a layer.
        attention_mask: as `decoder_mask` of a layer.
        encoder_output: as of a layer.
        memory_mask: as of a layer.
        init_reset: True.
        batch_valid_length: None.

    Returns:
        The output; a tuple of keys and values for each layer; with experts also the loss of balance.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another; a rate is out of range; `use_past` is True.

    Follows: mindspore.parallel._transformer.TransformerDecoder (2.0).
    """

    @check_arguments(TransformerOpParallelConfig, batch_size=positive)
    def __init__(
        self,
        num_layers: int,
        batch_size: int,
        hidden_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Type = mstype.float32,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        hidden_act: Activation = "gelu",
        lambda_func: LambdaFunc | None = None,
        use_past: bool = False,
        offset: int = 0,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ) -> None:
        super().__init__()
        sizes = (hidden_size, ffn_hidden_size, num_heads, batch_size, src_seq_length, tgt_seq_length)
        rates = (attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual)
        types = (layernorm_compute_type, softmax_compute_type, param_init_type)
        layer = partial(TransformerDecoderLayer, *sizes, *rates, use_past, *types, hidden_act, moe_config)
        self._add_blocks(layer, num_layers, lambda_func, offset, moe_config, parallel_config)

    def construct(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        encoder_output: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        inputs = (attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length)
        return self._pass_through(hidden_states, *inputs)
