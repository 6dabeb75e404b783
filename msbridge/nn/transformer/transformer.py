"""The parallel Transformer: an encoder, and a decoder that attends to its output."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.transformer.attention import AttentionMask, MultiHeadAttention, VocabEmbedding
from msbridge.nn.transformer.blocks import LambdaFunc, _get_lambda_func
from msbridge.nn.transformer.checks import check_arguments, positive
from msbridge.nn.transformer.decoder import TransformerDecoder, TransformerDecoderLayer
from msbridge.nn.transformer.encoder import TransformerEncoder, TransformerEncoderLayer
from msbridge.nn.transformer.feed_forward import FeedForward
from msbridge.nn.transformer.layers import Activation
from msbridge.nn.transformer.moe import MoEConfig, default_moe_config
from msbridge.nn.transformer.op_parallel_config import (
    EmbeddingOpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    _check_config,
    default_transformer_config,
)

__all__ = [
    "AttentionMask",
    "EmbeddingOpParallelConfig",
    "FeedForward",
    "MultiHeadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "VocabEmbedding",
]


class Transformer(Cell):
    """Encode a sequence, and decode another that attends to it.

    Args:
        hidden_size: length of the inputs' last axis.
        batch_size: sequences.
        ffn_hidden_size: length between the products.
        src_seq_length: places of the encoder's input.
        tgt_seq_length: places of the decoder's input.
        encoder_layers: number of the encoder's layers.
        decoder_layers: number of the decoder's layers; 0 for no decoder.
        num_heads: heads of the attentions.
        attention_dropout_rate: dropout of the attentions, while training.
        hidden_dropout_rate: dropout of the outputs, while training.
        hidden_act: name or class of the activation.
        post_layernorm_residual: add what was normalised, instead of the input.
        layernorm_compute_type: of the normalisations, float32 or float16.
        softmax_compute_type: of the softmax, float32 or float16.
        param_init_type: of the parameters of the products, float32 or float16.
        lambda_func: called as (layer, layer_id=, layers=, offset=, parallel_config=) on each layer, to set its stage,
            fusion of gradients and recomputation; None for one that takes these from `parallel_config`.
        use_past: decode step by step, without a decoder; see `MultiHeadAttention`.
        moe_config: experts in place of the two products.
        parallel_config: how the operators are divided over several processes.

    Inputs:
        encoder_inputs: shape (batch, src_seq_length, hidden_size) or (batch * src_seq_length, hidden_size), float32 or
            float16.
        encoder_masks: shape (batch, src_seq_length, src_seq_length), float32 or float16, or None.
        decoder_inputs: the same with tgt_seq_length.
        decoder_masks: the same with tgt_seq_length.
        memory_mask: shape (batch, tgt_seq_length, src_seq_length), or None.
        init_reset: as of an encoder layer.
        batch_valid_length: as of an encoder layer.

    Returns:
        The output of the decoder, or of the encoder where there is no decoder; the keys and values of the encoder's
        layers; those of the decoder's, or None; with experts also the loss of balance.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: a size is not positive, or does not suit another; a rate is out of range; `use_past` is True and
            there is a decoder.

    Follows: mindspore.parallel._transformer.Transformer (2.0).
    """

    @check_arguments(TransformerOpParallelConfig, batch_size=positive)
    def __init__(
        self,
        hidden_size: int,
        batch_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        encoder_layers: int = 3,
        decoder_layers: int = 3,
        num_heads: int = 2,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Activation = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Type = mstype.float32,
        softmax_compute_type: Type = mstype.float32,
        param_init_type: Type = mstype.float32,
        lambda_func: LambdaFunc | None = None,
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ) -> None:
        super().__init__()
        _check_config(parallel_config)
        if decoder_layers > 0 and use_past:
            raise ValueError(f"The {self.cls_name} with encoder and decoder does not support use_past=True.")
        self.batch_size = batch_size
        self.hidden_size = hidden_size
        self.src_seq_length = src_seq_length
        self.tgt_seq_length = tgt_seq_length
        self.use_past = use_past
        self.use_moe = moe_config.expert_num > 1
        shared: dict[str, Any] = {
            "batch_size": batch_size,
            "hidden_size": hidden_size,
            "ffn_hidden_size": ffn_hidden_size,
            "num_heads": num_heads,
            "attention_dropout_rate": attention_dropout_rate,
            "hidden_dropout_rate": hidden_dropout_rate,
            "hidden_act": hidden_act,
            "post_layernorm_residual": post_layernorm_residual,
            "layernorm_compute_type": layernorm_compute_type,
            "softmax_compute_type": softmax_compute_type,
            "param_init_type": param_init_type,
            "lambda_func": lambda_func or _get_lambda_func(encoder_layers + decoder_layers),
            "use_past": use_past,
            "moe_config": moe_config,
            "parallel_config": parallel_config,
        }
        self.encoder = TransformerEncoder(num_layers=encoder_layers, seq_length=src_seq_length, **shared)
        self.decoder = None
        if decoder_layers > 0:
            places = {"src_seq_length": src_seq_length, "tgt_seq_length": tgt_seq_length}
            self.decoder = TransformerDecoder(num_layers=decoder_layers, offset=encoder_layers, **places, **shared)

    def construct(
        self,
        encoder_inputs: Tensor,
        encoder_masks: Tensor | None,
        decoder_inputs: Tensor | None = None,
        decoder_masks: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        steps = (init_reset, batch_valid_length)
        output, encoder_present, *losses = self.encoder(encoder_inputs, encoder_masks, *steps)
        decoder_present = None
        if self.decoder is not None:
            output, decoder_present, *further = self.decoder(decoder_inputs, decoder_masks, output, memory_mask, *steps)
            losses = [sum(further, loss) for loss in losses]
        return output, encoder_present, decoder_present, *losses
