import pytest

from msbridge import numpy as mnp
from msbridge.numpy import padding
from tests.numpy.face_tests import RecordedTests, assert_gradient


class TestPadding(RecordedTests):
    face = padding


GRADIENTS = {
    "pad constant": lambda x: mnp.pad(x, 1, constant_values=2),
    "pad reflect": lambda x: mnp.pad(x, 2, "reflect"),
    "pad odd": lambda x: mnp.pad(x, ((1, 0), (2, 1)), "symmetric", reflect_type="odd"),
    "pad ramp": lambda x: mnp.pad(x, 2, "linear_ramp", end_values=3),
    "pad mean": lambda x: mnp.pad(x, 1, "mean"),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_agrees_with_small_steps(name: str) -> None:
    assert_gradient(GRADIENTS[name])
