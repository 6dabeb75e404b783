import pytest

from msbridge import numpy as mnp
from msbridge.numpy import statistics
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestStatistics(RecordedTests):
    face = statistics


GRADIENTS = {
    "cov": mnp.cov,
    "interp": lambda x: mnp.interp(x, [-3.0, 0.0, 4.0], [1.0, 5.0, 2.0]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
