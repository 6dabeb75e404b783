"""Outcomes of cases: turned into JSON, and compared."""

import base64
import gzip
import hashlib
import json
import math
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from tests.oracle.case import GAP, OfLargest
from tests.oracle.families import HERE

TOLERANCES = {
    "float64": 1e-9,
    "complex128": 1e-9,
    "float32": 1e-5,  # both sides sum in their own order
    "complex64": 1e-5,
    "float16": 2e-3,  # 10 bits of mantissa
    "bfloat16": 2e-2,  # 7 bits
}

NEWEST = "2.10.0"
DIGEST = 3  # bytes that tell the outcomes of a family apart
MAX_STORED = 1 << 14
"""Elements of an array up to which they are stored; of a larger one a checksum is, and no tolerance applies."""
BFLOAT16 = getattr(ms, "bfloat16", None)  # since 2.2

Json = dict | list | str | int | float | bool | None


def encode(value: object) -> Json:
    """Write a result as JSON that tells tensors, arrays, dtypes, tuples and lists apart."""
    if value is GAP:
        return {"gap": True}
    if isinstance(value, Tensor):
        kind = "parameter" if isinstance(value, Parameter) else "tensor"
        is_wide = BFLOAT16 is None or value.dtype != BFLOAT16
        array = (value if is_wide else value.astype(ms.float32)).asnumpy()
        return {kind: str(value.dtype), **_array(array)}
    if isinstance(value, np.float64):  # a Python float, too
        return float(value)
    if isinstance(value, np.ndarray | np.generic):
        kind = "array" if isinstance(value, np.ndarray) else "number"
        return {kind: str(value.dtype), **_array(np.asarray(value))}
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, type | np.dtype):
        return {"type": getattr(value, "__name__", str(value))}
    if re.fullmatch(r"mindspore\.\w+", repr(value)):
        return {"dtype": repr(value)}
    return {"instance": type(value).__name__}


def _array(array: np.ndarray) -> dict[str, Json]:
    if array.dtype == object:
        return {"shape": list(array.shape), "items": [encode(item) for item in array.reshape(-1)]}
    if array.size > MAX_STORED:
        return {"shape": list(array.shape), "checksum": zlib.crc32(np.ascontiguousarray(array).tobytes())}
    data = np.ascontiguousarray(array).tobytes()
    return {"numpy": array.dtype.str, "shape": list(array.shape), "data": base64.b64encode(data).decode()}


def encode_error(error: Exception, says: str) -> Json:
    """Keep the class of an error, and whether its message has the expected word."""
    return {"raises": type(error).__name__, "says": says in str(error)}


def folder_of(release: str) -> Path:
    """Return the folder with the records of a release, e.g. "2.0.0"."""
    return HERE / "records" if release == NEWEST else HERE / "records" / release


def write(path: Path, version: str, outcomes: dict[str, Json]) -> None:
    """Write the record of a family, sorted by name; the same outcomes give the same bytes.

    Of an outcome that a later release has, too, only the digest is written; records of earlier releases, which may
    refer to this one, are written again.

    Args:
        path: the file, in the folder of its release.
        version: the release of the outcomes.
        outcomes: by the names of the cases.
    """
    earlier = {each: read(each) for each in _records(path) if _order(each) < _order(path)}
    _write_one(path, version, outcomes)
    for each, record in earlier.items():
        _write_one(each, *record)


def _write_one(path: Path, version: str, outcomes: dict[str, Json]) -> None:
    known = _later_outcomes(path)
    digests = {name: _digest(name, outcome) for name, outcome in outcomes.items()}
    own = sorted(name for name in outcomes if known.get(digests[name]) != [(name, outcomes[name])])
    same = b"".join(sorted(digests[name] for name in outcomes.keys() - set(own)))
    rows = [f"{json.dumps(name)}: {json.dumps(outcomes[name], separators=(',', ':'))}" for name in own]
    head = f'"mindspore": "{version}", ' + (f'"same": "{base64.b64encode(same).decode()}", ' if same else "")
    text = f'{{{head}"cases": {{\n' + ",\n".join(rows) + "\n}}\n"
    packer = zlib.compressobj(9, wbits=31)  # a gzip file without a time
    path.write_bytes(packer.compress(text.encode()) + packer.flush())


def read(path: Path) -> tuple[str, dict[str, Json]]:
    """Read the record of a family: the release of MindSpore, and the outcomes by the names of their cases."""
    if not path.exists():
        return "", {}
    record = json.loads(gzip.decompress(path.read_bytes()))
    if isinstance(record.get("same"), list):  # names of cases with the outcome of 2.10.0: recorded before digests
        newest = read(folder_of(NEWEST) / path.name)[1]
        return record["mindspore"], {**record["cases"], **{name: newest[name] for name in record["same"]}}
    data = base64.b64decode(record.get("same", ""))
    known = _later_outcomes(path) if data else {}
    try:
        same = [pair for at in range(0, len(data), DIGEST) for pair in known[data[at : at + DIGEST]]]
    except KeyError:
        raise ValueError(f"{path}: a later release has other outcomes now; record the family again.") from None
    return record["mindspore"], {**dict(same), **record["cases"]}


def later_records(path: Path) -> list[Path]:
    """Return the records of a record's family by later releases, the newest first."""
    later = [each for each in _records(path) if _order(each) > _order(path)]
    return sorted(later, key=_order, reverse=True)


def _records(path: Path) -> list[Path]:
    return list((HERE / "records").rglob(path.name)) if HERE in path.parents else []


def _order(path: Path) -> list[int]:
    """Return the release of a record as numbers."""
    name = path.parent.name
    return [int(part) for part in (name if name[0].isdigit() else NEWEST).split(".")]


def _later_outcomes(path: Path) -> dict[bytes, list[tuple[str, Json]]]:
    """Return names and outcomes of a family in later releases than a record's, by digest."""
    found: dict[bytes, list[tuple[str, Json]]] = {}
    for later in later_records(path):
        for pair in json.loads(gzip.decompress(later.read_bytes()))["cases"].items():
            pairs = found.setdefault(_digest(*pair), [])
            pairs += [pair] * (pair not in pairs)
    return found


def _digest(name: str, outcome: Json) -> bytes:
    return hashlib.sha256(f"{name}: {json.dumps(outcome)}".encode()).digest()[:DIGEST]


def single_values(outcome: Json) -> Iterator[Json]:
    """Yield the tensors, numbers and texts of an outcome, and the gaps among them."""
    if isinstance(outcome, list):
        items = outcome
    elif isinstance(outcome, dict) and "tuple" in outcome:
        items = outcome["tuple"]
    elif isinstance(outcome, dict) and "dict" in outcome:
        items = [value for _, value in outcome["dict"]]
    else:
        yield outcome
        return
    for item in items:
        yield from single_values(item)


def gaps(outcome: Json) -> tuple[int, int]:
    """Count the values of an outcome that accept anything, and all of them."""
    values = list(single_values(outcome))
    return sum(isinstance(value, dict) and "gap" in value for value in values), len(values)


def differences(got: Json, expected: Json, tolerance: float | None, at: str = "result") -> Iterator[str]:
    """Say where an outcome departs from the recorded one."""
    if isinstance(expected, dict) and "gap" in expected:
        return
    if type(got) is not type(expected) or (isinstance(got, dict) and next(iter(got)) != next(iter(expected))):
        yield f"{at}: expected {show(expected)}, got {show(got)}"
    elif isinstance(expected, list):
        if len(got) != len(expected):
            yield f"{at}: expected {len(expected)} items, got {len(got)}: {show(expected)} / {show(got)}"
        for index, (mine, theirs) in enumerate(zip(got, expected, strict=False)):
            yield from differences(mine, theirs, tolerance, f"{at}[{index}]")
    elif isinstance(expected, dict) and "data" in expected:
        yield from _array_differences(got, expected, tolerance, at)
    elif isinstance(expected, dict) and "dict" in expected:
        mine, theirs = dict(map(_hashable, got["dict"])), dict(map(_hashable, expected["dict"]))
        if list(mine) != list(theirs):
            yield f"{at}: expected the keys {list(theirs)}, got {list(mine)}"
        for key in [key for key in theirs if key in mine]:
            rounded = tolerance or None if key == "gradients" else tolerance  # sums, even where values only move
            yield from differences(mine[key], theirs[key], rounded, f"{at}[{key!r}]")
    elif isinstance(expected, dict) and "tuple" in expected:
        yield from differences(got["tuple"], expected["tuple"], tolerance, at)
    elif isinstance(expected, float):
        if not (
            math.isclose(got, expected, rel_tol=tolerance or 1e-6, abs_tol=1e-9)
            or (got != got and expected != expected)
        ):
            yield f"{at}: expected {expected}, got {got}"
    elif got != expected:
        yield f"{at}: expected {show(expected)}, got {show(got)}"


def _hashable(pair: list[Json]) -> tuple[str | int, Json]:
    key, value = pair
    return (key if isinstance(key, str | int) else json.dumps(key)), value


def _array_differences(got: dict, expected: dict, tolerance: float | None, at: str) -> Iterator[str]:
    kind = next(iter(expected))
    if got[kind] != expected[kind]:
        yield f"{at}: expected dtype {expected[kind]}, got {got[kind]}; {show(expected)} / {show(got)}"
        return
    if got["shape"] != expected["shape"]:
        yield f"{at}: expected shape {tuple(expected['shape'])}, got {tuple(got['shape'])}"
        return
    mine, theirs = decode(got), decode(expected)
    if mine.dtype.kind in "SU":  # text has no tolerance
        if not np.array_equal(mine, theirs):
            yield f"{at}: expected {show(expected)}, got {show(got)}"
        return
    usual = TOLERANCES.get(expected[kind].lower(), 0.0)
    is_share = isinstance(tolerance, OfLargest)
    largest = float(np.abs(theirs[np.isfinite(theirs)]).max(initial=0)) if is_share else 1.0
    tolerance = usual if tolerance is None else max(usual, tolerance) if tolerance else 0.0
    if np.allclose(mine, theirs, rtol=tolerance, atol=tolerance * largest, equal_nan=theirs.dtype.kind in "fc"):
        return
    yield f"{at}: expected {show(expected)}, got {show(got)}"


def decode(encoded: dict) -> np.ndarray:
    """Bring back the array of an encoded tensor, array or number."""
    data = np.frombuffer(base64.b64decode(encoded["data"]), np.dtype(encoded["numpy"]))
    return data.reshape(encoded["shape"])


def show(encoded: Json) -> str:
    """Shorten an outcome for a message."""
    if isinstance(encoded, dict) and "data" in encoded:
        kind = next(iter(encoded))
        text = np.array2string(decode(encoded), threshold=12, separator=", ")
        return f"{kind} {encoded[kind]}{tuple(encoded['shape'])} {' '.join(text.split())}"
    if isinstance(encoded, dict) and "raises" in encoded:
        return encoded["raises"]
    text = str(encoded) if not isinstance(encoded, dict | list) else json.dumps(encoded)
    return repr(text) if isinstance(encoded, str) and len(text) < 300 else text[:300]
