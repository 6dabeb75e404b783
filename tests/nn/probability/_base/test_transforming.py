"""Flows: distributions made of others by bijectors, and trained."""

import numpy as np

import msbridge as ms
from msbridge import nn, ops
from msbridge.nn.probability import bijector as msb
from msbridge.nn.probability import distribution as msd


class Shifted(nn.Cell):
    """A normal distribution behind exp and a shift by Parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = ms.Parameter(ms.Tensor([0.0]), name="mean")
        self.sd = ms.Parameter(ms.Tensor([1.0]), name="sd")
        self.flow = msd.TransformedDistribution(bijector=msb.Exp(), distribution=msd.Normal(), seed=0, name="flow")

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return -self.flow("log_prob", x, self.mean, self.sd).mean()


def test_a_flow_learns_its_parameters() -> None:
    x = ms.Tensor(np.exp(np.random.default_rng(0).normal(1.0, 0.5, 2000)).astype(np.float32))
    network = Shifted()
    step = nn.TrainOneStepCell(network, nn.Adam(network.trainable_params(), 0.05))
    for _ in range(120):
        step(x)
    np.testing.assert_allclose([network.mean.asnumpy()[0], network.sd.asnumpy()[0]], [1.0, 0.5], atol=0.05)


def test_bijectors_of_bijectors() -> None:
    flow = msb.ScalarAffine(2.0, 1.0)(msb.Softplus()(msd.Normal(0.0, 1.0)))
    x = ops.linspace(1.5, 9.0, 400)
    total = (flow.prob(x).asnumpy()).sum() * (7.5 / 399)
    assert total == np.float32(total) and 0.7 < total < 1.0  # noqa: PT018
    np.testing.assert_allclose(flow.log_prob(x).asnumpy(), np.log(flow.prob(x).asnumpy()), atol=1e-5)


def test_a_bijector_called_on_a_distribution_transforms_it() -> None:
    transformed = msb.Exp()(msd.Normal(0.0, 1.0))
    assert isinstance(transformed, msd.TransformedDistribution)
    np.testing.assert_allclose(transformed.prob(ms.Tensor([1.0])).asnumpy(), [1 / np.sqrt(2 * np.pi)], rtol=1e-5)


def test_the_dtype_of_a_flow_is_given_in_r1_0() -> None:
    flow = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0), dtype=ms.float32, seed=0)
    assert flow.dtype == ms.float32
