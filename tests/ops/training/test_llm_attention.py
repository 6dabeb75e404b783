"""Attention of language models that serve, against torch's attention."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as reference

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.contrib.ops import auto_generate as gen

BATCH, HEADS, KEY_HEADS, LENGTH, SIZE = 2, 4, 2, 6, 8
SCALE = 0.3


def made(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


QUERY, KEY, VALUE = made(BATCH, HEADS, LENGTH, SIZE), *(made(BATCH, KEY_HEADS, LENGTH, SIZE, seed=i) for i in (1, 2))
HEADED = {"num_heads": HEADS, "num_key_value_heads": KEY_HEADS}


def flat(data: torch.Tensor) -> Tensor:
    return Tensor(data.transpose(1, 2).flatten(2))


def close(ours: Tensor, theirs: torch.Tensor, tolerance: float = 1e-5) -> None:
    torch.testing.assert_close(ours._data.float(), theirs.float(), rtol=tolerance, atol=tolerance)


def wanted(query: torch.Tensor = QUERY, mask: torch.Tensor | None = None, **options: float) -> torch.Tensor:
    return reference(query, KEY, VALUE, mask, scale=SCALE, enable_gqa=True, **options)


def seen_up_to(lengths: tuple[int, ...]) -> torch.Tensor:
    return (torch.arange(LENGTH) < torch.tensor(lengths)[:, None])[:, None, None]


def test_a_prompt_in_both_layouts() -> None:
    found = ops.prompt_flash_attention(flat(QUERY), flat(KEY), flat(VALUE), scale_value=SCALE, **HEADED)
    close(found, wanted().transpose(1, 2).flatten(2))
    found = ops.prompt_flash_attention(
        *map(Tensor, (QUERY, KEY, VALUE)), input_layout="BNSD", scale_value=SCALE, **HEADED
    )
    close(found, wanted())


def test_a_prompt_with_mask_shift_and_modes() -> None:
    given = tuple(map(Tensor, (QUERY, KEY, VALUE)))
    options = {"input_layout": "BNSD", "scale_value": SCALE, **HEADED}
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    hidden = Tensor((~causal).to(torch.uint8))
    for mode in (0, 1):
        close(ops.prompt_flash_attention(*given, attn_mask=hidden, sparse_mode=mode, **options), wanted(mask=causal))
    close(ops.prompt_flash_attention(*given, attn_mask=Tensor(~causal[None]), **options), wanted(mask=causal))
    for mode in (2, 3):
        close(ops.prompt_flash_attention(*given, sparse_mode=mode, **options), wanted(mask=causal))
    band = ops.prompt_flash_attention(*given, sparse_mode=4, pre_tokens=2, next_tokens=1, **options)
    close(band, wanted(mask=torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril(1).triu(-2)))
    shift = made(1, HEADS, LENGTH, LENGTH, seed=5)
    close(ops.prompt_flash_attention(*given, pse_shift=Tensor(shift), **options), wanted(mask=shift))


def test_lengths_of_a_prompt_end_queries_and_keys() -> None:
    found = ops.prompt_flash_attention(
        *map(Tensor, (QUERY, KEY, VALUE)),
        *(None, (4, 6), Tensor([5, 6])),
        input_layout="BNSD",
        scale_value=SCALE,
        sparse_mode=3,
        **HEADED,
    )
    parts = [
        reference(
            *(QUERY[b, :, :queries], KEY[b, :, :keys], VALUE[b, :, :keys]),
            torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries),
            scale=SCALE,
            enable_gqa=True,
        )
        for b, queries, keys in ((0, 4, 5), (1, 6, 6))
    ]
    close(found[0, :, :4], parts[0])
    close(found[1], parts[1])
    assert not found[0, :, 4:].any()


def test_a_step_with_lengths_a_mask_and_keys_apart() -> None:
    step = QUERY[:, :, :1]
    expected = wanted(step, seen_up_to((3, 6)))
    options = {"scale_value": SCALE, **HEADED}
    close(
        ops.incre_flash_attention(flat(step), flat(KEY), flat(VALUE), None, [3, 6], **options),
        expected.transpose(1, 2).flatten(2),
    )
    parts = [[Tensor(part) for part in data.split(1)] for data in (KEY, VALUE)]
    masked = ~seen_up_to((3, 6))[:, 0, 0]
    close(ops.incre_flash_attention(Tensor(step), *parts, Tensor(masked), input_layout="BNSD", **options), expected)


def test_a_step_reads_blocks_of_a_cache() -> None:
    step, table = QUERY[:, :, :1], torch.tensor([[3, 0, -1], [1, 4, 2]], dtype=torch.int32)
    caches = []
    for data in (KEY, VALUE):
        blocks = torch.zeros(5, 2, KEY_HEADS * SIZE)
        for row, places in enumerate(table):
            for turn, place in enumerate(places):
                if place >= 0:
                    blocks[place] = data.transpose(1, 2).flatten(2)[row, 2 * turn : 2 * turn + 2]
        caches.append(blocks)
    lengths = Tensor([4, 5])
    expected = wanted(step, seen_up_to((4, 5)))
    found = ops.incre_flash_attention(
        flat(step), *map(Tensor, caches), None, lengths, block_table=Tensor(table), block_size=2, scale_value=SCALE,
        **HEADED,
    )  # fmt: skip
    close(found, expected.transpose(1, 2).flatten(2))
    found = ops.fused_infer_attention_score(
        Tensor(step),
        *(Tensor(one.unflatten(-1, (KEY_HEADS, SIZE)).transpose(1, 2)) for one in caches),
        actual_seq_lengths_kv=lengths, block_table=Tensor(table), scale=SCALE, input_layout="BNSD", **HEADED,
    )  # fmt: skip
    close(found[0], expected)


def test_keys_may_stand_at_the_end() -> None:
    step = QUERY[:, :, :1]
    found = ops.incre_flash_attention(
        *map(Tensor, (step, KEY, VALUE)), None, (3, 4), kv_padding_size=Tensor(1), input_layout="BNSD",
        scale_value=SCALE, **HEADED,
    )  # fmt: skip
    places = torch.arange(LENGTH)
    seen = torch.stack([(places >= 2) & (places < 5), (places >= 1) & (places < 5)])[:, None, None]
    close(found, wanted(step, seen))


def test_quantised_keys_and_results() -> None:
    step = QUERY[:, :, :1].half()
    whole = [(data * 20).round().clamp(-128, 127).to(torch.int8) for data in (KEY, VALUE)]
    scale = torch.full((2, KEY_HEADS, 1, SIZE), 0.05).half()
    offset = torch.full((2, KEY_HEADS, 1, SIZE), 2.0).half()
    found = ops.incre_flash_attention(
        *map(Tensor, (step, *whole)), antiquant_scale=Tensor(scale), antiquant_offset=Tensor(offset),
        input_layout="BNSD", scale_value=SCALE, **HEADED,
    )  # fmt: skip
    key, value = (((data.float() + 2) * 0.05) for data in whole)
    expected = reference(step.float(), key, value, scale=SCALE, enable_gqa=True)
    close(found, expected, 1e-2)
    tokens = ops.fused_infer_attention_score(
        *map(Tensor, (step, *whole)), antiquant_scale=Tensor(torch.full((2, BATCH, LENGTH), 0.05)), antiquant_mode=1,
        input_layout="BNSD", scale=SCALE, **HEADED,
    )[0]  # fmt: skip
    close(tokens, reference(step.float(), *(data * 0.05 for data in whole), scale=SCALE, enable_gqa=True), 1e-2)
    rounded = ops.fused_infer_attention_score(
        *map(Tensor, (QUERY, KEY, VALUE)), quant_scale2=Tensor([30.0]), quant_offset2=Tensor([1.0]),
        input_layout="BNSD_BSND", scale=SCALE, **HEADED,
    )[0]  # fmt: skip
    assert rounded.dtype == ms.int8
    theirs = (wanted().transpose(1, 2) * 30 + 1).round().clamp(-128, 127)
    assert np.abs(rounded.asnumpy().astype(int) - theirs.numpy()).max() <= 1


def test_a_prompt_of_integers() -> None:
    whole = [(data * 20).round().clamp(-128, 127).to(torch.int8) for data in (QUERY, KEY, VALUE)]
    bits = torch.tensor([0.0025]).view(torch.int32).to(torch.int64)
    found = ops.prompt_flash_attention(
        *map(Tensor, whole), deq_scale1=Tensor(bits), quant_scale1=Tensor([127.0]),
        deq_scale2=Tensor([0.05 / 127]), input_layout="BNSD", scale_value=SCALE, **HEADED,
    )  # fmt: skip
    close(found, wanted(), 0.1)


def test_the_logarithms_of_the_sums() -> None:
    given = tuple(map(Tensor, (QUERY, KEY, VALUE)))
    options = {"input_layout": "BNSD", "scale": SCALE, **HEADED}
    sums = ops.fused_infer_attention_score(*given, softmax_lse_flag=True, **options)[1]
    close(sums[..., 0], (QUERY @ KEY.repeat_interleave(2, 1).mT * SCALE).logsumexp(-1))
    assert ops.fused_infer_attention_score(*given, **options)[1].asnumpy().tolist() == [0.0]


def test_what_mindspore_does_not_take_is_refused() -> None:
    given = tuple(map(Tensor, (QUERY, KEY, VALUE)))
    with pytest.raises(ValueError, match="input_layout"):
        ops.prompt_flash_attention(*given, input_layout="SBH")
    with pytest.raises(ValueError, match="sparse_mode"):
        ops.prompt_flash_attention(*given, sparse_mode=5)
    with pytest.raises(ValueError, match="quant_scale1"):
        ops.incre_flash_attention(*given, quant_scale1=Tensor([1.0]))
    with pytest.raises(ValueError, match="key_shared_prefix"):
        ops.fused_infer_attention_score(*given, key_shared_prefix=given[1])


def test_the_primitives_take_the_attributes_first() -> None:
    given = tuple(map(Tensor, (QUERY, KEY, VALUE)))
    close(gen.PromptFlashAttention(HEADS, SCALE, input_layout="BNSD", num_key_value_heads=KEY_HEADS)(*given), wanted())
    fused = gen.FusedInferAttentionScore(HEADS, SCALE, input_layout="BNSD", num_key_value_heads=KEY_HEADS)
    close(fused(*given)[0], wanted())
    step = gen.IncreFlashAttention(HEADS, "BNSD", SCALE, KEY_HEADS)
    close(step(Tensor(QUERY[:, :, :1]), *given[1:]), wanted(QUERY[:, :, :1]))


@pytest.mark.parametrize(("block", "stride", "ends"), [(32, 16, (96,)), (16, 16, [40, 96]), (48, 32, (30, 96))])
def test_windows_are_summed_by_their_weights(block: int, stride: int, ends: tuple[int, ...]) -> None:
    tokens, weight = made(96, 2, 16).half().numpy(), made(block, 2, seed=1).half().numpy()
    begins = (0, *ends[:-1])
    starts = [s for a, b in zip(begins, ends, strict=True) for s in range(a, b - block + 1, stride)]
    rows = [(tokens[s : s + block].astype(np.float32) * weight[:, :, None]).sum(0) for s in starts]
    found = ops.nsa_compress(Tensor(tokens), Tensor(weight), block, stride, actual_seq_len=ends)
    assert found.dtype == ms.float16
    np.testing.assert_allclose(found.asnumpy(), np.stack(rows), rtol=2e-3, atol=2e-3)
    slope = ms.grad(lambda w: ops.nsa_compress(Tensor(tokens), w, block, stride, actual_seq_len=ends).sum())(
        Tensor(weight)
    )
    summed = sum(tokens[s : s + block].astype(np.float32).sum(-1) for s in starts)
    np.testing.assert_allclose(slope.asnumpy(), summed, rtol=1e-2, atol=5e-2)


def test_windows_that_do_not_fit_are_refused() -> None:
    tokens, weight = Tensor(made(32, 2, 16).half().numpy()), Tensor(made(16, 2).half().numpy())
    with pytest.raises(TypeError, match="float16"):
        ops.nsa_compress(tokens.astype(ms.float32), weight, 16, 16, actual_seq_len=(32,))
    with pytest.raises(TypeError, match="compress_stride"):
        ops.nsa_compress(tokens, weight, 16, 1.0, actual_seq_len=(32,))
    for block, stride, ends in ((16, 8, (32,)), (32, 16, (32,)), (16, 16, (16,)), (16, 16, ())):
        with pytest.raises(RuntimeError, match="nsa_compress"):
            ops.nsa_compress(tokens, weight, block, stride, actual_seq_len=ends)
