"""Attention over caches: layouts, blocks, lengths, masks and quantised values."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch.nn.functional import scaled_dot_product_attention

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.neural.attention.kernels import hide_by_mode

Lengths = Tensor | tuple[int, ...] | list[int] | None
Parts = Tensor | tuple[Tensor, ...] | list[Tensor]


@dataclass(frozen=True, slots=True)
class Scores:
    """Settings of attention scores.

    Attributes:
        heads: heads of the query.
        scale: factor of the scores.
        shift: what is added then, broadcast to (B, N, S, S).
        mask: nonzero hides a key, with two to four axes.
        window: pre_tokens, next_tokens and sparse mode.
        query_lengths: how many queries of each sequence count.
        key_lengths: how many keys of each sequence count.
        key_padding: how many keys at the end of each sequence do not count; None: keys are at the beginning.
    """

    heads: int
    scale: float
    shift: torch.Tensor | None = None
    mask: torch.Tensor | None = None
    window: tuple[int, int, int] = (0, 0, 1)
    query_lengths: torch.Tensor | None = None
    key_lengths: torch.Tensor | None = None
    key_padding: int | None = None


def heads_first(data: torch.Tensor, layout: str, heads: int) -> torch.Tensor:
    """Bring a tensor to (B, N, S, D)."""
    if layout == "BSH":
        data = data.unflatten(-1, (heads, -1))
    return data if layout == "BNSD" else data.transpose(1, 2)


def arrange(data: torch.Tensor, layout: str) -> torch.Tensor:
    """Bring (B, N, S, D) to the layout."""
    if layout == "BNSD":
        return data
    data = data.transpose(1, 2)
    return data.flatten(2) if layout == "BSH" else data


def one_tensor(parts: Parts) -> torch.Tensor:
    """Return keys or values, which may come as a tensor for each sequence."""
    if isinstance(parts, Tensor):
        return parts._data
    return parts[0]._data if len(parts) == 1 else torch.cat([part._data for part in parts])


def gather_blocks(blocks: torch.Tensor, table: torch.Tensor, layout: str) -> torch.Tensor:
    """Return the concatenated keys of the sequences of a cache in blocks.

    Args:
        blocks: (blocks, block size, H) for "BSH", (blocks, N, block size, D) for "BNSD", else (blocks, size, N, D).
        table: the blocks of each sequence, (B, blocks of a sequence); what is negative is not read.
        layout: of the blocks.
    """
    found = blocks[table.long().clamp(min=0)]
    return found.transpose(1, 2).flatten(2, 3) if layout == "BNSD" else found.flatten(1, 2)


def counts(lengths: Lengths, device: torch.device) -> torch.Tensor | None:
    """Return lengths as a tensor of integers."""
    if lengths is None:
        return None
    data = lengths._data if isinstance(lengths, Tensor) else torch.tensor(list(lengths))
    return data.reshape(-1).to(device, torch.int64)


def factor(scale: torch.Tensor) -> torch.Tensor:
    """Return factors in Float32; in 64 bits an Ascend keeps the bits of a Float32 in the lower half."""
    if scale.dtype in (torch.uint64, torch.int64):
        return scale.view(torch.int64).bitwise_and(0xFFFFFFFF).to(torch.int32).view(torch.float32)
    return scale.float()


def restore(
    data: torch.Tensor, scale: torch.Tensor | None, offset: torch.Tensor | None, dtype: torch.dtype
) -> torch.Tensor:
    """Return quantised keys or values, (B, N, S, D), as numbers: (data + offset) · scale.

    `scale` and `offset` hold one number, one for each feature, (N, 1, D), (N, D) or (H,), or one per token, (B, S).
    """
    if scale is None:
        return data.to(dtype)
    numbers = data.float() if offset is None else data.float() + _beside(offset.float(), data)
    return (numbers * _beside(scale.float(), data)).to(dtype)


def _beside(numbers: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    batch, heads, length, size = data.shape
    if numbers.numel() == 1:
        return numbers.reshape(())
    if numbers.numel() == heads * size:
        return numbers.reshape(heads, 1, size)
    return numbers.reshape(batch, 1, length, 1)


def hide_keys(scores: Scores, batch: int, queries: int, keys: int, device: torch.device) -> torch.Tensor | None:
    """Return the mask of the keys that a query does not see, broadcast to (B, N, queries, keys); None: it sees all."""
    mode = scores.window[2]
    hidden = None
    if mode in (0, 1) and scores.mask is not None:
        hidden = _four_axes(scores.mask, batch, queries, keys)
    if mode != 0 or scores.mask is not None:
        hidden = _either(hidden, _by_mode(scores, queries, keys, device))
    if scores.key_lengths is not None:
        places = torch.arange(keys, device=device)
        ends = torch.full_like(scores.key_lengths, keys if scores.key_padding is None else keys - scores.key_padding)
        starts = ends - scores.key_lengths
        if scores.key_padding is None:
            starts, ends = torch.zeros_like(ends), scores.key_lengths
        absent = (places < starts[:, None]) | (places >= ends[:, None])
        hidden = _either(hidden, absent[:, None, None])
    if scores.query_lengths is not None:
        absent = torch.arange(queries, device=device) >= scores.query_lengths[:, None]
        hidden = _either(hidden, absent[:, None, :, None])
    return hidden


def _by_mode(scores: Scores, queries: int, keys: int, device: torch.device) -> torch.Tensor | None:
    """Return the mask of the sparse mode; modes 3 and 4 start from the last query and key that count."""
    before, after, mode = scores.window
    if mode not in (3, 4) or (scores.query_lengths is None and scores.key_lengths is None):
        return hide_by_mode(queries, keys, scores.window, device)
    before, after = (queries + keys, 0) if mode == 3 else (before, after)
    last_key = torch.tensor([keys], device=device) if scores.key_lengths is None else scores.key_lengths
    last_query = torch.tensor([queries], device=device) if scores.query_lengths is None else scores.query_lengths
    aligned = (last_key - last_query)[:, None, None, None]
    distance = torch.arange(keys, device=device) - torch.arange(queries, device=device)[:, None] - aligned
    return (distance > after) | (distance < -before)


def _four_axes(mask: torch.Tensor, batch: int, queries: int, keys: int) -> torch.Tensor:
    mask = mask != 0
    if queries == 1 and mask.numel() in (keys, batch * keys):
        return mask.reshape(-1, 1, 1, keys)
    return mask[:, None] if mask.dim() == 3 else mask


def _either(one: torch.Tensor | None, other: torch.Tensor | None) -> torch.Tensor | None:
    if one is None or other is None:
        return other if one is None else one
    return one | other


def attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scores: Scores) -> torch.Tensor:
    """Return the attended values of the queries, all (B, N, S, D); a query that sees no key gets zeros."""
    queries, keys = query.shape[-2], key.shape[-2]
    unseen = hide_keys(scores, query.shape[0], queries, keys, query.device)
    mask = None if unseen is None else ~unseen
    if scores.shift is not None:
        mask = scores.shift.to(query.dtype)
        mask = mask if unseen is None else mask.masked_fill(unseen, -torch.inf)
    shared = key.shape[1] != query.shape[1]
    found = scaled_dot_product_attention(query, key, value, mask, scale=scores.scale, enable_gqa=shared)
    return found if unseen is None else found.masked_fill(unseen.all(-1, keepdim=True), 0)


def raw(query: torch.Tensor, key: torch.Tensor, scores: Scores, factor: torch.Tensor | float = 1.0) -> torch.Tensor:
    """Return the scores in Float32, (B, N, queries, keys), hidden ones at minus infinity."""
    key = key.repeat_interleave(query.shape[1] // key.shape[1], 1)
    found = query.float() @ key.float().mT * factor * scores.scale
    found = found if scores.shift is None else found + scores.shift
    unseen = hide_keys(scores, query.shape[0], query.shape[-2], key.shape[-2], query.device)
    return found if unseen is None else found.masked_fill(unseen, -torch.inf)


def attend_in_integers(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scores: Scores,
    factors: Sequence[torch.Tensor | None],
) -> torch.Tensor:
    """Return the attended values of Int8 queries, keys and values, in Float16.

    `factors`: of the products with the keys, of the weights before they are rounded, of the products with the values.
    """
    of_scores, of_weights, of_values = (1.0 if one is None else factor(one) for one in factors)
    weights = torch.softmax(raw(query, key, scores, of_scores), -1).nan_to_num()
    value = value.repeat_interleave(query.shape[1] // value.shape[1], 1)
    products = (weights * of_weights).round().clamp(-128, 127) @ value.float()
    return (products * of_values).half()


def round_to_int8(data: torch.Tensor, scale: torch.Tensor | None, offset: torch.Tensor | None) -> torch.Tensor:
    """Return the result in Int8 where it is to be quantised: data · scale + offset, rounded; else as it is."""
    if scale is None:
        return data
    numbers = data.float() * _per_head(scale.float(), data)
    numbers = numbers if offset is None else numbers + _per_head(offset.float(), data)
    return numbers.round().clamp(-128, 127).to(torch.int8)


def _per_head(numbers: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    return numbers.reshape(()) if numbers.numel() == 1 else numbers.reshape(data.shape[1], 1, data.shape[3])
