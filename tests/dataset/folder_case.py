"""A folder case: one line of Python that writes files, reads them back as a dataset, and is the name of the case.

    conll("a  B C\\n\\n")
    got("m", padded_sample={"number": -1}, num_padded=1)

The lines of a topic stand in `folder_cases/<topic>.txt`, behind a beginning that they share (functions, imports) and a
line `---`. Each is evaluated in an empty folder of its own, by the real MindSpore and by msbridge, unmodified; it sees
`ds ms np vision transforms text FileWriter FileReader MindPage write rows` and all that the beginning defines.
Add a line, then run `record_folders.py`.
"""

import contextlib
import gzip
import json
import os
import pathlib
import struct
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).with_name("folder_cases")
TOPICS = sorted(path.stem for path in HERE.glob("*.txt"))
LARGEST = 200  # items of an array that are kept one by one


def lines(topic: str) -> tuple[str, list[str]]:
    """The shared beginning of a topic, and its cases."""
    start, _, rest = (HERE / f"{topic}.txt").read_text(encoding="utf-8").partition("\n---\n")
    return start, [line for line in rest.splitlines() if line and not line.startswith("#")]


def names(ms: Any, mindrecord: Any) -> dict[str, Any]:
    """What the lines see; the modules are MindSpore's, or those of msbridge."""
    from tests.dataset import image_layouts, tfrecords

    ds = ms.dataset
    of_records = {name: getattr(mindrecord, name) for name in ("FileWriter", "FileReader", "MindPage")}
    of_rows = {name: import_module(f"{ds.__name__}.{name}") for name in ("vision", "transforms", "text", "audio")}
    python = {"gzip": gzip, "json": json, "np": np, "os": os, "pathlib": pathlib, "struct": struct, "zlib": zlib}
    files = {"layouts": image_layouts, "tfrecord": tfrecords.tfrecord, "record": tfrecords.record, "write": write}
    own = {"rows": rows, "tries": tries, "ms": ms, "ds": ds, "mindrecord": mindrecord, "Tensor": ms.Tensor}
    own["videos"] = Path(__file__).with_name("videos")
    return own | of_records | of_rows | python | files


def write(path: str, data: bytes | str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data if isinstance(data, bytes) else data.encode())


def rows(data: Any) -> list[Any]:
    """The rows of a dataset, in order, without the names of its columns."""
    return [list(row) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def tries(*calls: Any) -> list[Any]:
    """What each call gives, or the class that it raises."""
    found: list[Any] = []
    for call in calls:
        try:
            found.append(call())
        except Exception as error:
            found.append(f"raises {type(error).__name__}")
    return found


def outcome(topic: str, line: str, known: dict[str, Any]) -> Any:
    """What a line gives in the present folder, as JSON holds it; the class where it raises."""
    space = dict(known)
    exec(compile(lines(topic)[0], topic, "exec"), space)
    try:
        return plain(eval(line, space))
    except Exception as error:
        return {"raises": type(error).__name__}


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [type(value).__name__, *([plain(key), plain(each)] for key, each in value.items())]
    if isinstance(value, (list, tuple)):
        return [*(["tuple"] if isinstance(value, tuple) else []), *map(plain, value)]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    with contextlib.suppress(AttributeError):  # a Tensor
        return f"{value.dtype} Tensor {_array(value.asnumpy())}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {_array(value)}"
    if isinstance(value, (float, np.generic)):
        return f"{type(value).__name__} {_number(value.item() if isinstance(value, np.generic) else value)}"
    return value.hex() if isinstance(value, bytes) else type(value).__name__


def _array(array: np.ndarray) -> str:
    if array.size > LARGEST:
        return f"{array.shape} {zlib.crc32(np.ascontiguousarray(array).tobytes())}"
    return f"{array.shape} [{', '.join(map(_number, array.reshape(-1).tolist()))}]"


def _number(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else repr(value)
