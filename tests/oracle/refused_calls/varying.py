"""Variants of a call: one argument at a time has another dtype, rank, emptiness or type; two have a pair of dtypes."""

from itertools import product

import numpy as np

DTYPES = (
    *("Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float16", "BFloat16"),
    *("Float32", "Float64", "Complex64", "Complex128"),
)
SINGLE = ("Bool", "UInt8", "Int8", "Int32", "Int64", "Float16", "BFloat16", "Float32", "Float64", "Complex64")
PAIRED = ("Bool", "Int32", "Int64", "Float16", "Float32", "Float64")
NAMED = ("int32", "float16", "float64", "complex64", "bool_", "bfloat16", "int8", "uint16", "int64")
RANKS = (0, 1, 2, 3, 4, 5, 6, 9)
OTHERS = (None, True, 0, 1, -1, 2, 1.5, -0.5, "none", ("tuple", (1,)), ("list", (1,)), ("tuple", (1, 1)), ("tuple", ()))
MAX_VARIED = 4  # templates of a face that are varied
MAX_TENSORS = 3  # of a call, that are varied one by one


def is_tensor(value):
    return isinstance(value, tuple) and value[0] == "tensor"


def cast(tensor, dtype):
    """Return a tensor's data with another dtype."""
    _, _, shape, raw, numpy_dtype, is_parameter = tensor
    array = np.frombuffer(raw, numpy_dtype)
    if array.dtype.kind == "c" and not dtype.startswith("Complex"):
        array = array.real
    target = np.dtype({"BFloat16": "float32"}.get(dtype, dtype.lower()))
    if target.kind == "u":
        array = np.abs(array)
    with np.errstate(all="ignore"):
        array = array.astype(target)
    return ("tensor", dtype, shape, array.tobytes(), array.dtype.str, is_parameter)


def reshaped(tensor, shape):
    """Return a tensor's data with another shape, repeated or cut."""
    _, dtype, _, raw, numpy_dtype, is_parameter = tensor
    array = np.frombuffer(raw, numpy_dtype)
    if array.size == 0:
        array = np.ones(1, numpy_dtype)
    array = np.resize(array, shape)
    return ("tensor", dtype, tuple(shape), array.tobytes(), array.dtype.str, is_parameter)


def of_rank(tensor, rank):
    """Return a tensor's data with fewer axes, or more of size one in front."""
    shape = tensor[2]
    return reshaped(tensor, shape[len(shape) - rank :] if rank <= len(shape) else (1,) * (rank - len(shape)) + shape)


def emptied(tensor, axis):
    """Return a tensor's data without elements along an axis."""
    shape = list(tensor[2]) or [1]
    shape[axis] = 0
    return reshaped(tensor, tuple(shape))


class Call:
    """A call, and its arguments by place: ("args", 0), ("kwargs", 1), or ("args", 0, 2) in a sequence."""

    def __init__(self, spec):
        self.spec = spec
        self.is_method = spec[0].startswith("Tensor.") or ".Dataset." in spec[0]
        self.values = {("args", index): value for index, value in enumerate(spec[2])}
        self.values |= {("kwargs", index): value for index, (_, value) in enumerate(spec[3])}
        self.tensors = [place for place, value in self.values.items() if is_tensor(value)]
        self.sequences = [
            place
            for place, value in self.values.items()
            if isinstance(value, tuple) and value[0] in ("tuple", "list") and any(map(is_tensor, value[1]))
        ]

    def with_values(self, changes):
        """Return the specification with other values at some places."""
        face, constructor, args, kwargs = self.spec
        args, kwargs = list(args), list(kwargs)
        for (where, index), value in changes.items():
            if where == "args":
                args[index] = value
            else:
                kwargs[index] = (kwargs[index][0], value)
        return face, constructor, tuple(args), tuple(kwargs)

    def all_tensors(self, change):
        """Return the specification with every tensor changed."""
        changes = {place: change(self.values[place]) for place in self.tensors}
        for place in self.sequences:
            kind, items = self.values[place]
            changes[place] = (kind, tuple(change(each) if is_tensor(each) else each for each in items))
        return self.with_values(changes)

    def first_of_sequence(self, place, change):
        kind, items = self.values[place]
        return self.with_values({place: (kind, (change(items[0]) if is_tensor(items[0]) else items[0], *items[1:]))})


def variants(spec, is_first):
    """Yield (level, specification): level 1 before 2, where time is short.

    Args:
        spec: a call that MindSpore accepts.
        is_first: whether it is the first template of its face, which is varied in all ways.
    """
    call = Call(spec)
    if call.tensors or call.sequences:
        for dtype in DTYPES:
            yield 1, call.all_tensors(lambda t, dtype=dtype: cast(t, dtype))
        for axis in (0, -1):
            yield 1, call.all_tensors(lambda t, axis=axis: emptied(t, axis))
    for place in call.tensors[:MAX_TENSORS]:
        if len(call.tensors) + len(call.sequences) > 1:
            for dtype in SINGLE:
                yield 1 if is_first else 2, call.with_values({place: cast(call.values[place], dtype)})
            yield 1, call.with_values({place: emptied(call.values[place], 0)})
    for place in call.sequences:
        for dtype in ("Int32", "Float16", "Float64"):
            yield 1, call.first_of_sequence(place, lambda t, dtype=dtype: cast(t, dtype))
    for rank in RANKS:
        yield 1 if is_first else 2, call.all_tensors(lambda t, rank=rank: of_rank(t, rank))
        if is_first and len(call.tensors) > 1:
            for place in call.tensors[:2]:
                yield 2, call.with_values({place: of_rank(call.values[place], rank)})
    if is_first:
        yield from _of_types(call)
        yield from _pairs(call)


def _of_types(call):
    for place, value in call.values.items():
        if call.is_method and place == ("args", 0):
            continue
        if is_tensor(value):
            array = np.frombuffer(value[3], value[4]).reshape(value[2])
            replaced = [None, True, 2, 1.5, "mean", ("array", value[4], value[2], value[3])]
            if value[4][1] in "biuf" and array.ndim == 1 and array.size < 20:
                replaced += [(kind, tuple(array.tolist())) for kind in ("list", "tuple")]
            if value[4][1] in "biuf" and array.ndim == 0:
                replaced.append(array.item())
        else:
            one = ("tensor", "Int32", (), np.int32(1).tobytes(), "<i4", False)
            replaced = [*OTHERS, one, cast(one, "Float32"), reshaped(one, (1,)), ("dtype", "float32"), *_turned(value)]
        for other in replaced:
            if other != value or type(other) is not type(value):
                yield 1, call.with_values({place: other})


def _turned(value):
    """Yield a value in another type."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (float(value), ("tuple", (value,)), ("list", (value,)), ("number", "<i8", value), -value, str(value))
        if abs(value) < 1 << 62:
            yield ("tensor", "Int64", (), np.int64(value).tobytes(), "<i8", False)
    elif isinstance(value, float):
        yield from (round(value) if abs(value) < 1e9 else 0, ("number", "<f4", value), str(value), -value)
        yield ("tensor", "Float32", (), np.float32(value).tobytes(), "<f4", False)
    elif isinstance(value, tuple) and value[0] in ("tuple", "list"):
        yield ("list" if value[0] == "tuple" else "tuple", value[1])
        if value[1] and all(type(each) is int for each in value[1]):
            yield (value[0], tuple(map(float, value[1])))
            yield ("tensor", "Int64", (len(value[1]),), np.array(value[1]).astype(np.int64).tobytes(), "<i8", False)
            yield value[1][0]
    elif isinstance(value, tuple) and value[0] == "dtype":
        yield from (("dtype", name) for name in NAMED)
    elif isinstance(value, str) and value.capitalize() in DTYPES:
        yield from (name.strip("_") for name in NAMED)


def _pairs(call):
    if len(call.tensors) < 2:
        return
    first, second = call.tensors[:2]
    for one, other in product(PAIRED, repeat=2):
        changes = {first: cast(call.values[first], one), second: cast(call.values[second], other)}
        yield 2, call.with_values(changes)


def signature_of(spec):
    """Return what tells templates of a face apart: dtypes, ranks, options."""

    def word(value):
        if is_tensor(value):
            return value[1], len(value[2]), 0 in value[2]
        if isinstance(value, tuple) and value[0] in ("tuple", "list"):
            return value[0], len(value[1]), tuple(sorted({str(word(each)) for each in value[1]}))
        return str(value)[:40]

    def words(args, kwargs):
        return tuple(map(word, args)), tuple((key, word(value)) for key, value in kwargs)

    return words(*spec[2:]), words(*spec[1]) if spec[1] else None


def templates(specs):
    """Return the templates of one face that differ in what matters, the plainest first."""
    distinct = {signature_of(spec): spec for spec in reversed(specs)}

    def plainness(spec):
        tensors = [value for value in spec[2] if is_tensor(value)]
        return (
            not any(value[1] == "Float32" for value in tensors),
            any(0 in value[2] for value in tensors),
            not all(len(value[2]) for value in tensors),
            -len(tensors),
            len(spec[2]) + len(spec[3]),
        )

    return sorted(distinct.values(), key=plainness)
