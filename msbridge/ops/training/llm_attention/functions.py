"""Attention of language models that serve; here it runs wherever torch does.

MindSpore computes these on an Ascend only; they follow its documentation and are tested against torch.
"""

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import scalar_or_tensor
from msbridge.ops.neural.attention.kernels import FAR
from msbridge.ops.training.llm_attention import kernels
from msbridge.ops.training.llm_attention.kernels import Lengths, Parts, Scores


def incre_flash_attention(
    query: Tensor,
    key: Parts,
    value: Parts,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Lengths = None,
    pse_shift: Tensor | None = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    num_heads: int = 1,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
    kv_padding_size: Tensor | None = None,
) -> Tensor:
    """Let the newest token of each sequence attend to the keys so far.

    Args:
        query: (B, 1, H) or (B, N, 1, D).
        key: (B, S, kvH) or (B, kvN, S, D), also as one tensor for each sequence; with `block_table` blocks of a cache,
            (blocks, block size, kvH) or (blocks, kvN, block size, D).
        value: as `key`.
        attn_mask: nonzero or True hides a key: (B, S), (B, 1, S) or (B, 1, 1, S).
        actual_seq_lengths: how many keys of each sequence count.
        pse_shift: added to the scaled scores, (1, N, 1, S) or (B, N, 1, S).
        dequant_scale1: None, as in MindSpore.
        quant_scale1: None, as in MindSpore.
        dequant_scale2: None, as in MindSpore.
        quant_scale2: the result is rounded to Int8, times this.
        quant_offset2: plus this.
        antiquant_scale: keys and values are Int8, times this: (2, kvN, 1, D), (2, kvH) or (2,), keys first.
        antiquant_offset: plus this before.
        block_table: the blocks of each sequence, (B, blocks).
        num_heads: heads of the query.
        input_layout: "BSH" or "BNSD".
        scale_value: factor of the scores.
        num_key_value_heads: heads of the keys; 0 for as many.
        block_size: what the blocks show, too.
        inner_precise: without effect: scores are computed as torch does.
        kv_padding_size: how many places after the keys of each sequence are empty; the keys then are at the end.

    Returns:
        A Tensor of the shape of `query`, of its dtype or Int8.

    Raises:
        ValueError: another layout, or a factor that MindSpore does not take either.

    Follows: mindspore.ops.incre_flash_attention (2.10), from its documentation: it runs on Ascend only.
    """
    op = "incre_flash_attention"
    one_of(input_layout, "input_layout", op, ("BSH", "BNSD"))
    unused = {"dequant_scale1": dequant_scale1, "quant_scale1": quant_scale1, "dequant_scale2": dequant_scale2}
    for name, factor in unused.items():
        one_of(factor, name, op, (None,))
    try:
        q, k, v = _bring_to_heads(query, key, value, input_layout, num_heads, num_key_value_heads, block_table)
        k, v = _restore(k, v, antiquant_scale, antiquant_offset, q.dtype)
        padding = None if kv_padding_size is None else max(int(kv_padding_size), 0)
        scores = Scores(
            *(num_heads, scale_value, scalar_or_tensor(pse_shift), scalar_or_tensor(attn_mask)),
            key_lengths=kernels.counts(actual_seq_lengths, q.device),
            key_padding=padding,
        )
        found = kernels.attend(q, k, v, scores)
        found = kernels.round_to_int8(found, scalar_or_tensor(quant_scale2), scalar_or_tensor(quant_offset2))
        return wrap(kernels.arrange(found, input_layout))
    except Exception as error:
        raise explain(error, op, query=query, key=key, value=value) from error


def prompt_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Lengths = None,
    actual_seq_lengths_kv: Lengths = None,
    pse_shift: Tensor | None = None,
    deq_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    deq_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    num_heads: int = 1,
    scale_value: float = 1.0,
    pre_tokens: int = FAR,
    next_tokens: int = 0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
) -> Tensor:
    """Let all tokens of a prompt attend to its keys.

    Args:
        query: (B, S, H) or (B, N, S, D).
        key: in the same layout; may have fewer heads, each of which serves several heads of the query.
        value: as `key`.
        attn_mask: nonzero or True hides a key: (S, S), (B, S, S) or (B, 1, S, S); modes 2 to 4 need none.
        actual_seq_lengths: how many queries of each sequence count; the others find zeros.
        actual_seq_lengths_kv: how many keys of each sequence count.
        pse_shift: added to the scaled scores, (B, N, S, S) or (1, N, S, S).
        deq_scale1: for Int8 inputs: factor of the products with the keys.
        quant_scale1: for Int8 inputs: factor of the weights before they are rounded to Int8.
        deq_scale2: for Int8 inputs: factor of the products with the values.
        quant_scale2: the result is rounded to Int8, times this.
        quant_offset2: plus this.
        num_heads: heads of the query.
        scale_value: factor of the scores.
        pre_tokens: how many keys before its own position a query sees, in mode 0 with a mask, and mode 4.
        next_tokens: how many after it.
        input_layout: "BSH" or "BNSD".
        num_key_value_heads: heads of the keys; 0 for as many.
        sparse_mode: 0 the mask given, within the window, 1 the mask given, 2 causal from the first position, 3 causal
            to the last position that counts, 4 the window, aligned there.
        inner_precise: without effect: scores are computed as torch does.

    Returns:
        A Tensor of the shape of `query`, of its dtype, Float16 for Int8 inputs, or Int8.

    Raises:
        ValueError: another layout or mode.

    Follows: mindspore.ops.prompt_flash_attention (2.10), from its documentation: it runs on Ascend only.
    """
    op = "prompt_flash_attention"
    one_of(input_layout, "input_layout", op, ("BSH", "BNSD"))
    one_of(sparse_mode, "sparse_mode", op, range(5))
    try:
        q, k, v = _bring_to_heads(query, key, value, input_layout, num_heads, num_key_value_heads, None)
        scores = Scores(
            *(num_heads, scale_value, scalar_or_tensor(pse_shift), scalar_or_tensor(attn_mask)),
            *((pre_tokens, next_tokens, sparse_mode), kernels.counts(actual_seq_lengths, q.device)),
            key_lengths=kernels.counts(actual_seq_lengths_kv, q.device),
        )
        if q.dtype == torch.int8:
            factors = [scalar_or_tensor(one) for one in (deq_scale1, quant_scale1, deq_scale2)]
            attended = kernels.attend_in_integers(q, k, v, scores, factors)
        else:
            attended = kernels.attend(q, k, v, scores)
        attended = kernels.round_to_int8(attended, scalar_or_tensor(quant_scale2), scalar_or_tensor(quant_offset2))
        return wrap(kernels.arrange(attended, input_layout))
    except Exception as error:
        raise explain(error, op, query=query, key=key, value=value) from error


def fused_infer_attention_score(
    query: Tensor,
    key: Parts,
    value: Parts,
    *,
    pse_shift: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_lengths: Lengths = None,
    actual_seq_lengths_kv: Lengths = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    key_antiquant_scale: Tensor | None = None,
    key_antiquant_offset: Tensor | None = None,
    value_antiquant_scale: Tensor | None = None,
    value_antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    query_padding_size: Tensor | None = None,
    kv_padding_size: Tensor | None = None,
    key_shared_prefix: None = None,
    value_shared_prefix: None = None,
    actual_shared_prefix_len: None = None,
    num_heads: int = 1,
    scale: float = 1.0,
    pre_tokens: int = FAR,
    next_tokens: int = FAR,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
) -> tuple[Tensor, Tensor]:
    """Let queries attend to keys: one query of each sequence, or all of a prompt.

    Args:
        query: in the layout; one query of each sequence is the step of `incre_flash_attention`, more are the prompt of
            `prompt_flash_attention`, whose arguments these are.
        key: in the layout, also as one tensor for each sequence, or blocks of a cache.
        value: as `key`.
        pse_shift: added to the scaled scores.
        atten_mask: nonzero or True hides a key.
        actual_seq_lengths: how many queries of each sequence count.
        actual_seq_lengths_kv: how many keys of each sequence count.
        dequant_scale1: for Int8 inputs: factor of the products with the keys.
        quant_scale1: for Int8 inputs: factor of the weights before they are rounded to Int8.
        dequant_scale2: for Int8 inputs: factor of the products with the values.
        quant_scale2: the result is rounded to Int8, times this.
        quant_offset2: plus this.
        antiquant_scale: keys and values are Int8, times this: two numbers, one for each feature, or one for each token,
            (2, B, S); keys first.
        antiquant_offset: plus this before.
        key_antiquant_scale: the same for keys only.
        key_antiquant_offset: plus this before.
        value_antiquant_scale: the same for values only.
        value_antiquant_offset: plus this before.
        block_table: the blocks of each sequence, (B, blocks).
        query_padding_size: None; queries are at the beginning.
        kv_padding_size: how many places after the keys of each sequence are empty; the keys then are at the end.
        key_shared_prefix: None, as in MindSpore.
        value_shared_prefix: None, as in MindSpore.
        actual_shared_prefix_len: None, as in MindSpore.
        num_heads: heads of the query.
        scale: factor of the scores.
        pre_tokens: how many keys before its own position a query sees, in mode 0 with a mask, and mode 4.
        next_tokens: how many after it.
        input_layout: "BSH", "BNSD", "BSND" or "BNSD_BSND".
        num_key_value_heads: heads of the keys; 0 for as many.
        sparse_mode: 0 to 4, as in `prompt_flash_attention`.
        inner_precise: without effect: scores are computed as torch does, and a query that sees no key finds zeros.
        block_size: what the blocks show, too.
        antiquant_mode: what the shape of the factors shows, too.
        key_antiquant_mode: what the shape of the factors shows, too.
        value_antiquant_mode: what the shape of the factors shows, too.
        softmax_lse_flag: whether the logarithms of the sums are wanted.

    Returns:
        The result in the layout, and log(sum(exp(score))) of each query, Float32, (B, N, S, 1); one zero if unwanted.

    Raises:
        ValueError: another layout or mode, or an argument that must be None.

    Follows: mindspore.ops.fused_infer_attention_score (2.10), from its documentation: it runs on Ascend only.
    """
    op = "fused_infer_attention_score"
    one_of(input_layout, "input_layout", op, ("BSH", "BNSD", "BSND", "BNSD_BSND"))
    one_of(sparse_mode, "sparse_mode", op, range(5))
    unused = {"query_padding_size": query_padding_size, "key_shared_prefix": key_shared_prefix}
    unused |= {"value_shared_prefix": value_shared_prefix, "actual_shared_prefix_len": actual_shared_prefix_len}
    for name, given in unused.items():
        one_of(given, name, op, (None,))
    try:
        first, _, last = input_layout.partition("_")
        q, k, v = _bring_to_heads(query, key, value, first, num_heads, num_key_value_heads, block_table)
        is_step = q.shape[-2] == 1
        if q.dtype != torch.int8:
            k, v = _restore(k, v, antiquant_scale, antiquant_offset, q.dtype)
            k = _restore_alone(k, key_antiquant_scale, key_antiquant_offset, q.dtype)
            v = _restore_alone(v, value_antiquant_scale, value_antiquant_offset, q.dtype)
        scores = Scores(
            *(num_heads, scale, scalar_or_tensor(pse_shift), scalar_or_tensor(atten_mask)),
            window=(0, 0, 1) if is_step else (pre_tokens, next_tokens, sparse_mode),
            query_lengths=None if is_step else kernels.counts(actual_seq_lengths, q.device),
            key_lengths=kernels.counts(actual_seq_lengths_kv, q.device),
            key_padding=None if kv_padding_size is None else max(int(kv_padding_size), 0),
        )
        if q.dtype == torch.int8:
            factors = [scalar_or_tensor(one) for one in (dequant_scale1, quant_scale1, dequant_scale2)]
            attended = kernels.attend_in_integers(q, k, v, scores, factors)
        else:
            attended = kernels.attend(q, k, v, scores)
        attended = kernels.round_to_int8(attended, scalar_or_tensor(quant_scale2), scalar_or_tensor(quant_offset2))
        sums = kernels.raw(q, k, scores).logsumexp(-1, keepdim=True) if softmax_lse_flag else q.new_zeros(1).float()
        return wrap(kernels.arrange(attended, last or first)), wrap(sums)
    except Exception as error:
        raise explain(error, op, query=query, key=key, value=value) from error


def _bring_to_heads(
    query: Tensor, key: Parts, value: Parts, layout: str, heads: int, key_heads: int, table: Tensor | None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Bring query, keys and values to (B, N, S, D)."""
    stored = [kernels.one_tensor(key), kernels.one_tensor(value)]
    if table is not None:
        stored = [kernels.gather_blocks(blocks, table._data, layout) for blocks in stored]
    k, v = (kernels.heads_first(one, layout, key_heads or heads) for one in stored)
    return kernels.heads_first(query._data, layout, heads), k, v


def _restore(
    key: torch.Tensor, value: torch.Tensor, scale: Tensor | None, offset: Tensor | None, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return keys and values as numbers, by factors that hold those of the keys first."""
    if scale is None:
        return key, value
    offsets = [None, None] if offset is None else list(offset._data)
    pairs = zip((key, value), scale._data, offsets, strict=True)
    found = [kernels.restore(data, one, other, dtype) for data, one, other in pairs]
    return found[0], found[1]


def _restore_alone(data: torch.Tensor, scale: Tensor | None, offset: Tensor | None, dtype: torch.dtype) -> torch.Tensor:
    return kernels.restore(data, scalar_or_tensor(scale), scalar_or_tensor(offset), dtype)
