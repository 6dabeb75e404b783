"""Dropout. Judge: the formula."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from tests.tensors import arange


@pytest.mark.parametrize(
    "make", [lambda: nn.Dropout(p=0.25), lambda: nn.Dropout(0.75), lambda: nn.Dropout(keep_prob=0.75)]
)
def test_dropout(make) -> None:
    layer, x = make(), Tensor(np.ones(4000, np.float32))
    assert layer(x) is x
    values, counts = np.unique(layer.set_train()(x).asnumpy(), return_counts=True)
    np.testing.assert_allclose(values, [0, 4 / 3], rtol=1e-6)
    assert 850 < counts[0] < 1150


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_dropout_of_channels(rank) -> None:
    x = Tensor(np.ones((50, 20, *(2,) * rank), np.float32))
    result = getattr(nn, f"Dropout{rank}d")(0.5).set_train()(x).asnumpy().reshape(1000, -1)
    assert set(np.unique(result)) == {0.0, 2.0}
    assert (result == result[:, :1]).all()


def test_dropout_primitives_give_masks() -> None:
    result, mask = ops.Dropout(0.5)(Tensor(np.ones(100, np.float32)))
    np.testing.assert_array_equal(result.asnumpy(), 2 * mask.asnumpy())
    assert ops.Dropout2D(0.5)(arange(2, 2, 2, 2))[1].dtype == ms.bool_


def test_dropout_by_bits() -> None:
    x = Tensor(np.ones((30, 50), np.float32))
    mask = ops.DropoutGenMask(1, 2)((30, 50), Tensor(0.5))
    assert (mask.dtype, mask.shape) == (ms.uint8, (192,))
    result = ops.DropoutDoMask()(x, mask, Tensor(0.5)).asnumpy()
    assert set(np.unique(result)) == {0.0, 2.0}
    assert 0.9 < result.mean() < 1.1
