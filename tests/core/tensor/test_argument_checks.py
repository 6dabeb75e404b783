"""Constructors of earlier releases refuse at once what they refused then; judge: 1.0.0 and 2.0.0 on wrong values."""

import math

import pytest

import msbridge
from msbridge import nn, ops
from msbridge.core.releases.rows import ArgumentCheck
from msbridge.core.tensor.argument_checks import check_of

SIZES = ArgumentCheck("int tuple", sizes=(2, 4))
LISTS = ArgumentCheck("list", sizes=(3,), least=0)
CHECKS = [
    ("bool", True, 1, TypeError),
    ("int tuple", (1, 2), 1.5, TypeError),
    ("int tuple", 3, (1.5,), TypeError),
    (ArgumentCheck("int", above=0), 1, 0, ValueError),
    (ArgumentCheck("int", above=0), 1, True, TypeError),
    (ArgumentCheck("float", most=0), -0.5, 0.5, ValueError),
    (ArgumentCheck("bool int float", above=0, most=1), 1, 0, ValueError),
    (ArgumentCheck("bool int float", above=0, most=1), True, "a", TypeError),
    (ArgumentCheck("bool int float", least=0, most=math.inf), 3.0, -1.0, ValueError),
    (ArgumentCheck(one_of=("valid", "same")), "same", "pad", ValueError),
    (ArgumentCheck("str", one_of=("valid", "same")), "same", 1, TypeError),
    (ArgumentCheck("str", one_of=("valid", "same"), error="KeyError"), "same", 1, KeyError),
    (ArgumentCheck("dtype", one_of=("Int32", "Int64")), msbridge.int32, msbridge.float32, TypeError),
    (SIZES, (1, 2), (1, 0), ValueError),
    (SIZES, 2, (1, 2, 3), ValueError),
    (SIZES, 2, 1.5, TypeError),
    (LISTS, [0, 1, 2], [0, 1, -1], ValueError),
    (LISTS, [0, 1, 2], (0, 1, 2), TypeError),
    (ArgumentCheck("list tuple", lengths=(2, 3)), [1.5, None, "a"], (1,), ValueError),
    (ArgumentCheck("None int", above=0), None, 0, ValueError),
    ("enum", "NHWC", "bad", ValueError),
    ("enum", "mean", 1, TypeError),
    ("dtype", msbridge.int8, "int8", TypeError),
]


@pytest.mark.parametrize(("asked", "good", "bad", "error"), CHECKS)
def test_a_check_takes_what_it_says_and_nothing_else(asked, good, bad, error):
    check_of(asked)(good, "value", "Owner")
    with pytest.raises(error, match="value"):
        check_of(asked)(bad, "value", "Owner")


@pytest.fixture
def follow():
    return msbridge.set_release


@pytest.mark.parametrize("release", ["1.0", "2.0", "2.2"])
def test_a_primitive_checks_while_its_release_is_followed(release, follow):
    today = ops.BatchMatMul.__init__
    follow(release)
    with pytest.raises(TypeError, match="transpose_a"):
        ops.BatchMatMul(1)
    assert ops.BatchMatMul(True).transpose_a is True
    follow(None)
    assert ops.BatchMatMul.__init__ is today
    assert ops.BatchMatMul(1).transpose_a == 1


def test_primitives_check_in_every_release():
    with pytest.raises(TypeError, match="For 'TopK', the type of 'sorted' should be 'bool', but got type 'int'"):
        ops.TopK(1)
    with pytest.raises(ValueError, match="'out_channel' must be > 0"):
        ops.Conv2D(out_channel=0, kernel_size=3)
    with pytest.raises(TypeError, match="pad_mode"):
        ops.Conv2D(3, 3, pad_mode=1)
    assert ops.RandpermV2(None).seed is None


def test_a_primitive_of_a_script_is_not_asked():
    class TopK(ops.TopK):
        pass

    class Mine(ops.Primitive):
        def __init__(self, sorted):
            super().__init__("TopK")

    assert Mine(1).name == "TopK"
    with pytest.raises(TypeError):
        TopK(1)


def test_the_signature_and_words_of_the_release_stay(follow):
    follow("1.0")
    assert repr(ops.MaxPool(ksize=2, padding="same")).startswith("Prim[MaxPool]<ksize=(1, 1, 2, 2)")
    with pytest.raises(TypeError, match="transpose_a"):
        ops.MatMul(transpose_a=1)
    with pytest.raises(AttributeError, match="reduction"):
        nn.MSELoss(1)
