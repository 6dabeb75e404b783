"""All that is made lies on the context's device. torch's "meta" stands in for a GPU: tensors there have no values, and
an operator on one of them and one of the CPU fails, as with CUDA."""

import numpy as np
import pytest
import torch

import msbridge as ms
from benchmarks.gpu_checks import OPERATORS
from msbridge import Tensor, mint, nn, ops
from msbridge.core.context import context

VALUES_DECIDE = {"mask"}  # the shape of its result


@pytest.fixture(autouse=True)
def meta(monkeypatch):
    monkeypatch.setattr(context._state, "device", torch.device("meta"))


def on_meta(*tensors: Tensor) -> bool:
    return all(tensor._data.device.type == "meta" for tensor in tensors)


@pytest.mark.parametrize("name", sorted(OPERATORS.keys() - VALUES_DECIDE))
def test_operators(name):
    function, inputs = OPERATORS[name]
    value, grads = ms.value_and_grad(lambda *x: function(*x).sum(), tuple(range(len(inputs))))(*map(Tensor, inputs))
    assert on_meta(value, *(grads if isinstance(grads, tuple) else (grads,)))


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


LAYERS = {
    "Range": lambda: nn.Range(3)() + ones(3),
    "SSIM": lambda: nn.SSIM()(ones(1, 1, 16, 16), ones(1, 1, 16, 16)),
    "MSSSIM": lambda: nn.MSSSIM(power_factors=(0.5, 0.5))(ones(1, 1, 32, 32), ones(1, 1, 32, 32)),
    "mint.Embedding": lambda: mint.nn.Embedding(5, 3, padding_idx=0)(Tensor([1, 2])),
    "LSTM": lambda: nn.LSTM(4, 3, 2, bidirectional=True)(ones(5, 2, 4))[0],
    "MultiheadAttention": lambda: nn.MultiheadAttention(4, 2)(ones(5, 2, 4), ones(5, 2, 4), ones(5, 2, 4))[0],
    "Transformer": lambda: nn.TransformerEncoderLayer(4, 2, 8)(ones(5, 2, 4)),
}


@pytest.mark.parametrize("make", LAYERS.values(), ids=LAYERS)
def test_layers(make):
    assert on_meta(make())


def test_rows_of_a_jacobian_that_depend_on_nothing():
    x, y = ones(3), ones(2)
    rows = ms.jacrev(lambda x, y: (x * 2, y * 3), (0, 1))(x, y)
    assert on_meta(*(item for row in rows for item in (row if isinstance(row, tuple) else (row,))))


def test_steps_of_training():
    net = nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3), nn.Dropout(p=0.5))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    for optimizer in (nn.Lamb, nn.RMSProp):  # torch's fused kernels have no "meta"
        step = nn.TrainOneStepCell(loss, optimizer(net.trainable_params(), [0.1, 0.2])).set_train()
        assert on_meta(step(ones(5, 4), ops.zeros(5, ms.int32)))
        assert on_meta(*(item for item in step.get_parameters() if item.size > 2))
