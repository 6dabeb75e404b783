"""The argument checks: what they return, the class of error and the sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from msbridge.core.checks import arguments


@pytest.mark.parametrize(
    ("check", "args", "result"),
    [
        (arguments.integer, (-3, "n", "Op"), -3),
        (arguments.positive_int, (1, "n", "Op"), 1),
        (arguments.non_negative_int, (0, "n", "Op"), 0),
        (arguments.boolean, (False, "n", "Op"), False),
        (arguments.number, (0.5, "n", "Op"), 0.5),
        (arguments.positive_float, (0.5, "n", "Op"), 0.5),
        (arguments.non_negative_float, (0.0, "n", "Op"), 0.0),
        (arguments.in_range, (3.0, "n", "Op", 0, float("inf")), 3.0),
        (arguments.instance, (True, "n", "Op", object), True),
        (arguments.in_range, (1, "n", "Op", 0, 1, "[]"), 1),
        (arguments.one_of, ("a", "n", "Op", ("a", "b")), "a"),
        (arguments.instance, (True, "n", "Op", (int, bool)), True),
        (arguments.require_type, (True, "n", (int, bool)), True),
        (arguments.within, (1, "n", 0, 1), 1),
        (arguments.int_within, (2**31 - 1, "n"), 2**31 - 1),
        (arguments.divisible, (6, "n", "Op", 3, "m"), 6),
        (arguments.per_axis, (2, "n", "Op", 3), (2, 2, 2)),
        (arguments.per_axis, ([2], "n", "Op", 2), (2, 2)),
        (arguments.per_axis, ((1, 1, 3, 4), "n", "Op", 2), (3, 4)),
        (arguments.per_axis, ((-1, 2), "n", "Op", 2, None), (-1, 2)),
    ],
)
def test_a_right_value_comes_back(check: Callable[..., Any], args: tuple[Any, ...], result: object) -> None:
    assert check(*args) == result


@pytest.mark.parametrize(
    ("check", "args", "kind", "says"),
    [
        (arguments.integer, (True, "n", "Op"), TypeError, "For 'Op', the 'n' must be int, but got 'bool'"),
        (arguments.integer, (1.0, "n", None), TypeError, "The 'n' must be int, but got 'float'"),
        (arguments.positive_int, (0, "n", "Op"), ValueError, "must be int and must > 0, but got '0' with type 'int'."),
        (arguments.non_negative_int, (-1, "n", "Op"), ValueError, "must be int and must >= 0, but got '-1'"),
        (arguments.positive_float, (1, "n", "Op"), TypeError, "For 'Op', the 'n' must be float, but got 'int'"),
        (arguments.positive_float, (0.0, "n"), ValueError, "The 'n' must be float and must > 0, but got '0.0' with"),
        (
            arguments.non_negative_float,
            (float("nan"), "n"),
            ValueError,
            "The 'n' must be a legal value, but got 'nan'.",
        ),
        (arguments.in_range, (0, "n", "Op", 0, float("inf"), "()"), ValueError, "the 'n' must be int and must > 0,"),
        (arguments.boolean, (1, "n", "Op"), TypeError, "For 'Op', the 'n' must be a bool, but got int."),
        (arguments.number, (True, "n", "Op"), TypeError, "the type of 'n' must be float, but got bool."),
        (
            arguments.in_range,
            (1, "n", "Op", 0, 1),
            ValueError,
            "the 'n' must be in range of [0, 1), but got 1 with type 'int'.",
        ),
        (arguments.in_range, (0, "n", "Op", 0, 1, "(]"), ValueError, "must be in range of (0, 1], but got 0 with"),
        (arguments.in_range, (float("nan"), "n", "Op", 0, 1, "[]"), ValueError, "but got nan with"),
        (arguments.one_of, ("c", "n", "Op", ("a", "b")), ValueError, "must be one of ['a', 'b'], but got 'c'."),
        (arguments.instance, (1, "n", None, str), TypeError, "The type of 'n' should be 'str', but got type 'int'."),
        (arguments.instance, (True, "n", None, (int, float)), TypeError, "should be one of '['int', 'float']', but"),
        (
            arguments.require_type,
            (True, "n", int),
            TypeError,
            "Argument n with value True is not of type [<class 'int'>], but",
        ),
        (arguments.int_within, (1.0, "n"), TypeError, "Argument n with value 1.0 is not of type [<class 'int'>], but"),
        (arguments.int_within, (0, "n"), ValueError, "within the required interval of [1, 2147483647], got 0."),
        (arguments.within, (2, "n", 0, 1), ValueError, "Input n is not within the required interval of [0, 1], got 2."),
        (arguments.within, (0, "n", 0, 1, "(]"), ValueError, "the required interval of (0, 1], got 0."),
        (arguments.divisible, (5, "n", "Op", 2, "m"), ValueError, "the 'n' must be divided by 'm', but got 5 and 2."),
        (arguments.per_axis, ("a", "n", "Op", 2), TypeError, "n must be an int or a tuple of 2 ints, got 'a'."),
        (arguments.per_axis, ((1, 2, 3), "n", "Op", 2), ValueError, "a tuple of 2 ints, each >= 1, got (1, 2, 3)."),
        (arguments.per_axis, ((3,), "n", "Op", 2, 1, True), TypeError, "a tuple of 2 ints, got (3,)."),
    ],
)
def test_a_wrong_value_raises(check: Callable[..., Any], args: tuple[Any, ...], kind: type, says: str) -> None:
    with pytest.raises(kind) as caught:
        check(*args)
    assert says in str(caught.value)


def test_a_room_refuses_in_its_own_sentences() -> None:
    style = arguments.Style(
        of_type="{name}: {names} wanted, got {kind}",
        of_exact="{name} of {owner} is not an int",
        bound="{name} {relation}",
    )
    assert style.positive_int(1, "n", "Op") == 1
    for check, says in (
        (lambda: style.integer(1.5, "n", "Op"), "n of Op is not an int"),
        (lambda: style.boolean(1, "n"), "n: ['bool'] wanted, got int"),
        (lambda: style.instance("a", "n", None, (int, dict)), "n: ['int', 'dict'] wanted, got str"),
        (lambda: style.positive_int(0, "n"), "n > 0"),
        (lambda: style.at_least(1, "n", None, 2), "n >= 2"),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            check()
        assert str(caught.value) == says
