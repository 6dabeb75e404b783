"""Attention that a network writes out becomes a fused call: of each form the results of `construct`, others stay."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.nn.inference import preparations, prepared

BATCH, HEADS, LENGTH, WIDTH = 2, 3, 5, 12
_draw = np.random.default_rng(0)
X = Tensor(_draw.standard_normal((BATCH, LENGTH, WIDTH)), ms.float32)
SEEN = Tensor(_draw.random((BATCH, 1, 1, LENGTH)) > 0.3, ms.float32)


@pytest.fixture(autouse=True, params=[True, False])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute each test with the fused kernel, and with the products in its place."""

    def choose(self: prepared.Prepared, *inputs: torch.Tensor) -> bool:
        self.is_packed = request.param
        self.refresh()
        return self.is_packed

    monkeypatch.setattr(prepared.Prepared, "choose", choose)
    monkeypatch.setattr(prepared, "MIN_SPEEDUP", 0.0)


class Attention(nn.Cell):
    """Attention of three heads, with any middle."""

    def __init__(self, mix) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Dense(WIDTH, WIDTH) for _ in range(3))
        self.mix = mix

    def construct(self, x: Tensor, seen: Tensor) -> Tensor:
        q, k, v = (
            layer(x).reshape(BATCH, LENGTH, HEADS, -1).transpose(0, 2, 1, 3)
            for layer in (self.query, self.key, self.value)
        )
        return self.mix(q, k, v, seen).swapaxes(1, 2).reshape(BATCH, LENGTH, WIDTH)


def scores(q: Tensor, k: Tensor) -> Tensor:
    return ops.matmul(q, k.swapaxes(-1, -2))


def batched(q: Tensor, k: Tensor, v: Tensor, seen: Tensor) -> Tensor:
    q, k, v = (one.reshape(BATCH * HEADS, LENGTH, -1) for one in (q, k, v))
    mixed = ops.bmm(ops.softmax(ops.bmm(q, k.swapaxes(1, 2)) / 2.0, -1), v)
    return mixed.reshape(BATCH, HEADS, LENGTH, -1)


def with_values(q: Tensor, k: Tensor, v: Tensor, seen: Tensor) -> Tensor:
    weights = ops.softmax(scores(q, k), -1)
    return ops.matmul(weights, v) + weights.mean()


FUSED = {
    "plain": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k), -1), v),
    "scaled": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k) * 0.5, 3), v),
    "divided": lambda q, k, v, seen: ops.BatchMatMul()(nn.Softmax()(ops.BatchMatMul(transpose_b=True)(q, k) / 2.0), v),
    "queries scaled": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q * 0.5, k), -1), v),
    "masked": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k) / 2.0 + (1.0 - seen) * -10000.0, -1), v),
    "mask first": lambda q, k, v, seen: ops.matmul(ops.softmax((1.0 - seen) * -9.0 + scores(q, k) * 0.5, -1), v),
    "causal": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k) + causal() * -10000.0, -1), v),
    "batches of matrices": batched,
}
OTHERS = {
    "weights are used": with_values,
    "another axis": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k), 2), v),
    "scaled behind the mask": lambda q, k, v, seen: ops.matmul(ops.softmax((scores(q, k) + seen * 2.0) / 2.0, -1), v),
    "a mask that may be infinite": lambda q, k, v, seen: ops.matmul(ops.softmax(scores(q, k) + seen, -1), v),
    "weights on the right": lambda q, k, v, seen: ops.matmul(v.swapaxes(2, 3), ops.softmax(scores(q, k), -1)).swapaxes(
        2, 3
    ),
    "no product": lambda q, k, v, seen: ops.matmul(ops.softmax(q[..., :1] + k[..., 0][:, :, None], -1), v),
}


def causal() -> Tensor:
    return ops.triu(ops.ones((LENGTH, LENGTH), ms.float32), 1)


def prepare(mix) -> tuple[prepared.Preparation, bool]:
    """Prepare attention; return what became of it, and whether the results are those of before."""
    net = Attention(mix)
    right = net(X, SEEN).asnumpy()
    ms.optimize(net, X, SEEN)
    return preparations(net)[0], np.allclose(net(X, SEEN).asnumpy(), right, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", FUSED)
def test_attention_is_fused(name: str) -> None:
    found, is_same = prepare(FUSED[name])
    assert is_same
    assert (found.is_used, found.counts["attentions fused"]) == (True, 1)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_attention_stays(name: str) -> None:
    found, is_same = prepare(OTHERS[name])
    assert is_same
    assert (found.is_used, found.counts["attentions fused"]) == (True, 0)
