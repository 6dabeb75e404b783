import pytest

from msbridge import numpy as mnp
from msbridge.numpy import differences
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestDifferences(RecordedTests):
    face = differences


GRADIENTS = {
    "gradient": lambda x: mnp.gradient(x, axis=1),
    "trapz": lambda x: mnp.trapz(x, dx=0.5),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
