"""FileReader on files that MindSpore 2.10 wrote; calls right and wrong are cases, `dataset.mindrecord_calls`."""

from pathlib import Path

import pytest

from msbridge.dataset.mindrecord import FileReader
from tests.dataset.mindrecord_cases import WRITTEN
from tests.dataset.record_files import same


@pytest.mark.parametrize("name", WRITTEN)
def test_mindspores_files_are_read(recorded: Path, name: str) -> None:
    case = WRITTEN[name]
    reader = FileReader(name if case.shards == 1 else f"{name}0")
    assert reader.schema() == case.schema
    assert reader.len() == len(case.rows)
    assert same(list(reader.get_next()), case.rows)
