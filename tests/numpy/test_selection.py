import pytest

from msbridge import Tensor
from msbridge import numpy as mnp
from msbridge.numpy import selection
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestSelection(RecordedTests):
    face = selection


GRADIENTS = {
    "where": lambda x: mnp.where(x > 0, x * 2, -x),
    "take": lambda x: mnp.take(x, Tensor([0, 2, 2]), 1),
    "piecewise": lambda x: mnp.piecewise(x, [x > 0], [lambda z: z * 3, lambda z: -z]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
