"""What is said of a damaged file names its folder: every recorded answer that is an error, of readers of images."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.case import Case, load, namespace
from tests.oracle.cases.dataset._readers import enter
from tests.oracle.families import HERE
from tests.oracle.outcome import Json, read

FAMILY = "dataset.image_readers"
OUTCOMES = read(HERE / "records" / f"{FAMILY}.json.gz")[1]


def is_error(outcome: Json) -> bool:
    return "raises" in outcome or isinstance(dict(outcome["dict"])["rows"], str)


def read_all(layout: str, make: Callable[[str], Any], changed: dict[str, bytes | None], without: str = "") -> None:
    """Read the files as `ask` does, and let the error through."""
    list(make(enter(layout, changed)).create_dict_iterator(num_epochs=1, output_numpy=True))


DAMAGED = [case for case in load(FAMILY)[1] if "), {" in case.name and is_error(OUTCOMES[case.name])]


@pytest.mark.parametrize("case", DAMAGED, ids=lambda case: case.name)
def test_the_error_says_where_the_file_is(case: Case) -> None:
    module = load(FAMILY)[0]
    with module.case_context():
        scope = namespace(case.name) | vars(module) | {"ask": read_all}
        with pytest.raises((RuntimeError, ValueError, FileNotFoundError), match=re.escape(str(Path.cwd()))):
            eval(case.expression, scope)
