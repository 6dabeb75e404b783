"""Attention in several heads."""

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.initializer import XavierNormal, XavierUniform
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.parameter_init import make_parameter
from msbridge.ops.kernel_calls.half_precision import linear
from msbridge.ops.neural.attention.kernels import additive_mask
from msbridge.ops.neural.dropout.kernels import drop_elements

__all__ = ["MultiheadAttention"]

_projection = Dense


def _length_of_heads(embed_dim: int, num_heads: int, op: str) -> int:
    """Return the length of a head: whether it fits is looked at before the types of both."""
    try:
        length = embed_dim // num_heads
    except (TypeError, ZeroDivisionError):
        instance(num_heads, "num_heads", op, int)
        positive_int(embed_dim, "embed_dim", op)
        positive_int(num_heads, "num_heads", op)
        raise
    if length * num_heads != embed_dim:
        raise ValueError(f"For '{op}', 'embed_dim' must be divisible by 'num_heads', got {embed_dim} and {num_heads}.")
    _length(embed_dim, "embed_dim", op)
    return length


def _length(value: int, name: str, op: str) -> int:
    """Return the length of an axis of a weight, where another type is a ValueError, too."""
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"For '{op}', the '{name}' must be an int > 0, but got {value!r}.")
    return int(value)


class MultiheadAttention(Cell):
    """Let queries attend to keys in several heads.

    Args:
        embed_dim: length of the query's last axis, a multiple of `num_heads`.
        num_heads: how many heads.
        dropout: of the attention weights, while training.
        has_bias: whether the projections have biases.
        add_bias_kv: whether a trained key and value are added.
        add_zero_attn: whether a key and value of zeros are added.
        kdim: length of the key's last axis; None for `embed_dim`.
        vdim: length of the value's last axis; None for `embed_dim`.
        batch_first: whether the batch is axis 0 instead of 1.
        dtype: of the parameters.

    Inputs:
        query: shape (L, N, embed_dim), or (N, L, embed_dim) with `batch_first`; without a batch (L, embed_dim).
        key: shape (S, N, kdim), likewise.
        value: shape (S, N, vdim), likewise.
        key_padding_mask: shape (N, S): True, or minus infinity, where a key does not count.
        need_weights: whether to return the weights, too.
        attn_mask: shape (L, S) or (N·num_heads, L, S): True where a query does not attend to a key, or what is added.
        average_attn_weights: whether the weights are averaged over the heads.

    Outputs:
        A tuple of the result, of the shape of `query`, and, with `need_weights`, the weights, shape (N, L, S), or (N,
            num_heads, L, S) if they are not averaged.

    Raises:
        ValueError: `embed_dim` is not a multiple of `num_heads`.

    Follows: mindspore.nn.MultiheadAttention (2.10).
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self.head_dim = _length_of_heads(embed_dim, num_heads, self.cls_name)
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.kdim = _length(embed_dim if kdim is None else kdim, "kdim", self.cls_name)
        self.vdim = _length(embed_dim if vdim is None else vdim, "vdim", self.cls_name)
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        self.dtype = dtype
        self._is_joined = self.kdim == embed_dim and self.vdim == embed_dim
        self._is_simple = self._is_joined and not add_bias_kv and not add_zero_attn
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        even = XavierUniform()
        if self._is_joined:
            self.in_proj_weight = make_parameter(even, (3 * embed_dim, embed_dim), dtype, "in_proj_weight")
        else:
            self.q_proj_weight = make_parameter(even, (embed_dim, embed_dim), dtype, "q_proj_weight")
            self.k_proj_weight = make_parameter(even, (embed_dim, self.kdim), dtype, "k_proj_weight")
            self.v_proj_weight = make_parameter(even, (embed_dim, self.vdim), dtype, "v_proj_weight")
        self.in_proj_bias = make_parameter("zeros", (3 * embed_dim,), dtype, "in_proj_bias") if has_bias else None
        self.out_proj = _projection(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)
        self.bias_k = make_parameter(XavierNormal(), (1, 1, embed_dim), dtype, "bias_k") if add_bias_kv else None
        self.bias_v = make_parameter(XavierNormal(), (1, 1, embed_dim), dtype, "bias_v") if add_bias_kv else None

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ) -> tuple[Tensor, ...]:
        """Attend.

        Args:
            query: shape (L, N, embed_dim), (N, L, embed_dim) with `batch_first`, or (L, embed_dim).
            key: shape (S, N, kdim), likewise.
            value: shape (S, N, vdim), likewise.
            key_padding_mask: shape (N, S): True keys do not count; or floats that are added to the scores.
            need_weights: whether the attention weights come out too.
            attn_mask: shape (L, S) or (N·num_heads, L, S), likewise.
            average_attn_weights: whether the weights are averaged over the heads.

        Returns:
            (outputs, weights): outputs as `query`, weights of shape (N, L, S) or (N, num_heads, L, S); without
            `need_weights`, (outputs,).
        """
        try:
            inputs = [tensor._data for tensor in (query, key, value)]
            is_turned = self.batch_first and inputs[0].dim() == 3
            plain = not need_weights and key_padding_mask is None and attn_mask is None
            if is_turned and plain and inputs[0] is inputs[1] is inputs[2] and self._is_simple:
                return (wrap(self._attend_to_itself(inputs[0])),)
            if is_turned:
                inputs = [data.transpose(0, 1) for data in inputs]
            result, weights = self._compute_attention(
                inputs, key_padding_mask, need_weights, attn_mask, average_attn_weights
            )
            output = wrap(result.transpose(0, 1) if is_turned else result)
            return (output, wrap(weights)) if weights is not None else (output,)
        except Exception as error:
            raise explain(error, self.cls_name, query=query, key=key, value=value) from error

    def _attend_to_itself(self, data: torch.Tensor) -> torch.Tensor:
        """Compute the self-attention of one (N, L, embed_dim) tensor, in that layout: one projection, no copies."""
        joined = linear(data, _data_or_none(self.in_proj_weight), _data_or_none(self.in_proj_bias))
        query, key, value = joined.unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        dropout = self.dropout if self.training else 0.0
        if dropout and data.is_cpu:  # torch's own has no kernel there that drops, and draws slowly
            result = drop_elements(torch.softmax(query * query.size(-1) ** -0.5 @ key.mT, -1), dropout) @ value
        else:
            result = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout)
        result = result.transpose(1, 2).flatten(2)
        return linear(result, self.out_proj.weight._data, _data_or_none(self.out_proj.bias))

    def _compute_attention(
        self,
        inputs: list[torch.Tensor],
        key_padding_mask: Tensor | None,
        need_weights: bool,
        attn_mask: Tensor | None,
        average_attn_weights: bool,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        kind = inputs[0].dtype
        return F.multi_head_attention_forward(  # type: ignore[misc]
            *inputs,
            embed_dim_to_check=self.embed_dim,
            num_heads=self.num_heads,
            in_proj_weight=_data_or_none(self.in_proj_weight),
            in_proj_bias=_data_or_none(self.in_proj_bias),
            bias_k=_data_or_none(self.bias_k),
            bias_v=_data_or_none(self.bias_v),
            add_zero_attn=self.add_zero_attn,
            dropout_p=self.dropout,
            out_proj_weight=self.out_proj.weight._data,
            out_proj_bias=_data_or_none(self.out_proj.bias),
            training=self.training,
            key_padding_mask=additive_mask(key_padding_mask, kind),
            need_weights=need_weights,
            attn_mask=additive_mask(attn_mask, kind),
            use_separate_proj_weight=not self._is_joined,
            q_proj_weight=_data_or_none(self.q_proj_weight),
            k_proj_weight=_data_or_none(self.k_proj_weight),
            v_proj_weight=_data_or_none(self.v_proj_weight),
            average_attn_weights=average_attn_weights,
        )


def _data_or_none(tensor: Tensor | None) -> torch.Tensor | None:
    return None if tensor is None else tensor._data
