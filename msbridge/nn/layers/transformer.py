"""Encoders and decoders built of attention."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

from msbridge.core.parameter.initializer import XavierUniform, initializer
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import GELU
from msbridge.nn.layers.activations.rectifiers import ReLU
from msbridge.nn.layers.attention import MultiheadAttention
from msbridge.nn.layers.containers import CellList
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.dropout import Dropout
from msbridge.nn.layers.normalization.layer_norm import LayerNorm
from msbridge.ops.elementwise.activation.functions import gelu, relu

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


Activation = str | Cell | Callable[[Tensor], Tensor]


def _activation_function(activation: Activation, op: str) -> Callable[[Tensor], Tensor]:
    functions: dict[str, Callable[[Tensor], Tensor]] = {"relu": relu, "gelu": gelu}
    if isinstance(activation, str) and activation in functions:
        return functions[activation]
    if isinstance(activation, ReLU | GELU) or (callable(activation) and not isinstance(activation, Cell)):
        return activation
    raise ValueError(
        f"For '{op}', the 'activation' must be 'relu', 'gelu', a function, nn.ReLU or nn.GELU, but got {activation!r}."
    )


class _Block(Cell):
    """A layer that passes each place through two dense layers."""

    def _init_block(self, nhead: int, activation: Activation, layernorm_eps: float, batch_first: bool) -> None:
        self.nhead = nhead
        self.activation1 = activation if isinstance(activation, str) else None
        self.layernorm_eps = layernorm_eps
        self.batch_first = batch_first

    def _add_dense_layers(self, d_model: int, dim_feedforward: int, dropout: float, dtype: Type) -> None:
        self.d_model = d_model
        self.dim_feedforward = dim_feedforward
        self.dropout_num = dropout
        self.dtype = dtype
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)


class TransformerEncoderLayer(_Block):
    """Attend to oneself, then pass each place through two dense layers.

    Args:
        d_model: length of the input's last axis.
        nhead: heads of the attention.
        dim_feedforward: length between the two dense layers.
        dropout: of everything, while training.
        activation: "relu", "gelu", a function, nn.ReLU or nn.GELU.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: whether the batch is axis 0 instead of 1.
        norm_first: whether to normalise before attention and dense layers instead of after.
        dtype: of the parameters.

    Inputs:
        src: shape (S, N, d_model), or (N, S, d_model) with `batch_first`.
        src_mask: shape (S, S): True where a place does not attend to another, or what is added; None for none.
        src_key_padding_mask: shape (N, S): True where a place does not count.

    Outputs:
        A Tensor of the shape and dtype of `src`.

    Follows: mindspore.nn.TransformerEncoderLayer (2.10).
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self._init_block(nhead, activation, layer_norm_eps, batch_first)
        self.norm_first = norm_first
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self._add_dense_layers(d_model, dim_feedforward, dropout, dtype)
        self.activation = _activation_function(activation, self.cls_name)
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        attend = partial(_attend_self, self.self_attn, self.dropout1, src_mask, src_key_padding_mask)
        return _add_residual((attend, self.norm1), (self._feed, self.norm2), x=src, is_norm_first=self.norm_first)

    def _feed(self, x: Tensor) -> Tensor:
        return self.dropout2(self.dense2(self.dropout(self.activation(self.dense1(x)))))


class TransformerDecoderLayer(_Block):
    """Attend to oneself, then to the encoder's output, then pass each place through two dense layers.

    Args:
        d_model: length of the input's last axis.
        nhead: heads of the attentions.
        dim_feedforward: length between the two dense layers.
        dropout: of everything, while training.
        activation: "relu", "gelu", a function, nn.ReLU or nn.GELU.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: whether the batch is axis 0 instead of 1.
        norm_first: whether to normalise before attention and dense layers instead of after.
        dtype: of the parameters.

    Inputs:
        tgt: shape (T, N, d_model), or (N, T, d_model) with `batch_first`.
        memory: the encoder's output, shape (S, N, d_model), likewise.
        tgt_mask: shape (T, T): True where a place does not attend to another, or what is added; None for none.
        memory_mask: shape (T, S), likewise.
        tgt_key_padding_mask: shape (N, T): True where a place does not count.
        memory_key_padding_mask: shape (N, S), likewise.

    Outputs:
        A Tensor of the shape and dtype of `tgt`.

    Follows: mindspore.nn.TransformerDecoderLayer (2.10).
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self._init_block(nhead, activation, layer_norm_eps, batch_first)
        self.norm_first = norm_first
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self._add_dense_layers(d_model, dim_feedforward, dropout, dtype)
        self.activation = _activation_function(activation, self.cls_name)
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm3 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.dropout3 = Dropout(p=dropout)

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        attend_self = partial(_attend_self, self.self_attn, self.dropout1, tgt_mask, tgt_key_padding_mask)

        def attend_memory(x: Tensor) -> Tensor:
            output = self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, memory_mask)[0]
            return self.dropout2(output)

        steps = ((attend_self, self.norm1), (attend_memory, self.norm2), (self._feed, self.norm3))
        return _add_residual(*steps, x=tgt, is_norm_first=self.norm_first)

    def _feed(self, x: Tensor) -> Tensor:
        return self.dropout3(self.dense2(self.dropout(self.activation(self.dense1(x)))))


def _attend_self(attention: Cell, dropout: Cell, mask: Tensor | None, padding_mask: Tensor | None, x: Tensor) -> Tensor:
    return dropout(attention(x, x, x, padding_mask, False, mask)[0])


def _add_residual(*steps: tuple[Callable[[Tensor], Tensor], Cell], x: Tensor, is_norm_first: bool) -> Tensor:
    """Add each step's result to its input, normalised before the step or after the sum."""
    for step, norm in steps:
        x = wrap(x._data + step(norm(x))._data) if is_norm_first else norm(wrap(x._data + step(x)._data))
    return x


class TransformerEncoder(Cell):
    """Pass through copies of an encoder layer.

    Args:
        encoder_layer: a TransformerEncoderLayer.
        num_layers: how many copies.
        norm: a Cell applied at the end.

    Inputs:
        src: shape (S, N, d_model), or (N, S, d_model) with `batch_first`.
        src_mask: shape (S, S): True where a place does not attend to another, or what is added; None for none.
        src_key_padding_mask: shape (N, S): True where a place does not count.

    Outputs:
        A Tensor of the shape and dtype of `src`.

    Follows: mindspore.nn.TransformerEncoder (2.10).
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.num_layers = num_layers
        self.layers = CellList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.norm = norm

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Cell):
    """Pass through copies of a decoder layer.

    Args:
        decoder_layer: a TransformerDecoderLayer.
        num_layers: how many copies.
        norm: a Cell applied at the end.

    Inputs:
        tgt: shape (T, N, d_model), or (N, T, d_model) with `batch_first`.
        memory: the encoder's output, shape (S, N, d_model), likewise.
        tgt_mask: shape (T, T): True where a place does not attend to another, or what is added; None for none.
        memory_mask: shape (T, S), likewise.
        tgt_key_padding_mask: shape (N, T): True where a place does not count.
        memory_key_padding_mask: shape (N, S), likewise.

    Outputs:
        A Tensor of the shape and dtype of `tgt`.

    Follows: mindspore.nn.TransformerDecoder (2.10).
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.num_layers = num_layers
        self.layers = CellList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.norm = norm

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        masks = {
            "tgt_mask": tgt_mask,
            "memory_mask": memory_mask,
            "tgt_key_padding_mask": tgt_key_padding_mask,
            "memory_key_padding_mask": memory_key_padding_mask,
        }
        for layer in self.layers:
            tgt = layer(tgt, memory, **masks)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """Encode a source, and decode a target from it.

    Args:
        d_model: length of the last axis of source and target.
        nhead: heads of the attentions.
        num_encoder_layers: layers of the encoder.
        num_decoder_layers: layers of the decoder.
        dim_feedforward: length between the two dense layers of each layer.
        dropout: of everything, while training.
        activation: "relu", "gelu", a function, nn.ReLU or nn.GELU.
        custom_encoder: a Cell instead of the encoder.
        custom_decoder: a Cell instead of the decoder.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: whether the batch is axis 0 instead of 1.
        norm_first: whether to normalise before attention and dense layers instead of after.
        dtype: of the parameters.

    Inputs:
        src: shape (S, N, d_model), or (N, S, d_model) with `batch_first`.
        tgt: shape (T, N, d_model), likewise.
        src_mask: shape (S, S): True where a place does not attend to another, or what is added; None for none.
        tgt_mask: shape (T, T), likewise.
        memory_mask: shape (T, S), likewise.
        src_key_padding_mask: shape (N, S): True where a place does not count.
        tgt_key_padding_mask: shape (N, T), likewise.
        memory_key_padding_mask: shape (N, S), likewise.

    Outputs:
        A Tensor of the shape and dtype of `tgt`.

    Follows: mindspore.nn.Transformer (2.10).
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        settings = (
            d_model,
            nhead,
            dim_feedforward,
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            dtype,
        )
        self.encoder: Any = custom_encoder
        if custom_encoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            self.encoder = TransformerEncoder(TransformerEncoderLayer(*settings), num_encoder_layers, norm)
        self.decoder: Any = custom_decoder
        if custom_decoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            self.decoder = TransformerDecoder(TransformerDecoderLayer(*settings), num_decoder_layers, norm)
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer(XavierUniform(), parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        if src.ndim == 3 and src.shape[not self.batch_first] != tgt.shape[not self.batch_first]:
            raise ValueError(f"For 'Transformer', src and tgt must have one batch size, got {src.shape}, {tgt.shape}.")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(f"For 'Transformer', the last axes must be {self.d_model}, got {src.shape}, {tgt.shape}.")
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )
