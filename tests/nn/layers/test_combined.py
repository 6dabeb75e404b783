"""Layers built of a few others. Judge: the real MindSpore 2.10."""

import pytest

from msbridge import nn
from tests.tensors import arange, close


def test_dense_with_normalisation_and_activation() -> None:
    result = nn.DenseBnAct(2, 2, weight_init="ones", has_bn=True, activation="relu")(arange(3, 2))
    close(result, [[0.1, 0.1], [0.5, 0.5], [0.9, 0.9]])


@pytest.mark.parametrize("beside", [None, 0])
def test_layer_over_time(beside) -> None:
    layer = nn.Dense(4, 2)
    close(nn.TimeDistributed(layer, 1, beside)(arange(2, 3, 4)), layer(arange(2, 3, 4)).asnumpy())
