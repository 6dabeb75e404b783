"""Errors carry what is wrong and what helps as data; where they are read decides how an option is called."""

import pickle

from msbridge.converters.errors import MismatchError, Remedy

ERROR = MismatchError(
    "2 do not fit:", Remedy(("torch_model", "cell"), "makes it fit"), problems=["'a' is missing", "'b' is missing"]
)


def test_the_message_calls_options_as_its_reader_does():
    assert str(ERROR) == "2 do not fit:\n  'a' is missing\n  'b' is missing\ntorch_model or cell makes it fit."
    assert ERROR.format_message(lambda option: f"--{option}").endswith("\n--torch_model or --cell makes it fit.")


def test_all_problems_are_kept_though_the_message_shows_the_first():
    error = MismatchError("many:", problems=[str(number) for number in range(25)])
    assert str(error).endswith("\n  19\n  … and 5 more")
    assert len(error.problems) == 25


def test_errors_go_from_process_to_process():
    back = pickle.loads(pickle.dumps(ERROR))
    assert (str(back), back.problems, back.remedies) == (str(ERROR), ERROR.problems, ERROR.remedies)
