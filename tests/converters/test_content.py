"""Judge: torch's own cast; Python's zipfile."""

import zipfile

import pytest
import torch

from msbridge.converters.files import sink
from msbridge.converters.files.replacing import replacing
from msbridge.converters.formats import zip_writing
from msbridge.converters.tensors import content
from msbridge.converters.tensors.content import Cast, InMemory


def test_a_cast_piece_by_piece_is_the_cast_of_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "CHUNK", 12)
    data = torch.randn(101)
    cast = Cast(InMemory(data), torch.float32, torch.bfloat16)
    with replacing(tmp_path / "x") as sink:
        for start in range(0, cast.nbytes, 7):  # also in the middle of an element
            cast.write(sink, start, min(start + 7, cast.nbytes))
    assert (tmp_path / "x").read_bytes() == bytes(content.as_bytes(data.bfloat16()))


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
