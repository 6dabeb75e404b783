"""Constructors refuse what the real 2.10.0 refuses, with the class of error that it raises."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from msbridge.core.releases.rows import ArgumentCheck
from msbridge.core.tensor.argument_checks import PrimitiveChecks, check_of
from msbridge.mappings import table
from tests.oracle.cases import refusals
from tests.oracle.recorded import answers

TABLE = table("primitive_checks.toml", PrimitiveChecks)
RECORD = answers("refusals")
LOOSE = {"AvgPool", "Softmax", "Squeeze", "ReduceStd"}
"""Primitives that take one unfit value more there (axes that are fractions), and fail when they are called."""


@pytest.fixture(autouse=True)
def _no_warnings() -> None:
    warnings.simplefilter("ignore")


def differing(call: str, argument: str) -> tuple[str, str]:
    """Return the letters of the real one and of ours, where they differ."""
    wanted = RECORD[call].get(argument, "." * len(refusals.VALUES))
    pairs = [(one, other) for one, other in zip(wanted, refusals.letters(call, argument), strict=True) if one != other]
    return "".join(one for one, _ in pairs), "".join(other for _, other in pairs)


def rows() -> Iterator[tuple[str, str, str | ArgumentCheck, str]]:
    """Yield a call, an argument, what the table asks of it, and the letters of the real one."""
    for call, row in RECORD.items():
        room, _, primitive = call.partition("(")[0].partition(".")
        if room != "nn" and primitive in TABLE:
            for argument, asked in TABLE[primitive].checks.items():
                yield call, argument, asked, row.get(argument, "." * len(refusals.VALUES))


def takes(asked: str | ArgumentCheck, value: Any) -> bool:
    """Whether a check lets a value pass."""
    try:
        check_of(asked)(value, "value", "Owner")
    except (TypeError, ValueError):
        return False
    return True


def test_the_table_refuses_nothing_that_the_real_one_takes() -> None:
    values = [eval(value, refusals.scope()) for value in refusals.VALUES]
    asked = list(rows())
    assert len(asked) > 300
    unfair = [
        (call, argument, refusals.VALUES[index])
        for call, argument, check, letters in asked
        if call.partition("(")[0].partition(".")[2] not in LOOSE
        for index, value in enumerate(values)
        if letters[index] == "." and not takes(check, value)
    ]
    assert not unfair


def test_values_are_refused_as_there() -> None:
    values = same = 0
    for call, row in RECORD.items():
        for argument in row:
            values += len(refusals.VALUES)
            same += len(refusals.VALUES) - len(differing(call, argument)[0])
    assert values > 38_000
    assert same / values > 0.949
