import pytest

from msbridge import numpy as mnp
from msbridge.numpy import math
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestMath(RecordedTests):
    face = math


GRADIENTS = {
    "clip": lambda x: mnp.clip(x, -1, 1),
    "cbrt": mnp.cbrt,
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
