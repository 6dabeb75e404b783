"""Seeds of the pipelines, and folders with MindRecord files."""

from pathlib import Path

import pytest

import msbridge.dataset as ds
from tests.dataset.recorded_mindrecords import extract


@pytest.fixture
def seeded() -> None:
    ds.config.set_seed(11)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def recorded(folder: Path) -> Path:
    """A folder with the files that MindSpore wrote."""
    extract(folder)
    return folder
