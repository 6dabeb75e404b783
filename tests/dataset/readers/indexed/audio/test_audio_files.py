"""Readers of recordings. Judge: what MindSpore 2.10 answered."""

from collections.abc import Callable
from pathlib import Path

import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import column
from tests.dataset.stream_layouts import wave


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: b"", "does not begin as a WAV file"),
        (lambda data: data[:30], "chunk b'fmt ' should have 16 bytes"),
        (lambda data: data[:-4], "should have 16 bytes, there are 12"),
        (lambda data: data[:20] + b"\3" + data[21:], "format 3 and 16 bits"),
        (lambda data: data[:34] + b"\x08" + data[35:], "format 1 and 8 bits"),
        (lambda data: data[:40] + b"\xff\xff\xff\xff" + data[44:], "should have 4294967295 bytes"),
    ],
)
def test_a_damaged_file_is_named(change: Callable[[bytes], bytes], says: str, tmp_path: Path) -> None:
    (tmp_path / "0_1.wav").write_bytes(change(wave()))
    with pytest.raises(RuntimeError, match=rf"0_1\.wav.*({says})"):
        column(ds.YesNoDataset(str(tmp_path)), "waveform")


def test_other_chunks_are_passed_over(tmp_path: Path) -> None:
    plain = wave()
    (tmp_path / "0_1.wav").write_bytes(plain[:36] + b"LIST\3\0\0\0abc\0" + plain[36:])
    (tmp_path / "1_1.wav").write_bytes(plain)
    one, other = column(ds.YesNoDataset(str(tmp_path), shuffle=False), "waveform")
    assert one == other
