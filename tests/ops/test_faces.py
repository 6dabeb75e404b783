"""Rows of faces: the same code under other names, kinds and defaults of its parameters. Judge: the function itself."""

import inspect

import pytest

from msbridge import Tensor, mint, ops
from msbridge.core.errors.explain import explaining
from msbridge.ops.faces import REQUIRED, face


def scale(input: int, factor: int = 2, offset: int = 0) -> int:
    """Scale `input` by `factor`.

    Args:
        input: a number.
        factor: another.
        offset: is added.
    """
    return (lambda: input * factor + offset)()  # a closure: its parameters are cells


def test_a_row_renames_parameters_and_changes_kinds_and_defaults() -> None:
    made = face("times", scale, "x times * shift", times=REQUIRED, shift=1)
    assert str(inspect.signature(made)) == "(x: int, times: int, *, shift: int = 1) -> int"
    assert made(3, times=4) == 13
    assert made(x=3, times=4, shift=0) == 12
    assert made.__name__ == made.__qualname__ == made.__code__.co_name == "times"


def test_the_function_stays_as_it_is() -> None:
    face("times", scale, "x times * shift", times=REQUIRED)
    assert str(inspect.signature(scale)) == "(input: int, factor: int = 2, offset: int = 0) -> int"
    assert scale(3) == 6


def test_a_docstring_names_the_parameters_of_the_face() -> None:
    doc = inspect.getdoc(face("times", scale, "x times shift")) or ""  # Python 3.13 has taken its indentation away
    assert "Scale `x` by `times`." in doc
    assert "\n    shift: is added." in doc


def test_a_row_names_all_parameters() -> None:
    with pytest.raises(ValueError, match="must name"):
        face("times", scale, "x times")


def test_a_decorated_function_has_a_face_of_its_own() -> None:
    with pytest.raises(ValueError, match="must name"):
        face("times", explaining(scale), "x times shift")


def test_a_name_of_a_local_variable_is_refused() -> None:
    def one(input: int) -> int:
        total = [input]
        return sum(total)

    with pytest.raises(ValueError, match="variables"):
        face("one", one, "total")


def test_faces_compute_what_their_functions_do() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 5.0]])
    assert (mint.softmax(x, dim=0) == ops.softmax(x, axis=0)).all()
    assert (mint.std(x, dim=1, correction=0) == ops.std(x, 1, 0)).all()
    with pytest.raises(TypeError, match="dim"):
        mint.softmax(x)
