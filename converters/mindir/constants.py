"""The constants of a `.mindir` file."""

import re
from collections.abc import Callable
from typing import Any

from msbridge.converters.messages.mind_ir import AttributeProto, TensorProto
from msbridge.converters.messages.wire import DecodeError
from msbridge.converters.mindir.records import TYPES, Callee, ElementType, Monad, Named, TensorData

MAX_AXES = 64
MAX_DEPTH = 64  # of tuples in tuples, in files of 1.x
MONADS = {"UMonad": Monad.MEMORY, "IOMonad": Monad.OUTSIDE}
LISTS = {  # where numbers of a type are in a tensor whose elements are not raw bytes
    "float32": ("float_data", "<f4"),
    "float64": ("double_data", "<f8"),
    "int64": ("int64_data", "<i8"),
    "uint64": ("uint64_data", "<u8"),
    "uint32": ("uint64_data", "<u4"),
    "int32": ("int32_data", "<i4"),
    "int16": ("int32_data", "<i2"),
    "int8": ("int32_data", "<i1"),
    "uint16": ("int32_data", "<u2"),
    "uint8": ("int32_data", "<u1"),
    "bool": ("int32_data", "?"),
}


def value_of(attribute: Any) -> Any:
    """Return the value of an attribute; tensors as `TensorData`.

    Raises:
        DecodeError: it is of a type that is not read, or damaged.
    """
    kind = attribute.type
    if attribute.ref_attr_name:
        return _value_before_1_7(attribute)
    read = _READERS.get(kind)
    if read is None:
        return Named("unreadable", AttributeProto.AttributeType.Name(kind))
    return read(attribute)


def _value_before_1_7(attribute: Any) -> Any:
    """Return a value beside which its structure is written: `scalar:Tuple[value1,List[value2,],],`, of two numbers."""
    kind, _, form = attribute.ref_attr_name.partition(":")
    if kind == "none":
        return None
    if kind == "Monad":
        return MONADS.get(form, Monad.MEMORY)
    if "[" not in form:
        return _READERS[attribute.type](attribute) if attribute.type in _READERS else Named("unreadable", kind)
    field, convert = _SEVERAL.get(attribute.type, ("tensors", lambda tensor: _constant(tensor_of(tensor))))
    leaves = iter(getattr(attribute, field))
    opened: list[tuple[type, list[Any]]] = [(tuple, [])]
    try:
        for word in re.finditer(r"(Tuple|List)\[|\]|\w+", form):
            if word[1]:
                opened.append((list if word[1] == "List" else tuple, []))
            elif word[0] == "]":
                made, items = opened.pop()
                opened[-1][1].append(made(items))
            else:
                opened[-1][1].append(convert(next(leaves)))
            if len(opened) > MAX_DEPTH:
                raise DecodeError(f"a value has more than {MAX_DEPTH} tuples in each other.")
        ((_, (value,)),) = opened
    except (StopIteration, IndexError, ValueError) as error:
        raise DecodeError(f"the value {attribute.name[:80]!r} does not have the structure {form[:80]!r}.") from error
    return value


def tensor_of(proto: Any, raw: memoryview | None = None) -> TensorData:
    """Return a tensor, or the type of one.

    Args:
        proto: the message.
        raw: its elements, where they stay in the file.

    Raises:
        DecodeError: its elements are of no type that is read, compressed, or fewer or more than its shape says.
    """
    name = proto.name or proto.ref_key
    dtype = TYPES.get(proto.data_type)
    if dtype is None:
        kind = proto.data_type
        word = TensorProto.DataType.Name(kind) if kind in TensorProto.DataType.values() else kind
        raise DecodeError(f"the tensor {name[:80]!r} is of the type {word}, which is not read.")
    if proto.compression_type:
        raise DecodeError(f"the tensor {name[:80]!r} is compressed, which is not read.")
    shape = tuple(proto.dims)
    if len(shape) > MAX_AXES or any(length < -2 for length in shape):
        raise DecodeError(f"the tensor {name[:80]!r} has the shape {shape[:MAX_AXES]}.")
    tensor = TensorData(name, dtype, shape, key=proto.ref_key)
    if raw is None and proto.HasField("raw_data"):
        raw = memoryview(proto.raw_data)
    data = _read_list(proto, dtype) if raw is None else raw
    if data is not None:
        if any(length < 0 for length in shape) or len(data) != tensor.nbytes:
            raise DecodeError(f"the tensor {name[:80]!r} of shape {shape} has {len(data)} bytes.")
        tensor.data = data
    return tensor


def _read_list(proto: Any, dtype: str) -> memoryview | None:
    import numpy as np

    field, code = LISTS.get(dtype, ("", ""))
    values = getattr(proto, field) if field else ()
    if not len(values):
        return None
    try:
        return memoryview(np.array(list(values), code).tobytes())
    except OverflowError as error:
        raise DecodeError(f"the tensor {proto.name[:80]!r} has a number that {dtype} cannot hold.") from error


def _scalar(single: str, several: str, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(attribute: Any) -> Any:
        if not attribute.HasField(single):
            values = [convert(one) for one in getattr(attribute, several)]
            if values:
                return values[0] if len(values) == 1 else tuple(values)
            if attribute.type in TYPES:  # a type of numbers, without a number
                return ElementType(TYPES[attribute.type])
        return convert(getattr(attribute, single))

    return read


def _text(data: Any) -> str:
    return str(data, "utf-8", "replace")


def _tensors(attribute: Any) -> Any:
    protos = [attribute.t] if attribute.HasField("t") else attribute.tensors
    found = [_constant(tensor_of(one)) for one in protos]
    return found[0] if len(found) == 1 else tuple(found)


def _constant(tensor: TensorData) -> TensorData | ElementType:
    """Return a tensor as a constant: one without elements represents the type of tensors."""
    if tensor.data is None:
        if tensor.nbytes:
            return ElementType(tensor.dtype)
        tensor.data = memoryview(b"")
    return tensor


def _items(attribute: Any) -> tuple[Any, ...]:
    return tuple(value_of(one) for one in attribute.values)


def _make_name_decoder(kind: str) -> Callable[[Any], Named]:
    return lambda attribute: Named(kind, _text(attribute.s))


_INTEGERS = ("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64")
_INTEGER = _scalar("i", "ints", int)
_SEVERAL: dict[int, tuple[str, Callable[[Any], Any]]] = {
    **{AttributeProto.AttributeType.Value(name): ("ints", int) for name in _INTEGERS},
    AttributeProto.BOOL: ("ints", bool),
    AttributeProto.FLOAT: ("floats", float),
    AttributeProto.DOUBLE: ("doubles", float),
    AttributeProto.STRING: ("strings", _text),
}
_READERS: dict[int, Callable[[Any], Any]] = {
    **{AttributeProto.AttributeType.Value(name): _INTEGER for name in _INTEGERS},
    **{
        AttributeProto.AttributeType.Value(name): lambda attribute: ElementType(TYPES[attribute.type])
        for name in ("FLOAT16", "BFLOAT16", "COMPLEX64", "COMPLEX128")
    },
    AttributeProto.BOOL: _scalar("i", "ints", bool),
    AttributeProto.FLOAT: _scalar("f", "floats", float),
    AttributeProto.DOUBLE: _scalar("d", "doubles", float),
    AttributeProto.STRING: _scalar("s", "strings", _text),
    AttributeProto.TENSOR: _tensors,
    AttributeProto.TENSORS: _tensors,
    AttributeProto.TUPLE: _items,
    AttributeProto.LIST: lambda attribute: list(_items(attribute)),
    AttributeProto.DICT: lambda attribute: {one.name: value_of(one) for one in attribute.values},
    AttributeProto.UMONAD: lambda attribute: Monad.MEMORY,
    AttributeProto.IOMONAD: lambda attribute: Monad.OUTSIDE,
    AttributeProto.NONE: lambda attribute: None,
    AttributeProto.TYPE_NULL: _make_name_decoder("type"),
    AttributeProto.CLASS_TYPE: _make_name_decoder("class"),
    AttributeProto.NAME_SPACE: _make_name_decoder("namespace"),
    AttributeProto.SYMBOL: _make_name_decoder("symbol"),
    AttributeProto.FUNCGRAPHCLOSURE: lambda attribute: Callee(_text(attribute.s)),
    AttributeProto.PRIMITIVECLOSURE: lambda attribute: Callee(_text(attribute.s)),
}
