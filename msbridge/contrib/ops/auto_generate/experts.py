"""Mixture of experts, and what goes with it where language models serve.

MindSpore computes these on an Ascend only; they follow its documentation and are tested against numpy.
"""

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.training.ascend_fused.functions import moe_token_unpermute


def moe_init_routing(x: Tensor, row_idx: Tensor, expert_idx: Tensor, active_num: int) -> tuple[Tensor, Tensor, Tensor]:
    """Sort tokens by the experts that they go to.

    Args:
        x: the tokens, shape (tokens, hidden).
        row_idx: the number of each token and expert, expert after expert: `k * tokens + token`.
        expert_idx: the experts of each token, shape (tokens, experts of a token).
        active_num: at most so many tokens are taken.

    Returns:
        The sorted tokens, for each number its place among them, and the sorted experts.

    Follows: mindspore.ops.auto_generate.moe_init_routing (2.10).
    """

    def run(tokens: torch.Tensor, numbers: torch.Tensor, experts: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ordered, order = torch.sort(experts.reshape(-1), stable=True)
        moved = numbers.reshape(-1)[order].long()
        places = torch.argsort(moved).int()
        count = min(tokens.shape[0], active_num) * experts.shape[1]
        return tokens[moved[:count] % tokens.shape[0]], places, ordered

    return call_kernel(run, "MoeInitRouting", x, row_idx, expert_idx)  # type: ignore[no-any-return]


def moe_finalize_routing(
    expanded_x: Tensor,
    x1: Tensor,
    x2: Tensor | None = None,
    bias: Tensor | None = None,
    scales: Tensor | None = None,
    expanded_row_idx: Tensor | None = None,
    expanded_expert_idx: Tensor | None = None,
) -> Tensor:
    """Return the experts' results to the places of their tokens, and add them up.

    Args:
        expanded_x: what the experts made, shape (tokens · k, hidden).
        x1: what is added, shape (tokens, hidden).
        x2: likewise.
        bias: of each expert, shape (experts, hidden).
        scales: of each token's experts, shape (tokens, k); None for ones.
        expanded_row_idx: the row of `expanded_x` of each token and expert, expert after expert.
        expanded_expert_idx: the experts of each token, shape (tokens, k), for `bias`.

    Follows: mindspore.ops.auto_generate.moe_finalize_routing (2.10).
    """

    def run(made, first, second, shift, shares, rows, experts):  # type: ignore[no-untyped-def]
        found = made[rows.long()].unflatten(0, (-1, first.shape[0])).transpose(0, 1)
        found = found if shift is None else found + shift[experts.long()]
        found = found if shares is None else found * shares[..., None]
        total = first + found.sum(1)
        return total if second is None else total + second

    given = (expanded_x, x1, x2, bias, scales, expanded_row_idx, expanded_expert_idx)
    return call_kernel(run, "MoeFinalizeRouting", *given)  # type: ignore[no-any-return]


def moe_compute_expert_tokens(sorted_experts: Tensor, num_expert: int) -> Tensor:
    """Return the number of tokens that go to each expert and those before it, of the sorted experts of all tokens.

    Follows: mindspore.ops.auto_generate.moe_compute_expert_tokens (2.10).
    """

    def run(ordered: torch.Tensor) -> torch.Tensor:
        experts = torch.arange(num_expert, device=ordered.device, dtype=ordered.dtype)
        return torch.searchsorted(ordered, experts, right=True).to(ordered.dtype)

    return call_kernel(run, "MoeComputeExpertTokens", sorted_experts)  # type: ignore[no-any-return]


def moe_gating_top_k_softmax(x: Tensor, finished: Tensor | None = None, k: int = 1) -> tuple[Tensor, Tensor, Tensor]:
    """Return the `k` largest of the softmax of each row, their experts, and the numbers of token and expert.

    The last two are Int32: the experts, `x.shape[-1]` for tokens that are finished; and `j * tokens + token`, for the
    j-th expert of a token.

    Follows: mindspore.ops.auto_generate.MoeGatingTopKSoftmax (2.10).
    """

    def run(data: torch.Tensor, ended: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
        chances, experts = torch.softmax(data.float(), -1).topk(k, -1)
        if ended is not None:
            experts = torch.where(ended[..., None], data.shape[-1], experts)
        tokens = experts.shape[:-1].numel()
        numbers = torch.arange(k, device=data.device) * tokens + torch.arange(tokens, device=data.device)[:, None]
        return chances.to(data.dtype), experts.int(), numbers.int().reshape(experts.shape)

    return call_kernel(run, "MoeGatingTopKSoftmax", x, finished)  # type: ignore[no-any-return]


def moe_token_permute_grad(
    permuted_tokens_grad: Tensor, sorted_indices: Tensor, num_topk: int = 1, padded_mode: bool = False
) -> Tensor:
    """Return the gradient of the tokens of `moe_token_permute`: the sums over their experts.

    Follows: mindspore.ops.auto_generate.moe_token_permute_grad (2.10).
    """
    one_of(padded_mode, "padded_mode", "moe_token_permute_grad", (False,))

    def run(rows: torch.Tensor) -> torch.Tensor:
        return rows.unflatten(0, (-1, num_topk)).sum(1)

    return call_kernel(run, "MoeTokenPermuteGrad", moe_token_unpermute(permuted_tokens_grad, sorted_indices))  # type: ignore[no-any-return]


def moe_token_unpermute_grad(
    permuted_tokens: Tensor,
    unpermuted_tokens_grad: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: tuple[int, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Return the gradients of `moe_token_unpermute` with respect to the sorted tokens, and to `probs` where they are.

    Follows: mindspore.ops.auto_generate.moe_token_unpermute_grad (2.10).
    """
    one_of(padded_mode, "padded_mode", "moe_token_unpermute_grad", (False,))
    one_of(restore_shape, "restore_shape", "moe_token_unpermute_grad", (None,))

    def run(tokens: torch.Tensor, *shares: torch.Tensor) -> torch.Tensor:
        given = (Tensor(one) for one in (tokens, sorted_indices._data, *shares))
        return moe_token_unpermute(*given)._data

    inputs = (permuted_tokens,) if probs is None else (permuted_tokens, probs)
    return backward("MoeTokenUnpermuteGrad", run, unpermuted_tokens_grad, *inputs)


def group_topk(token: Tensor, idx_arr: Tensor, group_num: int, k: int, k_inner: int = 1) -> Tensor:
    """Set the chances of experts to zero, in place, but for those of the `k` best groups.

    Args:
        token: the chances of all experts, shape (tokens, experts).
        idx_arr: numbers that an Ascend sorts along; their values do not matter.
        group_num: into so many groups the experts are split.
        k: how many groups keep their chances.
        k_inner: so many of its best experts, added up, make a group good.

    Returns:
        `token` itself.

    Follows: mindspore.ops.auto_generate.group_topk (2.10).
    """

    def run(chances: torch.Tensor) -> torch.Tensor:
        groups = chances.detach().unflatten(-1, (group_num, -1))
        best = groups.float().topk(k_inner, -1).values.sum(-1).topk(k, -1).indices
        kept = torch.zeros(groups.shape[:-1], dtype=torch.bool, device=chances.device).scatter(-1, best, True)
        return chances.masked_fill_(~kept[..., None].expand_as(groups).flatten(-2), 0)

    return call_kernel(run, "GroupTopk", token)  # type: ignore[no-any-return]


def fused_add_topk_div(
    x: Tensor,
    add_num: Tensor,
    group_num: int,
    group_topk: int,
    n: int,
    k: int,
    activate_type: int = 0,
    is_norm: bool = True,
    scale: float = 2.5,
    mapping_num: None = None,
    mapping_table: None = None,
    enable_expert_mapping: bool = False,
) -> tuple[Tensor, Tensor]:
    """Choose the experts of tokens by their sigmoids, within the best groups.

    Args:
        x: the scores of all experts, shape (tokens, experts).
        add_num: added to the sigmoids for the choice only, shape (experts,).
        group_num: into so many groups the experts are split.
        group_topk: experts of so many groups are chosen.
        n: so many of its best experts, added up, make a group good.
        k: how many experts a token has.
        activate_type: 0, the sigmoid.
        is_norm: whether the sigmoids of a token's experts are scaled to sum to one.
        scale: factor of the result.
        mapping_num: None.
        mapping_table: None.
        enable_expert_mapping: False.

    Returns:
        The shares of the experts, Float32, and the experts, Int32, shape (tokens, k).

    Raises:
        ValueError: another activation, or copies of experts.

    Follows: mindspore.ops.auto_generate.fused_add_topk_div (2.10).
    """
    op = "fused_add_topk_div"
    one_of(activate_type, "activate_type", op, (0,))
    one_of(mapping_num, "mapping_num", op, (None,))
    one_of(mapping_table, "mapping_table", op, (None,))
    one_of(enable_expert_mapping, "enable_expert_mapping", op, (False,))

    def run(scores: torch.Tensor, added: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        chances = scores.float().sigmoid()
        groups = (chances + added.float()).unflatten(-1, (group_num, -1))
        best = groups.topk(n, -1).values.sum(-1).topk(group_topk, -1).indices
        kept = torch.zeros(groups.shape[:-1], dtype=torch.bool, device=scores.device).scatter(-1, best, True)
        experts = groups.masked_fill(~kept[..., None], -torch.inf).flatten(-2).topk(k, -1).indices
        shares = chances.gather(-1, experts)
        shares = shares / shares.sum(-1, keepdim=True) if is_norm else shares
        return shares * scale, experts.int()

    return call_kernel(run, "FusedAddTopKDiv", x, add_num)  # type: ignore[no-any-return]


def apply_rotary_pos_emb_(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, position_ids: Tensor, cos_format: int = 0
) -> tuple[Tensor, Tensor]:
    """Turn the halves of the features of query and key by the angles of their positions.

    Args:
        query: (B, S, H) or (tokens, H), with heads as long as the rows of `cos`.
        key: likewise; may have fewer heads.
        cos: the cosines, (tokens, D), or (S, D) for every sequence of the batch.
        sin: the sines.
        position_ids: what the rows of `cos` were taken by; they are in order already.
        cos_format: how an Ascend stores the rows; the result is the same.

    Returns:
        (query, key), of their shapes and dtypes.

    Follows: mindspore.ops.auto_generate.apply_rotary_pos_emb_ (2.10), which has no documentation; as public models use
        it, tested against numpy.
    """

    def rotate(data: torch.Tensor, cosines: torch.Tensor, sines: torch.Tensor) -> torch.Tensor:
        size, tokens = cosines.shape[-1], data.shape[:-1].numel()
        cosines, sines = (one.reshape(-1, 1, size) for one in (cosines, sines))
        heads = data.reshape(tokens // cosines.shape[0], cosines.shape[0], -1, size).float()
        first, second = heads.chunk(2, -1)
        found = heads * cosines.float() + torch.cat((-second, first), -1) * sines.float()
        return found.reshape(data.shape).to(data.dtype)

    def run(*datas: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return rotate(datas[0], *datas[2:]), rotate(datas[1], *datas[2:])

    return call_kernel(run, "ApplyRotaryPosEmb", query, key, cos, sin)  # type: ignore[no-any-return]


def kv_cache_scatter_update(var: Tensor, indices: Tensor, updates: Tensor, axis: int, reduce: str = "none") -> Tensor:
    """Write new keys or values into a cache, in place, from a place of its own in each sequence.

    Args:
        var: the cache, (B, N, S, D).
        indices: where each sequence's part begins along the axis, (B,).
        updates: what is written, (B, N, s, D).
        axis: -2 or -1.
        reduce: "none" or "update", which are the same.

    Raises:
        ValueError: another axis or mode.

    Follows: mindspore.ops.auto_generate.kv_cache_scatter_update (2.10).
    """
    one_of(axis, "axis", "kv_cache_scatter_update", (-2, -1))
    one_of(reduce, "reduce", "kv_cache_scatter_update", ("none", "update"))

    def run(cache: torch.Tensor, starts: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        places = starts.long()[:, None] + torch.arange(new.shape[axis], device=cache.device)
        shape = [new.shape[0], 1, 1, 1]
        shape[axis] = new.shape[axis]
        return cache.scatter_(axis, places.reshape(shape).expand_as(new), new)

    return call_kernel(run, "KVCacheScatterUpdate", var, indices, updates)  # type: ignore[no-any-return]
