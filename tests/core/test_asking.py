"""Constructors of earlier releases refuse at once what they refused then; judge: 1.0.0 and 2.0.0 on wrong values."""

import pytest

import msbridge
from msbridge import nn, ops
from msbridge.core.asking import check_of

CHECKS = [
    ("bool", True, 1, TypeError),
    ("int tuple", (1, 2), 1.5, TypeError),
    ("int tuple", 3, (1.5,), TypeError),
    ("int > 0", 1, 0, ValueError),
    ("int > 0", 1, True, TypeError),
    ("float <= 0", -0.5, 0.5, ValueError),
    ("(0, 1]", 1, 0, ValueError),
    ("(0, 1]", True, "a", TypeError),
    ("[0, inf]", 3.0, -1.0, ValueError),
    ("of valid same", "same", "pad", ValueError),
    ("str of valid same", "same", 1, TypeError),
    ("str of valid same else KeyError", "same", 1, KeyError),
    ("dtype Int32 Int64", msbridge.int32, msbridge.float32, TypeError),
    ("sizes", (1, 2), (1, 0), ValueError),
    ("sizes", 2, (1, 2, 3), ValueError),
    ("sizes", 2, 1.5, TypeError),
]


@pytest.mark.parametrize(("text", "good", "bad", "error"), CHECKS)
def test_a_check_takes_what_it_says_and_nothing_else(text, good, bad, error):
    check_of(text)(good, "value", "Owner")
    with pytest.raises(error, match="value"):
        check_of(text)(bad, "value", "Owner")


@pytest.fixture
def follow():
    yield msbridge.set_release
    msbridge.set_release(None)


@pytest.mark.parametrize("release", ["1.0", "2.0", "2.2"])
def test_a_primitive_checks_while_its_release_is_followed(release, follow):
    today = ops.TopK.__init__
    follow(release)
    with pytest.raises(TypeError, match="sorted"):
        ops.TopK(1)
    assert ops.TopK(True).sorted is True
    follow(None)
    assert ops.TopK.__init__ is today
    assert ops.TopK(1).sorted == 1


def test_the_signature_and_words_of_the_release_stay(follow):
    follow("1.0")
    assert repr(ops.MaxPool(ksize=2, padding="same")).startswith("Prim[MaxPool]<ksize=(1, 1, 2, 2)")
    with pytest.raises(TypeError, match="transpose_a"):
        ops.MatMul(transpose_a=1)
    with pytest.raises(AttributeError, match="reduction"):
        nn.MSELoss(1)
