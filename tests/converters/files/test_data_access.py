"""Bytes behind one interface. Judge: MindSpore 2.10."""

import io
from pathlib import Path

import pytest

from msbridge.converters.files.data_access import (
    FileDataAccessAdapter,
    IODataAccessAdapter,
    create_data_access_adapter,
)


def test_a_file_is_mapped(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456")
    adapter = create_data_access_adapter(str(path))
    assert isinstance(adapter, FileDataAccessAdapter)
    assert adapter.data_source[2:4] == b"23"
    adapter.data_source[0:1] = b"x"
    adapter.close()
    assert adapter.buffer.closed
    assert path.read_bytes() == b"0123456"


def test_a_stream_is_read_from_its_position_which_stays() -> None:
    stream = io.BytesIO(b"0123456")
    stream.seek(3)
    adapter = create_data_access_adapter(stream)
    assert isinstance(adapter, IODataAccessAdapter)
    assert (adapter.data_source, stream.tell()) == (b"3456", 3)
    adapter.close()
    assert not stream.closed


def test_other_sources_are_refused() -> None:
    with pytest.raises(TypeError, match="BytesIO"):
        create_data_access_adapter(Path("a"))  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        create_data_access_adapter("/no/such/file")
