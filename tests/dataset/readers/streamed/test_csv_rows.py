"""Rows of comma-separated values. Judge: the csv module of Python, where it is as strict."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msbridge.dataset.readers.streamed import csv_rows as module
from msbridge.dataset.readers.streamed.csv_rows import csv_rows

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=6)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=9), block=st.integers(1, 40))
def test_what_is_quoted_is_read_as_it_was_written(
    rows: list[list[str]], block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    (tmp_path / "x.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
    monkeypatch.setattr(module, "BLOCK_BYTES", block)
    assert [row for part in csv_rows(tmp_path / "x.csv", ",", 2, False) for row in part] == rows


def test_a_cell_that_never_ends_takes_time_in_proportion(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('1,2\n"' + "ab\n" * 400_000)
    with pytest.raises(RuntimeError, match=r"x\.csv at line 2: a quote is not closed"):
        list(csv_rows(tmp_path / "x.csv", ",", 2, False))
