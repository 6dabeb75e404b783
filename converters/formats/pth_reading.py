"""torch's `.pth`, `.pt`, `.bin`: nothing in them is run, and the bytes of a tensor stay in the file until used.

A zip archive (see pth_zip.py), or, before release 1.6, a row of pickles: magic number,
protocol, system, the names with their tensors, the keys of the storages; then the storages, each with its length.
Objects of classes that are not tensors (an `argparse.Namespace` beside the weights) are reported as skipped.
"""

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError, brief
from msbridge.converters.files.memory_budget import MORE_BYTES, Allowance
from msbridge.converters.files.source import Source
from msbridge.converters.formats import pth_pickle, pth_zip
from msbridge.converters.formats.format import Contents
from msbridge.converters.formats.inert_objects import Skipped, Unknown
from msbridge.converters.formats.pth_pickle import QUANTIZED, Storage, Strided
from msbridge.converters.formats.pth_script import Module
from msbridge.converters.formats.pth_zip import MAX_PICKLE_BYTES, Places
from msbridge.converters.tensors import dtypes
from msbridge.converters.tensors.entry import Entry, make_lazy_entry
from msbridge.converters.tensors.lazy_bytes import InFile

# What torch.save wrote first before release 1.6; a protocol comes before it, and from the fourth on a frame.
LEGACY_MAGIC = re.compile(rb"\x80.(\x95.{8})?\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19\.", re.DOTALL)
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
FIRST_BYTES = 1 << 20  # where the pickles of a file from before release 1.6 are looked for at first
MAX_DEPTH = 200  # of mappings and lists in each other
MAX_NAME_BYTES = 1 << 16
MIN_NAMES = 10_000  # that a file may have; a longer one may have one for each of its bytes
# What a tensor, something else and a container take in memory, besides their names.
ENTRY_BYTES, SKIPPED_BYTES, CONTAINER_BYTES = 350, 250, 100


def read(source: Source) -> Contents:
    """Return the tensors of a torch file by name; their bytes stay in the file until they are used.

    A state dict is looked for under the usual keys (`state_dict`, `model`, …); a `module.` before all names is dropped.
    The tensors of a TorchScript archive have the names of the attributes that lead to them.

    Args:
        source: the file.

    Raises:
        CheckpointError: the file is not a torch file, is damaged, holds no tensors, or tries to run code.
    """
    allowance = Allowance(source.path, source.size)
    load = pth_zip.load if source.read(0, 2) == b"PK" else _load_legacy
    state, places = load(source, allowance)
    names = _Names(source, allowance)
    is_script = isinstance(state, Module)  # whose attributes lead to its tensors, under any names
    state = state if is_script else names.state_dict(state)
    tensors: dict[str, Strided] = {}
    for name, tensor in names.tensors(state, "", 0):
        if name in tensors:
            raise CheckpointError(f"{source.path}: two tensors are called {name!r:.200}.")
        tensors[name] = tensor
    skipped = names.skipped
    if not tensors:
        held = "a TorchScript archive of" if is_script else "only"
        raise CheckpointError(
            f"{source.path}: no tensors in it, {held} {_describe(state)}. Save the state_dict of the module."
        )
    wrapped = "" if is_script else _common_prefix(tensors)
    entries = (_entry(source, name.removeprefix(wrapped), tensor, places) for name, tensor in tensors.items())
    return Contents(entries, skipped=skipped)


def _load_legacy(source: Source, allowance: Allowance) -> tuple[Any, Places]:
    """Read the pickles at the beginning of a file; return what the fourth holds, and where the storages lie."""
    state, storages, keys, position = _legacy_pickles(source, allowance)
    if not isinstance(keys, list):
        raise CheckpointError(f"{source.path} at offset {position}: no list of storages there; the file is damaged.")
    places: Places = {}
    for key in keys:
        if not isinstance(key, str) or key not in storages:
            raise CheckpointError(f"{source.path} at offset {position}: the storage {brief(key)} belongs to no tensor.")
        nbytes = int.from_bytes(source.read(position, 8), "little") * storages[key].itemsize
        position += 8
        if position + nbytes > source.size:
            raise CheckpointError(
                f"{source.path}: the storage {brief(key)} at offset {position} claims {nbytes} bytes, "
                f"the file ends at {source.size}; it is cut short or damaged."
            )
        places[key] = (position, nbytes)
        position += nbytes
    return state, places


def _legacy_pickles(source: Source, allowance: Allowance) -> tuple[Any, dict[str, torch.dtype], Any, int]:
    """Return the fourth pickle's content, the types of the storages, the fifth's content, and the end of that.

    How long the pickles are nothing says: they are looked for in the first MiB, in eight times as much, and so on.
    """
    length, whole = FIRST_BYTES, allowance.left
    while True:
        allowance.left = whole
        data, at = source.read(0, length), 0
        try:
            for _ in range(3):
                _, _, at = pth_pickle.load(data, at, str(source.path), allowance)
            state, storages, at = pth_pickle.load(data, at, str(source.path), allowance)
            keys, _, at = pth_pickle.load(data, at, str(source.path), allowance)
            return state, storages, keys, at
        except CheckpointError as error:
            if not error.facts.get("ended") or length >= min(source.size, MAX_PICKLE_BYTES):
                raise
        length *= 8


def _entry(source: Source, name: str, strided: Strided, places: Places) -> Entry:
    """Make an entry of a tensor's description; every element of it must lie in its storage."""
    storage = strided.storage
    if storage.key not in places:
        raise CheckpointError(f"{source.path}: the storage {brief(storage.key)} of {name!r:.200} is not in the file.")
    offset, nbytes = places[storage.key]
    count = math.prod(strided.shape)
    span = (
        1 + sum((length - 1) * step for length, step in zip(strided.shape, strided.strides, strict=True))
        if count
        else 0
    )
    begin, size = storage.first * storage.dtype.itemsize, strided.dtype.itemsize
    where = f"{source.path}: {name!r:.200} at offset {offset}"
    end = strided.offset * size + span * size
    if count and (end > storage.count * storage.dtype.itemsize or begin + end > nbytes):
        raise CheckpointError(
            f"{where}: shape {strided.shape} with strides {strided.strides} from element {strided.offset} "
            f"reaches beyond its storage of {nbytes} bytes; the file is cut short or damaged."
        )
    if count > span and count * size > source.size + MORE_BYTES:  # elements that are at several places
        raise CheckpointError(
            f"{where}: shape {strided.shape} claims {count * size} bytes made of {span * size}: refused."
        )
    begin += offset + strided.offset * size
    content = InFile(source, ((begin, span * size),))
    is_plain = not strided.is_conj and not strided.is_neg and strided.quantizer is None
    kind = dtypes.of_dtype(torch.float32 if strided.quantizer else strided.dtype, name).name
    if is_plain and _is_contiguous(strided.shape, strided.strides):
        return Entry(name, kind, strided.shape, content, begin)

    def make() -> torch.Tensor:
        flat = content.tensor(QUANTIZED.get(strided.dtype, strided.dtype), copy=False)
        steps = [step if length > 1 else 1 for length, step in zip(strided.shape, strided.strides, strict=True)]
        data = flat.as_strided(strided.shape, steps)
        if strided.quantizer:
            _, scale, zero = strided.quantizer
            dequantized: torch.Tensor = (data.float() - zero) * scale
            return dequantized
        data = data.conj() if strided.is_conj else data
        return torch.neg(data) if strided.is_neg else data

    return replace(make_lazy_entry(name, kind, strided.shape, make), offset=begin)


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    expected = 1
    for length, step in zip(reversed(shape), reversed(strides), strict=True):
        if length > 1 and step != expected:
            return 0 in shape
        expected *= length
    return True


class _Names:
    """Finds the state dict in what a pickle holds, and names the tensors in it with dotted names.

    One list may be in many places, and each of its tensors then has as many names: they are counted.

    Attributes:
        skipped: what is not a tensor: name → what it is.
    """

    def __init__(self, source: Source, allowance: Allowance):
        self.skipped: dict[str, str] = {}
        self._source = source
        self._allowance = allowance
        self._left = max(MIN_NAMES, source.size)
        self._holds: dict[int, bool] = {}  # whether there are tensors in a mapping or a list, by its id
        self._maps: dict[int, bool] = {}  # the same, looking into mappings only

    def state_dict(self, state: Any) -> Any:
        """Return the state dict inside a training checkpoint."""
        path: list[str] = []
        while (inner := self._inner(state)) is not None and len(path) <= MAX_DEPTH:
            key, chosen = inner
            for name, value in state.items():
                if name != key:
                    self._skip(".".join([*path, str(name)]), value)
            path.append(str(key))
            state = chosen
        return state

    def tensors(self, value: Any, name: str, depth: int) -> Iterator[tuple[str, Strided]]:
        """Yield the tensors in `value`, each with its name; the rest is noted as skipped."""
        if _is_kept(value):
            if len(name) > MAX_NAME_BYTES:
                raise CheckpointError(
                    f"{self._source.path}: a name of {len(name)} characters: {name[:40]!r}…: refused."
                )
            self._count(ENTRY_BYTES + len(name))
            yield name or "tensor", value
            return
        if not self._worth(value, depth, self._holds, Mapping | list | tuple):
            self._skip(name, value)
            return
        self._count(CONTAINER_BYTES + len(name))
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from self.tensors(item, f"{name}.{key}" if name else str(key), depth + 1)

    def _inner(self, state: Any) -> tuple[Any, Any] | None:
        """Find the state dict inside a training checkpoint, when the outer mapping has no tensors itself."""
        if not isinstance(state, Mapping) or any(isinstance(value, Strided) for value in state.values()):
            return None
        nested = {
            key: value
            for key, value in state.items()
            if isinstance(value, Mapping) and self._worth(value, 0, self._maps, Mapping)
        }
        for key in NESTED:
            if key in nested:
                return key, nested[key]
        return next(iter(nested.items())) if len(nested) == 1 and len(state) > 1 else None

    def _skip(self, name: str, value: Any) -> None:
        self._count(SKIPPED_BYTES + len(name))
        self.skipped[name] = _describe(value)

    def _count(self, nbytes: int) -> None:
        """Count one more name, and what it takes in memory."""
        self._allowance.spend(nbytes)
        self._left -= 1
        if self._left < 0:
            raise CheckpointError(f"{self._source.path}: its pickle names the same things over and over: refused.")

    def _worth(self, value: Any, depth: int, known: dict[int, bool], kinds: Any) -> bool:
        """Whether there is a tensor in `value`, looking into containers of some kinds."""
        if isinstance(value, Strided) or not isinstance(value, kinds):
            return _is_kept(value)
        if depth > MAX_DEPTH:
            raise CheckpointError(f"{self._source.path}: mappings or lists nested deeper than {MAX_DEPTH}: refused.")
        if id(value) not in known:
            known[id(value)] = False  # for one that is in itself
            items = value.values() if isinstance(value, Mapping) else value
            known[id(value)] = any(self._worth(item, depth + 1, known, kinds) for item in items)
        return known[id(value)]


def _is_kept(value: Any) -> bool:
    """Whether this is a tensor of a type that a format has."""
    return isinstance(value, Strided) and (value.quantizer is not None or value.dtype in dtypes.BY_DTYPE)


def _common_prefix(names: Iterable[str]) -> str:
    """Return the common beginning of all names, as far as it is made of names that wrap a module."""
    shared, end = os.path.commonprefix([min(names), max(names)]), 0  # noqa: RUF071  these are not paths
    while prefix := next((one for one in WRAPPED if shared.startswith(one, end)), None):
        end += len(prefix)
    return shared[:end]


def _describe(value: Any) -> str:
    if isinstance(value, Skipped):
        return f"an object of {value.described}"
    if isinstance(value, Unknown):
        return f"the class or function {value.path}"
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, Strided):
        return f"a tensor of {value.dtype}, which no format has"
    if isinstance(value, Storage):
        return "a storage"
    if isinstance(value, FunctionType):
        return "a class or function"
    if isinstance(value, Mapping | list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return (
        f"{type(value).__name__} {brief(value):.60}" if isinstance(value, int | float | str) else type(value).__name__
    )
