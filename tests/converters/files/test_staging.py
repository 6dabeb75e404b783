"""Whichever call is the last one of a conversion into a folder, the folder holds the old set or the new one."""

import json
import os
import shutil
from pathlib import Path

import pytest
import torch

from msbridge.converters import CheckpointError, checkpoint, convert, open_checkpoint
from msbridge.converters.files.index import NEW, UNFINISHED
from msbridge.converters.files.staging import JOURNAL
from msbridge.converters.files.temporary_files import lock_folder
from msbridge.converters.formats import ckpt, safetensors
from msbridge.converters.tensors.entry import entry

CALLS = ("open", "write", "copy_file_range", "fsync", "replace", "unlink", "link", "rmdir", "mkdir")
OPTIONS = {"format": "safetensors", "max_shard_bytes": 8, "to": "torch", "of": "torch"}


class Killed(BaseException):
    """What no cleaning up survives: every later call fails, too."""


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """What a test can see does not depend on it, and these write thousands of files."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture
def dying(monkeypatch):
    """Let the n-th call that changes files, and all later ones, fail; return how many there were."""

    def run(at: int, function) -> int:
        count = 0

        def counted(real):
            def call(*arguments, **more):
                nonlocal count
                count += 1
                if count >= at:
                    raise Killed
                return real(*arguments, **more)

            return call

        with monkeypatch.context() as patch:
            for name in CALLS:
                patch.setattr(os, name, counted(getattr(os, name)))
            try:
                function()
            except Killed:
                return count
        return 0

    return run


def state(length: int, value: float) -> dict[str, torch.Tensor]:
    return {f"p{i}": torch.full((2,), value) for i in range(length)}


def values(folder) -> dict[str, list[float]] | None:
    try:
        with open_checkpoint(folder) as found:
            return {name: tensor.tolist() for name, tensor in found.items()}
    except CheckpointError:
        return None


def files(folder) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def indexed(length):
    def make(folder: Path) -> None:
        torch.save(state(length, 7.0), folder.with_suffix(".pth"))
        convert(folder.with_suffix(".pth"), folder, **OPTIONS)
        (folder / "config.json").write_text("{}")

    return make


def loose(*names):
    def make(folder: Path) -> None:
        folder.mkdir()
        for number, name in enumerate(names):
            form = ckpt if name.endswith("ckpt") else safetensors
            form.write(folder / name, [entry(f"p{number}", torch.full((2,), 7.0))])

    return make


NUMBERED = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
OLD = {
    "as many shards": indexed(2),
    "more shards": indexed(3),
    "the same names without an index": loose(*NUMBERED),
    "other names": loose("a.safetensors", "b.safetensors"),
    "another format": loose("net.ckpt"),
    "nothing": lambda folder: None,
}


@pytest.mark.parametrize("later", [{"resume": True}, {}], ids=["resumed", "begun again"])
@pytest.mark.parametrize(
    "old", [pytest.param(old, marks=[pytest.mark.long] * (old != "as many shards")) for old in OLD]
)
def test_every_moment(tmp_path, dying, old, later):
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    source, out, before = tmp_path / "new.pth", tmp_path / "out", tmp_path / "before"
    OLD[old](before)
    new = {name: one.tolist() for name, one in state(2, 1.0).items()}
    allowed = [values(before) if before.exists() else None, new]
    shutil.copytree(before, out) if before.exists() else None
    convert(source, out, force=True, **OPTIONS)
    after, moment, seen = files(out), 0, set()
    while True:
        moment += 1
        shutil.rmtree(out)
        shutil.copytree(before, out) if before.exists() else None
        if not dying(moment, lambda: convert(source, out, force=True, **OPTIONS)):
            break
        found = values(out)
        assert found in allowed, (moment, sorted(files(out)))
        seen.add(found == new)
        convert(source, out, force=True, **OPTIONS, **later)
        assert files(out) == after, moment
    assert seen == {True, False}
    assert moment > 40


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_fails_once(tmp_path, monkeypatch, call):
    """Whichever one it is; what is said names a file of the target."""
    indexed(2)(tmp_path / "out")
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    allowed = [values(tmp_path / "out"), {name: one.tolist() for name, one in state(2, 1.0).items()}]
    said: list[str] = []
    for moment in range(1, 200):
        real, calls = getattr(os, call), []

        def failing(*arguments, real=real, calls=calls, moment=moment, **more):
            calls.append(arguments)
            if len(calls) == moment:
                raise OSError(
                    28, "No space left on device", arguments[0] if isinstance(arguments[0], str | Path) else None
                )
            return real(*arguments, **more)

        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing)
            try:
                convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
            except (OSError, CheckpointError) as error:  # the latter where the source could not be opened
                said.append(str(error))
        assert values(tmp_path / "out") in allowed
        if len(calls) < moment:
            break
    assert not [one for one in said if str(tmp_path / "out") not in one and "new.pth cannot be opened" not in one]
    assert said or call in ("copy_file_range", "link")  # there are other ways to copy


def test_an_unfinished_first_set_is_none(tmp_path, dying):
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    out, seen = tmp_path / "out", set()
    for moment in range(1, 400):
        shutil.rmtree(out, ignore_errors=True)
        if not dying(moment, lambda: convert(tmp_path / "new.pth", out, **OPTIONS)):
            break
        if (out / UNFINISHED / JOURNAL).exists() and not values(out):
            with pytest.raises(CheckpointError, match="holds an unfinished conversion; resume continues it"):
                open_checkpoint(out)
            seen.update(one.name for one in out.iterdir())
    assert seen == {UNFINISHED, NUMBERED[0]}


def test_where_files_have_one_name_only_they_are_copied(tmp_path, monkeypatch):
    def refusing(*names, **more):
        raise PermissionError(1, "Operation not permitted")

    indexed(2)(tmp_path / "out")
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    monkeypatch.setattr(os, "link", refusing)
    convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    assert values(tmp_path / "out") == {name: one.tolist() for name, one in state(2, 1.0).items()}
    assert not [name for name in files(tmp_path / "out") if name.startswith(NEW)]


def test_one_conversion_into_a_folder_at_a_time(tmp_path):
    indexed(2)(tmp_path / "out")
    before = files(tmp_path / "out")
    fd = lock_folder(tmp_path / "out" / UNFINISHED)
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    with pytest.raises(CheckpointError, match="another conversion is writing into this folder"):
        convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    assert files(tmp_path / "out") == before
    os.close(fd)
    convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)


@pytest.mark.parametrize("trick", ["../victim", "/victim", ".."])
def test_a_journal_cannot_point_out_of_its_folder(tmp_path, trick):
    indexed(2)(tmp_path / "out")
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "out" / UNFINISHED).mkdir()
    places = {NUMBERED[0]: trick}
    journal = {"identity": "", "done": {}, "places": places, "replaced": [trick], "settled": True}
    (tmp_path / "out" / UNFINISHED / JOURNAL).write_text(json.dumps(journal))
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    assert (tmp_path / "victim").read_text() == "kept"


def test_links_in_the_folder_are_replaced_not_what_they_lead_to(tmp_path):
    """As in Hugging Face's cache, where other snapshots lead there, too."""
    indexed(2)(tmp_path / "blobs")
    blobs = files(tmp_path / "blobs")
    (tmp_path / "out").mkdir()
    for name in blobs:
        (tmp_path / "out" / name).symlink_to(tmp_path / "blobs" / name)
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    assert files(tmp_path / "blobs") == blobs
    assert values(tmp_path / "out") == {name: one.tolist() for name, one in state(2, 1.0).items()}


def test_a_shard_of_the_old_set_is_not_taken_for_one_of_the_new(tmp_path, dying):
    """The old one has the same name and as many bytes; the new one was removed by someone else."""
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    indexed(2)(tmp_path / "before")
    out, new, met = tmp_path / "out", {name: one.tolist() for name, one in state(2, 1.0).items()}, 0
    for moment in range(1, 400):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(tmp_path / "before", out)
        if not dying(moment, lambda: convert(tmp_path / "new.pth", out, force=True, **OPTIONS)):
            break
        if lost := [one for one in out.glob(f"{UNFINISHED}/{NUMBERED[0]}") if '"places": {}' not in journal_of(out)]:
            met += 1
            lost[0].unlink()
            convert(tmp_path / "new.pth", out, force=True, resume=True, **OPTIONS)
            assert values(out) == new
    assert met


def journal_of(folder: Path) -> str:
    file = folder / UNFINISHED / JOURNAL
    return file.read_text() if file.exists() else '"places": {}'


def test_the_unfinished_folder_is_no_link(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("kept")
    (tmp_path / "out" / UNFINISHED).symlink_to(tmp_path / "mine")
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    with pytest.raises(OSError, match=UNFINISHED):
        convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    assert (tmp_path / "mine" / "file").read_text() == "kept"


@pytest.mark.parametrize("moment", ["before the shards are looked for", "between two shards"])
def test_a_reader_whose_set_is_replaced_meanwhile_gets_one_of_both(tmp_path, monkeypatch, moment):
    indexed(3)(tmp_path / "out")
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    name = "shards" if moment.startswith("before") else "recognize"
    real, calls = getattr(checkpoint, name), []

    def replaced(*arguments):
        calls.append(arguments)
        if len(calls) == (1 if name == "shards" else 2):
            with monkeypatch.context() as patch:
                patch.setattr(checkpoint, name, real)
                convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
        return real(*arguments)

    monkeypatch.setattr(checkpoint, name, replaced)
    assert values(tmp_path / "out") == {name: one.tolist() for name, one in state(2, 1.0).items()}


def test_pipes_in_the_folder_do_not_hang(tmp_path):
    indexed(2)(tmp_path / "out")
    (tmp_path / "out" / UNFINISHED).mkdir()
    os.mkfifo(tmp_path / "out" / UNFINISHED / JOURNAL)
    os.mkfifo(tmp_path / "out" / "model.ckpt")
    torch.save(state(2, 1.0), tmp_path / "new.pth")
    convert(tmp_path / "new.pth", tmp_path / "out", force=True, **OPTIONS)
    (tmp_path / "other").mkdir()
    os.mkfifo(tmp_path / "other" / "model.safetensors.index.json")
    with pytest.raises(CheckpointError, match="is a pipe, not a file"):
        open_checkpoint(tmp_path / "other")
