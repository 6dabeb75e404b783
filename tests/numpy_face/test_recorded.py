"""`msbridge.numpy` gives what `mindspore.numpy` (2.10, CPU) gave for every expression of `expressions.txt`."""

import builtins
import json
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import msbridge

msbridge.install()  # the recorder says `import mindspore`
from recorder import encode, expressions, inputs  # noqa: E402

OUTCOMES = json.loads((Path(__file__).parent / "outcomes.json").read_text())
TOLERANCES = {"Float32": 1e-5, "Float16": 2e-3, "Float64": 1e-7}  # sums in another order; 10 bits; made from Float32


def differences(got: object, expected: object, tolerance: float = 1e-6) -> Iterator[str]:
    """Say where an outcome departs from the recorded one."""
    if isinstance(expected, dict) and isinstance(got, dict) and got.keys() == expected.keys():
        tolerance = TOLERANCES.get(expected.get("tensor"), tolerance)
        for key in expected:
            yield from differences(got[key], expected[key], tolerance)
    elif isinstance(expected, list) and isinstance(got, list) and len(got) == len(expected):
        for mine, theirs in zip(got, expected, strict=True):
            yield from differences(mine, theirs, tolerance)
    elif isinstance(expected, float) and isinstance(got, float):
        if not math.isclose(got, expected, rel_tol=tolerance, abs_tol=tolerance):
            yield f"expected {expected}, got {got}"
    elif got != expected or type(got) is not type(expected):
        yield f"expected {expected}, got {got}"


def test_record_holds_exactly_the_expressions() -> None:
    assert OUTCOMES.keys() == set(expressions())


@pytest.mark.parametrize("expression", OUTCOMES)
def test_expression_gives_the_recorded_outcome(expression: str, record_property: Callable[[str, object], None]) -> None:
    expected = OUTCOMES[expression]
    if expected == {"gap": True}:
        with suppress(Exception):
            eval(expression, inputs())
        record_property("gaps", ["numpy", 1, 1])
        return
    if isinstance(expected, dict) and "raises" in expected:
        with pytest.raises(getattr(builtins, expected["raises"])):
            eval(expression, inputs())
        return
    problems = list(differences(encode(eval(expression, inputs())), expected))
    assert not problems, problems[:3]
