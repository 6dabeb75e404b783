"""Earlier names of arguments: taken, with their defaults, by the same code."""

import inspect

import pytest

import msbridge
from msbridge import Tensor, nn, ops
from msbridge.core.releases.arguments import override_arguments


def scaled(input: int, dim: int = 1, *, other: int = 2, **rest: int) -> tuple[int, ...]:
    """Take arguments."""
    return tuple(value for value in (input, dim, other, rest.get("more", 0)))


@pytest.mark.parametrize(
    ("was", "call", "expected"),
    [
        ("x, axis=5, *, other=2, **rest", lambda f: f(x=1), (1, 5, 2, 0)),
        ("x, axis=5, *, other=2, **rest", lambda f: f(1, axis=3, other=4, more=7), (1, 3, 4, 7)),
        ("x, axis=...", lambda f: f(3), (3, 1, 2, 0)),
        ("x", lambda f: f(3, dim=6), (3, 6, 2, 0)),
        ("x, axis", lambda f: f(3, 4), (3, 4, 2, 0)),
        ("axis, x", lambda f: f(4, 3), (3, 4, 2, 0)),
    ],
)
def test_arguments_are_taken_by_earlier_names(was, call, expected):
    rename = {"x": "input", "axis": "dim"} if was == "axis, x" else {}
    assert call(override_arguments(scaled, was, rename)) == expected


def test_the_earlier_arguments_are_printed():
    assert str(inspect.signature(override_arguments(scaled, "x, axis=5", {}))) == "(x, axis=5)"
    assert override_arguments(scaled, "x", {}).__doc__ == scaled.__doc__


def test_today_s_function_stays_as_it_is():
    override_arguments(scaled, "x, axis=5", {})
    assert scaled(input=1) == (1, 1, 2, 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.softmax(x=Tensor([1.0, 2.0])),
        lambda: ops.select(cond=Tensor([True]), x=Tensor([1.0]), y=Tensor([2.0])),
        lambda: ops.Roll(shift=1, axis=0)(Tensor([1.0, 2.0])),
        lambda: ops.UniqueConsecutive(return_idx=True)(Tensor([1.0, 2.0])),
        lambda: Tensor([1.0]).item(0),
    ],
)
def test_forms_of_the_earlier_release_alone(call):
    with pytest.raises(TypeError):
        call()
    msbridge.set_release("2.0")
    call()
    msbridge.set_release("2.10")
    with pytest.raises(TypeError):
        call()


def test_words_that_ended_before_2_0():
    matrix = Tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(TypeError):
        ops.dot(x1=matrix, x2=matrix)
    msbridge.set_release("1.10")
    assert ops.dot(x1=matrix, x2=matrix).asnumpy().tolist() == [[7, 10], [15, 22]]


def test_a_class_without_an_init_of_its_own_has_none_again():
    before = "__init__" in vars(nn.BatchNorm1d)
    msbridge.set_release("2.0")
    assert "dtype" not in inspect.signature(nn.BatchNorm1d).parameters
    msbridge.set_release(None)
    assert ("__init__" in vars(nn.BatchNorm1d)) is before
    assert "dtype" in inspect.signature(nn.BatchNorm1d).parameters
