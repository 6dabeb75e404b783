"""Checks of classes, types and names. Judge: tests/dropin/checkparam.json, what MindSpore 2.10 answered."""

import json
from pathlib import Path

import numpy as np  # noqa: F401 - cases name them
import pytest

import msbridge as ms
from msbridge import Tensor  # noqa: F401
from msbridge.dropin.checkparam import types

CASES = json.loads((Path(__file__).parent / "checkparam.json").read_text())
f32, f16, i32 = ms.float32, ms.float16, ms.int32


def of(module: object) -> list[tuple[str, list[str]]]:
    """Return the cases of the functions that a module defines."""
    return [(case, answer) for case, answer in CASES.items() if case.split("(")[0].removeprefix("c.") in vars(module)]


@pytest.mark.usefixtures("dropin")
@pytest.mark.parametrize(("case", "answer"), of(types))
def test_the_answer_is_the_oracle_s(case: str, answer: list[str]) -> None:
    from mindspore import _checkparam as c  # noqa: F401

    names = {**globals(), **locals()}
    try:
        got = ["value", repr(eval(case, names))]
    except Exception as error:
        got = ["error", type(error).__name__]
    assert got == answer
