"""The pickles of torch files, read without running anything that they ask for.

A pickle names functions and classes and has them called. Here each name becomes a stand-in: those that torch.save
writes describe a tensor, every other one becomes an object that keeps what is put into it and does nothing. Nothing is
imported; names that only an attack would use are refused.
"""

import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import torch

from msbridge.converters.errors import CheckpointError, UnsafeError

DTYPES = {name: value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
STORAGES = {
    "DoubleStorage": torch.float64,
    "FloatStorage": torch.float32,
    "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16,
    "LongStorage": torch.int64,
    "IntStorage": torch.int32,
    "ShortStorage": torch.int16,
    "CharStorage": torch.int8,
    "ByteStorage": torch.uint8,
    "BoolStorage": torch.bool,
    "ComplexDoubleStorage": torch.complex128,
    "ComplexFloatStorage": torch.complex64,
    "QInt8Storage": torch.qint8,
    "QUInt8Storage": torch.quint8,
    "QInt32Storage": torch.qint32,
    "UntypedStorage": torch.uint8,
}
# Modules whose functions reach the system or other code, and torch's own that load code or other pickles.
HOSTILE = re.compile(
    r"(.*\.)?(os|posix|nt|sys|subprocess|importlib|ctypes|socket|shutil|__builtins__)(\.|$)"
    r"|(runpy|pickle|_pickle|marshal|code|codeop|pty|webbrowser|operator|multiprocessing|asyncio|pdb|bdb|timeit|commands"
    r"|tempfile|platform|pydoc|doctest|profile|cProfile|trace|pip|site|pkgutil|zipimport|http|urllib|requests|ftplib"
    r"|smtplib|inspect|functools(?!\.partial$)|types(?!\.SimpleNamespace$))(\.|$)"
    r"|torch\.(load|hub|jit|package|ops|classes|_C|_dynamo|_inductor|storage\._load_from_bytes|serialization\.load"
    r"|utils\.cpp_extension|distributed\.rpc)(\.|$)"
)
BUILTINS = ("builtins", "__builtin__")
HARMLESS = {"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "range"}
HARMLESS |= {"set", "slice", "str", "tuple", "type"}


class Skipped(dict[Any, Any]):
    """Stands for an object of an unknown class; keeps the items that a mapping is given, and does nothing else."""

    described = "an unknown class"
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__

    def __new__(cls, *arguments: object, **more: object) -> "Skipped":
        return super().__new__(cls)

    def __init__(self, *arguments: object, **more: object):
        super().__init__()

    def ignore(self, items: object) -> None:
        """Take what a list or a set is given."""

    append = extend = add = ignore


@dataclass(frozen=True, slots=True)
class Storage:
    """A run of elements that tensors lie in.

    Attributes:
        key: its name in the file.
        dtype: of the elements.
        count: how many there are.
        first: the element of the named storage where it begins.
    """

    key: str
    dtype: torch.dtype
    count: int
    first: int = 0


@dataclass(frozen=True, slots=True)
class Strided:
    """A tensor as a pickle describes it; nothing of it is checked yet.

    Attributes:
        storage: what it lies in.
        dtype: of its elements.
        offset: its first element.
        shape: its shape.
        strides: steps between elements along each axis.
        is_conj: whether the stored elements are the conjugates.
        is_neg: whether the stored elements are the negatives.
        quantizer: scheme, scale and zero point of a quantized tensor.
    """

    storage: Storage
    dtype: torch.dtype
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    is_conj: bool = False
    is_neg: bool = False
    quantizer: tuple[Any, ...] | None = None


class File(Protocol):
    """What a pickle is read from: an open file, or a mapping of one."""

    def read(self, count: int = ..., /) -> bytes: ...
    def readline(self) -> bytes: ...
    def tell(self) -> int: ...


class Reader(pickle._Unpickler):
    """Reads one pickle.

    Attributes:
        storages: the type of each storage that was referred to.
    """

    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = dict(pickle._Unpickler.dispatch)
    append: Callable[[Any], None]
    memo: dict[int, Any]
    read: Callable[[int], bytes]
    readline: Callable[[], bytes]
    stack: list[Any]

    def __init__(self, file: File, where: str):
        super().__init__(file, encoding="latin1")
        self.storages: dict[str, torch.dtype] = {}
        self._where = where
        self._file = file

    def find_class(self, module: str, name: str) -> Any:
        path = f"{module}.{name}"
        if path in KNOWN:
            return KNOWN[path]
        if module in ("torch", "torch.cuda", "torch.storage") and name in STORAGES:
            return Storage("", STORAGES[name], 0)
        if module == "torch" and name in DTYPES:
            return DTYPES[name]
        if HOSTILE.match(path) or (module in BUILTINS and name not in HARMLESS):
            raise UnsafeError(
                f"{self._where} at offset {self._file.tell()}: refused: the pickle asks for {path!a:.200}, which could "
                "run code and which no checkpoint needs. Nothing was run; do not load this file with anything else."
            )
        return type("Skipped", (Skipped,), {"described": path})

    def persistent_load(self, pid: Any) -> Storage:
        if not isinstance(pid, tuple) or len(pid) not in (5, 6) or pid[0] != "storage":
            raise pickle.UnpicklingError(f"a reference to {pid!a:.80}, where a storage belongs")
        _, kind, key, _, count, *view = pid
        if not isinstance(kind, Storage) or not isinstance(key, str) or not is_count(count):
            raise pickle.UnpicklingError(f"a storage {key!a:.80} without a type or size")
        self.storages[key] = kind.dtype
        if not view or view[0] is None:
            return Storage(key, kind.dtype, count)
        _, first, length = view[0]  # how the first releases wrote a part of a storage
        if not is_count(first) or not is_count(length) or first + length > count:
            raise pickle.UnpicklingError(f"a part of the storage {key!a:.80} that lies outside of it")
        return Storage(key, kind.dtype, length, first)

    def _refuse_extension(self) -> None:
        raise pickle.UnpicklingError("a code of Python's extension registry, which no checkpoint needs")

    def _build(self) -> None:
        self.stack.pop()  # the state of an object: stand-ins have none, and on a function it would be an attack

    def _bytearray(self) -> None:
        self.append(self.read(int.from_bytes(self.read(8), "little")))

    def _put_text(self) -> None:
        self.memo[int(self.readline()[:-1])] = self.stack[-1]

    dispatch[pickle.EXT1[0]] = dispatch[pickle.EXT2[0]] = dispatch[pickle.EXT4[0]] = _refuse_extension
    dispatch[pickle.BUILD[0]] = _build
    dispatch[pickle.BYTEARRAY8[0]] = _bytearray
    dispatch[pickle.PUT[0]] = _put_text


def is_count(number: object) -> bool:
    """Whether this is a whole number, not negative, that fits a file's offsets."""
    return type(number) is int and 0 <= number < 1 << 62


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *more: Any) -> Any:
    """Stand for torch's `_rebuild_tensor` and `_rebuild_tensor_v2`: gradient flag, hooks, metadata."""
    notes = more[2] if len(more) > 2 and isinstance(more[2], dict) else {}
    return _strided(storage, storage, offset, shape, strides, bool(notes.get("conj")), bool(notes.get("neg")))


def _tensor_of_dtype(storage: Any, offset: Any, shape: Any, strides: Any, *more: Any) -> Any:
    """Stand for torch's `_rebuild_tensor_v3`: gradient flag, hooks, dtype, metadata."""
    dtype = more[2] if len(more) > 2 else None
    return _strided(storage, Storage("", dtype, 0) if isinstance(dtype, torch.dtype) else None, offset, shape, strides)


def _quantized(storage: Any, offset: Any, shape: Any, strides: Any, quantizer: Any, *more: Any) -> Any:
    found = _strided(storage, storage, offset, shape, strides)
    if not isinstance(quantizer, tuple) or not quantizer or quantizer[0] != "torch.per_tensor_affine":
        return _unread("a tensor quantized by channel")()
    return Strided(found.storage, found.dtype, found.offset, found.shape, found.strides, quantizer=quantizer)


def _strided(
    storage: Any, typed: Any, offset: Any, shape: Any, strides: Any, is_conj: bool = False, is_neg: bool = False
) -> Strided:
    if not isinstance(storage, Storage) or not isinstance(typed, Storage):
        raise pickle.UnpicklingError("a tensor without a storage or a dtype")
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or len(shape) != len(strides) or len(shape) > 64:
        raise pickle.UnpicklingError(f"a tensor of shape {shape!a:.80} and strides {strides!a:.80}")
    if not all(map(is_count, (offset, *shape, *strides))):
        raise pickle.UnpicklingError(
            f"a tensor at element {offset!a:.40} of shape {shape!a:.80} and strides {strides!a:.80}"
        )
    return Strided(storage, typed.dtype, offset, shape, strides, is_conj, is_neg)


def _first(*arguments: Any) -> Any:
    """Stand for what wraps a tensor: a Parameter, another device."""
    return arguments[0] if arguments else None


def _called(function: Any, kind: Any, arguments: Any, *state: Any) -> Any:
    """Stand for `_rebuild_from_type_v2`, which calls a function for a subclass of Tensor."""
    return function(*arguments) if function in REBUILDERS else _unread("an object of a subclass of Tensor")()


def _unneeded_bytes(*arguments: Any) -> bytes:
    """Stand for what makes bytes, with which no tensor is described; a copy each time would be a way to fill memory."""
    return b""


def _unneeded_set(*items: Any) -> set[Any]:
    return set()


def _mapping(*items: Any) -> dict[Any, Any]:
    """Stand for `OrderedDict`; Python 2 gave it its items in a list."""
    if not items or not isinstance(items[0], list):
        return {}
    found = dict(items[0])
    items[0].clear()  # one list for a thousand mappings would be a way to fill memory
    return found


def _as_tuple(*items: Any) -> tuple[Any, ...]:
    return tuple(items[0]) if items and isinstance(items[0], list | tuple) and len(items[0]) <= 64 else ()


def _complex(*parts: Any) -> complex:
    return complex(*parts) if all(isinstance(part, int | float) for part in parts) else 0j


def _unread(described: str) -> type[Skipped]:
    return type("Skipped", (Skipped,), {"described": described})


KNOWN: dict[str, Any] = {
    "_codecs.encode": _unneeded_bytes,
    "collections.Counter": _mapping,
    "collections.OrderedDict": _mapping,
    "torch.Size": _as_tuple,
    "torch._tensor._rebuild_from_type_v2": _called,
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": _first,
    "torch._utils._rebuild_meta_tensor_no_storage": _unread("a tensor on the meta device, without values"),
    "torch._utils._rebuild_nested_tensor": _unread("a nested tensor"),
    "torch._utils._rebuild_parameter": _first,
    "torch._utils._rebuild_parameter_with_state": _first,
    "torch._utils._rebuild_qtensor": _quantized,
    "torch._utils._rebuild_sparse_tensor": _unread("a sparse tensor"),
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _tensor_of_dtype,
    "torch.nn.parameter.Parameter": _first,
    "torch.per_tensor_affine": "torch.per_tensor_affine",
    "torch.per_channel_affine": "torch.per_channel_affine",
}
for where in BUILTINS:
    KNOWN |= {f"{where}.bytearray": _unneeded_bytes, f"{where}.bytes": _unneeded_bytes}
    KNOWN |= {f"{where}.set": _unneeded_set, f"{where}.complex": _complex}
REBUILDERS = (_tensor, _tensor_of_dtype, _quantized, _first)


def load(file: File, where: str) -> tuple[Any, dict[str, torch.dtype]]:
    """Read one pickle.

    Args:
        file: stands at its beginning, and behind it afterwards.
        where: the file, and what in it, for messages.

    Returns:
        What it holds, with `Strided` for tensors and `Skipped` for objects; the types of the storages it refers to.

    Raises:
        UnsafeError: it asks for something that could run code.
        CheckpointError: it is damaged.
    """
    reader = Reader(file, where)
    try:
        return reader.load(), reader.storages
    except CheckpointError:
        raise
    except Exception as error:  # whatever a damaged pickle makes Python's interpreter of pickles stumble over
        is_plain = isinstance(error, pickle.UnpicklingError) and str(error)
        reason = str(error) if is_plain else f"{type(error).__name__} {error}".rstrip()
        raise CheckpointError(
            f"{where} at offset {file.tell()}: the pickle is cut short or damaged: {reason:.300}."
        ) from error
