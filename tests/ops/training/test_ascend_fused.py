"""What MindSpore computes on an Ascend only, against numpy."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops

RNG = np.random.default_rng(5)


def drawn(*shape: int, low: float = -1.0, high: float = 1.0) -> np.ndarray:
    return RNG.uniform(low, high, shape).astype(np.float32)


class TestTokens:
    def test_of_one_expert_are_sorted_by_it(self) -> None:
        tokens = Tensor([[1.0], [7.0], [2.0], [1.5], [2.5], [3.0]])
        found, places = ops.moe_token_permute(tokens, Tensor([5, 0, 3, 1, 2, 4], ms.int32))
        assert found.asnumpy().ravel().tolist() == [7.0, 1.5, 2.5, 2.0, 3.0, 1.0]
        assert places.dtype == ms.int32
        assert places.asnumpy().tolist() == [5, 0, 3, 1, 2, 4]
        assert np.array_equal(ops.moe_token_unpermute(found, places), tokens)

    @pytest.mark.parametrize("kept", [None, 5])
    def test_of_several_experts_are_weighted(self, kept: int | None) -> None:
        tokens, experts, probs = drawn(4, 3), RNG.integers(0, 3, (4, 2)), drawn(4, 2)
        order = np.argsort(experts.ravel(), kind="stable")[:kept]
        found, places = ops.moe_token_permute(Tensor(tokens), Tensor(experts), kept)
        assert np.array_equal(found, tokens[order // 2])
        wanted = np.zeros_like(tokens)
        for flat in order:
            wanted[flat // 2] += tokens[flat // 2] * probs.ravel()[flat]
        assert np.allclose(ops.moe_token_unpermute(found, places, Tensor(probs)), wanted, atol=1e-6)

    def test_gradients_go_back_to_the_tokens(self) -> None:
        def total(x: Tensor) -> Tensor:
            found, _ = ops.moe_token_permute(x, Tensor([[1, 0], [0, 1]]))
            return found.sum()

        assert (ms.grad(total)(Tensor(drawn(2, 3))) == 2).all()

    def test_padding_is_refused(self) -> None:
        with pytest.raises(ValueError, match="padded_mode"):
            ops.moe_token_permute(Tensor(drawn(2, 3)), Tensor([0, 1]), padded_mode=True)
        with pytest.raises(TypeError, match="Tensor"):
            ops.moe_token_permute(3, Tensor([0, 1]))


@pytest.mark.parametrize("mode", [0, 1])
def test_rotary_positions_turn_pairs(mode: int) -> None:
    x, angles = drawn(2, 2, 3, 4), drawn(3, 2)
    at = (0, 1), (2, 3)
    if mode == 0:
        at = (0, 2), (1, 3)
    wanted, full = np.empty_like(x), np.empty((1, 1, 3, 4), np.float32)
    for pair, (one, other) in enumerate(at):
        cos, sin = np.cos(angles[:, pair]), np.sin(angles[:, pair])
        wanted[..., one] = x[..., one] * cos - x[..., other] * sin
        wanted[..., other] = x[..., other] * cos + x[..., one] * sin
        full[..., one] = full[..., other] = angles[:, pair]
    found = ops.rotary_position_embedding(Tensor(x), Tensor(np.cos(full)), Tensor(np.sin(full)), mode)
    assert np.allclose(found, wanted, atol=1e-6)
    with pytest.raises(ValueError, match="mode"):
        ops.rotary_position_embedding(Tensor(x), Tensor(full), Tensor(full), 2)


class TestMergedAttention:
    def parts(self, scores: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Attention of (batch, heads, sequence, keys) scores: output, largest score and sum, eight times each."""
        largest = scores.max(-1, keepdims=True)
        raised = np.exp(scores - largest)
        total = raised.sum(-1, keepdims=True)
        return raised / total @ values, largest.repeat(8, -1), total.repeat(8, -1)

    def test_two_parts_give_the_whole(self) -> None:
        scores, values = drawn(2, 3, 4, 6, high=3), drawn(2, 3, 6, 5)
        whole, first, second = (
            self.parts(scores[..., cut], values[..., cut, :]) for cut in (slice(6), slice(2), slice(2, 6))
        )
        sbh = [Tensor(out.transpose(2, 0, 1, 3).reshape(4, 2, 15)) for out, _, _ in (whole, first, second)]
        stats = [(Tensor(largest), Tensor(total)) for _, largest, total in (whole, first, second)]
        found = ops.ring_attention_update(sbh[1], *stats[1], sbh[2], *stats[2])
        for ours, wanted in zip(found, (sbh[0], *stats[0]), strict=True):
            assert np.allclose(ours, wanted, atol=1e-5)
        tokens = [Tensor(out[0].transpose(1, 0, 2)) for out, _, _ in (whole, first, second)]
        rows = [tuple(Tensor(one[0].transpose(1, 0, 2)) for one in part[1:]) for part in (whole, first, second)]
        ends = Tensor([0, 4])
        found = ops.ring_attention_update(tokens[1], *rows[1], tokens[2], *rows[2], ends, "TND")
        assert np.allclose(found[0], tokens[0], atol=1e-5)

    def test_layouts_are_two(self) -> None:
        with pytest.raises(ValueError, match="layout"):
            ops.ring_attention_update(*[Tensor(drawn(1, 1, 1))] * 6, layout="BSH")
        with pytest.raises(RuntimeError, match="actual_seq_qlen"):
            ops.ring_attention_update(*[Tensor(drawn(1, 1, 1))] * 6, layout="TND")


def test_deformable_attention_samples_maps_of_several_sizes() -> None:
    sizes, begins = [(3, 4), (2, 2)], [0, 12]
    value, places, weight = drawn(2, 16, 2, 8), drawn(2, 5, 2, 2, 3, 2, low=0), drawn(2, 5, 2, 2, 3)
    wanted = np.zeros((2, 5, 2, 8), np.float64)
    for batch, query, head, level, point in np.ndindex(weight.shape):
        height, width = sizes[level]
        x, y = places[batch, query, head, level, point] * (width, height) - 0.5
        for row, column in np.ndindex(2, 2):
            r, c = int(np.floor(y)) + row, int(np.floor(x)) + column
            if 0 <= r < height and 0 <= c < width:
                share = (1 - abs(y - r)) * (1 - abs(x - c)) * weight[batch, query, head, level, point]
                wanted[batch, query, head] += share * value[batch, begins[level] + r * width + c, head]
    found = ops.multi_scale_deformable_attn_function(
        Tensor(value), Tensor(sizes), Tensor(begins), Tensor(places), Tensor(weight)
    )
    assert np.allclose(found, wanted.reshape(2, 5, 16), atol=1e-5)
