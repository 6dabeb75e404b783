"""Tokens sorted by their experts and back, rotary positions, merged attention, deformable attention.

MindSpore computes these on an Ascend only; here they follow its documentation, and run wherever torch does.
"""

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap


def moe_token_permute(
    tokens: Tensor, indices: Tensor, num_out_tokens: int | None = None, padded_mode: bool = False
) -> tuple[Tensor, Tensor]:
    """Sort tokens by the experts that they go to.

    Args:
        tokens: shape (tokens, hidden).
        indices: the experts, shape (tokens, experts of a token) or (tokens,), of integers.
        num_out_tokens: how many of the sorted tokens to return; None for all.
        padded_mode: False; MindSpore takes no other either.

    Returns:
        The sorted tokens, and for each token and expert, row after row, its place among them, Int32.

    Raises:
        ValueError: `padded_mode` is set.
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.moe_token_permute (2.10), which its CPU build does not compute; tested against numpy.
    """
    one_of(padded_mode, "padded_mode", "moe_token_permute", (False,))
    try:
        experts = indices._data.reshape(-1)
        order = torch.argsort(experts, stable=True)
        each = experts.numel() // max(tokens._data.shape[0], 1)
        places = torch.argsort(order).int()
        return wrap(tokens._data[order[:num_out_tokens] // max(each, 1)]), wrap(places)
    except Exception as error:
        raise explain(error, "moe_token_permute", tokens=tokens, indices=indices) from error


def moe_token_unpermute(
    permuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: tuple[int, ...] | list[int] | None = None,
) -> Tensor:
    """Return sorted tokens to their places, and add up those of one token, weighted by `probs`.

    Args:
        permuted_tokens: shape (sorted tokens, hidden), as `moe_token_permute` returns them.
        sorted_indices: the place of each token and expert among them; what is beyond the end counts as zeros.
        probs: shape (tokens, experts of a token); None where each token has one expert.
        padded_mode: False; MindSpore takes no other either.
        restore_shape: for `padded_mode` only.

    Returns:
        A Tensor of shape (tokens, hidden) and the dtype of `permuted_tokens`.

    Raises:
        ValueError: `padded_mode` or `restore_shape` is set.
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.moe_token_unpermute (2.10), which its CPU build does not compute; tested against numpy.
    """
    one_of(padded_mode, "padded_mode", "moe_token_unpermute", (False,))
    one_of(restore_shape, "restore_shape", "moe_token_unpermute", (None,))
    try:
        data, places = permuted_tokens._data, sorted_indices._data.long()
        is_there = places < data.shape[0]
        rows = torch.where(is_there[:, None], data[places.clamp(max=data.shape[0] - 1)], 0)
        if probs is None:
            return wrap(rows)
        weights = probs._data
        return wrap((rows.reshape(*weights.shape, -1) * weights[..., None]).sum(1).to(data.dtype))
    except Exception as error:
        raise explain(error, "moe_token_unpermute", tokens=permuted_tokens, indices=sorted_indices) from error


def moe_init_routing_v2(
    x: Tensor,
    expert_idx: Tensor,
    active_num: int,
    expert_capacity: int,
    expert_num: int,
    drop_pad_mode: int,
    expert_tokens_count_or_cumsum_flag: int,
    expert_tokens_before_capacity_flag: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Sort tokens by the experts that they go to, in one row of tokens, or in places that each expert has.

    Args:
        x: the tokens, shape (tokens, hidden).
        expert_idx: the experts of each token, shape (tokens, experts of a token), of integers.
        active_num: how many of the sorted tokens are returned; 0 for all. For mode 0.
        expert_capacity: how many places each expert has. For mode 1.
        expert_num: how many experts there are.
        drop_pad_mode: 0 sorts all, 1 reserves places for every expert: an excess is dropped, what is free is zero.
        expert_tokens_count_or_cumsum_flag: 1 counts the tokens up to each expert, 2 those of each expert; 0 neither.
        expert_tokens_before_capacity_flag: whether the tokens of each expert are counted before some are dropped.

    Returns:
        The sorted tokens, (tokens sorted, hidden) or (experts, places, hidden); for each token and expert, row after
        row, its place among them, Int32, -1 where it was dropped; the counts, Int32, and those before the drop; zeros
        where they are not asked for.

    Raises:
        ValueError: another mode or flag.
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.moe_init_routing_v2 (2.10), which its CPU build does not compute; tested against numpy.
    """
    one_of(drop_pad_mode, "drop_pad_mode", "moe_init_routing_v2", (0, 1))
    one_of(expert_tokens_count_or_cumsum_flag, "expert_tokens_count_or_cumsum_flag", "moe_init_routing_v2", (0, 1, 2))
    try:
        tokens, experts = x._data, expert_idx._data.reshape(-1).long()
        order = torch.argsort(experts, stable=True)
        places = torch.argsort(order)
        owners = order // expert_idx._data.shape[1]
        nothing = torch.zeros(expert_num, dtype=torch.int32, device=tokens.device)
        count = torch.bincount(experts, minlength=expert_num)[:expert_num].int() if expert_num else nothing
        if drop_pad_mode == 0:
            moved = tokens[owners[: active_num or None]]
            counts = (nothing, count.cumsum(0).int(), count)[expert_tokens_count_or_cumsum_flag]
            return wrap(moved), wrap(places.int()), wrap(counts), wrap(nothing)
        rank = places - (count.cumsum(0) - count)[experts]
        place = torch.where(rank < expert_capacity, experts * expert_capacity + rank, -1)
        moved = tokens.new_zeros(expert_num * expert_capacity, tokens.shape[1])
        kept = place >= 0
        sources = torch.arange(len(place), device=place.device) // expert_idx._data.shape[1]
        moved = moved.index_copy(0, place[kept], tokens[sources[kept]])
        before = count if expert_tokens_before_capacity_flag else nothing
        return wrap(moved.unflatten(0, (expert_num, -1))), wrap(place.int()), wrap(nothing), wrap(before)
    except Exception as error:
        raise explain(error, "moe_init_routing_v2", x=x, expert_idx=expert_idx) from error


def rotary_position_embedding(x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Tensor:
    """Turn pairs of features by the angles of their positions.

    Args:
        x: four axes, the features last.
        cos: the cosines, of a shape that broadcasts with `x`.
        sin: the sines.
        mode: 0 pairs the halves of the features, 1 pairs neighbours.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: `mode` is neither.
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.rotary_position_embedding (2.10), which its CPU build does not compute; tested against numpy.
    """
    one_of(mode, "mode", "rotary_position_embedding", (0, 1))
    try:
        data = x._data
        if mode == 0:
            first, second = data.chunk(2, -1)
            turned = torch.cat((-second, first), -1)
        else:
            turned = torch.stack((-data[..., 1::2], data[..., ::2]), -1).flatten(-2)
        return wrap(data * cos._data + turned * sin._data)
    except Exception as error:
        raise explain(error, "rotary_position_embedding", x=x, cos=cos, sin=sin) from error


def ring_attention_update(
    prev_attn_out: Tensor,
    prev_softmax_max: Tensor,
    prev_softmax_sum: Tensor,
    cur_attn_out: Tensor,
    cur_softmax_max: Tensor,
    cur_softmax_sum: Tensor,
    actual_seq_qlen: Tensor | None = None,
    layout: str = "SBH",
) -> tuple[Tensor, Tensor, Tensor]:
    """Merge attention over two parts of the keys.

    Args:
        prev_attn_out: the output over the first part, (sequence, batch, heads · features), or for "TND" (tokens, heads,
            features).
        prev_softmax_max: the largest scores there, each eight times: (batch, heads, sequence, 8) or (tokens, heads, 8).
        prev_softmax_sum: the sums of their exponentials.
        cur_attn_out: the output over the second part.
        cur_softmax_max: the largest scores there.
        cur_softmax_sum: the sums of their exponentials.
        actual_seq_qlen: where sequences end, for "TND"; tokens are merged one by one, so it changes nothing.
        layout: "SBH" or "TND".

    Returns:
        The output over both parts, the largest scores and the sums.

    Raises:
        ValueError: another layout.
        RuntimeError: "TND" without `actual_seq_qlen`.
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.ring_attention_update (2.10), which its CPU build does not compute; tested against numpy.
    """
    one_of(layout, "layout", "ring_attention_update", ("SBH", "TND"))
    if layout == "TND" and actual_seq_qlen is None:
        raise RuntimeError("For 'ring_attention_update', layout 'TND' needs actual_seq_qlen.")
    try:
        before, after = prev_softmax_max._data, cur_softmax_max._data
        largest = torch.maximum(before, after)
        old, new = prev_softmax_sum._data * (before - largest).exp(), cur_softmax_sum._data * (after - largest).exp()
        total = old + new
        shares = [_per_feature(part / total, prev_attn_out._data, layout) for part in (old, new)]
        merged = prev_attn_out._data * shares[0] + cur_attn_out._data * shares[1]
        return wrap(merged.to(prev_attn_out._data.dtype)), wrap(largest), wrap(total)
    except Exception as error:
        raise explain(error, "ring_attention_update", prev_attn_out=prev_attn_out, cur_attn_out=cur_attn_out) from error


def _per_feature(share: torch.Tensor, output: torch.Tensor, layout: str) -> torch.Tensor:
    """Return the share of each head for each of its features, laid out as the output."""
    one = share[..., :1]
    if layout == "TND":
        return one
    heads = one.permute(2, 0, 1, 3)  # (sequence, batch, heads, 1)
    return heads.expand(*heads.shape[:3], output.shape[-1] // heads.shape[2]).flatten(2)


def multi_scale_deformable_attn_function(
    value: Tensor, shape: Tensor, offset: Tensor, locations: Tensor, weight: Tensor
) -> Tensor:
    """Sum features at given places of maps of several sizes.

    Args:
        value: the maps one after the other, (batch, keys, heads, features).
        shape: height and width of each map, (maps, 2).
        offset: where each map begins among the keys, (maps,).
        locations: the places (x, y) from 0 to 1, (batch, queries, heads, maps, points, 2).
        weight: of the places, (batch, queries, heads, maps, points).

    Returns:
        Shape (batch, queries, heads · features).

    Raises:
        TypeError: an input is not a Tensor.

    Follows: mindspore.ops.multi_scale_deformable_attn_function (2.10), which its CPU build does not compute; tested
        against numpy.
    """
    try:
        data, places, weights = value._data, locations._data, weight._data
        batch, _, heads, features = data.shape
        sums = data.new_zeros(batch * heads, features, places.shape[1])
        for level, (begin, (height, width)) in enumerate(zip(offset.tolist(), shape.tolist(), strict=True)):
            images = data[:, begin : begin + height * width].permute(0, 2, 3, 1).reshape(-1, features, height, width)
            grid = places[:, :, :, level].transpose(1, 2).flatten(0, 1) * 2 - 1
            sampled = F.grid_sample(images, grid, "bilinear", "zeros", False)
            sums = sums + (sampled * weights[:, :, :, level].transpose(1, 2).flatten(0, 1)[:, None]).sum(-1)
        return wrap(sums.reshape(batch, heads * features, -1).transpose(1, 2))
    except Exception as error:
        raise explain(error, "multi_scale_deformable_attn_function", value=value, locations=locations) from error
