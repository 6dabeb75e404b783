"""Readers of images and annotations. Judge: what MindSpore 2.10 answered on the same files."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import msbridge.dataset as ds
from tests.dataset.image_cases import CASES, Answer, Case, answer, dataset, signatures, write

RECORDED: dict[str, Answer] = json.loads(gzip.decompress((Path(__file__).parents[2] / "images.json.gz").read_bytes()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_a_reader_answers_as_mindspore_does(case: Case, tmp_path: Path) -> None:
    for package in ("cv2", "scipy"):
        pytest.importorskip(package)
    assert compared(answer(ds, case, tmp_path), case) == compared(RECORDED[case.key], case)


def test_readers_take_the_arguments_of_mindspores() -> None:
    assert signatures(ds) == RECORDED["signatures"]


def is_refused(answer: Answer) -> bool:
    return "raises" in answer or isinstance(answer["rows"], str)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.changed and is_refused(RECORDED[case.key])], ids=lambda case: case.key
)
def test_the_error_of_a_damaged_file_says_where_it_is(case: Case, tmp_path: Path) -> None:
    write(case, tmp_path)
    with pytest.raises((RuntimeError, ValueError, FileNotFoundError), match=re.escape(str(tmp_path))):
        list(dataset(ds, case, tmp_path).create_dict_iterator(num_epochs=1, output_numpy=True))


def compared(whole: Answer, case: Case) -> Any:
    """The parts of an answer that are compared."""
    parts = {name: part for name, part in whole.items() if name not in case.without}
    if "order" in case.without and isinstance(parts["rows"], list):
        parts["rows"] = sorted(parts["rows"], key=lambda row: json.dumps(row, sort_keys=True))
    return json.loads(json.dumps(parts))
