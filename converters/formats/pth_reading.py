"""torch's `.pth`, `.pt`, `.bin`: nothing in them is run, and the bytes of a tensor stay in the file until used.

A zip archive (for its layout see pth_writing.py), or, before release 1.6, a row of pickles: magic number,
protocol, system, the names with their tensors, the keys of the storages; then the storages, each with its length.
Objects of classes that are not tensors (an `argparse.Namespace` beside the weights) are reported as skipped.
"""

import io
import math
import mmap
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import Source
from msbridge.converters.formats import pth_pickle, zip_reading
from msbridge.converters.formats.format import Contents
from msbridge.converters.formats.pth_pickle import Skipped, Strided
from msbridge.converters.tensors import elements
from msbridge.converters.tensors.content import InFile
from msbridge.converters.tensors.entry import Entry, computed

LEGACY_MAGIC = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."  # what torch.save wrote first before release 1.6
NESTED = (
    "state_dict",
    "model_state_dict",
    "model_state",
    "model",
    "module",
    "net",
    "network",
    "generator",
    "params",
    "ema",
)
WRAPPED = ("module.", "_orig_mod.")  # what DistributedDataParallel and torch.compile put before every name
MOST_PICKLE_BYTES = 256 << 20  # names and shapes; a hundred thousand tensors take 20 MB
MOST_EXPANSION = 1 << 30  # bytes: a larger tensor may repeat its elements less than 100-fold
MOST_DEPTH = 200  # of mappings and lists in each other
QUANTIZED = {torch.qint8: torch.int8, torch.quint8: torch.uint8, torch.qint32: torch.int32}
Places = dict[str, tuple[int, int]]  # storage → offset in the file, bytes


def read(source: Source) -> Contents:
    """Return the tensors of a torch file by name; their bytes stay in the file until they are used.

    A state dict is looked for under the usual keys (`state_dict`, `model`, …); a `module.` before all names is dropped.

    Args:
        source: the file.

    Raises:
        CheckpointError: the file is no torch file, is damaged, holds no tensors, or tries to run code.
    """
    state, places = _load_zip(source) if source.read(0, 2) == b"PK" else _load_legacy(source)
    most_names = max(10_000, source.size)  # a pickle can name one list in many places, and that list others
    path: list[str] = []
    skipped: dict[str, str] = {}
    while (inner := _inner(state)) is not None:
        key, chosen = inner
        skipped |= {".".join([*path, str(name)]): _describe(value) for name, value in state.items() if name != key}
        path.append(key)
        state = chosen
    found: dict[str, Strided] = {}
    for name, tensor in _Flattened(source, skipped).tensors(state, "", 0):
        if name in found:
            raise CheckpointError(f"{source.path}: two tensors are called {name!r}.")
        if len(found) >= most_names:
            raise CheckpointError(f"{source.path}: its pickle names its tensors over and over: refused.")
        found[name] = tensor
    if not found:
        raise CheckpointError(
            f"{source.path}: no tensors in it, only {_describe(state)}. Save the state_dict of the module."
        )
    wrapped = _common_prefix(found)
    entries = (_entry(source, name.removeprefix(wrapped), tensor, places) for name, tensor in found.items())
    return Contents(entries, skipped=skipped)


def _load_zip(source: Source) -> tuple[Any, Places]:
    """Read the pickle of an archive; return what it holds, and where the storages lie."""
    with zip_reading.opened(source) as archive:
        members = {one.name: one for one in zip_reading.members(source, archive)}
    for one in members.values():
        if not one.is_stored:
            raise CheckpointError(
                f"{zip_reading.describe(source, one.info)} is compressed or claims to be; "
                "torch stores members as they are."
            )
    if any(name.endswith("/constants.pkl") for name in members):
        raise CheckpointError(f"{source.path}: a TorchScript archive; save the state_dict of the module instead.")
    pickled = [name for name in members if name.rpartition("/")[2] == "data.pkl"]
    if len(pickled) != 1:
        raise CheckpointError(f"{source.path}: {len(pickled)} members are called data.pkl; a torch file has one.")
    folder = pickled[0].removesuffix("data.pkl")
    order = members.get(folder + "byteorder")
    if order and source.read(order.offset, order.info.file_size) == b"big":
        raise CheckpointError(f"{source.path}: its numbers are big-endian, which is not read; save it again elsewhere.")
    member = members[pickled[0]]
    if member.info.file_size > MOST_PICKLE_BYTES:
        raise CheckpointError(
            f"{zip_reading.describe(source, member.info)}: a pickle of {member.info.file_size} bytes: refused."
        )
    data = source.read(member.offset, member.info.file_size)
    if member.info.CRC and zlib.crc32(data) != member.info.CRC:  # zero: saved without check sums
        where = zip_reading.describe(source, member.info)
        raise CheckpointError(f"{where} does not agree with its check sum: it was damaged.")
    state, _ = pth_pickle.load(io.BytesIO(data), f"{source.path}: {pickled[0]!r}")
    folder += "data/"
    places = {
        name.removeprefix(folder): (one.offset, one.info.file_size)
        for name, one in members.items()
        if name.startswith(folder)
    }
    return state, places


def _load_legacy(source: Source) -> tuple[Any, Places]:
    """Read the pickles at the beginning of a file; return what the fourth holds, and where the storages lie."""
    with mmap.mmap(source.fileno(), min(source.size, MOST_PICKLE_BYTES), access=mmap.ACCESS_READ) as start:
        for _ in range(3):
            pth_pickle.load(start, str(source.path))
        state, storages = pth_pickle.load(start, str(source.path))
        keys, _ = pth_pickle.load(start, str(source.path))
        position = start.tell()
    if not isinstance(keys, list):
        raise CheckpointError(f"{source.path} at offset {position}: no list of storages there; the file is damaged.")
    places: Places = {}
    for key in keys:
        if not isinstance(key, str) or key not in storages:
            raise CheckpointError(f"{source.path} at offset {position}: the storage {key!a:.80} belongs to no tensor.")
        nbytes = int.from_bytes(source.read(position, 8), "little") * storages[key].itemsize
        position += 8
        if position + nbytes > source.size:
            raise CheckpointError(
                f"{source.path}: the storage {key!r} at offset {position} claims {nbytes} bytes, "
                f"the file ends at {source.size}; it is cut short or damaged."
            )
        places[key] = (position, nbytes)
        position += nbytes
    return state, places


def _entry(source: Source, name: str, one: Strided, places: Places) -> Entry:
    """Make an entry of a tensor's description; every element of it must lie in its storage."""
    storage = one.storage
    if storage.key not in places:
        raise CheckpointError(f"{source.path}: the storage {storage.key!a:.80} of {name!r} is not in the file.")
    offset, nbytes = places[storage.key]
    count = math.prod(one.shape)
    span = 1 + sum((length - 1) * step for length, step in zip(one.shape, one.strides, strict=True)) if count else 0
    begin, size = storage.first * storage.dtype.itemsize, one.dtype.itemsize
    where = f"{source.path}: {name!r} at offset {offset}"
    end = one.offset * size + span * size
    if count and (end > storage.count * storage.dtype.itemsize or begin + end > nbytes):
        raise CheckpointError(
            f"{where}: shape {one.shape} with strides {one.strides} from element {one.offset} reaches beyond its "
            f"storage of {nbytes} bytes; the file is cut short or damaged."
        )
    if count * size > max(MOST_EXPANSION, 100 * span * size):
        raise CheckpointError(f"{where}: shape {one.shape} claims {count * size} bytes made of {span * size}: refused.")
    begin += offset + one.offset * size
    content = InFile(source, ((begin, span * size),))
    is_plain = not one.is_conj and not one.is_neg and one.quantizer is None
    try:
        kind = elements.of_dtype(torch.float32 if one.quantizer else one.dtype, name).name
    except CheckpointError as error:
        raise CheckpointError(f"{source.path}: {error}") from error
    if is_plain and _is_contiguous(one.shape, one.strides):
        return Entry(name, kind, one.shape, content, begin)

    def make() -> torch.Tensor:
        flat = content.tensor(QUANTIZED.get(one.dtype, one.dtype), copy=False)
        steps = [step if length > 1 else 1 for length, step in zip(one.shape, one.strides, strict=True)]
        data = flat.as_strided(one.shape, steps)
        if one.quantizer:
            _, scale, zero = one.quantizer
            dequantized: torch.Tensor = (data.float() - zero) * scale
            return dequantized
        data = data.conj() if one.is_conj else data
        return torch.neg(data) if one.is_neg else data

    return replace(computed(name, kind, one.shape, make), offset=begin)


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    expected = 1
    for length, step in zip(reversed(shape), reversed(strides), strict=True):
        if length > 1 and step != expected:
            return 0 in shape
        expected *= length
    return True


def _inner(state: Any) -> tuple[str, Any] | None:
    """Find the state dict inside a training checkpoint, when the outer mapping has no tensors itself."""
    if not isinstance(state, Mapping) or any(isinstance(value, Strided) for value in state.values()):
        return None
    nested = {key: value for key, value in state.items() if isinstance(value, Mapping) and _has_tensors(value, set())}
    for key in NESTED:
        if key in nested:
            return key, nested[key]
    return next(iter(nested.items())) if len(nested) == 1 and len(state) > 1 else None


def _has_tensors(value: Any, seen: set[int]) -> bool:
    """Whether a tensor is in a mapping, or in one inside of it."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Strided):
            return True
        if isinstance(one, Mapping) and id(one) not in seen:
            seen.add(id(one))
            waiting += one.values()
    return False


class _Flattened:
    """Names the tensors of nested mappings and lists with dotted names."""

    def __init__(self, source: Source, skipped: dict[str, str]):
        self._source = source
        self._skipped = skipped
        self._holds: dict[int, bool] = {}  # whether a mapping or list, by its id, has tensors in it

    def tensors(self, value: Any, name: str, depth: int) -> Iterator[tuple[str, Strided]]:
        """Yield the tensors in `value`, each with its name; the rest is noted as skipped."""
        if isinstance(value, Strided):
            yield name or "tensor", value
            return
        if not self._worth(value, depth):
            self._skipped[name] = _describe(value)
            return
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from self.tensors(item, f"{name}.{key}" if name else str(key), depth + 1)

    def _worth(self, value: Any, depth: int) -> bool:
        if isinstance(value, Strided):
            return True
        if not isinstance(value, Mapping | list | tuple):
            return False
        if depth > MOST_DEPTH:
            raise CheckpointError(f"{self._source.path}: mappings or lists nested deeper than {MOST_DEPTH}: refused.")
        if id(value) not in self._holds:
            self._holds[id(value)] = False  # for one that is in itself
            items = value.values() if isinstance(value, Mapping) else value
            self._holds[id(value)] = any(self._worth(item, depth + 1) for item in items)
        return self._holds[id(value)]


def _common_prefix(names: Iterable[str]) -> str:
    names, found = list(names), ""
    while prefix := next((one for one in WRAPPED if all(name.startswith(found + one) for name in names)), None):
        found += prefix
    return found


def _describe(value: Any) -> str:
    if isinstance(value, Skipped):
        return f"an object of {getattr(value, 'described', 'an unknown class')}"
    if isinstance(value, Mapping | list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return (
        f"{type(value).__name__} {value!r:.60}" if isinstance(value, int | float | str | bool) else type(value).__name__
    )
