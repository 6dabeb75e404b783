"""The argument checks of mindspore._checkparam; those of 2.10 are cases, `argument_checks`."""

import pytest

from msbridge.dropin.checkparam import checkparam
from msbridge.dropin.checkparam.checkparam import Rel
from msbridge.dropin.checkparam.validator import Validator


@pytest.mark.parametrize(
    ("check", "arguments", "value"),
    [
        ("check_value_type", ("x", 1, [int], "Op"), 1),
        ("check_value_type", ("x", True, [bool]), True),
        ("check_positive_int", (3, "n", "Op"), 3),
        ("check_non_negative_int", (0,), 0),
        ("check_float_range", (0.0, 0.0, 1.0, Rel.INC_LEFT, "p"), 0.0),
        ("check_float_range", (1.0, 0.0, 1.0, Rel.INC_RIGHT, "p"), 1.0),
        ("check_int_range", (3, 0, 3, Rel.INC_BOTH, "p"), 3),
        ("check_string", ("a", ("a",), "m", "Op"), "a"),
        ("check_bool", (False,), False),
        ("check_subclass", ("t", bool, (int,), "Op"), bool),
        ("check_float_positive", ("x", 0.1, "Op"), 0.1),
        ("check_integer", ("n", 2, 1, Rel.GT, "Op"), 2),
        ("check_float_legal_value", ("x", 0.5, None), 0.5),
        ("check_type_name", ("d", int, [int, float], "Op"), int),
        ("check_isinstance", ("x", 1, int), 1),
        ("check_number", ("x", 2, 1, Rel.GT, "Op"), 2),
    ],
)
def test_a_good_value_comes_back(check: str, arguments: tuple, value: object) -> None:
    assert getattr(Validator, check)(*arguments) == value
    assert getattr(checkparam, check)(*arguments) == value


@pytest.mark.parametrize(
    ("check", "arguments", "error", "says"),
    [
        (
            "check_value_type",
            ("x", True, [int], "Op"),
            TypeError,
            "^For 'Op', the type of 'x' should be 'int', but got type 'bool'.$",
        ),
        (
            "check_value_type",
            ("x", "s", (int, float)),
            TypeError,
            r"^The type of 'x' should be one of '\['int', 'float'\]', but got type 'str'",
        ),
        ("check_positive_int", (0, "n", "Op"), ValueError, "'n' must be int and must > 0, but got '0' with type 'int'"),
        ("check_positive_int", (True, "n"), TypeError, "The 'n' must be int, but got 'bool'"),
        ("check_positive_float", (1, "n"), TypeError, "The 'n' must be float, but got 'int'"),
        (
            "check_float_range",
            (1.0, 0.0, 1.0, Rel.INC_LEFT, "p"),
            ValueError,
            r"'p' must be in range of \[0.0, 1.0\), but",
        ),
        (
            "check_int_range",
            (0, 0, 3, Rel.INC_NEITHER, "p"),
            ValueError,
            r"'p' must be in range of \(0, 3\), but got 0",
        ),
        ("check_string", ("a", ["b"], "m"), ValueError, r"'m' must be one of \['b'\], but got 'a'"),
        ("check_bool", (1, "b"), TypeError, "The 'b' must be a bool, but got int."),
        ("check_subclass", ("t", int, (float,), "Op"), TypeError, "For 'Op', the 't' must be float, but got int"),
        ("check_integer", ("n", 1.5, 1, Rel.GT, "Op"), ValueError, "'n' must be int, but got 'float'"),
        ("check_float_legal_value", ("x", float("nan"), "Op"), ValueError, "'x' must be a legal value, but got 'nan'"),
        ("check_type_name", ("d", int, [float], "Op"), TypeError, "the 'd' must be float, but got int"),
        ("check_isinstance", ("x", 1, str), ValueError, "'x' must be an instance of str, but got 1"),
        ("check_equal_int", (1, 2, "n"), ValueError, "'n' must be int and must = 2, but got '1' with"),
    ],
)
def test_a_bad_value_raises(check: str, arguments: tuple, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        getattr(Validator, check)(*arguments)


def test_the_relations_are_also_names_of_the_module() -> None:
    assert checkparam.INC_LEFT is Rel.INC_LEFT is Validator.INC_LEFT
    assert checkparam.GT == 5


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_types_of_arguments_are_checked() -> None:
    from mindspore._checkparam import args_type_check

    @args_type_check(epochs=int, name=(str, list))
    def run(epochs: int, name: str | None = None) -> int:
        return epochs

    assert run(2) == run(2, None) == 2
    with pytest.raises(TypeError, match="'epochs' must be"):
        run("2")  # type: ignore[arg-type]
