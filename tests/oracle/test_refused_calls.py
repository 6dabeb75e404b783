"""How strict mode's table is learned of answers (`tests/oracle/refused_calls`)."""

import pytest

from tests.oracle.refused_calls import asking
from tests.oracle.refused_calls.learning import learn
from tests.oracle.refused_calls.varying import variants

Calls = list[tuple[frozenset[str], str, str]]


def answered(answer: str, *calls: str) -> Calls:
    """Return calls with an answer of the real one, which msbridge computes; their features are words."""
    return [(frozenset(call.split()), answer, asking.COMPUTED) for call in calls]


def test_a_feature_of_refused_calls_only_makes_a_rule() -> None:
    calls = answered("TypeError", "x:Int32 x#1", "x:Int32 x#2") + answered("-", "x:Float32 x#1", "x:Float32 x#2")
    assert learn(calls) == [(frozenset({"x:Int32"}), "TypeError")]


def test_what_was_accepted_somewhere_is_no_rule_by_itself() -> None:
    calls = answered("TypeError", "x:Int32 y:Bool") + answered("-", "x:Int32 y:Float32", "x:Float32 y:Bool")
    assert learn(calls) == [(frozenset({"x:Int32", "y:Bool"}), "TypeError")]


@pytest.mark.parametrize(
    ("calls", "error"),
    [
        (answered("RuntimeError", "x#1", "x#2", "x#3", "x#4"), "RuntimeError"),
        (answered("RuntimeError", "x#1", "x#2") + answered("TypeError", "x:Bool", "x:int", "x:str"), "RuntimeError"),
        (answered("TypeError", *(f"x#{rank}" for rank in range(15))), None),
        (answered("RuntimeError", "x#1", "x#2", "x#3"), None),
        (answered("RuntimeError", "x#1", "x#2", "x#3", "x#4") + answered(asking.CRASH, "x#5"), None),
    ],
    ids=["no kernel", "no kernel behind types", "types", "too few calls", "a crash"],
)
def test_a_name_that_accepts_nothing(calls: Calls, error: str | None) -> None:
    assert learn(calls) == ([] if error is None else [(frozenset(), error)])


def test_the_name_of_a_dtype_is_varied() -> None:
    texts = {spec[3][0][1] for _, spec in variants(("numpy.ones", None, (2,), (("dtype", "float32"),)), True)}
    assert {"int8", "float16", "bool"} <= texts
