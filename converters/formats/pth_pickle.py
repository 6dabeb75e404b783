"""Stand-ins in torch's pickles for the classes and functions that torch.save writes, which describe tensors."""

import pickle
from dataclasses import dataclass, replace
from typing import Any

import torch

from msbridge.converters.errors import brief, briefly
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.formats import pickles
from msbridge.converters.formats.inert_objects import BUILTIN_TYPES, Skipped, Unknown
from msbridge.converters.formats.pickle_vm import OBJECT, Machine

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
# The types of tensors that can be a conjugate, or a part of one.
VIEWED = {torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128}
QUANTIZED = {torch.qint8: torch.int8, torch.quint8: torch.uint8, torch.qint32: torch.int32}


@dataclass(frozen=True, slots=True)
class Storage:
    """A run of elements that tensors lie in."""

    key: str  # its name in the file
    dtype: torch.dtype  # of the elements
    count: int  # how many there are
    first: int = 0  # the element of the named storage where it begins


@dataclass(frozen=True, slots=True)
class Strided:
    """A tensor as a pickle describes it; nothing of it is checked yet."""

    storage: Storage  # what it lies in
    dtype: torch.dtype  # of its elements
    offset: int  # its first element
    shape: tuple[int, ...]  # its shape
    strides: tuple[int, ...]  # steps between elements along each axis
    is_conj: bool = False  # whether the stored elements are the conjugates
    is_neg: bool = False  # whether the stored elements are the negatives
    quantizer: tuple[Any, ...] | None = None  # scheme, scale and zero point of a quantized tensor


class Reader(Machine):
    """Reads a pickle that torch.save wrote.

    Args:
        data: holds it.
        start: where it begins in `data`.
        where: the file, and what in it, for messages.
        allowance: what it may take in memory.
        prefix: comes before the names of the storages.

    Attributes:
        storages: the type of each storage that was referred to.
    """

    def __init__(self, data: bytes, start: int, where: str, allowance: Allowance, prefix: str = ""):
        super().__init__(data, start, KNOWN, where, allowance)
        self.storages: dict[str, torch.dtype] = {}
        self._prefix = prefix

    def find_class(self, module: str, name: str) -> Any:
        if module in ("torch", "torch.cuda", "torch.storage") and name in STORAGES:
            return Storage("", STORAGES[name], 0)
        if module == "torch" and name in DTYPES:
            return DTYPES[name]
        return super().find_class(module, name)

    def persistent_load(self, pid: Any) -> Any:
        if isinstance(pid, tuple) and len(pid) == 4 and pid[0] == "module":
            return pid[1]  # before release 1.6: the class of a module, with its source
        if not isinstance(pid, tuple) or len(pid) not in (5, 6) or pid[0] != "storage":
            raise pickle.UnpicklingError(f"a reference to {brief(pid)}, where a storage belongs")
        _, kind, key, _, count, *view = pid
        if not isinstance(kind, Storage) or not isinstance(key, str) or not is_count(count):
            raise pickle.UnpicklingError(f"a storage {brief(key)} without a type or size")
        self.spend(OBJECT + len(self._prefix))
        key = self._prefix + key
        self.storages[key] = kind.dtype
        if not view or view[0] is None:
            return Storage(key, kind.dtype, count)
        part = view[0]  # how the first releases wrote a part of a storage
        if not isinstance(part, tuple) or len(part) != 3 or not is_count(part[1]) or not is_count(part[2]):
            raise pickle.UnpicklingError(f"a part of the storage {brief(key)} without a place")
        _, first, length = part
        if first + length > count:
            raise pickle.UnpicklingError(f"a part of the storage {brief(key)} that lies outside of it")
        return Storage(key, kind.dtype, length, first)


def is_count(number: object) -> bool:
    """Whether this is a whole number, not negative, that fits a file's offsets."""
    return type(number) is int and 0 <= number < 1 << 62


def _tensor(_: Machine, storage: Any, offset: Any, shape: Any, strides: Any, *more: Any) -> Any:
    """Replace torch's `_rebuild_tensor` and `_rebuild_tensor_v2`: gradient flag, hooks, metadata."""
    notes = more[2] if len(more) > 2 and isinstance(more[2], dict) else {}
    return _rebuild_strided(storage, storage, offset, shape, strides, bool(notes.get("conj")), bool(notes.get("neg")))


def _tensor_of_dtype(_: Machine, storage: Any, offset: Any, shape: Any, strides: Any, *more: Any) -> Any:
    """Replace torch's `_rebuild_tensor_v3`: gradient flag, hooks, dtype, metadata."""
    dtype = more[2] if len(more) > 2 else None
    return _rebuild_strided(
        storage, Storage("", dtype, 0) if isinstance(dtype, torch.dtype) else None, offset, shape, strides
    )


def _rebuild_quantized(
    _: Machine, storage: Any, offset: Any, shape: Any, strides: Any, quantizer: Any, *more: Any
) -> Any:
    tensor = _rebuild_strided(storage, storage, offset, shape, strides)
    if not isinstance(quantizer, tuple) or not quantizer or quantizer[0] != "torch.per_tensor_affine":
        return Skipped("a tensor quantized by channel")
    if [type(one) for one in quantizer[1:]] != [float, int] or tensor.dtype not in QUANTIZED:
        raise pickle.UnpicklingError(f"a tensor of {tensor.dtype} that is quantized by {briefly(quantizer)}")
    return replace(tensor, quantizer=quantizer)


def _rebuild_strided(
    storage: Any, typed: Any, offset: Any, shape: Any, strides: Any, is_conj: bool = False, is_neg: bool = False
) -> Strided:
    if not isinstance(storage, Storage) or not isinstance(typed, Storage):
        raise pickle.UnpicklingError("a tensor without a storage or a dtype")
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or len(shape) != len(strides) or len(shape) > 64:
        raise pickle.UnpicklingError(f"a tensor of shape {brief(shape)} and strides {brief(strides)}")
    if not all(map(is_count, (offset, *shape, *strides))):
        raise pickle.UnpicklingError(
            f"a tensor at element {brief(offset)} of shape {briefly(shape)} and strides {briefly(strides)}"
        )
    if (is_conj or is_neg) and typed.dtype not in VIEWED:
        raise pickle.UnpicklingError(f"a tensor of {typed.dtype} as a view of complex numbers")
    return Strided(storage, typed.dtype, offset, shape, strides, is_conj, is_neg)


def _first(_: Machine, *arguments: Any) -> Any:
    """Replace what wraps a tensor: a Parameter, another device."""
    return arguments[0] if arguments else None


def _rebuild_subclass(machine: Machine, function: Any, kind: Any, arguments: Any, *state: Any) -> Any:
    """Replace `_rebuild_from_type_v2`, which calls a function for a subclass of Tensor."""
    if function in REBUILDERS:
        return machine.call(function, arguments)
    return Skipped("an object of a subclass of Tensor")


def _skip_bytes(_: Machine, *arguments: Any) -> bytes:
    """Replace what makes bytes, with which no tensor is described; a copy each time would be a way to fill memory."""
    return b""


def _skip_set(_: Machine, *items: Any) -> Skipped:
    return Skipped("set")


def _mapping(machine: Machine, *items: Any) -> dict[Any, Any]:
    """Replace `OrderedDict`; Python 2 passed its items in a list."""
    mapping: dict[Any, Any] = {}
    if items and isinstance(items[0], list):
        for pair in items[0]:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise pickle.UnpicklingError(f"a mapping of {brief(pair)}, where pairs belong")
            machine.put_items(mapping, list(pair))
        items[0].clear()  # one list for a thousand mappings would be a way to fill memory
    return mapping


def _as_tuple(_: Machine, *items: Any) -> tuple[Any, ...]:
    return tuple(items[0]) if items and isinstance(items[0], list | tuple) and len(items[0]) <= 64 else ()


def _complex(_: Machine, *parts: Any) -> complex:
    return complex(*parts) if all(isinstance(part, int | float) for part in parts) else 0j


def _object_of(_: Machine, kind: Any, *more: Any) -> Skipped:
    """Replace what makes an object of a class."""
    return Skipped(kind.path if isinstance(kind, Unknown) else "an unknown class")


def _attribute(machine: Machine, owner: Any, name: Any, *default: Any) -> Any:
    return machine.attribute(owner, name)


def _skip_reduce(machine: Machine, function: Any, *more: Any) -> Skipped:
    """Replace `functools.reduce`, with which Python writes `int | str`."""
    if not isinstance(function, Unknown) or function.name != "or_":
        machine.refuse("asks for 'functools.reduce'")
    return Skipped("types.UnionType")


def _type_of_python(machine: Machine, name: Any, *more: Any) -> Any:
    """Replace how the picklers of functions name a type: "CodeType"."""
    if not isinstance(name, str):
        return Skipped("an unknown type")
    return machine.resolve_name("builtins" if name in BUILTIN_TYPES else "types", name)


KNOWN: dict[str, Any] = {
    "_codecs.encode": _skip_bytes,
    "builtins.bytearray": _skip_bytes,
    "builtins.bytes": _skip_bytes,
    "builtins.complex": _complex,
    "builtins.getattr": _attribute,
    "builtins.set": _skip_set,
    "cloudpickle.cloudpickle._builtin_type": _type_of_python,
    "collections.Counter": _mapping,
    "collections.OrderedDict": _mapping,
    "copyreg.__newobj__": _object_of,
    "copyreg.__newobj_ex__": _object_of,
    "copyreg._reconstructor": _object_of,
    "dill._dill._load_type": _type_of_python,
    "_functools.reduce": _skip_reduce,
    "functools.reduce": _skip_reduce,
    "torch.Size": _as_tuple,
    "torch._tensor._rebuild_from_type_v2": _rebuild_subclass,
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": _first,
    "torch._utils._rebuild_meta_tensor_no_storage": Unknown("", "a tensor on the meta device, without values"),
    "torch._utils._rebuild_nested_tensor": Unknown("", "a nested tensor"),
    "torch._utils._rebuild_parameter": _first,
    "torch._utils._rebuild_parameter_with_state": _first,
    "torch._utils._rebuild_qtensor": _rebuild_quantized,
    "torch._utils._rebuild_sparse_tensor": Unknown("", "a sparse tensor"),
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _tensor_of_dtype,
    "torch._utils._rebuild_wrapper_subclass": _object_of,
    "torch.nn.parameter.Parameter": _first,
    "torch.per_tensor_affine": "torch.per_tensor_affine",
    "torch.per_channel_affine": "torch.per_channel_affine",
}
for package in ("numpy.core", "numpy._core"):
    KNOWN |= {
        f"{package}.multiarray._reconstruct": _object_of,
        f"{package}.multiarray.scalar": Unknown("", "a numpy scalar"),
    }
REBUILDERS = (_tensor, _tensor_of_dtype, _rebuild_quantized, _first)


def load(data: bytes, start: int, where: str, allowance: Allowance) -> tuple[Any, dict[str, torch.dtype], int]:
    """Read one pickle.

    Args:
        data: holds it.
        start: where it begins in `data`.
        where: the file, and what in it, for messages.
        allowance: what it may take in memory.

    Returns:
        What it holds, with `Strided` for tensors and `Skipped` for objects; the types of the storages it refers to;
        where it ends in `data`.

    Raises:
        UnsafeError: it asks for something that could run code.
        CheckpointError: it is damaged; of one that the data cut short, the facts say so by `ended`.
    """
    reader = Reader(data, start, where, allowance)
    return pickles.load(reader), reader.storages, reader.at
