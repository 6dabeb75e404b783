"""Seeds of the pipelines, and folders with MindRecord files."""

from pathlib import Path

import pytest

import msbridge.dataset as ds
from msbridge.core.random import seeds as core_random
from tests.dataset.record_files import RECORDED


@pytest.fixture
def fresh_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No seed is set, neither the pipelines' own nor the global one."""
    monkeypatch.setitem(core_random._state, "seed", None)
    monkeypatch.setattr(ds.config._settings, "seed", None)


@pytest.fixture
def seeded(fresh_seed: None) -> None:
    ds.config.set_seed(11)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def recorded(folder: Path) -> Path:
    """A folder with the files that MindSpore wrote."""
    RECORDED.extractall(folder, [name for name in RECORDED.namelist() if name != "answers.json"])
    return folder
