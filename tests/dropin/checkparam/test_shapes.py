"""Checks of axes and shapes. Judge: tests/dropin/checkparam.json, what MindSpore 2.10 answered."""

import json
from pathlib import Path

import numpy as np  # noqa: F401 - cases name them
import pytest

import msbridge as ms
from msbridge import Tensor  # noqa: F401
from msbridge.dropin.checkparam import shapes

CASES = json.loads((Path(__file__).parent / "checkparam.json").read_text())
f32, f16, i32 = ms.float32, ms.float16, ms.int32


def of(module: object) -> list[tuple[str, list[str]]]:
    """Return the cases of the functions that a module defines."""
    return [(case, answer) for case, answer in CASES.items() if case.split("(")[0].removeprefix("c.") in vars(module)]


@pytest.mark.usefixtures("dropin")
@pytest.mark.parametrize(("case", "answer"), of(shapes))
def test_the_answer_is_the_oracle_s(case: str, answer: list[str]) -> None:
    from mindspore import _checkparam as c  # noqa: F401

    names = {**globals(), **locals()}
    try:
        got = ["value", repr(eval(case, names))]
    except Exception as error:
        got = ["error", type(error).__name__]
    assert got == answer


def test_sizes_of_three_axes_are_read_as_in_2_10() -> None:
    read = shapes.check_3d_int_or_tuple
    assert read("kernel", 2, "Conv3d") == (2, 2, 2)
    assert read("kernel", 2, "Conv3d", ret_five=True) == (1, 1, 2, 2, 2)
    assert read("kernel", (1, 1, 1, 2, 3), "Conv3d", allow_five=True) == (1, 2, 3)
    assert read("kernel", (0, 1, 2), "Conv3d", greater_zero=False) == (0, 1, 2)
    for value, kind in ((True, TypeError), ([1, 2, 3], TypeError), ((2, 3), ValueError), ((1.0, 2, 3), ValueError)):
        with pytest.raises(kind, match="kernel"):
            read("kernel", value, "Conv3d")
    with pytest.raises(ValueError, match="depth"):
        read("kernel", 2, "Conv3d", third_one=True)
