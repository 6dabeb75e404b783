import pytest

from msbridge import numpy as mnp
from msbridge.numpy import shape
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestShape(RecordedTests):
    face = shape


GRADIENTS = {
    "apply_along_axis": lambda x: mnp.apply_along_axis(lambda z: z * z, 0, x),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
