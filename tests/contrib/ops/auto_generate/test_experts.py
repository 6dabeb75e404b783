"""Mixture of experts, rotary positions and caches, against numpy."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)
TOKENS = DRAW.normal(size=(4, 3)).astype(np.float32)
EXPERTS = np.array([[2, 0], [1, 2], [0, 1], [2, 1]], np.int32)
ROWS = np.arange(8, dtype=np.int32).reshape(2, 4).T.copy()


def test_tokens_go_to_experts_and_come_back() -> None:
    moved, places, ordered = gen.moe_init_routing(Tensor(TOKENS), Tensor(ROWS), Tensor(EXPERTS), 4)
    assert ordered.asnumpy().tolist() == sorted(EXPERTS.reshape(-1))
    made = moved * (ordered.reshape(-1, 1) + 1).astype(ms.float32)
    bias, shares = DRAW.normal(size=(3, 3)).astype(np.float32), DRAW.random((4, 2)).astype(np.float32)
    found = gen.moe_finalize_routing(
        made, *map(Tensor, (TOKENS, TOKENS * 2, bias, shares)), expanded_row_idx=places,
        expanded_expert_idx=Tensor(EXPERTS),
    )  # fmt: skip
    wanted = TOKENS * 3 + sum(
        shares[:, k, None] * (TOKENS * (EXPERTS[:, k, None] + 1) + bias[EXPERTS[:, k]]) for k in range(2)
    )
    assert np.allclose(found, wanted, atol=1e-5)
    assert gen.moe_compute_expert_tokens(ordered, 3).asnumpy().tolist() == [2, 5, 8]


def test_all_tokens_are_sorted_and_counted() -> None:
    order = np.argsort(EXPERTS.reshape(-1), kind="stable")
    moved, places, counts, before = ops.moe_init_routing_v2(Tensor(TOKENS), Tensor(EXPERTS), 0, 0, 3, 0, 1, False)
    assert np.array_equal(moved, TOKENS[order // 2])
    assert places.asnumpy().tolist() == np.argsort(order).tolist()
    assert counts.asnumpy().tolist() == [2, 5, 8]
    assert not before.any()
    active = ops.moe_init_routing_v2(Tensor(TOKENS), Tensor(EXPERTS), 5, 0, 3, 0, 2, False)
    assert active[0].shape == (5, 3)
    assert active[2].asnumpy().tolist() == [2, 3, 3]


def test_experts_have_places_and_drop_what_is_too_much() -> None:
    moved, places, _, before = gen.MoeInitRoutingV2()(Tensor(TOKENS), Tensor(EXPERTS), 0, 2, 3, 1, 0, True)
    assert before.asnumpy().tolist() == [2, 3, 3]
    assert places.asnumpy().tolist() == [4, 0, 2, 5, 1, 3, -1, -1]
    assert np.array_equal(moved, TOKENS[[[0, 2], [1, 2], [0, 1]]])


def test_the_gate_chooses_the_largest_chances() -> None:
    scores = np.array([[1.0, 3.0, 2.0], [0.0, -1.0, 5.0]], np.float32)
    chances, experts, numbers = gen.MoeGatingTopKSoftmax()(Tensor(scores), Tensor([False, True]), 2)
    wanted = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    assert np.allclose(chances, -np.sort(-wanted)[:, :2], atol=1e-6)
    assert experts.asnumpy().tolist() == [[1, 2], [3, 3]]
    assert numbers.asnumpy().tolist() == [[0, 2], [1, 3]]
    assert experts.dtype == numbers.dtype == ms.int32


def test_gradients_of_permuting_tokens() -> None:
    moved, places = ops.moe_token_permute(Tensor(TOKENS), Tensor(EXPERTS))
    dout = Tensor(DRAW.normal(size=moved.shape).astype(np.float32))
    wanted = ms.grad(lambda x: (ops.moe_token_permute(x, Tensor(EXPERTS))[0] * dout).sum())(Tensor(TOKENS))
    assert np.allclose(gen.moe_token_permute_grad(dout, places, 2), wanted, atol=1e-6)
    shares = Tensor(DRAW.random((4, 2)).astype(np.float32))
    seed = Tensor(TOKENS + 1)
    wanted = ms.grad(lambda x, p: (ops.moe_token_unpermute(x, places, p) * seed).sum(), (0, 1))(moved, shares)
    for ours, theirs in zip(gen.moe_token_unpermute_grad(moved, seed, places, shares), wanted, strict=True):
        assert np.allclose(ours, theirs, atol=1e-5)


def test_only_the_best_groups_keep_their_chances() -> None:
    chances = Tensor([[0.1, 0.9, 0.6, 0.5, 0.3, 0.2], [0.5, 0.1, 0.2, 0.2, 0.9, 0.0]])
    found = gen.group_topk(chances.copy(), Tensor(np.arange(1024, dtype=np.int32)), 3, 1, 2)
    assert np.allclose(found, [[0, 0, 0.6, 0.5, 0, 0], [0, 0, 0, 0, 0.9, 0]])
    ops.GroupTopk()(chances, Tensor(np.arange(6, dtype=np.int32)), 3, 2)
    assert np.allclose(chances, [[0.1, 0.9, 0.6, 0.5, 0, 0], [0.5, 0.1, 0, 0, 0.9, 0.0]])


def test_experts_of_the_best_groups_by_sigmoids() -> None:
    scores = np.array([[0.0, 2.0, 1.0, 1.5]], np.float32)
    shares, experts = gen.fused_add_topk_div(Tensor(scores), Tensor([0.0, 0.0, 0.3, 0.0]), 2, 1, 2, 2, scale=2.0)
    assert experts.asnumpy().tolist() == [[2, 3]]
    chances = 1 / (1 + np.exp(-scores[0, 2:]))
    assert np.allclose(shares, 2 * chances / chances.sum(), atol=1e-6)
    with pytest.raises(ValueError, match="activate_type"):
        gen.fused_add_topk_div(Tensor(scores), Tensor([0.0] * 4), 2, 1, 2, 2, activate_type=1)


def test_features_turn_by_their_positions() -> None:
    query, key = DRAW.normal(size=(2, 3, 8)).astype(np.float32), DRAW.normal(size=(2, 3, 4)).astype(np.float32)
    angles = DRAW.normal(size=(3, 2)).astype(np.float32).repeat(2, 0).reshape(3, 4)
    cos, sin = np.cos(angles), np.sin(angles)
    found = ops.ApplyRotaryPosEmb(2)(*map(Tensor, (query, key, cos, sin)), Tensor([3, 3]))
    for data, ours in zip((query, key), found, strict=True):
        heads = data.reshape(2, 3, -1, 4)
        turned = np.concatenate((-heads[..., 2:], heads[..., :2]), -1)
        wanted = heads * cos[:, None] + turned * sin[:, None]
        assert np.allclose(ours, wanted.reshape(data.shape), atol=1e-6)


@pytest.mark.parametrize("axis", [-2, -1])
def test_a_cache_is_written_in_place(axis: int) -> None:
    cache, new = torch.zeros(2, 1, 4, 4), torch.ones(2, 1, *((2, 4) if axis == -2 else (4, 2)))
    ours = Tensor(cache)
    assert gen.kv_cache_scatter_update(ours, Tensor([0, 2]), Tensor(new), axis, "update")[1].sum() == 8
    wanted = np.zeros((2, 1, 4, 4))
    for row, start in ((0, 0), (1, 2)):
        part = wanted[row, 0] if axis == -2 else wanted[row, 0].T
        part[start : start + 2] = 1
    assert np.array_equal(ours, wanted)
