"""How THOR sees layers. Judge: MindSpore 2.10."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.thor import counting as thor
from msbridge.contrib.thor.converting import ConvertNetUtils


class Net(nn.Cell):
    """Layers of most kinds."""

    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(2, 3, 3)
        self.b = nn.BatchNorm2d(3)
        self.d = nn.Dense(3, 2)
        self.s = nn.SequentialCell(nn.LayerNorm((2,)), nn.Dense(2, 2))
        self.e = nn.Embedding(3, 2)


def test_kinds_of_layers():
    net = Net()
    assert thor.get_net_layertype_mask(net) == [-1, 5, -1, 4, -1, -1]
    ConvertNetUtils().convert_to_thor_net(net)
    assert thor.get_net_layertype_mask(net)[:3] == [thor.Conv, 5, thor.FC]


def test_shapes():
    assert thor.caculate_matmul_shape(300, 128, 128) == ((1, 3, 128, 128), (1, 128, 128))
    assert thor.caculate_matmul_shape(64, 100, 128) == ((1, 1, 64, 64), (1, 100, 100))
    assert thor.caculate_device_shape(147, 3, True) == ((49, 49, 16, 16), 784)
    assert thor.caculate_device_shape(64, 64, False) == ((4, 4, 16, 16), 64)


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        (thor.Conv, [1, 1, 1, 0, 1, 1, 1, 0, 1, 0]),
        (thor.FC, [1, 1, 1, 0, 1, 1, 1, 0, 1, 0]),
        (thor.LayerNorm, [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
        (thor.BatchNorm, [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
        (thor.Other, [1, 1, 1, 0, 1, 1, 1, 0, 1, 1]),
        (thor.Embedding, [1, 1, 1, 0, 1, 1, 1, 0, 1, 1]),
    ],
)
def test_numbers_of_layers(kind, ends):
    parameters = Net().trainable_params()
    assert [thor.get_layer_counter(kind, 0, parameters, place) for place in range(len(parameters))] == ends
    assert thor.get_layer_counter(kind, 7, parameters, 2) == 8


def test_clipped_gradients():
    gradients = (Tensor(np.array([3.0, 4.0], np.float32)), Tensor(np.array([0.5], np.float32)))
    assert thor.clip_gradient(False, gradients) is gradients
    found = thor.clip_gradient(True, gradients)
    np.testing.assert_allclose(found[0].asnumpy(), [0.6, 0.8], rtol=1e-6)
    assert found[1].asnumpy().tolist() == [0.5]
