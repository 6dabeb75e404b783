"""Steps in few dimensions; the numbers are MindSpore 2.10's on a CPU."""

import numpy as np
import pytest

from msbridge import ParameterTuple, Tensor, nn
from msbridge.contrib.boost import DimReduce
from msbridge.core.autograd.grad import value_and_grad

FOUND = [
    [0.766954779624939, 0.6455661058425903, -0.0789358988404274, -0.1868598312139511],
    [0.7985385060310364, 0.7174466252326965, 0.009668126702308655, -0.13610024750232697],
    [0.7988784313201904, 0.7146419882774353, 0.05529050901532173, -0.1367003470659256],
]
STRICT = [
    [0.8771531581878662, 0.8969327211380005, 0.08798138797283173, 0.00033466488821431994],
    [0.8786113858222961, 0.9013801217079163, 0.09358616918325424, 0.000973700312897563],
]


@pytest.mark.parametrize(("rate", "sigma", "wanted"), [(0.3, 0.01, FOUND), (0.05, 0.9, STRICT)])
def test_steps(rate: float, sigma: float, wanted: list[list[float]]) -> None:
    random = np.random.RandomState(1)
    x, y = (Tensor(random.rand(6, width).astype(np.float32)) for width in (3, 1))
    start = Tensor(random.rand(1, 3).astype(np.float32))
    net = nn.Dense(3, 1, start, Tensor(np.zeros(1, np.float32)))
    loss = nn.WithLossCell(net, nn.MSELoss())
    weights = ParameterTuple(net.trainable_params())
    copies = weights.clone("clone", "same")
    components = random.rand(2, 4).astype(np.float32)
    optimizer = nn.SGD(weights, rate)
    reduce = DimReduce(loss, optimizer, weights, components, 2, 0.55, 0.9, 0.1, sigma, 0, 1)
    for expected in wanted:
        value, gradients = value_and_grad(loss, None, weights)(x, y)
        assert reduce(value, gradients, Tensor(1.0), weights, copies, x, y) is value
        found = np.concatenate([one.asnumpy().ravel() for one in weights])
        assert np.allclose(found, expected, atol=2e-5)
    assert {one.name for one in reduce.get_parameters()} >= {"bk", "sk", "gk_last", "gk_last_back", "bk_back"}
    has_step = bool(np.any(reduce.sk.asnumpy()))
    assert has_step == (wanted is FOUND)
