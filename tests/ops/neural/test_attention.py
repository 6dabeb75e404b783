"""flash_attention_score against torch's attention, and the steps of attention layers."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as reference

from msbridge import Tensor, ops
from msbridge.ops.neural.attention.functions import (
    _check_attn_mask_shape,
    _check_kpm_shape,
    _check_qkv_shape,
    _in_projection,
    _in_projection_packed,
    _inner_dropout,
    _inner_pad,
    _interploate_ext_make_tuple,
    _interpolate_ext_scale_factor_convert_size,
)
from msbridge.ops.neural.attention.kernels import linear
from msbridge.ops.neural.attention.projected import multi_head_attention_forward

BATCH, HEADS, LENGTH, SIZE = 2, 4, 5, 3
TO_LAYOUT = {
    "BNSD": lambda x: x,
    "BSND": lambda x: x.transpose(1, 2),
    "BSH": lambda x: x.transpose(1, 2).flatten(2),
    "SBH": lambda x: x.transpose(1, 2).flatten(2).transpose(0, 1),
}


@pytest.fixture
def inputs() -> list[torch.Tensor]:
    draw = torch.Generator().manual_seed(3)
    return [torch.randn(BATCH, HEADS, LENGTH, SIZE, generator=draw) for _ in range(3)]


def close(ours: Tensor, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(ours._data, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("layout", TO_LAYOUT)
def test_a_mask_hides(layout: str, inputs: list[torch.Tensor]) -> None:
    mask = torch.rand(BATCH, 1, LENGTH, LENGTH, generator=torch.Generator().manual_seed(4)) > 0.7
    laid = [Tensor(TO_LAYOUT[layout](x).contiguous()) for x in inputs]
    found = ops.flash_attention_score(
        *laid, HEADS, attn_mask=Tensor(mask.to(torch.uint8)), scalar_value=0.5, input_layout=layout
    )
    close(found, TO_LAYOUT[layout](reference(*inputs, ~mask, scale=0.5)))


def test_heads_of_the_keys_serve_several(inputs: list[torch.Tensor]) -> None:
    query, key, value = inputs[0], inputs[1][:, :2], inputs[2][:, :2]
    found = ops.flash_attention_score(*map(Tensor, (query, key, value)), HEADS, input_layout="BNSD")
    close(found, reference(query, key, value, scale=1.0, enable_gqa=True))


def test_causal_modes_differ_in_where_they_align(inputs: list[torch.Tensor]) -> None:
    query, key, value = inputs[0][..., -2:, :], inputs[1], inputs[2]
    lower = torch.ones(2, LENGTH, dtype=torch.bool)
    for mode, offset in ((2, 0), (3, LENGTH - 2)):
        found = ops.flash_attention_score(
            *map(Tensor, (query, key, value)), HEADS, input_layout="BNSD", sparse_mode=mode
        )
        close(found, reference(query, key, value, lower.tril(offset), scale=1.0))


def test_a_window(inputs: list[torch.Tensor]) -> None:
    bounds = {"input_layout": "BNSD", "pre_tokens": 1, "next_tokens": 0}
    found = ops.flash_attention_score(*map(Tensor, inputs), HEADS, attn_mask=Tensor(np.zeros((5, 5), bool)), **bounds)
    seen = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril().triu(-1)
    close(found, reference(*inputs, seen, scale=1.0))


def test_without_a_mask_mode_0_has_no_window(inputs: list[torch.Tensor]) -> None:
    found = ops.flash_attention_score(*map(Tensor, inputs), HEADS, input_layout="BNSD", pre_tokens=1, next_tokens=0)
    close(found, reference(*inputs, scale=1.0))


def test_a_prefix_of_each_sequence_is_seen_by_all(inputs: list[torch.Tensor]) -> None:
    found = ops.flash_attention_score(*map(Tensor, inputs), HEADS, input_layout="BNSD", prefix=(3, 1), sparse_mode=5)
    seen = torch.ones(BATCH, 1, LENGTH, LENGTH, dtype=torch.bool).tril()
    seen[0, ..., :3] = seen[1, ..., :1] = True
    close(found, reference(*inputs, seen, scale=1.0))


def test_a_drop_mask_of_bits_is_one_of_bytes() -> None:
    draw = np.random.default_rng(0)
    given = [Tensor(draw.normal(size=(1, 1, 8, 4)).astype(np.float32)) for _ in range(3)]
    kept = draw.integers(0, 2, (1, 1, 8, 8)).astype(np.uint8)
    packed = np.packbits(kept, axis=-1, bitorder="little")
    one, other = (
        ops.flash_attention_score(*given, 1, drop_mask=Tensor(mask), keep_prob=0.5, input_layout="BNSD")
        for mask in (kept, packed)
    )
    assert np.array_equal(one, other)


def test_speed_fusion_attention_shifts_before_or_after_it_scales(inputs: list[torch.Tensor]) -> None:
    shift = torch.randn(1, HEADS, LENGTH, LENGTH, generator=torch.Generator().manual_seed(5))
    for kind, wanted in ((0, shift), (1, shift * 0.5)):
        found = ops.speed_fusion_attention(
            *map(Tensor, inputs), HEADS, "BNSD", pse=Tensor(shift), scale=0.5, pse_type=kind
        )
        close(found[0], reference(*inputs, wanted, scale=0.5))
        assert found[1].shape == found[2].shape == (BATCH, HEADS, LENGTH, 8)
    assert len(found) == 7


def test_speed_fusion_attention_makes_shifts_of_slopes(inputs: list[torch.Tensor]) -> None:
    slopes = torch.tensor([0.5, 0.25, 0.125, 1.0])
    distance = (torch.arange(LENGTH)[:, None] + 1 - torch.arange(LENGTH)).abs().float()
    for kind, far in ((2, distance), (3, distance.sqrt())):
        found = ops.speed_fusion_attention(
            *map(Tensor, inputs), HEADS, "BNSD", pse=Tensor(slopes), pse_type=kind, q_start_idx=(1,), kv_start_idx=(0,)
        )
        close(found[0], reference(*inputs, -far * slopes[:, None, None], scale=1.0))


def test_sequences_one_after_the_other(inputs: list[torch.Tensor]) -> None:
    joined = [x[0].transpose(0, 1).contiguous() for x in inputs]
    found = ops.flash_attention_score(
        *map(Tensor, joined), HEADS, actual_seq_qlen=(2, 5), actual_seq_kvlen=Tensor([0, 2, 5]), input_layout="TND"
    )
    parts = [reference(*(x[0, :, part] for x in inputs), scale=1.0) for part in (slice(0, 2), slice(2, 5))]
    close(found, torch.cat(parts, 1).transpose(0, 1))


def test_sequences_may_be_empty(inputs: list[torch.Tensor]) -> None:
    joined = [Tensor(x[0].transpose(0, 1).contiguous()) for x in inputs]
    found = [
        ops.flash_attention_score(*joined, HEADS, actual_seq_qlen=ends, actual_seq_kvlen=ends, input_layout="TND")
        for ends in ((2, 5), (2, 2, 5, 5), (0, 0, 2, 5))
    ]
    for more in found[1:]:
        close(more, found[0]._data)


def test_the_primitive_gives_the_sums_too(inputs: list[torch.Tensor]) -> None:
    attention = ops.operations.FlashAttentionScore(HEADS, scale_value=0.5, input_layout="BNSD")
    largest, total, nothing, found = attention(*map(Tensor, inputs))
    scores = inputs[0] @ inputs[1].transpose(-1, -2) * 0.5
    assert largest.shape == total.shape == (BATCH, HEADS, LENGTH, 8)
    assert nothing.shape == (0,)
    logs = largest + total.log()
    close(logs[..., 0], scores.logsumexp(-1))
    close(found, reference(*inputs, scale=0.5))


def test_what_is_not_built_is_refused(inputs: list[torch.Tensor]) -> None:
    given = [*map(Tensor, inputs), HEADS]
    with pytest.raises(NotImplementedError, match="sparse_mode 6"):
        ops.flash_attention_score(*given, sparse_mode=6)
    with pytest.raises(ValueError, match="input_layout must be one of"):
        ops.flash_attention_score(*given, input_layout="NDS")


def test_a_share_of_the_weights_stays(inputs: list[torch.Tensor]) -> None:
    ones = torch.ones_like(inputs[2])
    kept = torch.ones(BATCH, HEADS, LENGTH, LENGTH)
    found = ops.flash_attention_score(
        *map(Tensor, (*inputs[:2], ones)), HEADS, drop_mask=Tensor(kept), keep_prob=0.5, input_layout="BNSD"
    )
    close(found, ones * 2)


def test_projections_packed_and_apart_agree() -> None:
    draw = np.random.default_rng(0)
    q, k = (Tensor(draw.normal(size=(3, 2, 4)).astype(np.float32)) for _ in range(2))
    weight = Tensor(draw.normal(size=(12, 4)).astype(np.float32))
    bias = Tensor(draw.normal(size=12).astype(np.float32))
    apart = _in_projection(q, k, k, *weight.split(4), *bias.split(4))
    for ours, theirs in zip(_in_projection_packed(q, k, k, weight, bias, True, False), apart, strict=True):
        assert np.allclose(ours, theirs, atol=1e-6)
    for ours, theirs in zip(
        _in_projection_packed(q, q, q, weight, None, True, True), _in_projection(q, q, q, *weight.split(4)), strict=True
    ):
        assert np.allclose(ours, theirs, atol=1e-6)
    assert np.allclose(linear(q, weight, bias)[..., :4], apart[0], atol=1e-6)
    with pytest.raises(ValueError, match="key weights shape of"):
        _in_projection(q, k, k, weight[:4], weight, weight[:4])


def test_shapes_of_attention_are_checked() -> None:
    assert _check_qkv_shape(3, 3, 3) is True
    assert _check_qkv_shape(2, 2, 2) is False
    for wrong in ((3, 2, 3), (4, 4, 4)):
        with pytest.raises(ValueError, match="`query`"):
            _check_qkv_shape(*wrong)
    _check_kpm_shape(3, 2)
    with pytest.raises(ValueError, match="key_padding_mask"):
        _check_kpm_shape(2, 2)
    _check_attn_mask_shape(2, (5, 4), (6, 4), 3, (2, 5, 6), 2)
    with pytest.raises(ValueError, match="must to be"):
        _check_attn_mask_shape(2, (5, 4), (6, 4), 3, (3, 5, 6), 2)


def test_small_steps() -> None:
    """Judge: MindSpore 2.10."""
    image = ops.ones((1, 2, 3, 4))
    assert _interploate_ext_make_tuple(image, 5) == (5, 5)
    assert _interploate_ext_make_tuple(image, (5, 6)) == (5, 6)
    assert _interpolate_ext_scale_factor_convert_size(image, (1.5, 0.6)) == (4, 2)
    assert _inner_pad(Tensor([[True]]), (0, 1)).asnumpy().tolist() == [[True, False]]
    assert _inner_dropout(image, 0.5, False) is image
    assert set(np.unique(_inner_dropout(image, 0.5, True))) == {0.0, 2.0}


DRAWS = np.random.RandomState(0)
QUERY, KEY, IN, IN_BIAS, OUT, OUT_BIAS, BIAS_K, BIAS_V = (
    Tensor((DRAWS.randn(*shape) * 0.5).astype(np.float32))
    for shape in ((3, 2, 8), (5, 2, 8), (24, 8), (24,), (8, 8), (8,), (1, 1, 8), (1, 1, 8))
)
LATER = Tensor(np.triu(np.ones((3, 5), bool), 2))
PADDED = Tensor(np.array([[0, 0, 0, 0, 1], [0, 0, 0, 1, 1]], bool))


@pytest.mark.parametrize(
    ("settings", "output", "weights"),
    [
        ({}, [1.14093, -2.794149, -0.95966, 0.323638], [0.137074, 0.215377, 0.182139, 0.248517]),
        ({"attn_mask": LATER}, [0.310317, -0.663419, -0.745945, -0.26029], [0.392666, 0.607334, 0.0, 0.0]),
        (
            {"key_padding_mask": PADDED, "average_attn_weights": False},
            [1.012733, -2.618693, -0.968569, 0.336434],
            [0.184386, 0.313419, 0.265135, 0.237061],
        ),
        (
            {"bias_k": BIAS_K, "bias_v": BIAS_V, "add_zero_attn": True, "training": False},
            [0.865747, -2.132579, -0.881209, 0.376631],
            [0.1012, 0.159233, 0.13466, 0.182556],
        ),
        (
            {"is_causal": True, "attn_mask": LATER},
            [0.956327, -2.387593, -0.941638, 0.194882],
            [0.300984, 0.173636, 0.146838, 0.202147],
        ),
    ],
)
def test_heads_with_all_projections(settings: dict, output: list[float], weights: list[float]) -> None:
    """Judge: MindSpore 2.10.0."""
    given = {"bias_k": None, "bias_v": None, "add_zero_attn": False} | settings
    found = multi_head_attention_forward(
        QUERY, KEY, KEY, 8, 2, IN, IN_BIAS, given.pop("bias_k"), given.pop("bias_v"), given.pop("add_zero_attn"), 0.0,
        OUT, OUT_BIAS, **given,
    )  # fmt: skip
    for tensor, wanted in zip(found, (output, weights), strict=True):
        assert np.allclose(tensor.asnumpy().ravel()[:4], wanted, atol=2e-6)


@pytest.mark.parametrize(
    "changed",
    [
        {"in_proj_weight": None},
        {"use_separate_proj_weight": True},
        {"embed_dim_to_check": 9},
        {"num_heads": 3},
        {"bias_k": BIAS_K},
        {"attn_mask": Tensor(np.ones((2, 2), np.float32))},
        {"attn_mask": Tensor(np.ones((3, 5), np.int32))},
    ],
)
def test_what_heads_refuse(changed: dict) -> None:
    """Judge: MindSpore 2.10.0."""
    given = {
        "query": QUERY,
        "key": KEY,
        "value": KEY,
        "embed_dim_to_check": 8,
        "num_heads": 2,
        "in_proj_weight": IN,
        "in_proj_bias": IN_BIAS,
        "bias_k": None,
        "bias_v": None,
        "add_zero_attn": False,
        "dropout_p": 0.0,
        "out_proj_weight": OUT,
        "out_proj_bias": OUT_BIAS,
    }
    with pytest.raises(ValueError, match="For 'multi_head_attention_forward', "):
        multi_head_attention_forward(**given | changed)
