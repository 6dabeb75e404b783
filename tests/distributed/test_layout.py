"""Layout; the judge is MindSpore 2.10."""

from typing import Any

import pytest

import msbridge as ms
from msbridge.distributed import Layout

DEVICES = (2, 2, 2), ("dp", "sp", "mp")


def test_axes_are_counted_from_the_last() -> None:
    assert Layout(*DEVICES)("dp", "mp").to_dict() == {
        "device_matrix": (2, 2, 2),
        "tensor_map": (2, 0),
        "interleaved_parallel": False,
        "alias_name": ("dp", "sp", "mp"),
        "rank_list": [0, 1, 2, 3, 4, 5, 6, 7],
    }


def test_an_axis_may_be_divided_by_several_or_none() -> None:
    layout = Layout(*DEVICES)
    assert layout("None", ("dp", "sp")).to_dict()["tensor_map"] == (-1, (2, 1))
    with pytest.raises(ValueError, match="tensor_map of layout is None"):
        layout.to_dict()


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (((2, 2), ("a",)), ValueError, "equal to alias_name length"),
        (([2, 2], ("a", "b")), TypeError, "should be 'tuple'"),
        (((2, 2), ("a", "a")), ValueError, "should be different"),
        (((2, 2), ("a", "None")), ValueError, "'None'"),
        (((2, 2), ("a", 1)), TypeError, "must be str type"),
        (((2, 2), ("a", "b"), [0, 1]), ValueError, "got 2 and 4"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: tuple[Any, ...], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Layout(*arguments)


@pytest.mark.parametrize(("names", "says"), [(("x",), "not found"), (("dp", "dp"), "more than once")])
def test_unknown_and_repeated_axes_are_refused(names: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Layout(*DEVICES)(*names)


def test_it_is_a_name_of_the_top_level() -> None:
    assert ms.Layout is Layout
