"""Earlier names of arguments: taken, with their defaults, by the same code."""

import functools
import importlib
import inspect
import sys

import pytest

import msbridge
from msbridge import Tensor, nn, ops
from msbridge.core.releases import signature_overrides
from msbridge.core.releases.signature_overrides import reworded


def scaled(input: int, dim: int = 1, *, other: int = 2, **rest: int) -> tuple[int, ...]:
    """Take arguments."""
    return tuple(value for value in (input, dim, other, rest.get("more", 0)))


def shape_of(input: int, dim: int = 1) -> list[int]:
    return [input + dim + part for part in (lambda: (input, dim))()]


@pytest.fixture(autouse=True)
def newest_in_the_end():
    yield
    msbridge.set_release(None)


@pytest.mark.parametrize(
    ("was", "call", "expected"),
    [
        ("x, axis=5, *, other=2, **rest", lambda f: f(x=1), (1, 5, 2, 0)),
        ("x, axis=5, *, other=2, **rest", lambda f: f(1, axis=3, other=4, more=7), (1, 3, 4, 7)),
        ("x, axis=...", lambda f: f(3), (3, 1, 2, 0)),
        ("x", lambda f: f(3, dim=6), (3, 6, 2, 0)),
        ("x, axis", lambda f: f(3), (3, 1, 2, 0)),
    ],
)
def test_arguments_are_taken_by_earlier_names(was, call, expected):
    assert call(reworded(scaled, was)) == expected


def test_names_that_inner_functions_see_are_renamed_too():
    assert reworded(shape_of, "x, axis=2")(x=1) == [4, 5]


def test_no_row_takes_an_argument_for_one_that_came_later():
    """Names are paired by position: a row whose arguments stand elsewhere today has to say `now`."""
    for table in (signature_overrides._table(), signature_overrides._first_table()):
        for key, row in table.items():
            today = list(inspect.signature(placed(key)).parameters) if "now" not in row else []
            taken = [p.name for p in signature_overrides._parameters(row["was"]) if p.kind is p.POSITIONAL_OR_KEYWORD]
            pairs = zip(taken, [name for name in today if name != "self"], strict=False)
            assert not [(old, new) for old, new in pairs if old != new and old in today], key


def placed(key: str) -> object:
    room, *names = key.split(".")
    return functools.reduce(getattr, names, importlib.import_module(f"msbridge.{room}"))


def test_the_earlier_arguments_are_printed():
    assert str(inspect.signature(reworded(scaled, "x, axis=5"))) == "(x, axis=5)"
    assert reworded(scaled, "x").__doc__ == scaled.__doc__


def test_today_s_function_stays_as_it_is():
    reworded(scaled, "x, axis=5")
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


def test_a_call_takes_no_frame_more():
    def depth():
        frames = []

        def note(frame, event, argument):
            if event == "call":
                frames.append(frame.f_code.co_name)

        x = Tensor([1.0])
        sys.setprofile(note)
        ops.softmax(x)
        nn.Dense
        sys.setprofile(None)
        return frames

    today = depth()
    msbridge.set_release("2.0")
    assert depth() == today
