"""MindIO, where its package is there and where not; the values are those of MindSpore 2.10."""

import sys
from types import ModuleType

import pytest

from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning
from msbridge.train.checkpoint import file_system


def service(status: int) -> ModuleType:
    made = ModuleType("mindio")
    made.preloaded = []  # type: ignore[attr-defined]
    made.initialize = lambda: status  # type: ignore[attr-defined]
    made.preload = made.preloaded.append  # type: ignore[attr-defined]
    made.create_file = made.open_file = lambda path: path  # type: ignore[attr-defined]
    return made


def test_files_are_plain_without_it() -> None:
    fs = file_system.FileSystem()
    file_system.init_ckpt_file_system(fs)
    assert (fs.create, fs.create_args, fs.open, fs.open_args, fs.backend) == (open, ("ab",), open, ("rb",), "basic")
    assert not file_system.mindio_preload("a.ckpt")


def test_it_is_used_where_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    fs, mindio = file_system.FileSystem(), service(0)
    monkeypatch.setitem(sys.modules, "mindio", mindio)
    file_system.init_ckpt_file_system(fs)
    assert (fs.create, fs.create_args, fs.backend) == (mindio.create_file, (), "mindio")
    assert file_system.mindio_preload("a.ckpt")
    assert mindio.preloaded == ["a.ckpt"]
    monkeypatch.setitem(sys.modules, "mindio", service(1))
    assert not file_system.mindio_preload("a.ckpt")


def test_its_memory_is_set_without_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_system, "_SERVER", {})
    with pytest.warns(WithoutEffectWarning, match="written to files"):
        file_system.set_mindio_server_info(10)
    assert file_system._SERVER == {"memfs.data_block_pool_capacity_in_gb": "10"}
