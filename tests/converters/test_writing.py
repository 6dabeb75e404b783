"""Shards: written, read again, resumed, and what a killed run leaves."""

import json
import signal
import textwrap

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.files.index import UNFINISHED
from msbridge.converters.files.staging import JOURNAL
from msbridge.converters.files.temporary_files import MARK
from msbridge.converters.formats import ckpt, safetensors
from msbridge.converters.tensors.entry import entry
from tests.processes import python

# -- shards ------------------------------------------------------------------------------------------------------------
FORMATS = ["ckpt", "safetensors", "pth", "npz"]
TRICKS = ["../../etc/passwd", "/etc/passwd", "a/b.safetensors", "..", "", "x\\y"]
STATE = {f"layer.{i}.weight": torch.full((10, 10), float(i)) for i in range(10)}


def same(found, state) -> bool:
    return set(found) == set(state) and all(torch.equal(found[name], state[name]) for name in state)


@pytest.fixture
def flat(tmp_path):
    torch.save(STATE, tmp_path / "flat.pth")
    return tmp_path / "flat.pth"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("jobs", [1, 3])
def test_shards_out_and_in(tmp_path, flat, form, jobs):
    report = convert(flat, tmp_path / "out", format=form, max_shard_bytes=900, jobs=jobs, to="torch")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert len(names) == 6
    assert len(report.files) == 6
    assert same(open_checkpoint(tmp_path / "out"), STATE)
    index = next(name for name in names if name.endswith("index.json"))
    content = json.loads((tmp_path / "out" / index).read_text())
    assert content["metadata"] == {"total_size": 4000}
    assert set(content["weight_map"].values()) == set(names) - {index}
    convert(tmp_path / "out" / index, tmp_path / "one.npz", of="torch")
    assert same(open_checkpoint(tmp_path / "one.npz"), STATE)


def test_mindspore_shards_have_its_own_index(tmp_path, flat):
    convert(flat, tmp_path / "out", format="safetensors", max_shard_bytes=900, to="mindspore")
    content = json.loads((tmp_path / "out" / "param_name_map.json").read_text())
    assert set(content) == set(STATE)
    assert same(open_checkpoint(tmp_path / "out"), STATE)


def test_a_folder_of_files_without_index(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(3):
        safetensors.write(tmp_path / "in" / f"part{number}.safetensors", [entry(f"p{number}", torch.ones(1))])
    assert list(open_checkpoint(tmp_path / "in")) == ["p0", "p1", "p2"]
    safetensors.write(tmp_path / "in" / "part9.safetensors", [entry("p0", torch.ones(1))])
    with pytest.raises(CheckpointError, match=r"part9\.safetensors: 'p0' is there already"):
        open_checkpoint(tmp_path / "in")


@pytest.mark.parametrize("file", TRICKS)
def test_an_index_cannot_point_out_of_its_folder(tmp_path, file):
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": file}}))
    with pytest.raises(CheckpointError, match="a shard lies in the folder of its index"):
        open_checkpoint(tmp_path)


def test_missing_shards_and_names_are_told(tmp_path, flat):
    convert(flat, tmp_path / "out", format="safetensors", max_shard_bytes=900)
    index = tmp_path / "out" / "model.safetensors.index.json"
    content = json.loads(index.read_text())
    index.write_text(json.dumps({"weight_map": content["weight_map"] | {"ghost": "model-00001-of-00005.safetensors"}}))
    with pytest.raises(CheckpointError, match="1 names are in no shard, the first is 'ghost'"):
        open_checkpoint(index)
    (tmp_path / "out" / "model-00003-of-00005.safetensors").unlink()
    with pytest.raises(CheckpointError, match="1 of 5 shards are missing: model-00003"):
        open_checkpoint(index)


def test_resume_keeps_the_shards_that_are_done(tmp_path, flat, monkeypatch):
    real, calls = safetensors.write, []

    def failing(path, *arguments, **options):
        calls.append(path.name)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        real(path, *arguments, **options)

    monkeypatch.setattr(safetensors, "write", failing)
    options = {"format": "safetensors", "max_shard_bytes": 900}
    with pytest.raises(OSError, match="No space"):
        convert(flat, tmp_path / "out", **options)
    done = sorted(file.name for file in (tmp_path / "out" / UNFINISHED).glob("*.safetensors"))
    assert 2 <= len(done) <= 4  # those behind the failure are written, or were not begun yet
    assert (tmp_path / "out" / UNFINISHED / JOURNAL).exists()
    assert [file.name for file in (tmp_path / "out").iterdir()] == [UNFINISHED]
    with pytest.raises(CheckpointError, match="is there already"):
        convert(flat, tmp_path / "out", **options)
    with pytest.raises(CheckpointError, match="of another source or with other options"):
        convert(flat, tmp_path / "out", **options, dtype="fp16", resume=True)
    calls.clear()
    calls.extend(["skip"] * 3)
    convert(flat, tmp_path / "out", **options, resume=True)
    assert not set(calls[3:]) & set(done)
    assert not (tmp_path / "out" / UNFINISHED).exists()
    assert same(open_checkpoint(tmp_path / "out"), STATE)


@pytest.mark.process
def test_a_killed_run_leaves_the_old_file_and_the_next_one_replaces_it(tmp_path):
    torch.save({"a": torch.zeros(1_000_000)}, tmp_path / "a.pth")
    ckpt.write(tmp_path / "out.ckpt", [entry("old", torch.ones(1))])
    before = (tmp_path / "out.ckpt").read_bytes()
    script = f"""
        import os, signal
        import msbridge.converters.files.sink as files
        from msbridge.converters import convert
        files.FileSink._write = lambda self, view: os.kill(os.getpid(), signal.SIGKILL)
        convert({str(tmp_path / "a.pth")!r}, {str(tmp_path / "out.ckpt")!r}, force=True)
    """
    done = python("-c", textwrap.dedent(script), check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "out.ckpt").read_bytes() == before
    convert(tmp_path / "a.pth", tmp_path / "out.ckpt", force=True)
    assert list(open_checkpoint(tmp_path / "out.ckpt")) == ["a"]


def test_what_a_killed_run_leaves_is_no_shard_and_is_cleared(tmp_path, flat):
    convert(flat, tmp_path / "out", format="safetensors", max_shard_bytes=900)
    (tmp_path / "out" / UNFINISHED).mkdir()
    (tmp_path / "out" / UNFINISHED / f"model-00001-of-00005.safetensors{MARK}1-ab").write_bytes(b"half")
    assert same(open_checkpoint(tmp_path / "out"), STATE)
    convert(flat, tmp_path / "out", format="safetensors", max_shard_bytes=900, force=True)
    assert not (tmp_path / "out" / UNFINISHED).exists()
    (tmp_path / f"x.ckpt{MARK}1-ab").write_bytes(b"half")
    convert(flat, tmp_path / "x.ckpt")
    assert not list(tmp_path.glob(f"*{MARK}*"))


def test_a_folder_of_the_hub_is_read_by_its_safetensors(tmp_path, flat):
    (tmp_path / "hub").mkdir()
    convert(flat, tmp_path / "hub" / "model.safetensors")
    torch.save({"lr": 0.1}, tmp_path / "hub" / "training_args.bin")
    torch.save(STATE, tmp_path / "hub" / "pytorch_model.bin")
    (tmp_path / "hub" / "config.json").write_text("{}")
    found = open_checkpoint(tmp_path / "hub")
    assert found.format == "safetensors"
    assert same(found, STATE)
