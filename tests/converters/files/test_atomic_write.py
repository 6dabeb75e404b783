"""A file is replaced as a whole or not at all; any fault of the target is said with its name."""

import errno
import os
import resource
import stat
from pathlib import Path

import pytest

from msbridge.converters.files import atomic_write as room
from msbridge.converters.files.atomic_write import copy, replacing, replacing_path, write_text


@pytest.fixture
def old(tmp_path):
    (tmp_path / "x").write_bytes(b"old")
    return tmp_path / "x"


def names(folder) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def save(path, data: bytes = b"new") -> None:
    with replacing(path) as sink:
        sink.write(data)


def refused(number: int, path):
    return pytest.raises(OSError, match=rf"\[Errno {number}\].*{path.name[:40]}")


def test_the_new_file_is_there_when_it_is_complete(old):
    with replacing(old) as sink:
        sink.write(b"new")
        assert old.read_bytes() == b"old"
    assert old.read_bytes() == b"new"
    assert names(old.parent) == ["x"]


def test_permissions(old, monkeypatch):
    """The mask is the whole process's: to look at it by changing it would change what other threads create."""
    monkeypatch.delattr(os, "umask")
    save(old)
    mask = next(row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("Umask"))
    assert stat.S_IMODE(old.stat().st_mode) == 0o666 & ~int(mask.split()[1], 8)
    old.unlink()
    with replacing(old, 0o440):
        assert {stat.S_IMODE(one.stat().st_mode) for one in old.parent.iterdir()} == {0o600}
    assert stat.S_IMODE(old.stat().st_mode) == 0o440


def test_writers_of_one_file_beside_each_other(old):
    with replacing(old) as first:
        first.write(b"first")
        save(old, b"second")
        assert old.read_bytes() == b"second"
        first.write(b", which ended last")
    assert old.read_bytes() == b"first, which ended last"
    assert names(old.parent) == ["x"]


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_call_that_fails_leaves_the_old_file_and_nothing_else(old, monkeypatch, call, number):
    def failing(*arguments, **more):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch, refused(number, old):
        patch.setattr(os, call, failing)
        save(old)
    assert old.read_bytes() == b"old"
    assert names(old.parent) == ["x"]


def test_a_limit_of_the_file_size(old):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with refused(errno.EFBIG, old):
            save(old, bytes(1 << 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert old.read_bytes() == b"old"
    assert names(old.parent) == ["x"]


def test_a_folder_without_permission(old, monkeypatch):
    def refusing(path, flags, *mode, **more):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(PermissionError) as caught:
        save(old)
    assert caught.value.filename == str(old)


def test_a_folder_that_goes_while_the_file_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    writing = replacing_path(tmp_path / "folder" / "x")
    writing.__enter__().unlink()
    (tmp_path / "folder").rmdir()
    with pytest.raises(FileNotFoundError, match="folder/x'"):
        writing.__exit__(None, None, None)


@pytest.mark.parametrize("number", room.NO_FOLDER_SYNC)
def test_a_file_system_that_cannot_flush_folders(old, monkeypatch, number):
    real = os.fsync

    def fsync(fd):
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(number, os.strerror(number))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    save(old)
    assert old.read_bytes() == b"new"


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with refused(errno.EINVAL, tmp_path / "pipe"):
        save(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError, match="folder"):
        save(tmp_path / "folder")
    with refused(errno.EINVAL, tmp_path / "null"):
        save("/dev/null")
    assert names(tmp_path) == ["folder", "pipe"]


def test_links_are_followed_unless_they_go_in_circles(old):
    (old.parent / "link").symlink_to("x")
    save(old.parent / "link")
    assert (old.read_bytes(), (old.parent / "link").is_symlink()) == (b"new", True)
    (old.parent / "a").symlink_to("b")
    (old.parent / "b").symlink_to("a")
    with refused(errno.ELOOP, old.parent / "a"):
        save(old.parent / "a")
    assert names(old.parent) == ["a", "b", "link", "x"]


def test_names_as_long_as_they_may_be_and_longer(tmp_path):
    save(tmp_path / ("ä" * 127))
    with refused(errno.ENAMETOOLONG, tmp_path / ("y" * 256)), replacing(tmp_path / ("y" * 256)):
        pytest.fail("it was written for nothing")
    assert names(tmp_path) == ["ä" * 127]


def test_a_place_below_a_file(old):
    with pytest.raises(NotADirectoryError, match="x/y"):
        save(old / "y")


@pytest.mark.process
def test_a_fork_that_drops_its_copy_does_not_take_the_file_away(old):
    writing = replacing_path(old)
    partial = writing.__enter__()
    if not (child := os.fork()):
        try:
            writing.gen.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    partial.write_bytes(b"new")
    writing.__exit__(None, None, None)
    assert old.read_bytes() == b"new"


def test_an_error_of_the_source_keeps_its_name(old):
    with pytest.raises(OSError, match="elsewhere"), replacing(old):
        raise OSError(errno.EIO, "Input/output error", "elsewhere")


def test_a_text_goes_into_what_is_no_file_as_it_is(tmp_path, capfd):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe"):  # nobody reads
        write_text(tmp_path / "pipe", "lost")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "read")
    assert os.read(reader, 100) == b"read"
    os.close(reader)
    write_text("/dev/null", "nothing")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    write_text("/dev/stdout", "shown")
    assert capfd.readouterr().out == "shown"
    assert names(tmp_path) == ["pipe"]


def test_a_text_replaces_a_file_as_a_whole(old, monkeypatch):
    write_text(old, "neu: ä")
    assert old.read_text(encoding="utf-8") == "neu: ä"

    def failing(fd, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", failing)
    with refused(errno.ENOSPC, old):
        write_text(old, "half")
    assert old.read_text(encoding="utf-8") == "neu: ä"
    assert names(old.parent) == ["x"]


def test_a_copy(old):
    copy(old, old.parent / "y", 0o400)
    assert (old.parent / "y").read_bytes() == b"old"
    assert stat.S_IMODE((old.parent / "y").stat().st_mode) == 0o400
