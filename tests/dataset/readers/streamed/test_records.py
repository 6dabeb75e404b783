"""TFRecord files: framing, damage, compression. Judge: the format, and what MindSpore 2.10 refused."""

import gzip
import struct
import tracemalloc
import zlib
from pathlib import Path

import pytest

from msbridge.dataset.readers.streamed.records import compute_checksum, count_records, is_record_file, read_records
from tests.dataset.tfrecords import checksum, record

RECORDS = [bytes([number % 256]) * (number % 37) for number in range(3000)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "x.tf"
    target.write_bytes(b"".join(map(record, RECORDS)))
    return target


def records(path: Path, *arguments: object) -> list[bytes]:
    return [each for rows in read_records(path, *arguments) for each in rows]  # type: ignore[arg-type]


def test_the_checksum_is_that_of_the_format() -> None:
    assert compute_checksum(b"123456789").to_bytes(4, "little") == checksum(b"123456789")
    crc = 0xE3069283  # of these digits, by RFC 3720
    assert compute_checksum(b"123456789") == (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def test_any_stretch_of_records_can_be_read(path: Path) -> None:
    count, marks = count_records(path, "")
    assert count == 3000
    assert len(marks) == 3
    assert records(path, "") == RECORDS
    for start, end in ((0, 5), (1023, 1025), (1024, 1025), (2999, None), (2500, 2600)):
        assert records(path, "", start, end, marks) == RECORDS[start:end]


@pytest.mark.parametrize(("compression", "pack"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_compressed_files(path: Path, compression: str, pack: object) -> None:
    raw = path.read_bytes()
    path.write_bytes(pack(raw))  # type: ignore[operator]
    assert is_record_file(path, compression)
    assert records(path, compression, 10, 20) == RECORDS[10:20]
    assert count_records(path, compression)[0] == 3000
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RuntimeError, match=r"x\.tf is cut short"):
        records(path, compression)
    path.write_bytes(path.read_bytes()[:500] + bytes(60) + path.read_bytes()[560:])
    with pytest.raises(RuntimeError, match=r"x\.tf"):
        records(path, compression)


def test_a_compressed_file_may_have_several_members(path: Path) -> None:
    path.write_bytes(gzip.compress(record(b"one")) + gzip.compress(record(b"two")))
    assert records(path, "GZIP") == [b"one", b"two"]


@pytest.mark.parametrize("length", [1 << 40, (1 << 64) - 1, 1 << 31])
def test_no_memory_is_taken_for_a_length_that_cannot_be(path: Path, length: int) -> None:
    whole = record(b"one") + struct.pack("<Q", length) + bytes(40)
    for compression, data in (("", whole), ("GZIP", gzip.compress(whole))):
        path.write_bytes(data)
        with pytest.raises(RuntimeError, match=r"x\.tf: record 1 should have"):
            records(path, compression)
    path.write_bytes(whole)
    with pytest.raises(RuntimeError, match=r"x\.tf: record 1"):
        count_records(path, "")


def test_a_compressed_file_that_swells_is_read_piece_by_piece(path: Path) -> None:
    zeros = struct.pack("<Q", 1 << 30) + checksum(struct.pack("<Q", 1 << 30)) + bytes(1 << 24)
    path.write_bytes(gzip.compress(zeros, 9))
    tracemalloc.start()
    with pytest.raises(RuntimeError, match="there are 16777216"):
        records(path, "GZIP")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * len(zeros)
