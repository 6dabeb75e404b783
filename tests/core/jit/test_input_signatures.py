"""input_signature: MindSpore reads it before 2.6 only."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor

ANY_ROWS = Tensor(shape=[None, 3], dtype=ms.float32)
GOOD = Tensor(np.ones((2, 3), np.float32))
BAD = [GOOD.T, GOOD.astype(ms.float16), GOOD.reshape(2, 3, 1), 1]


def double(a: Tensor) -> Tensor:
    return a * 2


@pytest.fixture
def older() -> None:
    ms.set_release("2.3")


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("signature", [ANY_ROWS, (ANY_ROWS,), [ANY_ROWS]])
def test_inputs_that_differ_are_refused(signature: object) -> None:
    marked = ms.jit(double, input_signature=signature)
    assert marked(GOOD).shape == (2, 3)
    for value in BAD:
        with pytest.raises(ValueError, match="For 'double', the inputs are not those of its input_signature"):
            marked(value)


@pytest.mark.usefixtures("older")
def test_a_method_and_the_older_name_have_one_too() -> None:
    class Owner:
        @ms.ms_function(input_signature=ANY_ROWS)
        def double(self, a: Tensor) -> Tensor:
            return a * 2

    assert Owner().double(GOOD).shape == (2, 3)
    with pytest.raises(ValueError, match="input_signature"):
        Owner().double(GOOD.T)


def test_later_releases_do_not_read_it() -> None:
    assert ms.jit(double, input_signature=ANY_ROWS)(GOOD.T).shape == (3, 2)
