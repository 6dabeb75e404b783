"""Zip archives. Judge: Python's zipfile."""

import zipfile

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.files import sink
from msbridge.converters.formats import zip_writing


@pytest.mark.parametrize("long_from", [10, 1 << 31])
def test_python_reads_the_archives(tmp_path, monkeypatch, long_from):
    monkeypatch.setattr(zip_writing, "LARGE", long_from)
    monkeypatch.setattr(sink, "SMALL", 100)  # so that headers are completed in the file, too
    members = {"a": b"", "zwölf/b": b"x" * 50, "c": b"y" * 1000}
    with zip_writing.replacing_zip(tmp_path / "x.zip") as archive:
        for name, data in members.items():
            archive.add(name, data[1:], data[:1], alignment=64)
    with zipfile.ZipFile(tmp_path / "x.zip") as found:
        assert found.testzip() is None
        assert {name: found.read(name) for name in found.namelist()} == members


@pytest.mark.parametrize("form", ["npz", "pth"])
def test_check_sums_of_archives_are_compared_when_asked(tmp_path, form):
    torch.save({"a": torch.ones(1000)}, tmp_path / "0.pth")
    convert(tmp_path / "0.pth", tmp_path / f"x.{form}")
    raw = bytearray((tmp_path / f"x.{form}").read_bytes())
    raw[raw.index(b"\0\0\x80?" * 50) + 40] ^= 1
    (tmp_path / f"x.{form}").write_bytes(raw)
    open_checkpoint(tmp_path / f"x.{form}")
    with pytest.raises(CheckpointError, match="checksum"):
        open_checkpoint(tmp_path / f"x.{form}", crc_check=True)
