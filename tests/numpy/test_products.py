import pytest

from msbridge import numpy as mnp
from msbridge.numpy import products
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestProducts(RecordedTests):
    face = products


GRADIENTS = {
    "tensordot": lambda x: mnp.tensordot(x, x, 2),
    "cross": lambda x: mnp.cross(x, x[::-1]),
    "polyval": lambda x: mnp.polyval([2.0, 1.0, 0.0], x),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
