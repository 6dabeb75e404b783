"""The parallel Transformer where the CPU build of 2.0.0 says nothing (else: `tests/oracle/cases/r2_0/transformer.py`).

Experts and sparse attention, for which it has no kernels there, are judged by formulas in numpy.
"""

import importlib
from typing import Any

import numpy as np
import pytest

import msbridge

PACKAGES = ("mindspore.nn.transformer", "mindspore.parallel._transformer", "mindspore.parallel.nn")


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest, dropin: None) -> Any:
    return importlib.import_module(request.param)


@pytest.fixture
def scope(dropin: None) -> dict[str, Any]:
    """Return what the recorded expressions see."""
    return vars(importlib.import_module("tests.oracle.cases.r2_0.transformer"))


def test_every_package_has_the_names(package: Any) -> None:
    wanted = (
        *("AttentionMask", "VocabEmbedding", "MultiHeadAttention", "FeedForward", "TransformerEncoder", "MoEConfig"),
        *(
            "TransformerDecoder",
            "TransformerEncoderLayer",
            "TransformerDecoderLayer",
            "Transformer",
            "OpParallelConfig",
        ),
        *("TransformerOpParallelConfig", "EmbeddingOpParallelConfig", "TransformerRecomputeConfig"),
        *("FixedSparseAttention", "CrossEntropyLoss"),
    )
    exec(f"from {package.__name__} import {', '.join(wanted)}", {})
    for file in ("transformer", "layers", "moe", "op_parallel_config"):
        importlib.import_module(f"{package.__name__}.{file}")


def test_a_pipeline_stage_is_told_to_the_context(scope: dict[str, Any]) -> None:
    config = scope["T"].TransformerOpParallelConfig(pipeline_stage=2)
    try:
        assert msbridge.get_auto_parallel_context("pipeline_stages") == 2
        net = scope["T"].TransformerEncoder(2, 4, 8, 16, 4, 2, parallel_config=config)
        assert [block.pipeline_stage for block in net.blocks] == [0, 0, 1, 1]
        with pytest.raises(ValueError, match="2 pipeline stages"):
            scope["T"].TransformerEncoder(2, 1, 8, 16, 4, 2)
        with pytest.raises(ValueError, match="number of layers, 1"):
            scope["T"].TransformerEncoder(2, 1, 8, 16, 4, 2, parallel_config=config)
    finally:
        config.pipeline_stage = 1


def test_a_lambda_func_arranges_every_layer(scope: dict[str, Any]) -> None:
    seen = []
    scope["T"].Transformer(
        8, 2, 16, 4, 4, 1, 2, lambda_func=lambda cell, **of: seen.append((of["layer_id"], of["offset"], of["layers"]))
    )
    assert seen == [(0, 0, 1), (0, 1, 2), (1, 1, 2)]


def test_decoding_step_by_step_is_attention_at_once(scope: dict[str, Any]) -> None:
    net = scope["T"].TransformerEncoder(1, 2, 8, 16, 4, 2, use_past=True)
    scope["filled"](net)
    whole = net(scope["x"](1, 4, 8), scope["causal"](1, 4), *steps(True, 4))[0].asnumpy()
    net.add_flags_recursive(is_first_iteration=True)
    net(scope["x"](1, 4, 8), scope["causal"](1, 4), *steps(False, 2))
    net.add_flags_recursive(is_first_iteration=False)
    for place in (2, 3):
        one = scope["x"](1, 4, 8)[:, place : place + 1]
        output = net(one, msbridge.ops.ones((1, 1, 4)), *steps(True, 2))[0].asnumpy()
        assert np.allclose(output[0, 0], whole[0, place], atol=2e-2)


def steps(keep: bool, tokens: int) -> tuple[msbridge.Tensor, msbridge.Tensor]:
    return msbridge.Tensor([keep]), msbridge.Tensor([tokens], msbridge.int32)


@pytest.mark.parametrize("chosen", [1, 2])
def test_a_mixture_of_experts_is_the_experts_of_each_token(scope: dict[str, Any], chosen: int) -> None:
    """Judge: a loop over tokens, with the router's choice."""
    config = scope["M"].MoEConfig(3, 3.0, num_experts_chosen=chosen)
    moe = scope["M"].MoE(4, 8, 0.1, "relu", moe_config=config)
    x = scope["x"](2, 5, 4)
    scope["filled"](moe)
    output, loss = moe(x)
    assert output.shape == (2, 5, 4)
    _, weights, balance = moe.router(x)
    assert np.allclose(loss.asnumpy(), balance.asnumpy() * 0.05)
    weights = weights.asnumpy()[0].sum(-1)
    w1, w2 = (dense.weight.asnumpy() for dense in (moe.ffn.mapping, moe.ffn.projection))
    b1, b2 = (dense.bias.asnumpy()[0, :, 0] for dense in (moe.ffn.mapping, moe.ffn.projection))
    for token, row, ours in zip(x.asnumpy().reshape(-1, 4), weights, output.asnumpy().reshape(-1, 4), strict=True):
        assert (row != 0).sum() == chosen
        experts = [np.maximum(token @ w1[e] + b1[e], 0) @ w2[e] + b2[e] for e in range(3)]
        assert np.allclose(ours, row @ experts, atol=2e-2)


def test_layers_with_experts_add_up_their_losses(scope: dict[str, Any]) -> None:
    config = scope["M"].MoEConfig(2, 2.0)
    net = scope["T"].Transformer(8, 2, 16, 4, 4, 2, 1, moe_config=config).set_train(False)
    *_, loss = net(scope["x"](2, 4, 8), None, scope["x"](2, 4, 8), None)
    layer = scope["T"].TransformerEncoderLayer(2, 8, 16, 2, 4, moe_config=config, parallel_config=moe_parts(scope))
    assert loss.shape == ()
    assert [p.name for p in layer.get_parameters()][-5:] == [
        "output.ffn.mapping.weight",
        "output.ffn.mapping.bias",
        "output.ffn.projection.weight",
        "output.ffn.projection.bias",
        "output.router.dense.weight",
    ]


def test_experts_that_do_not_suit_their_groups_are_refused(scope: dict[str, Any]) -> None:
    config = scope["C"].MoEParallelConfig(expert_parallel=2)
    with pytest.raises(ValueError, match="expert_num, 3, must be a multiple of expert_parallel, 2"):
        scope["T"].TransformerEncoderLayer(2, 8, 16, 2, 4, moe_config=scope["M"].MoEConfig(3), parallel_config=config)


def moe_parts(scope: dict[str, Any]) -> Any:
    return scope["C"].MoEParallelConfig()


def test_sparse_attention_is_attention_to_near_and_chosen_places(scope: dict[str, Any]) -> None:
    """Judge: attention with a mask; the scores are divided by the head's size, as there."""
    heads, size, length = 8, 64, 1024
    draw = np.random.RandomState(3)
    q, k, v = (draw.randn(1, length, heads * size).astype(np.float16) for _ in range(3))
    mask = np.tril(np.ones((1, length, length), np.float32)) * (np.arange(length) < 1000)
    attention = scope["FixedSparseAttention"](1, heads, size, 64)
    ours = attention(*map(msbridge.Tensor, (q, k, v, mask))).asnumpy().reshape(length, heads, size)
    place = np.arange(length)
    block, token = place // 64, mask[0, -1] > 0
    near = (block[:, None] == block) & (place[:, None] >= place) & token & token[:, None]
    for head in (0, 3, 6):
        far = (block[:, None] > block) & (place % 64 // 16 == 3 - head % 4)
        part = slice(head * size, (head + 1) * size)
        scores = q[0, :, part].astype(float) @ k[0, :, part].astype(float).T / size
        scores = np.where(near | far, scores, -np.inf)[:1000]
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        wanted = weights / weights.sum(-1, keepdims=True) @ v[0, :, part].astype(float)
        assert np.allclose(ours[:1000, head], wanted, atol=2e-3)


def test_a_subclass_takes_the_operators_for_given(scope: dict[str, Any]) -> None:
    """Models of r1.x define a `construct` of their own, with the layer's parts, and shard what is in layers."""

    class Layer(scope["T"].TransformerEncoderLayer):
        def construct(self, x: Any, query: Any, mask: Any) -> Any:
            x = x.reshape((-1, 8))
            attention, _ = self.attention(query, self.layernorm1(x), self.layernorm1(x), mask, None, None, None)
            return self.add(x, self.output(self.layernorm2(self.add(x, attention))))

    layer = scope["filled"](Layer(2, 8, 16, 2, 4))
    assert layer(scope["x"](2, 4, 8), scope["x"](8, 8), scope["causal"](2, 4)).shape == (8, 8)
    assert np.array_equal(layer.mul(scope["x"](2), scope["x"](2)), scope["x"](2) * scope["x"](2))
    layer.attention.dropout.dropout.shard(((1, 1),))
    layer.attention.softmax.softmax.shard(((1, 1, 1),))
