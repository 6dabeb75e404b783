"""What a killed writer leaves goes; what may still be written, or is not ours, stays."""

import contextlib
import os
import socket
import subprocess
import sys
import textwrap

import pytest

from msbridge.converters.files import temporary_files
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.temporary_files import MARK, create, folder_for, remove_leftovers

KERNEL, HOST = temporary_files._machine()


def names(folder) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


@pytest.fixture
def living(tmp_path):
    partial, fd = create(tmp_path / "x.ckpt", 0o600)
    yield partial
    os.close(fd)


def test_what_is_being_written_stays(tmp_path, living):
    remove_leftovers(tmp_path, lambda name: True)
    assert names(tmp_path) == [living.name]


def test_only_the_wanted_targets_are_swept(tmp_path):
    for name in ("x.ckpt", "y.ckpt"):
        (tmp_path / f"{name}{MARK}1-ab").write_bytes(b"half")
    remove_leftovers(tmp_path, lambda name: name == "x.ckpt")
    assert names(tmp_path) == [f"y.ckpt{MARK}1-ab"]


@pytest.mark.parametrize(
    ("writer", "goes"),
    [
        ("7-ab", True),
        (f"7-{KERNEL}-{HOST}-ab", True),
        (f"7-{KERNEL}-00000000-ab", True),  # another container of the running machine
        (f"7-00000000-{HOST}-ab", True),  # this machine before it was restarted
        ("7-00000000-00000000-ab", False),  # another machine, whose locks may not be seen here
        (f"7-{KERNEL}-{HOST}-ab{temporary_files.UNLOCKED}", False),
        ("notes", False),
        ("", False),
        ("7-AB", False),
    ],
)
def test_who_is_judged_by_the_lock(tmp_path, writer, goes):
    (tmp_path / f"x.ckpt{MARK}{writer}").write_bytes(b"half")
    remove_leftovers(tmp_path, lambda name: True)
    assert names(tmp_path) == ([] if goes else [f"x.ckpt{MARK}{writer}"])


def test_pipes_sockets_and_links_named_like_leftovers_neither_hang_nor_go(tmp_path):
    os.mkfifo(tmp_path / f"x{MARK}1-aa")
    (tmp_path / "mine").write_bytes(b"kept")
    (tmp_path / f"x{MARK}1-bb").symlink_to(tmp_path / "mine")
    with contextlib.chdir(tmp_path), socket.socket(socket.AF_UNIX) as one:
        one.bind(f"x{MARK}1-cc")
    with replacing(tmp_path / "x") as sink:
        sink.write(b"new")
    assert names(tmp_path) == ["mine", "x", *(f"x{MARK}1-{token}" for token in ("aa", "bb", "cc"))]


def test_a_scan_between_creation_and_lock_costs_nothing(tmp_path, monkeypatch):
    real, seen = os.open, []

    def opened(path, flags, *mode, **more):
        fd = real(path, flags, *mode, **more)
        if flags & os.O_EXCL and not seen:
            seen.append(path)
            remove_leftovers(tmp_path, lambda name: True)
        return fd

    monkeypatch.setattr(os, "open", opened)
    with replacing(tmp_path / "x") as sink:
        sink.write(b"new")
    assert seen
    assert (tmp_path / "x").read_bytes() == b"new"
    assert names(tmp_path) == ["x"]


def test_a_scan_that_holds_the_lock_costs_nothing(tmp_path, monkeypatch):
    """The scan has locked the file that its writer has just created, and is about to remove it."""
    real, answers = temporary_files.try_lock, [False]
    monkeypatch.setattr(temporary_files, "try_lock", lambda *a, **k: answers.pop() if answers else real(*a, **k))
    with replacing(tmp_path / "x") as sink:
        sink.write(b"new")
    assert not answers
    assert names(tmp_path) == ["x"]


def test_without_locks_nothing_is_ever_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(temporary_files, "try_lock", lambda *given, **more: None)
    partial, fd = create(tmp_path / "x", 0o600)
    os.close(fd)
    assert partial.name.endswith(temporary_files.UNLOCKED)
    monkeypatch.undo()
    remove_leftovers(tmp_path, lambda name: True)
    assert names(tmp_path) == [partial.name]


def test_a_folder_is_kept_while_it_is_used_and_swept_when_its_user_was_killed(tmp_path):
    with folder_for(tmp_path / "x") as folder:
        (folder / "part").write_bytes(b"half")
        remove_leftovers(tmp_path, lambda name: True)
        assert names(folder) == ["part"]
    assert names(tmp_path) == []
    left = tmp_path / f"x{MARK}1-{KERNEL}-{HOST}-ab"
    left.mkdir()
    (left / "part").write_bytes(b"half")
    remove_leftovers(tmp_path, lambda name: True)
    assert names(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError), folder_for(tmp_path / "nowhere" / "x"):
        pass
    remove_leftovers(tmp_path / "nowhere", lambda name: True)


@pytest.mark.process
def test_the_file_of_another_process_stays_until_that_dies(tmp_path):
    program = f"""
        import sys
        from pathlib import Path
        from msbridge.converters.files.temporary_files import create
        create(Path({str(tmp_path)!r}, "x"), 0o600)
        print("made", flush=True)
        sys.stdin.read()
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], **pipes) as other:
        other.stdout.readline()
        remove_leftovers(tmp_path, lambda name: True)
        assert len(names(tmp_path)) == 1
        other.kill()
        other.communicate()
    remove_leftovers(tmp_path, lambda name: True)
    assert names(tmp_path) == []
