"""Reading TFRecord and MindRecord files: rows per second, against MindSpore's own readers.

    python -m benchmarks.data_files [--oracle PYTHON]

Rows as they are read for BERT (three integer arrays of 128, and a label), and rows of a label and bytes as large as a
photograph, in order, in batches of 32 (photographs one by one). The first epoch includes opening the files; the steady
state is the median of those behind. PYTHON names an interpreter with the real MindSpore, which runs the same lines in a
process of its own before; without it there is nothing to compare with, and no row.
"""

import statistics
import struct
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peer
from benchmarks.table import Row, at_least

SENTENCES, PHOTOGRAPHS, PHOTOGRAPH_BYTES, BATCH, EPOCHS = 5000, 1000, 60_000, 32, 5
TARGET = 1.0
ARRAYS = ("input_ids", "input_mask", "segment_ids")

# Name of the file, the pipeline that reads it, and the rows of one element.
PIPELINES = {
    "TFRecord, sentences": ("sentences.tfrecord", "TFRecordDataset", SENTENCES, BATCH),
    "TFRecord, photographs": ("photographs.tfrecord", "TFRecordDataset", PHOTOGRAPHS, 1),
    "MindRecord, sentences": ("sentences.mindrecord", "MindDataset", SENTENCES, BATCH),
    "MindRecord, photographs": ("photographs.mindrecord", "MindDataset", PHOTOGRAPHS, 1),
}


def run(oracle: str | None = None) -> list[Row]:
    """Measure; two rows for each kind of file.

    Args:
        oracle: an interpreter with the real MindSpore; None measures nothing.
    """
    if not oracle:
        return []
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        theirs = peer.ask(oracle, rates, folder)
        from msbridge import dataset as ds

        for name, ours in rates(ds, folder).items():
            middle = statistics.median(ours[1:]), statistics.median(theirs[name][1:])
            rows.append(at_least(f"{name}, first epoch", ours[0], "MindSpore", theirs[name][0], TARGET, "rows/s"))
            rows.append(at_least(f"{name}, steady state", middle[0], "MindSpore", middle[1], TARGET, "rows/s"))
    return rows


def rates(ds: Any, folder: str) -> dict[str, list[float]]:
    """Read all files with a `mindspore.dataset`; return the rows per second of each epoch by name."""
    found = {}
    for name, (file, reader, count, batch) in PIPELINES.items():
        data = getattr(ds, reader)(f"{folder}/{file}", shuffle=False)
        start = time.perf_counter()
        iterator = (data.batch(batch) if batch > 1 else data).create_tuple_iterator(output_numpy=True)
        times = []
        for _ in range(EPOCHS):
            assert sum(1 for _ in iterator) == -(-count // batch)
            times.append(time.perf_counter() - start)
            start = time.perf_counter()
        found[name] = [count / seconds for seconds in times]
    return found


def write(folder: Path) -> None:
    """Write the same rows in both forms."""
    random = np.random.default_rng(0)
    sentences = [
        {
            "input_ids": random.integers(0, 30_000, 128),
            "input_mask": np.ones(128, np.int64),
            "segment_ids": np.zeros(128, np.int64),
            "label": number % 2,
        }
        for number in range(SENTENCES)
    ]
    photographs = [{"data": random.bytes(PHOTOGRAPH_BYTES), "label": number} for number in range(PHOTOGRAPHS)]
    arrays: dict[str, dict[str, Any]] = {name: {"type": "int64", "shape": [-1]} for name in ARRAYS}
    write_mindrecord(folder / "sentences.mindrecord", {**arrays, "label": {"type": "int64"}}, sentences)
    schema = {"data": {"type": "bytes"}, "label": {"type": "int64"}}
    write_mindrecord(folder / "photographs.mindrecord", schema, photographs)
    for name, rows in (("sentences", sentences), ("photographs", photographs)):
        (folder / f"{name}.tfrecord").write_bytes(b"".join(map(record, rows)))


def write_mindrecord(path: Path, schema: dict[str, dict[str, Any]], rows: list[dict[str, Any]]) -> None:
    """Write a MindRecord file."""
    from msbridge.dataset.mindrecord import FileWriter

    writer = FileWriter(str(path))
    writer.add_schema(schema)
    for start in range(0, len(rows), 500):
        writer.write_raw_data(rows[start : start + 500])
    writer.commit()


def record(row: dict[str, Any]) -> bytes:
    """Encode a row as `tf.train.Example` with its head; nobody looks at the checksum of the content."""
    entries = (_field(1, _field(1, name.encode()) + _field(2, _feature(value))) for name, value in row.items())
    data = _field(1, b"".join(entries))
    from msbridge.dataset.readers.streamed.records import compute_checksum

    head = struct.pack("<Q", len(data))
    return head + compute_checksum(head).to_bytes(4, "little") + data + bytes(4)


def _feature(value: Any) -> bytes:
    if isinstance(value, bytes):
        return _field(1, _field(1, value))
    from msbridge.converters.messages.wire import varint

    return _field(3, _field(1, b"".join(map(varint, np.ravel(value).tolist()))))


def _field(number: int, data: bytes) -> bytes:
    from msbridge.converters.messages.wire import varint

    return varint(number << 3 | 2) + varint(len(data)) + data


if __name__ == "__main__":
    peer.main(run, __doc__)
