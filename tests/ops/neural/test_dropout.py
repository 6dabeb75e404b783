"""Dropout: what is drawn, how often, and what the rest becomes."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint, nn, ops
from msbridge.core import torch_private
from msbridge.ops.neural.dropout import kernels

COUNT = 1 << 16


def masked(data: Tensor, p: float) -> Tensor:
    return ops.Dropout(1 - p)(data)[0]


@pytest.mark.parametrize("p", [0.001, 0.1, 0.5, 0.9])
@pytest.mark.parametrize(
    "drop",
    [
        ops.dropout,
        lambda data, p: ops.dropout(data, p, seed=3),
        mint.nn.functional.dropout,
        masked,
        lambda data, p: nn.Dropout(p=p).set_train()(data),
    ],
)
def test_share_scale_and_gradient(drop, p) -> None:
    data = Tensor(np.full((COUNT // 4, 4), 2, np.float32))
    found, grad = ms.value_and_grad(lambda x: drop(x, p), 0)(data)
    dropped = found.asnumpy() == 0
    width = 5 * np.sqrt(p * (1 - p) / COUNT)
    assert dropped.mean() == pytest.approx(p, abs=width)
    for column in range(4):  # words of 64 bits are two draws
        assert dropped[:, column].mean() == pytest.approx(p, abs=2 * width)
    together = (dropped[:, 0] & dropped[:, 1]).mean()
    assert together == pytest.approx(p * p, abs=2 * width)
    np.testing.assert_allclose(found.asnumpy(), np.where(dropped, 0, 2 / (1 - p)), rtol=1e-6)
    np.testing.assert_allclose(grad.asnumpy(), np.where(dropped, 0, 1 / (1 - p)), rtol=1e-6)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32, ms.float64])
def test_dtype_and_odd_counts(dtype) -> None:
    ms.set_seed(1)
    found = ops.dropout(ops.ones((3, 5), dtype), 0.5)
    assert (found.dtype, found.shape) == (dtype, (3, 5))
    assert set(found.astype(ms.float32).asnumpy().ravel().tolist()) == {0.0, 2.0}
    assert ops.dropout(ops.ones((0, 5), dtype), 0.5).shape == (0, 5)


def test_a_seed_repeats_what_is_drawn() -> None:
    data = ops.ones((31,), ms.float32)
    draws = []
    for _ in range(2):
        ms.set_seed(7)
        draws.append([drop(data, 0.5).asnumpy() for drop in (ops.dropout, ops.dropout, masked)])
    np.testing.assert_array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0][0], draws[0][1])


def test_what_is_turned_is_dropped_where_it_stands() -> None:
    data = ops.ones((40, 30), ms.float32).T
    result, mask = ops.Dropout(0.5)(data)
    np.testing.assert_array_equal(result.asnumpy(), 2 * mask.asnumpy())
    assert mask.dtype == ms.float32


def test_vmap_draws_once_for_all() -> None:
    found = ops.vmap(lambda row: ops.dropout(row, 0.5))(ops.ones((3, 50), ms.float32)).asnumpy()
    assert (found == found[0]).all()
    assert set(found.ravel().tolist()) == {0.0, 2.0}


def test_attention_drops_in_training_alone() -> None:
    attention = nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True)
    x = Tensor(np.random.default_rng(0).random((2, 6, 8), np.float32))
    without = attention(x, x, x, need_weights=False)[0].asnumpy()
    np.testing.assert_allclose(attention(x, x, x)[0].asnumpy(), without, rtol=1e-4, atol=1e-6)
    attention.set_train()
    runs = np.stack([attention(x, x, x, need_weights=False)[0].asnumpy() for _ in range(400)])
    assert runs.std(0).min() > 0
    assert np.abs(runs.mean(0) - without).max() < 5 * runs.std(0).max() / 20


@pytest.mark.compiles
def test_compiled_code_draws() -> None:
    drop = torch.compile(lambda data: ops.dropout(Tensor(data), 0.5)._data, backend="eager")
    assert set(drop(torch.ones(64)).tolist()) == {0.0, 2.0}


def test_compiled_graphs_draw_as_eager_code_does() -> None:
    graph = torch_private.make_fx(torch.func.functionalize(lambda x: torch.dropout(x, 0.25, True)))(torch.ones(1000))
    kernels._replace_draws(graph.graph)
    graph.recompile()
    assert torch.ops.msbridge.bernoulli.default in [node.target for node in graph.graph.nodes]
    torch.manual_seed(1)
    found = graph(torch.ones(1000))
    torch.manual_seed(1)
    assert torch.equal(found, kernels.drop_elements(torch.ones(1000), 0.25))
