"""Whoever is stopped at any step of writing a group leaves the old one or the new one, never some files of each."""

import contextlib
import errno
import gc
import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from msbridge.dataset.mindrecord import FileReader, FileWriter, MindPage
from msbridge.dataset.mindrecord.writing import index_writer
from msbridge.dataset.mindrecord.writing.record_group import NOTE, Note, read_note
from tests.dataset.mindrecord_cases import NUMBERED, numbered
from tests.dataset.record_files import numbers
from tests.processes import Child

# What a writer asks of the system, by which it can be stopped.
CALLS = ("open", "write", "replace", "rename", "unlink", "remove", "fsync")
GIVING = ("open", "write", "connect")  # their callers do something with what they give
OLD, NEW, APPENDED = list(range(6)), list(range(50, 59)), list(range(6)) + list(range(90, 95))


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)


class Stop(BaseException):
    """Replaces the end of the process: nothing on its way up does anything to the disk any more."""


class Steps:
    """Counts the calls, and raises at one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, last: int, error: type[BaseException]) -> None:
        self.last, self.error, self.names = last, error, []
        for name in CALLS:
            monkeypatch.setattr(os, name, self._counted(name, getattr(os, name)))
        monkeypatch.setattr(sqlite3, "connect", self._counted("connect", sqlite3.connect))

    def _counted(self, name: str, real: Callable) -> Callable:
        def call(*arguments: Any, **options: Any) -> Any:
            self.names.append(name)
            if len(self.names) == self.last:
                raise Stop if self.error is Stop else self.error(errno.ENOSPC, "No space left on device")
            if len(self.names) > self.last and self.error is Stop:
                if name in GIVING:
                    raise Stop
                return None
            return real(*arguments, **options)

        return call


def new_writer(name: str = "group", shards: int = 3, overwrite: bool = False) -> FileWriter:
    writer = FileWriter(name, shards, overwrite)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(NUMBERED)
    return writer


def write_group(rows: list[int], shards: int = 3, overwrite: bool = False, name: str = "group") -> None:
    writer = new_writer(name, shards, overwrite)
    writer.write_raw_data([row for number in rows for row in numbered(number, number + 1)])
    writer.commit()


def append_group(rows: list[int], name: str) -> None:
    writer = FileWriter.open_for_append(name)
    writer.write_raw_data([row for number in rows for row in numbered(number, number + 1)])
    writer.commit()


def read_all(name: str) -> list[int]:
    return sorted(int(row["number"]) for row in FileReader(name).get_next())


def read_or_words(name: str) -> list[int] | str:
    """Read, or say what is missing."""
    try:
        return read_all(name)
    except RuntimeError as error:
        return next((words for words in ("not exists", "can not be found") if words in str(error)), str(error))


def stopped_at_each_step(
    action: Callable[[], None], prepare: Callable[[], None], error: type[BaseException] = Stop
) -> Iterator[tuple[int, str]]:
    """Run `action` again and again, stopped one step later each time, with what `prepare` makes of the folder."""
    prepare()
    prepared = {path: path.read_bytes() for path in Path().iterdir()}
    gc.collect()
    gc.freeze()  # what the process holds is not searched for garbage at every step
    for last in range(1, 1000):
        for path in Path().iterdir():
            path.unlink()
        for path, content in prepared.items():
            path.write_bytes(content)
        with pytest.MonkeyPatch.context() as patch:
            steps = Steps(patch, last, error)
            try:
                action()
            except (Stop, OSError) as found:
                found.__traceback__ = None
            gc.collect()
        if len(steps.names) < last:
            assert last > 20
            return
        yield last, steps.names[last - 1]


SHARDS = (1, 3)


def first(shards: int) -> str:
    return "group" if shards == 1 else "group0"


@pytest.mark.parametrize("shards", SHARDS)
@pytest.mark.parametrize("error", [Stop, OSError])
def test_a_group_is_replaced_wholly_or_not_at_all(folder: Path, shards: int, error: type[BaseException]) -> None:
    seen = set()
    prepare, action = lambda: write_group(OLD, shards), lambda: write_group(NEW, shards, overwrite=True)
    for last, name in stopped_at_each_step(action, prepare, error):
        found = read_all(first(shards))
        assert found in (OLD, NEW), (last, name)
        seen.add(len(found))
        write_group(OLD, shards, overwrite=True)
        assert read_all(first(shards)) == OLD
        assert len(list(folder.iterdir())) == 2 * shards, (last, name)
    assert seen == {len(OLD), len(NEW)}


@pytest.mark.parametrize("shards", SHARDS)
@pytest.mark.parametrize("error", [Stop, OSError])
def test_rows_are_appended_wholly_or_not_at_all(folder: Path, shards: int, error: type[BaseException]) -> None:
    seen = set()
    prepare, action = lambda: write_group(OLD, shards), lambda: append_group(APPENDED[6:], first(shards))
    for last, name in stopped_at_each_step(action, prepare, error):
        found = read_all(first(shards))
        assert found in (OLD, APPENDED), (last, name)
        seen.add(len(found))
        append_group([99], first(shards))
        assert read_all(first(shards)) == [*found, 99]
        assert len(list(folder.iterdir())) == 2 * shards, (last, name)
    assert seen == {len(OLD), len(APPENDED)}


def test_a_first_group_is_there_wholly_or_not_at_all(folder: Path) -> None:
    for last, name in stopped_at_each_step(lambda: write_group(NEW), lambda: None):
        for each in ("group0", "group1", "group2"):
            assert read_or_words(each) in (NEW, "not exists", "can not be found"), (last, name)


def test_mindspores_way_of_reading_never_mixes(folder: Path) -> None:
    """It reads the files under their names, and wants each one's index."""
    for last, name in stopped_at_each_step(lambda: write_group(NEW, overwrite=True), lambda: write_group(OLD)):
        for path in Path().glob(f"*{NOTE}"):
            path.unlink()
        assert read_or_words("group0") in (OLD, NEW, "not exists"), (last, name)


def stop(note: Note) -> None:
    raise Stop


def unfinished_replacement() -> None:
    """Leave a folder as a writer does that is killed when its note is complete."""
    write_group(OLD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Note, "take_names", stop)
        with pytest.raises(Stop):
            write_group(NEW, overwrite=True)


def test_new_files_are_read_where_they_are(folder: Path) -> None:
    unfinished_replacement()
    assert read_all("group0") == read_all("group2") == NEW
    assert FileReader(["group1"]).len() == 3
    assert sorted(numbers("group1")) == NEW
    page = MindPage("group1")
    page.category_field = "number"
    assert [row["number"] for row in page.read_at_page_by_name("55", 0, 9)] == [55]


def test_the_next_writer_puts_them_into_place(folder: Path) -> None:
    unfinished_replacement()
    with pytest.raises(RuntimeError, match="already exist"):
        write_group(OLD)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        name for i in range(3) for name in (f"group{i}", f"group{i}.db")
    )
    assert read_all("group0") == NEW


def test_a_file_that_others_wrote_meanwhile_is_not_hidden(folder: Path) -> None:
    unfinished_replacement()
    note = read_note(Path("group0"))
    assert note is not None
    os.utime("group1", ns=(note.time_ns + 1, note.time_ns + 1))
    for action in (lambda: read_all("group0"), lambda: write_group(OLD, overwrite=True)):
        with pytest.raises(RuntimeError, match=r"group1 was written after group0.mv.*remove group0.mv"):
            action()


@pytest.mark.parametrize("content", [b"", b'{"files": {"group0": "gro', b"\xff" * 9, b"[" * 100_000])
def test_a_note_that_was_not_completed_says_nothing(folder: Path, content: bytes) -> None:
    write_group(OLD)
    Path("group0.mv").write_bytes(content)
    assert read_all("group1") == OLD
    write_group(NEW, overwrite=True)
    assert read_all("group1") == NEW
    assert not Path("group0.mv").exists()


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "3",
        '{"files": {}}',
        '{"files": 3, "indices": {}}',
        '{"files": {"group0": "../x.partial-1"}, "indices": {}}',
        '{"files": {"group0": 3}, "indices": {}}',
        '{"files": {"group0": "other"}, "indices": {}}',
    ],
)
def test_a_note_that_no_writer_wrote_is_refused(folder: Path, content: str) -> None:
    write_group(OLD)
    Path("group0.mv").write_text(content)
    for action in (lambda: read_all("group0"), lambda: write_group(NEW, overwrite=True)):
        with pytest.raises(RuntimeError, match=r"group0.mv: it is not a note"):
            action()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: Path(path).symlink_to("nowhere")])
def test_a_note_that_is_no_file_says_nothing(folder: Path, make: Callable[[str], None]) -> None:
    write_group(OLD)
    make("group0.mv")
    assert read_all("group0") == OLD
    with pytest.raises(OSError, match=r"group0\.mv"):
        write_group(NEW, overwrite=True)
    assert read_all("group0") == OLD


def test_two_writers_do_not_put_files_into_place_at_once(folder: Path) -> None:
    write_group(OLD)
    other = []

    def take_names(note: Note) -> None:
        if not other:
            other.append(note)
            with pytest.raises(RuntimeError, match="another writer is putting its files into place now"):
                write_group([1], overwrite=True)
        real(note)

    real = Note.take_names
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Note, "take_names", take_names)
        write_group(NEW, overwrite=True)
    assert read_all("group0") == NEW


def test_rows_that_others_appended_meanwhile_are_not_lost(folder: Path) -> None:
    write_group(OLD)
    writer = FileWriter.open_for_append("group0")
    writer.write_raw_data(numbered(70, 71))
    append_group([80], "group0")
    with pytest.raises(RuntimeError, match="group0 was rewritten after it had been opened"):
        writer.commit()
    assert read_all("group0") == [*OLD, 80]


def test_files_that_others_wrote_meanwhile_are_not_replaced(folder: Path) -> None:
    writer = new_writer(shards=3)
    writer.write_raw_data(numbered(70, 71))
    write_group(OLD)
    with pytest.raises(RuntimeError, match="already exist"):
        writer.commit()
    assert read_all("group0") == OLD


def test_files_that_are_replaced_while_they_are_read(folder: Path) -> None:
    write_group(OLD)
    begun, fresh = FileReader("group0"), FileReader("group0")
    rows = begun.get_next()
    before = [next(rows)["number"]]
    write_group(NEW, overwrite=True)
    before += [next(rows)["number"]]
    assert before == [0, 1]
    with pytest.raises(RuntimeError, match="group1 was rewritten"):
        list(rows)
    with pytest.raises(RuntimeError, match="group0 was rewritten"):
        list(fresh.get_next())


def test_files_that_are_left_of_a_larger_group_are_refused(folder: Path) -> None:
    write_group(OLD, shards=4)
    write_group(NEW, shards=3, overwrite=True)
    assert read_all("group0") == NEW
    with pytest.raises(RuntimeError, match=r"group0: it is file 1 of the 3 .* but group3 was written as one of 4"):
        read_all("group3")
    with pytest.raises(RuntimeError, match="group0: it is file 1 of the 3"):
        append_group([1], "group3")


def test_a_link_is_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write_group(OLD, shards=1)
    for name in ("group", "group.db"):
        Path(name).rename(elsewhere / name)
        Path(name).symlink_to(elsewhere / name)
    write_group(NEW, shards=1, overwrite=True)
    assert read_all("group") == NEW
    assert Path("group").is_symlink()
    assert [path.name for path in folder.iterdir() if not path.is_symlink()] == []
    assert sorted(path.name for path in elsewhere.iterdir()) == ["group", "group.db"]


@contextlib.contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("is_parallel", [False, True])
@pytest.mark.parametrize("appends", [False, True])
def test_a_full_disk_is_named_and_leaves_the_old_files(folder: Path, appends: bool, is_parallel: bool) -> None:
    write_group(OLD)
    rows = [{"number": 100 + i, "text": str(i) * 300, "data": b"x" * 900} for i in range(90)]
    failed = set()
    for size in (100, 7_000, 20_000, 30_000, 50_000, 1 << 20):
        writer = FileWriter.open_for_append("group0") if appends else new_writer(shards=3, overwrite=True)
        try:
            with full_disk(size):
                writer.write_raw_data(rows, is_parallel)
                writer.commit()
        except OSError as error:
            failed.add(error.filename)
            assert read_all("group0") == OLD
        del writer
        gc.collect()
        assert len(list(folder.iterdir())) == 6
    assert failed == {"group0"}
    assert len(read_all("group0")) == 90 + len(OLD) * appends


def test_a_writer_whose_disk_was_full_takes_no_more_rows(folder: Path) -> None:
    writer = new_writer(shards=1)
    with full_disk(20_000), pytest.raises(OSError, match=r"too large.*'group'"):
        writer.write_raw_data(numbered(0, 9, blob=5000))
    for action in (lambda: writer.write_raw_data(numbered(0, 1)), writer.commit):
        with pytest.raises(RuntimeError, match=r"Writing to group failed before .*too large.* use another writer"):
            action()
    assert list(folder.iterdir()) == []


def test_a_commit_that_failed_can_be_repeated(folder: Path) -> None:
    write_group(OLD)
    writer = new_writer(shards=3, overwrite=True)
    writer.write_raw_data(numbered(50, 59))
    with full_disk(1000), pytest.raises(OSError, match=r"group0\.db"):
        writer.commit()
    assert read_all("group0") == OLD
    writer.commit()
    assert read_all("group0") == NEW


def test_an_index_that_cannot_be_written_is_named(folder: Path) -> None:
    write_group(OLD)
    writer = new_writer(overwrite=True)
    writer.write_raw_data(numbered(70, 71))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_writer, "description", lambda header: "CREATE TABLE INDEXES(x")
        with pytest.raises(OSError, match=r"cannot be written .*group0\.db"):
            writer.commit()
    assert read_all("group0") == OLD
    writer.commit()
    assert read_all("group0") == [70]


def test_a_fork_that_drops_a_writer_removes_nothing(folder: Path) -> None:
    writer = new_writer(shards=1)
    writer.write_raw_data(numbered(70, 71))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "getpid", lambda: 1)  # what a fork would see
        writer._replacement.discard()
    writer.commit()
    assert read_all("group") == [70]


KILLED = """
import sys
from msbridge.dataset.mindrecord import FileWriter
rows = [{"number": i, "text": "", "data": b"x"} for i in range(int(sys.argv[2]))]
for _ in range(10_000):
    if sys.argv[1] == "append":
        writer = FileWriter.open_for_append("group0")
    else:
        writer = FileWriter("group", 3, overwrite=True)
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
        writer.add_schema({"number": {"type": "int32"}, "text": {"type": "string"}, "data": {"type": "bytes"}})
    writer.write_raw_data(rows)
    writer.commit()
"""


@pytest.mark.process
@pytest.mark.parametrize("how", ["append", "overwrite"])
def test_a_writer_that_is_killed_leaves_a_whole_group(folder: Path, how: str) -> None:
    write_group(OLD)
    writer = Child("-c", KILLED, how, "5")
    while len(read_if_whole("group0")) == len(OLD):  # until it wrote once
        pass
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    found = read_all("group0")
    assert found == list(range(5)) if how == "overwrite" else len(found) % 5 == 1
    append_group([99], "group0")
    assert read_all("group0") == [*found, 99]
    assert len(list(folder.iterdir())) == 6


def read_if_whole(name: str) -> list[int]:
    """Read while a writer may be putting files into place; what is refused then is old."""
    try:
        return read_all(name)
    except RuntimeError:
        return OLD
