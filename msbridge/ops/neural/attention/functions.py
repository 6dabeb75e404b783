"""Attention in one call, and the steps that attention layers of scripts are built of."""

import math

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.elementwise.elementwise.functions import cast
from msbridge.ops.neural.attention.kernels import FAR, Ends, alibi, attend_in_parts, eightfold, linear
from msbridge.ops.neural.dropout.functions import dropout
from msbridge.ops.shape.padding.functions import pad


def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None,
    padding_mask: None = None,
    attn_mask: Tensor | None = None,
    prefix: Ends = None,
    actual_seq_qlen: Ends = None,
    actual_seq_kvlen: Ends = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = FAR,
    next_tokens: int = FAR,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> Tensor:
    """Let queries attend to keys in several heads.

    Args:
        query: laid out as `input_layout` says: B batch, S sequence, N heads, D size of a head, H = N·D, T = all
            sequences of the batch one after the other.
        key: in the same layout; may have fewer heads, each of which serves several heads of the query.
        value: as `key`.
        head_num: heads of the query.
        real_shift: added to the scaled scores, broadcast to (B, N, S, S).
        drop_mask: which attention weights stay, instead of a draw: (B, N, S, S), or eight of them in a byte.
        padding_mask: only None.
        attn_mask: nonzero or True hides a key from a query, broadcast to (B, N, S, S).
        prefix: for sparse mode 5, how many of the first keys of each sequence every query sees.
        actual_seq_qlen: for "TND", where the queries of each sequence end.
        actual_seq_kvlen: for "TND", where the keys of each sequence end.
        keep_prob: share of the attention weights that stays.
        scalar_value: factor of the scores.
        pre_tokens: how many keys before its own position a query sees, in sparse mode 0 with a mask, and 4.
        next_tokens: how many after it.
        inner_precise: without effect: scores are computed in Float32, as with 0.
        input_layout: "BSH", "BNSD", "SBH", "BSND" or "TND".
        sparse_mode: 0 the mask given, 1 the mask given without the window, 2 causal from the first position, 3 causal
            to the last position, 4 the window of pre_tokens and next_tokens, aligned at the last position, 5 as 3 with
            a prefix.

    Returns:
        A Tensor in the layout and dtype of `query`.

    Raises:
        NotImplementedError: padding_mask or another sparse mode.
        ValueError: an unknown layout, or shapes that do not fit.

    Follows: mindspore.ops.flash_attention_score (2.10), from its documentation: it runs on Ascend only.
    """
    return attend_in_parts(
        *(query, key, value, head_num, real_shift, drop_mask, padding_mask, attn_mask, prefix),
        *(actual_seq_qlen, actual_seq_kvlen, keep_prob, scalar_value, (pre_tokens, next_tokens, sparse_mode)),
        input_layout=input_layout,
    )[2]


def speed_fusion_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: Tensor | None = None,
    padding_mask: None = None,
    atten_mask: Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tokens: int = FAR,
    next_tokens: int = FAR,
    inner_precise: int = 0,
    prefix: Ends = None,
    actual_seq_qlen: Ends = None,
    actual_seq_kvlen: Ends = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    pse_type: int = 1,
    q_start_idx: Ends = None,
    kv_start_idx: Ends = None,
) -> tuple[Tensor, ...]:
    """Let queries attend to keys in several heads, as `flash_attention_score`, whose arguments most of these are.

    Args:
        query: in the layout.
        key: in the layout.
        value: in the layout.
        head_num: heads of the query.
        input_layout: "BSH", "BNSD", "SBH", "BSND" or "TND".
        pse: what shifts the scores, broadcast to (B, N, S, S); for types 2 and 3 slopes of the heads, (N,) or (B, N).
        padding_mask: only None.
        atten_mask: nonzero or True hides a key from a query.
        scale: factor of the scores.
        keep_prob: share of the attention weights that stays.
        pre_tokens: how many keys before its own position a query sees, in sparse mode 0 with a mask, and 4.
        next_tokens: how many after it.
        inner_precise: without effect, as in MindSpore.
        prefix: for sparse mode 5.
        actual_seq_qlen: for "TND", where the queries of each sequence end.
        actual_seq_kvlen: for "TND", where the keys of each sequence end.
        sparse_mode: see `flash_attention_score`.
        gen_mask_parallel: without effect, as in MindSpore.
        sync: without effect, as in MindSpore.
        pse_type: 0 scales the scores and adds the shift, 1 adds and then scales, 2 shifts by the slope times the
            negative distance between query and key, 3 by the slope times the negative root of the distance.
        q_start_idx: for types 2 and 3, the position of the first query.
        kv_start_idx: for types 2 and 3, the position of the first key.

    Returns:
        The result, the largest scores and their sums, eight times each, an empty Tensor, and three numbers of the
        dropout: seed, offset and length of its mask; here the draws are torch's, and the numbers are zero.

    Raises:
        NotImplementedError: padding_mask or another sparse mode.
        ValueError: an unknown layout or type, or shapes that do not fit.

    Follows: mindspore.ops.speed_fusion_attention (2.10), from its documentation: it runs on Ascend only.
    """
    one_of(pse_type, "pse_type", "speed_fusion_attention", range(4))
    shift = pse
    if pse_type in (2, 3) and pse is not None:
        starts = [0 if one is None else int(one[0]) for one in (q_start_idx, kv_start_idx)]
        axis = {"BSH": 1, "BSND": 1, "BNSD": 2}.get(input_layout, 0)
        lengths = (query.shape[axis], key.shape[axis])
        shift = wrap(alibi(pse._data, lengths, (starts[0], starts[1]), pse_type == 3))
    largest, total, result = attend_in_parts(
        *(query, key, value, head_num, shift, None, padding_mask, atten_mask, prefix),
        *(actual_seq_qlen, actual_seq_kvlen, keep_prob, scale, (pre_tokens, next_tokens, sparse_mode)),
        *(input_layout, pse_type == 1, "speed_fusion_attention"),
    )
    numbers = (wrap(torch.zeros((), dtype=torch.int64)) for _ in range(3))
    return result, eightfold(largest), eightfold(total), wrap(result._data.new_empty(0)), *numbers


def _inner_dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """Set a share `p` of the elements to zero while training.

    Follows: mindspore.ops.function.nn_func._inner_dropout (2.10).
    """
    return dropout(x, p, training) if 0.0 < p <= 1.0 and training else x


def _inner_pad(x: Tensor, padding: tuple[int, ...], value: float | None = None) -> Tensor:
    """Put a border around a tensor of any dtype, bool too.

    Follows: mindspore.ops.function.nn_func._inner_pad (2.10).
    """
    return cast(pad(x, padding, value=value), x.dtype)


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    b_q: Tensor | None = None,
    b_k: Tensor | None = None,
    b_v: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Project query, key and value, each by its own weight, to the size of the query.

    Raises:
        ValueError: a weight or bias has another shape.

    Follows: mindspore.ops.function.nn_func._in_projection (2.10).
    """
    size = q.shape[-1]
    rows = (("query", q, w_q, b_q), ("key", k, w_k, b_k), ("value", v, w_v, b_v))
    for name, tensor, weight, bias in rows:
        if weight.shape != (size, tensor.shape[-1]):
            raise ValueError(
                f"Expecting {name} weights shape of {(size, tensor.shape[-1])}, but got {tuple(weight.shape)}"
            )
        if bias is not None and bias.shape != (size,):
            raise ValueError(f"Expecting {name} bias shape of {(size,)}, but got {tuple(bias.shape)}")
    return linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None, k_is_v: bool, q_is_k: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Project query, key and value by one weight that holds those of all three, one below the other.

    Where the tensors are the same (`k_is_v`, `q_is_k`), one product serves them.

    Follows: mindspore.ops.function.nn_func._in_projection_packed (2.10).
    """
    size = q.shape[-1]
    bias = None if b is None else b._data
    if k_is_v and q_is_k:
        parts = torch.nn.functional.linear(q._data, w._data, bias).tensor_split(3, -1)
        return wrap(parts[0]), wrap(parts[1]), wrap(parts[2])
    weights = w._data.split(size)
    biases = (None, None, None) if bias is None else bias.split(size)
    data = zip((q._data, k._data, v._data), weights, biases, strict=True)
    parts = tuple(torch.nn.functional.linear(*row) for row in data)
    return wrap(parts[0]), wrap(parts[1]), wrap(parts[2])


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Return whether the query is batched.

    Raises:
        ValueError: it has neither two nor three axes, or key and value have other numbers of them.

    Follows: mindspore.ops.function.nn_func._check_qkv_shape (2.10).
    """
    if query_ndim not in (2, 3):
        raise ValueError(
            f"The `query` should be unbatched 2D or batched 3D tensor, but got `query` with {query_ndim}D."
        )
    if key_ndim != query_ndim or value_ndim != query_ndim:
        raise ValueError(
            f"For a `query` with {query_ndim}D, the `key` and `value` must be {query_ndim}D tensors, "
            f"but got `key` with {key_ndim}D and `value` with {value_ndim}D."
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """Refuse a padding mask that has not one axis less than the query.

    Follows: mindspore.ops.function.nn_func._check_kpm_shape (2.10).
    """
    if query_ndim in (2, 3) and kmp_ndim != query_ndim - 1:
        raise ValueError(
            f"For a `query` with {query_ndim}D, the `key_padding_mask` must be `None` or {query_ndim - 1}D, "
            f"but got `key_padding_mask` with {kmp_ndim}D."
        )


def _check_attn_mask_shape(
    query_ndim: int,
    query_shape: tuple[int, ...],
    key_shape: tuple[int, ...],
    attn_mask_ndim: int,
    attn_mask_shape: tuple[int, ...],
    num_heads: int,
) -> None:
    """Refuse a mask with neither two nor three axes, or, for one unbatched query, of another shape.

    Follows: mindspore.ops.function.nn_func._check_attn_mask_shape (2.10).
    """
    if query_ndim in (2, 3) and attn_mask_ndim not in (2, 3):
        raise ValueError(f"The `attn_mask` must be `None`, 2-D or 3-D, but got `attn_mask` with {attn_mask_ndim}D.")
    expected = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != expected:
        raise ValueError(f"The shape of `attn_mask` must to be {expected}, but got {tuple(attn_mask_shape)}.")


def _interploate_ext_make_tuple(
    input: Tensor, value: float | tuple[float, ...] | list[float]
) -> tuple[float, ...] | list[float]:
    """Return one value per spatial axis of a batch of images.

    Follows: mindspore.ops.function.nn_func._interploate_ext_make_tuple (2.10).
    """
    return value if isinstance(value, list | tuple) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(
    input: Tensor, scale_factor: tuple[float, ...] | list[float]
) -> tuple[int, ...]:
    """Return the spatial size that the factors lead to, rounded down.

    Follows: mindspore.ops.function.nn_func._interpolate_ext_scale_factor_convert_size (2.10).
    """
    return tuple(math.floor(length * factor) for length, factor in zip(input.shape[2:], scale_factor, strict=False))
