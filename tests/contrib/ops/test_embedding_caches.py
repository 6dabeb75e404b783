"""Caches. Judge: attention in numpy, over keys and values that lie in one piece."""

import numpy as np
import pytest

from msbridge import Parameter, Tensor, ops

RNG = np.random.default_rng(0)
KEYS, VALUES = (RNG.normal(size=(6, 2, 2, 4)).astype(np.float32) for _ in range(2))
QUERY = RNG.normal(size=(2, 4 * 4)).astype(np.float32)
TABLES, LENGTHS = np.array([[3, 0, -1], [5, 1, 2]], np.int32), np.array([3, 6], np.int32)


def expected(bias: np.ndarray | None = None) -> np.ndarray:
    found = np.zeros((2, 4, 4))
    for row, length in enumerate(LENGTHS):
        keys, values = (cache[TABLES[row]].reshape(-1, 2, 4)[:length] for cache in (KEYS, VALUES))
        for head in range(4):
            scores = keys[:, head // 2] @ QUERY.reshape(2, 4, 4)[row, head] * 0.5
            if bias is not None:
                scores = scores + bias[row, head, 0, :length]
            shares = np.exp(scores - scores.max())
            found[row, head] = shares @ values[:, head // 2] / shares.sum()
    return found.reshape(2, 16)


def tensors() -> list[Tensor]:
    return [Tensor(array) for array in (QUERY, KEYS, VALUES, TABLES, LENGTHS)]


def test_attention_over_blocks() -> None:
    np.testing.assert_allclose(ops.PagedAttention(4, 0.5, 2)(*tensors()).asnumpy(), expected(), rtol=1e-5)


def test_attention_with_a_bias() -> None:
    bias = RNG.normal(size=(2, 4, 1, 6)).astype(np.float32)
    found = ops.PagedAttentionMask(4, 0.5, 2)(*tensors(), alibi_mask=Tensor(bias))
    np.testing.assert_allclose(found.asnumpy(), expected(bias), rtol=1e-5)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="mask_mode"):
        ops.PagedAttention(4, 0.5, 2, mask_mode="TRAPEZOIDAL")
    with pytest.raises(ValueError, match="antiquant_scale"):
        ops.PagedAttention(4, 0.5, 2)(*tensors(), Tensor([1.0]))


def test_keys_and_values_go_to_their_slots() -> None:
    caches = [Parameter(Tensor(np.zeros((2, 2, 3), np.float32)), name=name) for name in ("key", "value")]
    new = np.arange(9, dtype=np.float32).reshape(3, 3)
    ops.ReshapeAndCache()(Tensor(new), Tensor(new * 2), *caches, Tensor(np.array([3, -1, 0], np.int32)))
    np.testing.assert_array_equal(caches[0].asnumpy().reshape(4, 3), [new[2], [0] * 3, [0] * 3, new[0]])
    np.testing.assert_array_equal(caches[1].asnumpy(), caches[0].asnumpy() * 2)


def test_an_assignment_may_change_the_shape() -> None:
    parameter = Parameter(Tensor(np.zeros(2, np.float32)), name="p")
    ops.DynamicAssign()(parameter, Tensor(np.ones((3, 2), np.float32)))
    np.testing.assert_array_equal(parameter.asnumpy(), np.ones((3, 2)))
