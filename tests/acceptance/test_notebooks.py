"""Notebooks of other repositories run cell by cell, without a network."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from notebooks import said

pytestmark = pytest.mark.process


def notebook(at: Path, *sources: str) -> Path:
    at.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [source]} for source in sources]}))
    return at


def test_cells_share_their_names_and_commands_of_ipython_are_left_out(tmp_path: Path) -> None:
    at = notebook(tmp_path / "a.ipynb", "!pip install x\nx = 1", "%matplotlib inline", "assert x == 1")
    assert said(at, tmp_path, 60) == ""


def test_a_cell_that_fails_is_counted_and_the_next_ones_run(tmp_path: Path) -> None:
    at = notebook(tmp_path / "a.ipynb", "1 / 0", "open('made', 'w').close()")
    assert said(at, tmp_path, 60) == "1 of 2 cells failed; cell 0: ZeroDivisionError: division by zero"
    assert (tmp_path / "made").exists()  # it runs in its own folder


def test_what_is_fetched_comes_from_the_mirror(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("here")
    at = notebook(
        tmp_path / "a.ipynb", "import requests\nassert requests.get('http://x.y/words.txt').content == b'here'"
    )
    assert said(at, tmp_path, 60) == ""
