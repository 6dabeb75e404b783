"""FileReader and MindPage on files that MindSpore 2.10 wrote, and its answers."""

from pathlib import Path

import pytest

import msbridge.dataset as ds
from msbridge.dataset.mindrecord import FileReader, FileWriter, MindPage
from tests.dataset.mindrecord_cases import ASKED, WRITTEN, names, outcome
from tests.dataset.record_files import ANSWERS, same


@pytest.mark.parametrize("name", WRITTEN)
def test_mindspores_files_are_read(recorded: Path, name: str) -> None:
    case = WRITTEN[name]
    reader = FileReader(name if case.shards == 1 else f"{name}0")
    assert reader.schema() == case.schema
    assert reader.len() == len(case.rows)
    assert same(list(reader.get_next()), case.rows)


@pytest.mark.parametrize("expression", ASKED)
def test_answers_are_mindspores(recorded: Path, expression: str) -> None:
    wanted = ANSWERS["asked"][expression]
    found = outcome(expression, names(FileWriter, FileReader, MindPage, ds))
    assert found == wanted or wanted is None
