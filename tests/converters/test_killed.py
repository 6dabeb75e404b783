"""A run that is killed, or whose disk fills up while bytes are flushed, leaves old files or complete new ones."""

import errno
import textwrap

import pytest
import torch

from msbridge.converters import convert, open_checkpoint
from msbridge.converters.files import atomic_write as replacing_file
from msbridge.converters.files.index import UNFINISHED
from msbridge.converters.files.staging import JOURNAL
from msbridge.converters.files.temporary_files import MARK
from tests.processes import python

OPTIONS = {"format": "safetensors", "max_shard_bytes": 900, "to": "torch", "of": "torch"}

# Each fork dies at a later one of the calls that change files; the last one comes to its end.
KILLED = """
    import os, shutil, signal, sys
    from pathlib import Path
    from msbridge.converters import convert, open_checkpoint
    from msbridge.converters.files.temporary_files import MARK

    source, out, old, new = map(Path, sys.argv[1:])
    options = {options!r}

    def die_at(moment):
        calls = 0

        def counted(function):
            def call(*arguments, **more):
                nonlocal calls
                calls += 1
                if calls == moment:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*arguments, **more)
            return call

        for name in ("open", "write", "copy_file_range", "fsync", "replace", "unlink", "link", "rmdir", "mkdir"):
            setattr(os, name, counted(getattr(os, name)))

    def contents(folder):
        return {{file.name: file.read_bytes() for file in folder.iterdir() if file.is_file() and MARK not in file.name}}

    def values(folder):
        with open_checkpoint(folder) as checkpoint:
            return {{name: tensor.flatten().tolist() for name, tensor in checkpoint.items()}}

    after, allowed = contents(new), (values(old), values(new))
    for moment in range(1, 2000, 19):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(old, out)
        child = os.fork()
        if not child:
            die_at(moment)
            convert(source, out, force=True, **options)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert values(out) in allowed, (moment, list(out.iterdir()))
        convert(source, out, force=True, resume=True, **options)
        assert contents(out) == after and len(list(out.iterdir())) == len(after), (moment, list(out.iterdir()))
        if status == 0:
            break
    print("moments", moment)
"""


@pytest.fixture
def source(tmp_path):
    torch.save({f"layer.{i}.weight": torch.full((10, 10), float(i)) for i in range(10)}, tmp_path / "a.pth")
    return tmp_path / "a.pth"


@pytest.mark.process
def test_killed_at_any_moment_leaves_the_old_or_the_new_set_and_can_be_resumed(tmp_path, source):
    torch.save({f"layer.{i}.weight": torch.full((10, 10), 100.0) for i in range(10)}, tmp_path / "old.pth")
    convert(tmp_path / "old.pth", tmp_path / "old", **OPTIONS)
    convert(source, tmp_path / "new", **OPTIONS)
    script = textwrap.dedent(KILLED.format(options=OPTIONS))
    paths = [str(tmp_path / name) for name in ("a.pth", "out", "old", "new")]
    done = python("-c", script, *paths)
    assert int(done.stdout.split()[-1]) > 50


def test_a_disk_that_is_full_when_a_later_shard_is_flushed(tmp_path, source, monkeypatch):
    real = replacing_file.synchronise

    def failing(path):
        if path.name.startswith("model-00003"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(path)

    monkeypatch.setattr(replacing_file, "synchronise", failing)
    out = tmp_path / "out"
    with pytest.raises(OSError, match=r"No space left on device: .*model-00003"):
        convert(source, out, **OPTIONS)
    unfinished = {file.name for file in (out / UNFINISHED).iterdir()}
    assert {"model-00001-of-00005.safetensors", JOURNAL} <= unfinished
    assert not any(MARK in name or "00003" in name for name in unfinished)
    monkeypatch.undo()
    convert(source, out, resume=True, **OPTIONS)
    assert open_checkpoint(out)["layer.9.weight"][0, 0] == 9
