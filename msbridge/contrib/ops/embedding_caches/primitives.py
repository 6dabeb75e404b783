"""Primitives of caches.

Follows: mindspore.ops.operations._embedding_cache_ops, mindspore.ops.ReshapeAndCache, PagedAttention,
PagedAttentionMask (2.10); attention by its documented formula, on any device.
"""

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import Primitive, derive


def _pad_and_shift(input_x: Tensor, cum_sum_arr: Tensor, shift_idx: int) -> Tensor:
    """Return -1s, as many as the last sum, with the first of `input_x` from one sum to the next."""

    def shift(data: torch.Tensor, sums: torch.Tensor) -> torch.Tensor:
        ends = sums.tolist()
        found = data.new_full((ends[-1],), -1)
        start, end = ends[shift_idx], ends[shift_idx + 1]
        found[start:end] = data[: end - start]
        return found

    return call_kernel(shift, "PadAndShift", input_x, cum_sum_arr)  # type: ignore[no-any-return]


def _map_uniform(input: Tensor, per_group_size: int, group_num: int) -> Tensor:
    """Return x % groups · group size + x // groups: values dealt out to groups in turn.

    Args:
        input: integers, any shape.
        per_group_size: how many values a group has.
        group_num: how many groups.

    Returns:
        A Tensor of the shape and dtype of `input`.
    """

    def map_uniform(data: torch.Tensor) -> torch.Tensor:
        return data % int(group_num) * int(per_group_size) + data // int(group_num)

    return call_kernel(map_uniform, "MapUniform", input)  # type: ignore[no-any-return]


def _assign(variable: Tensor, value: Tensor) -> Tensor:
    """Write `value` to a Parameter or Tensor, whose shape may change, and return it."""
    try:
        overwrite(variable, value._data)
        return variable
    except Exception as error:
        raise explain(error, "DynamicAssign", variable=variable, value=value) from error


def _reshape_and_cache(
    key: Tensor, value: Tensor | None, key_cache: Tensor, value_cache: Tensor | None, slot_mapping: Tensor
) -> Tensor:
    """Write keys and values (tokens, heads, length) to the slots of their caches (blocks, size, …); return the keys.

    A negative slot is left out.

    Args:
        key: shape (tokens, heads, length).
        value: likewise, or None.
        key_cache: shape (blocks, size, ...); changed in place.
        value_cache: likewise, or None.
        slot_mapping: the slot of each token, (tokens,); integers.

    Returns:
        `key` itself.
    """
    try:
        slots = slot_mapping._data.long().reshape(-1)
        within = slots >= 0
        for new, cache in ((key, key_cache), (value, value_cache)):
            if new is not None and cache is not None:
                rows = cache._data.flatten(0, 1)
                news = new._data.reshape(len(slots), *rows.shape[1:])[within]
                overwrite(cache, rows.index_copy(0, slots[within], news).reshape(cache._data.shape))
        return key
    except Exception as error:
        raise explain(error, "ReshapeAndCache", key=key, key_cache=key_cache, slot_mapping=slot_mapping) from error


class PagedAttention(Primitive):
    """Attend from one query for each sequence to keys and values that lie in blocks of a cache.

    Args:
        head_num: heads of the queries.
        scale_value: what the products are multiplied by.
        kv_head_num: heads of the cache; several heads of the queries share one.
        kv_cache_quant_mode: "DEFAULT"; a quantised cache is refused.
        mask_mode: "MASK_DEFAULT"; others are refused.
        mla_v_dim: 0; others are refused.

    Inputs:
        query: one row for each sequence.
        key_cache: shape (blocks, size, heads, length).
        value_cache: likewise.
        block_tables: the blocks of each sequence, (N, blocks); integers.
        context_lens: the lengths of the sequences, (N,); integers.
        antiquant_scale: None.
        antiquant_offset: None.
        attn_mask: None.
        q_seq_lens: None.
        alibi_mask: None.

    Outputs:
        A Tensor of the shape and dtype of `query`.

    Raises:
        ValueError: another mode.

    Follows: mindspore.ops.PagedAttention (2.10), by its documentation.
    """

    def __init__(
        self,
        head_num: int,
        scale_value: float,
        kv_head_num: int,
        kv_cache_quant_mode: str = "DEFAULT",
        mask_mode: str = "MASK_DEFAULT",
        mla_v_dim: int = 0,
    ) -> None:
        super().__init__(type(self).__name__)
        one_of(kv_cache_quant_mode, "kv_cache_quant_mode", self.name, ("DEFAULT",))
        one_of(mask_mode, "mask_mode", self.name, ("MASK_DEFAULT",))
        one_of(mla_v_dim, "mla_v_dim", self.name, (0,))
        own = {"head_num": head_num, "scale_value": scale_value, "kv_head_num": kv_head_num}
        for name, value in own.items():
            self.add_prim_attr(name, value)

    def __call__(
        self,
        query: Tensor,
        key_cache: Tensor,
        value_cache: Tensor,
        block_tables: Tensor,
        context_lens: Tensor,
        antiquant_scale: Tensor | None = None,
        antiquant_offset: Tensor | None = None,
        attn_mask: Tensor | None = None,
        q_seq_lens: Tensor | None = None,
        alibi_mask: Tensor | None = None,
    ) -> Tensor:
        refused = {"antiquant_scale": antiquant_scale, "antiquant_offset": antiquant_offset, "q_seq_lens": q_seq_lens}
        return self._run(refused, query, key_cache, value_cache, block_tables, context_lens, attn_mask, alibi_mask)

    def _run(self, refused: dict[str, Tensor | None], *inputs: Tensor | None) -> Tensor:
        for name, value in refused.items():
            if value is not None:
                raise ValueError(f"For '{self.name}', {name} is not supported: it must be None.")
        return call_kernel(self._attend, self.name, *inputs)  # type: ignore[no-any-return]

    def _attend(
        self,
        query: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        tables: torch.Tensor,
        lengths: torch.Tensor,
        *masks: torch.Tensor | None,
    ) -> torch.Tensor:
        heads, groups = self.attrs["head_num"], self.attrs["kv_head_num"]
        asked = query.reshape(len(lengths), groups, heads // groups, -1).float()
        keys, values = (cache.reshape(*cache.shape[:2], groups, -1) for cache in (keys, values))
        keys, values = (cache[tables.clamp(min=0).long()].flatten(1, 2).float() for cache in (keys, values))
        scores = torch.einsum("bghd,btgd->bght", asked, keys) * self.attrs["scale_value"]
        for mask in masks:
            if mask is not None:
                known = mask.float().reshape(len(lengths), *([heads] if mask.dim() > 2 else [1]), -1)
                known = known[..., : scores.shape[-1]]
                known = torch.nn.functional.pad(known, (0, scores.shape[-1] - known.shape[-1]))
                scores = scores + known.expand(-1, heads, -1).reshape(scores.shape)
        beyond = torch.arange(scores.shape[-1], device=scores.device) >= lengths.reshape(-1, 1)
        shares = scores.masked_fill(beyond[:, None, None], float("-inf")).softmax(-1)
        return torch.einsum("bght,btgd->bghd", shares, values).to(query.dtype).reshape(query.shape)


class PagedAttentionMask(PagedAttention):
    """Attend to blocks of a cache with a bias (tokens, heads, 1, length) on the products.

    Args:
        head_num: heads of the queries.
        scale_value: what the products are multiplied by.
        kv_head_num: heads of the cache.
        kv_cache_quant_mode: "DEFAULT"; a quantised cache is refused.

    Inputs:
        query: one row for each sequence.
        key_cache: shape (blocks, size, heads, length).
        value_cache: likewise.
        block_tables: the blocks of each sequence, (N, blocks); integers.
        context_lens: the lengths of the sequences, (N,); integers.
        antiquant_scale: None.
        antiquant_offset: None.
        alibi_mask: the bias.

    Outputs:
        A Tensor of the shape and dtype of `query`.

    Raises:
        ValueError: another mode.

    Follows: mindspore.ops.PagedAttentionMask (2.10), by its documentation.
    """

    def __init__(
        self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = "DEFAULT"
    ) -> None:
        super().__init__(head_num, scale_value, kv_head_num, kv_cache_quant_mode)

    def __call__(  # type: ignore[override]
        self,
        query: Tensor,
        key_cache: Tensor,
        value_cache: Tensor,
        block_tables: Tensor,
        context_lens: Tensor,
        antiquant_scale: Tensor | None = None,
        antiquant_offset: Tensor | None = None,
        alibi_mask: Tensor | None = None,
    ) -> Tensor:
        refused = {"antiquant_scale": antiquant_scale, "antiquant_offset": antiquant_offset}
        return self._run(refused, query, key_cache, value_cache, block_tables, context_lens, alibi_mask)


DERIVED = (
    derive("DynamicAssign", _assign),
    derive("MapUniform", _map_uniform),
    derive("PadAndShift", _pad_and_shift),
    derive("ReshapeAndCache", _reshape_and_cache),
)
