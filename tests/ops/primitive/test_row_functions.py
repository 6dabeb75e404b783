"""Functions of rows: their signature, and what they pass on."""

import inspect

import pytest

from msbridge.ops.primitive.primitive import REQUIRED, defaults_of
from msbridge.ops.primitive.row_functions import row_function

SUM = row_function("Sum", dict, {"x": int, "y": int}, {"scale": REQUIRED, "shift": 0}, int, "Return a sum.")


def test_it_hands_its_arguments_on_by_name() -> None:
    assert SUM(1, y=3, scale=2) == {"x": 1, "y": 3, "scale": 2, "shift": 0}
    assert SUM(1, 3, 2, 4) == {"x": 1, "y": 3, "scale": 2, "shift": 4}


def test_an_input_may_be_left_out() -> None:
    either = row_function("Either", dict, {"x": int, "weight?": int}, {"reduction": "mean"}, int, "Return one.")
    assert either(1) == {"x": 1, "weight": None, "reduction": "mean"}


def test_its_signature_is_that_of_the_row() -> None:
    assert [*inspect.signature(SUM).parameters] == ["x", "y", "scale", "shift"]
    assert defaults_of(SUM) == {"x": REQUIRED, "y": REQUIRED, "scale": REQUIRED, "shift": 0}
    assert (SUM.__name__, SUM.__doc__) == ("Sum", "Return a sum.")


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3, 4, 5)])
def test_a_wrong_count_is_told(arguments) -> None:
    with pytest.raises(TypeError, match="For 'Sum', the inputs are"):
        SUM(*arguments)
