"""Opening files: what is no plain file is refused at once. Before, a pipe made whoever opened it wait for ever."""

import os
import socket
import threading
from pathlib import Path

import pytest

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.formats import npz
from msbridge.converters.names.rules import read_rules
from msbridge.core.runtime.plain_files import open_file, read_file, read_key
from msbridge.dataset.mindrecord import CsvToMR, ImageNetToMR, MnistToMR
from msbridge.verify.record.inputs import arrays_of


@pytest.fixture(params=["a pipe", "a socket", "a folder", "a device"])
def odd(request, tmp_path, monkeypatch):
    """What a path may lead to that is not a file, and how it is called."""
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    place = Path("odd")
    if request.param == "a pipe":
        os.mkfifo(place)
    elif request.param == "a folder":
        place.mkdir()
    elif request.param == "a device":
        place.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(place))
            yield place, request.param
        return
    yield place, request.param


def test_what_is_no_file_is_refused(odd):
    place, kind = odd
    with pytest.raises(OSError, match=f"is {kind}, not a file"):
        open_file(place)


READERS = {
    "a checkpoint": (CheckpointError, lambda path: open_checkpoint(path)),
    "an index": (CheckpointError, lambda path: open_checkpoint(path.rename("x.index.json").parent)),
    "rules": (CheckpointError, read_rules),
    "arrays": (CheckpointError, npz.read_all),
    "inputs": (ValueError, arrays_of),
    "a table": (OSError, lambda path: CsvToMR(str(path), "out").transform()),
    "a map": (OSError, lambda path: ImageNetToMR(str(path), ".", "out").transform()),
    "digits": (RuntimeError, lambda path: MnistToMR(".", "out").transform()),
}


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_waits_for_a_pipe(tmp_path, monkeypatch, reader):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("odd")
    Path("train-images-idx3-ubyte.gz").symlink_to("odd")
    error, read = READERS[reader]
    with pytest.raises(error, match="is a pipe, not a file"):
        read(Path("odd"))


def test_a_file_that_is_too_long_is_not_read(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    assert read_file(tmp_path / "x", 5) == b"12345"
    with pytest.raises(OSError, match="longer than 4 bytes"):
        read_file(tmp_path / "x", 4)
    with pytest.raises(OSError, match=r"zero byte|null"):
        read_file("a\0b", 4)


def test_a_key_may_come_from_a_pipe_but_not_for_ever(tmp_path):
    os.mkfifo(tmp_path / "key")
    assert read_key(tmp_path / "key") == b""  # nobody is at the other end
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: (os.write(writing, b"0123456789ABCDEF"), os.close(writing)))
    writer.start()
    assert read_key(f"/dev/fd/{reading}") == b"0123456789ABCDEF"
    writer.join()
    os.close(reading)
    with pytest.raises(OSError, match="which no key is"):
        read_key("/dev/zero")
