"""Gradients as operators, against the gradients of the operators themselves."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, mint, ops
from msbridge.contrib.ops import auto_generate as gen

F = mint.nn.functional
DRAW = np.random.default_rng(0)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAW.normal(size=shape).astype(np.float32))


X, Y = drawn(3, 4), drawn(3, 4)
IMAGE, VOLUME = drawn(1, 2, 4, 4), drawn(1, 2, 4, 4, 4)
SHARES = ops.softmax(Y, 1)
ROWS: list[tuple[str, Callable[[Tensor], Tensor], Tensor, tuple]] = [
    ("EluGradExt", lambda x: F.elu(x, 0.5), X, (0.5,)),
    ("GeluGradExt", lambda x: F.gelu(x, approximate="tanh"), X, ("tanh",)),
    ("LeakyReLUGradExt", lambda x: F.leaky_relu(x, 0.2), X, (0.2,)),
    ("MishGradExt", F.mish, X, ()),
    ("SoftplusGradExt", lambda x: F.softplus(x, 2.0, 1.0), X, (2.0, 1.0)),
    ("HardtanhGrad", lambda x: F.hardtanh(x, -0.5, 0.5), X, (-0.5, 0.5)),
    ("ThresholdGrad", lambda x: F.threshold(x, 0.1, 7.0), X, (0.1,)),
    ("SwigluGrad", lambda x: ops.swiglu(x, 1), X, (1,)),
    ("KLDivGrad", lambda x: F.kl_div(x, SHARES, "mean"), X, (SHARES, "mean")),
    ("KLDivGrad", lambda x: F.kl_div(x, Y, "sum", True), X, (Y, "sum", True)),
    ("L1LossBackwardExt", lambda x: F.l1_loss(x, Y, "sum"), X, (Y, "sum")),
    ("MSELossGradExt", lambda x: F.mse_loss(x, Y), X, (Y,)),
    (
        "BinaryCrossEntropyWithLogitsBackward",
        lambda x: F.binary_cross_entropy_with_logits(x, SHARES, SHARES, "sum", SHARES),
        X,
        (SHARES, SHARES, SHARES, "sum"),
    ),
    ("AvgPool2DGrad", lambda x: F.avg_pool2d(x, 2, 1, 1, False, False), IMAGE, (2, 1, 1, False, False)),
    ("AvgPool3DGradExt", lambda x: F.avg_pool3d(x, 2), VOLUME, (2,)),
    ("AdaptiveAvgPool2DGradExt", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), IMAGE, ()),
    ("AdaptiveAvgPool3DGradExt", lambda x: F.adaptive_avg_pool3d(x, (3, 2, 1)), VOLUME, ()),
    ("ReflectionPad1DGrad", lambda x: F.pad(x, (1, 2), "reflect"), X, ((1, 2),)),
    ("ReflectionPad2DGrad", lambda x: F.pad(x, (1, 0, 2, 1), "reflect"), IMAGE, ((1, 0, 2, 1),)),
    ("ReflectionPad3DGrad", lambda x: F.pad(x, (1,) * 6, "reflect"), VOLUME, ((1,) * 6,)),
    ("ReplicationPad1DGrad", lambda x: F.pad(x, (1, 2), "replicate"), X, ((1, 2),)),
    ("ReplicationPad2DGrad", lambda x: F.pad(x, (1, 0, 2, 1), "replicate"), IMAGE, ((1, 0, 2, 1),)),
    ("ReplicationPad3DGrad", lambda x: F.pad(x, (1,) * 6, "replicate"), VOLUME, ((1,) * 6,)),
]


@pytest.mark.parametrize(("name", "forward", "x", "given"), ROWS, ids=[row[0] for row in ROWS])
def test_a_gradient_is_that_of_its_operator(name: str, forward: Any, x: Tensor, given: tuple) -> None:
    dout = drawn(*forward(x).shape)
    wanted = ms.grad(lambda data: (forward(data) * dout).sum())(x)
    found = getattr(gen, name)()(dout, x, *given)
    assert found.dtype == x.dtype
    assert np.allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("name", ["ReflectionPad", "ReplicationPad"])
def test_borders(name: str) -> None:
    mode = {"ReflectionPad": "reflect", "ReplicationPad": "edge"}[name]
    for rank, data in ((1, X), (2, IMAGE), (3, VOLUME)):
        wanted = np.pad(data.asnumpy(), [(0, 0)] * (data.ndim - rank) + [(1, 1)] * rank, mode)
        assert np.array_equal(getattr(gen, f"{name}{rank}D")()(data, (1, 1) * rank), wanted)


def test_gradients_from_results() -> None:
    dout = drawn(3, 4)
    for name, forward, given in (("EluGradExt", F.elu, (1.0, True)), ("SoftmaxBackward", ops.softmax, ())):
        wanted = ms.grad(lambda x, forward=forward: (forward(x) * dout).sum())(X)
        assert np.allclose(getattr(gen, name)()(dout, forward(X), *given), wanted, atol=1e-5)
    with pytest.raises(ValueError, match="negative slope"):
        gen.LeakyReLUGradExt()(dout, X, -0.1, True)


def test_gradients_of_rms_norm() -> None:
    gamma, dout = drawn(4), drawn(3, 4)
    rstd = ops.rms_norm(X, gamma, 1e-6)[1]
    wanted = ms.grad(lambda x, factors: (ops.rms_norm(x, factors, 1e-6)[0] * dout).sum(), (0, 1))(X, gamma)
    for ours, theirs in zip(gen.RmsNormGrad()(dout, X, rstd, gamma), wanted, strict=True):
        assert np.allclose(ours, theirs, atol=1e-5)


def test_gradients_of_tables_and_folds() -> None:
    places, dout = Tensor([[0, 2], [2, 1]]), drawn(2, 2, 3)
    found = gen.EmbeddingDenseBackward()(dout, places, 4, 1)
    rows = dout.asnumpy()
    assert np.allclose(found, [rows[0, 0], rows[0, 0] * 0, rows[0, 1] + rows[1, 0], rows[0, 0] * 0], atol=1e-6)
    assert np.array_equal(gen.Col2ImGrad()(IMAGE, 2), F.unfold(IMAGE, 2))
