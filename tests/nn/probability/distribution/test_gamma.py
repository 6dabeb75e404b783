"""What MindSpore's CPU build does not draw: judged by numpy's moments."""

import numpy as np
import pytest

import msbridge as ms
from msbridge.nn.probability.distribution import Beta, Gamma, Poisson

COUNT = 20000


@pytest.mark.parametrize(
    ("distribution", "mean", "deviation"),
    [
        (Gamma([0.5, 3.0], [2.0, 1.0]), [0.25, 3.0], [np.sqrt(0.5) / 2, np.sqrt(3)]),
        (Beta([0.5, 3.0], [2.0, 1.5]), [0.2, 2 / 3], [np.sqrt(1 / 6.25 / 3.5), np.sqrt(4.5 / 20.25 / 5.5)]),
        (Poisson([0.5, 4.0]), [0.5, 4.0], [np.sqrt(0.5), 2.0]),
    ],
    ids=["gamma", "beta", "poisson"],
)
def test_samples_have_the_moments(distribution: ms.nn.Cell, mean: list[float], deviation: list[float]) -> None:
    ms.set_seed(1)
    drawn = distribution("sample", (COUNT,)).asnumpy()
    assert drawn.shape == (COUNT, 2)
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.06)  # four deviations of the mean
    np.testing.assert_allclose(drawn.std(0), deviation, atol=0.06)


def test_gradients_reach_the_parameters_through_samples() -> None:
    ms.set_seed(1)
    shape, rate = ms.Tensor([2.0]), ms.Tensor([1.0])
    by_shape, by_rate = ms.grad(lambda a, b: Gamma().sample((COUNT,), a, b).mean(), (0, 1))(shape, rate)
    np.testing.assert_allclose([by_shape.asnumpy().item(), by_rate.asnumpy().item()], [1.0, -2.0], atol=0.1)


def test_a_mode_of_a_bernoulli_is_what_is_likelier() -> None:
    mode = ms.nn.probability.distribution.Bernoulli([0.3, 0.5, 0.7]).mode()
    assert mode.asnumpy().tolist() == [0, 0, 1]
    assert mode.dtype == ms.int32
