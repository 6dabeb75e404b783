"""The registry: what one format writes is told by its content, under any name; a new format is one row."""

from dataclasses import replace

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.files.source import Source
from msbridge.converters.formats import registry
from msbridge.converters.formats.format import Contents, Writing
from msbridge.converters.tensors.entry import entry

STATE = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.ones(2, dtype=torch.int64)}


@pytest.mark.parametrize("form", registry.FORMATS, ids=lambda form: form.name)
def test_a_file_is_recognized_and_read_under_any_name(tmp_path, form):
    form.write(tmp_path / "x", [entry(name, value) for name, value in STATE.items()], Writing())
    source = Source(tmp_path / "x")
    assert registry.recognize(source) is form
    assert [one.recognizes(source, source.read(0, 64)) for one in registry.FORMATS].count(True) == 1
    found = {one.name: one.tensor() for one in form.read(source).entries}
    assert found.keys() == STATE.keys()
    assert all(torch.equal(found[name], value) for name, value in STATE.items())


def test_names_and_suffixes_are_of_one_format_each():
    assert len(registry.BY_NAME) == len((*registry.FORMATS, *registry.READ_ONLY))
    assert len(registry.BY_SUFFIX) == sum(len(one.suffixes) for one in registry.FORMATS)


def test_a_new_format_is_one_object(tmp_path, monkeypatch):
    def write(path, entries, writing):
        path.write_text("plain " + " ".join(one.name for one in entries))

    def read(source):
        return Contents([entry(name, torch.zeros(1)) for name in source.read(6, 100).decode().split()])

    plain = replace(
        registry.BY_NAME["npz"], name="plain", suffixes=(".plain",), read=read, write=write,
        recognizes=lambda source, start: start.startswith(b"plain"),
    )  # fmt: skip
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, plain))
    monkeypatch.setitem(registry.BY_NAME, "plain", plain)
    monkeypatch.setitem(registry.BY_SUFFIX, ".plain", plain)
    torch.save(STATE, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "b.plain")
    convert(tmp_path / "b.plain", tmp_path / "c.npz")
    assert list(open_checkpoint(tmp_path / "c.npz")) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"version https://git-lfs.github.com", "is a Git LFS pointer"),
        (b"<!DOCTYPE html>", "is a web page"),
        (b"\x80\x04}.", "is a bare pickle"),
        (b"what is this", "is not a checkpoint that is known"),
    ],
)
def test_what_is_no_checkpoint_is_told(tmp_path, content, says):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(CheckpointError, match=says):
        registry.recognize(Source(tmp_path / "x"))
