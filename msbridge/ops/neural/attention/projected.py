"""Attention with all its projections, a function that `mindspore.ops` does not publish itself."""

import torch
import torch.nn.functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32
from msbridge.ops.neural.attention.kernels import additive_mask

__all__ = ["multi_head_attention_forward"]


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
    k_is_v: bool = False,
    q_is_k: bool = False,
    dtype: Type = float32,
) -> tuple[Tensor, Tensor]:
    """Let queries attend to keys in several heads, with all projections.

    Args:
        query: shape (L, N, embed_dim) or (L, embed_dim).
        key: shape (S, N, kdim), or without N.
        value: shape (S, N, vdim), or without N.
        embed_dim_to_check: the width that `query` must have.
        num_heads: how many heads share it.
        in_proj_weight: shape (3 · embed_dim, embed_dim), unless there are separate ones.
        in_proj_bias: shape (3 · embed_dim,).
        bias_k: shape (1, 1, embed_dim), one more key; with `bias_v`, one more value.
        bias_v: see `bias_k`.
        add_zero_attn: whether there is one more key and value of zeros.
        dropout_p: the share of the weights that are dropped in training.
        out_proj_weight: shape (embed_dim, embed_dim).
        out_proj_bias: shape (embed_dim,).
        training: whether weights are dropped.
        key_padding_mask: shape (N, S): True keys do not count; or floats that are added to the scores.
        attn_mask: shape (L, S) or (N · num_heads, L, S), likewise.
        use_separate_proj_weight: whether the three weights below count instead of `in_proj_weight`.
        q_proj_weight: shape (embed_dim, embed_dim).
        k_proj_weight: shape (embed_dim, kdim).
        v_proj_weight: shape (embed_dim, vdim).
        static_k: shape (N · num_heads, S, embed_dim / num_heads), in place of the projected keys.
        static_v: likewise.
        average_attn_weights: whether the weights are averaged over the heads.
        is_causal: adds 1 to the scores of keys that are not later than the query, in place of all masks; what the
            name promises, 2.10 does not do.
        k_is_v: that `key` is `value`; the numbers are the same without it.
        q_is_k: that `query` is `key`, likewise.
        dtype: of a scale inside; the numbers are the same.

    Returns:
        (outputs, weights): outputs as `query`, weights of shape (N, L, S) or (N, num_heads, L, S).

    Raises:
        ValueError: a weight is missing, or shapes do not fit.

    Follows: mindspore.ops.function.nn_func.multi_head_attention_forward (2.10).
    """
    del k_is_v, q_is_k, dtype
    wanted = ("q_proj_weight", "k_proj_weight", "v_proj_weight") if use_separate_proj_weight else ("in_proj_weight",)
    given = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else (in_proj_weight,)
    for name, weight in zip(wanted, given, strict=True):
        if weight is None:
            raise ValueError(
                f"For 'multi_head_attention_forward', '{name}' must be given where 'use_separate_proj_weight' is "
                f"{use_separate_proj_weight}."
            )
    if (bias_k is None) != (bias_v is None):
        raise ValueError("For 'multi_head_attention_forward', 'bias_k' and 'bias_v' must be given together.")
    for name, mask in (("key_padding_mask", key_padding_mask), ("attn_mask", attn_mask)):
        if (
            mask is not None
            and not mask._data.is_floating_point()
            and mask._data.dtype not in (torch.bool, torch.uint8)
        ):
            raise ValueError(f"For 'multi_head_attention_forward', '{name}' takes bools or floats, not {mask.dtype}.")
    kind = query._data.dtype
    masks = additive_mask(key_padding_mask, kind), additive_mask(attn_mask, kind)
    if is_causal:
        masks = None, torch.ones(query.shape[0], key.shape[0], dtype=kind, device=query._data.device).tril()
    inputs = [query, key, value, in_proj_weight, in_proj_bias, bias_k, bias_v, out_proj_weight, out_proj_bias]
    inputs += [q_proj_weight, k_proj_weight, v_proj_weight, static_k, static_v]
    q, k, v, joined, bias, more_k, more_v, out, out_bias, q_weight, k_weight, v_weight, fixed_k, fixed_v = (
        None if one is None else one._data for one in inputs
    )
    try:
        outputs, weights = F.multi_head_attention_forward(
            *(q, k, v, embed_dim_to_check, num_heads, joined, bias, more_k, more_v, add_zero_attn, dropout_p),
            *(out, out_bias, training),
            key_padding_mask=masks[0],
            attn_mask=masks[1],
            use_separate_proj_weight=use_separate_proj_weight,
            q_proj_weight=q_weight,
            k_proj_weight=k_weight,
            v_proj_weight=v_weight,
            static_k=fixed_k,
            static_v=fixed_v,
            average_attn_weights=average_attn_weights,
        )
    except (AssertionError, RuntimeError) as error:  # how torch refuses shapes here
        raise ValueError(f"For 'multi_head_attention_forward', {error}") from error
    return wrap(outputs), wrap(weights)
