import pytest

from msbridge import numpy as mnp
from msbridge.numpy import reduction
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestReduction(RecordedTests):
    face = reduction


GRADIENTS = {
    "average": lambda x: mnp.average(x, 0, weights=[1.0, 3.0]),
    "nanvar": lambda x: mnp.nanvar(x, ddof=1),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
