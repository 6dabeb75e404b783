"""The operators of a file: our primitives, by name and attributes.

Files of 2.0 have what configures a primitive as its attributes. In later ones a primitive may be a function, whose
settings are the last inputs of its nodes; words and types are numbers there (`mappings/mindir_inputs.tsv`).

A primitive computes what it did in the release that wrote the file: places of extremes were Int32 in 2.0, say.
"""

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from msbridge.core.releases import overrides, release, rows
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.mappings import columns
from msbridge.mindir.values import value_of
from msbridge.ops.framework.creation.functions import full
from msbridge.ops.primitive.primitive import Primitive

ROOMS = (
    "msbridge.ops.operations",
    "msbridge.contrib.ops.auto_generate",
    "msbridge.ops.training.gradient_primitives",
    "msbridge.contrib.ops.internal",
)
OTHERWISE = {"format": "data_format"}  # attributes with another name than the argument which sets them
EARLIER = {"AvgPool": ("ksize", "padding")}  # settings that no function has
SAME_LENGTH = -1  # as adaptive pooling keeps None
NO_AXIS = 1000  # as `UniqueConsecutive` of 2.0 keeps None
REQUIRED = inspect.Parameter.empty

WORDS: Mapping[str, Mapping[int, str]] = {
    "approximate": {0: "none", 1: "tanh"},
    "coordinates": {0: "asymmetric", 1: "align_corners", 2: "half_pixel"},
    "format": {0: "NCHW", 1: "NHWC", 14: "NCDHW", 17: "NDHWC", 20: "ND"},
    "interpolation_mode": {0: "bilinear", 1: "nearest"},
    "indexing": {0: "ij", 1: "xy"},
    "layout": {0: "BSH", 1: "BNSD", 2: "SBH", 3: "BSND", 4: "TND"},
    "mode": {0: "reduced", 1: "complete", 2: "r"},
    "norm": {0: "backward", 1: "forward", 2: "ortho"},
    "pad_mode": {0: "pad", 1: "same", 2: "valid", 3: "full"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
    "reduce": {0: "none", 1: "add", 2: "multiply", 3: "update"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "rounding": {0: "round", 1: "trunc", 2: "floor"},
}
POSITIONS = {3: mstype.int32, 4: mstype.int64, "int32": mstype.int32, "int64": mstype.int64}
NUMBERS = {bool: mstype.bool_, int: mstype.int64, float: mstype.float32}
DTYPES = {
    30: mstype.bool_,
    32: mstype.int8,
    33: mstype.int16,
    34: mstype.int32,
    35: mstype.int64,
    37: mstype.uint8,
    38: mstype.uint16,
    39: mstype.uint32,
    40: mstype.uint64,
    42: mstype.float16,
    43: mstype.float32,
    44: mstype.float64,
    45: mstype.bfloat16,
    51: mstype.complex64,
    52: mstype.complex128,
}


class UnknownPrimitive(Exception):
    """There is no such primitive here, or it cannot be made of what the file says; says why."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A row of mindir_inputs.tsv."""

    primitive: str  # its name
    position: int  # of the input, settings among them
    kind: str  # a key of `WORDS`, or "dtype"


@cache
def kinds_of_inputs(primitive: str) -> Mapping[int, str]:
    """Return the kinds of the inputs of a primitive that are numbers for something else, by position."""
    return _load_kinds_of_inputs().get(primitive, {})


@cache
def _load_kinds_of_inputs() -> Mapping[str, Mapping[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for row in columns("mindir_inputs.tsv", Numbered, repeated=True):
        found.setdefault(row.primitive, {})[row.position] = row.kind
    return found


def decode_number(kind: str, value: Any) -> Any:
    """Return the word or the type that a number represents; other values stay."""
    if type(value) is not int:
        return value
    return DTYPES.get(value, value) if kind == "dtype" else WORDS[kind].get(value, value)


def _tuple_of(tensor: Tensor) -> Any:
    return tuple(tensor.asnumpy().tolist())


def _tensor_of(values: Any, dtype: Any = None) -> Tensor:
    dtype = DTYPES[dtype] if type(dtype) is int else dtype
    if isinstance(values, bool | int | float):  # of an operator, which torch's exporter follows
        return full((), values, dtype=dtype or NUMBERS[type(values)])
    return Tensor(values, dtype)


def _number(tensor: Any, *_: Any) -> Any:
    return tensor.asnumpy().item() if isinstance(tensor, Tensor) else tensor


def _cast(value: Any, dtype: Any) -> Any:
    kind = dtype if isinstance(dtype, mstype.Type) else DTYPES.get(dtype)
    if kind is None:
        raise TypeError(f"For 'ScalarCast', {dtype!r} is not a type of numbers.")
    return mstype.dtype_to_pytype(kind)(value)


def _slice(values: Any, start: int, stop: int, step: int) -> Any:
    return values[start:stop:step]


BIASED = "Conv2D with BiasAdd"  # one operator here, as in nn.Conv2d
# Operators of Python's numbers and tuples, which have no primitive of their own here.
PLAIN: Mapping[str, Callable[..., Any]] = {
    "DictGetItem": operator.getitem,
    "ListGetItem": operator.getitem,
    "MakeList": lambda *values: list(values),
    "InSequence": lambda target, sequence: target in sequence,
    "ScalarAdd": operator.add,
    "ScalarBool": bool,
    "ScalarCast": _cast,
    "ScalarDiv": operator.truediv,
    "ScalarEq": operator.eq,
    "ScalarFloorDiv": operator.floordiv,
    "ScalarGe": operator.ge,
    "ScalarGt": operator.gt,
    "ScalarLe": operator.le,
    "ScalarLt": operator.lt,
    "ScalarMax": max,
    "ScalarMin": min,
    "ScalarMod": operator.mod,
    "ScalarMul": operator.mul,
    "ScalarNe": operator.ne,
    "ScalarPow": operator.pow,
    "ScalarSub": operator.sub,
    "ScalarUadd": operator.pos,
    "ScalarUsub": operator.neg,
    "SequenceAdd": operator.add,
    "SequenceLen": len,
    "SequenceMul": operator.mul,
    "SequenceSlice": _slice,
    "TensorMove": lambda tensor: tensor.copy(),
    "TensorToScalar": _number,
    "TensorToTuple": _tuple_of,
    "TupleToTensor": _tensor_of,
    "ListToTensor": _tensor_of,
    "ScalarToTensor": _tensor_of,
    "bool_not": operator.not_,
    "make_list": lambda *values: list(values),
    "list_getitem": operator.getitem,
    "scalar_add": operator.add,
    "scalar_eq": operator.eq,
    "scalar_floordiv": operator.floordiv,
    "scalar_ge": operator.ge,
    "scalar_gt": operator.gt,
    "scalar_le": operator.le,
    "scalar_lt": operator.lt,
    "scalar_mod": operator.mod,
    "scalar_mul": operator.mul,
    "scalar_sub": operator.sub,
    "sequence_len": len,
    "tuple_getitem": operator.getitem,
}


@cache
def class_of(name: str, written_by: str = "") -> type[Primitive] | None:
    """Return the primitive of a name, as it was in a release; None if there is none."""
    if name in _legacy(written_by):
        return _legacy(written_by)[name]
    for room in ROOMS:
        found = getattr(import_module(room), name, None) if name.isidentifier() and name[0] != "_" else None
        if isinstance(found, type) and issubclass(found, Primitive) and found is not Primitive:
            return found
    return None


@cache
def _legacy(written_by: str) -> Mapping[str, type[Primitive]]:
    """Return the primitives that were otherwise in a release, by name; none if it is not known."""
    try:
        version = release.parse(written_by)
    except ValueError:
        return {}
    known = {
        name.removeprefix("ops."): overrides.form_of("ops", row)
        for name, changes in rows.rows_of("ops").items()
        for row in changes
        if row.legacy and version < release.parse(row.since) > (2, 0)  # of 1.0 some have no `.mindir` attributes
    }
    return {name: form for name, form in known.items() if isinstance(form, type) and issubclass(form, Primitive)}


def settings_of(kind: type[Primitive]) -> Mapping[str, Any]:
    """Return the settings of a primitive with their defaults, in order."""
    return {name: one.default for name, one in inspect.signature(kind).parameters.items()}


def by_attributes(name: str, attributes: Mapping[str, Any], written_by: str = "") -> Callable[..., Any]:
    """Return a primitive that its attributes configure, as it was in a release.

    Raises:
        UnknownPrimitive: it is not here, an attribute is missing, or one is refused.
    """
    if name in PLAIN:
        return PLAIN[name]
    if name == BIASED:
        return by_attributes("Conv2D", attributes, written_by).convolve_with_bias  # type: ignore[attr-defined, no-any-return]
    kind = class_of(name, written_by)
    if kind is None:
        raise UnknownPrimitive("there is no such primitive here")
    settings = settings_of(kind)
    names = {OTHERWISE.get(key, key): key for key in attributes} | {key: key for key in attributes}
    given = {key: _as_given(key, value_of(attributes[names[key]])) for key in settings if key in names}
    if missing := [key for key, default in settings.items() if default is REQUIRED and key not in given]:
        raise UnknownPrimitive(f"its attributes {missing} are missing")
    return _construct(kind, (), given)


def _as_given(key: str, value: Any) -> Any:
    """Return the argument that a primitive keeps as an attribute of another form."""
    if key == "pad_mode" and value == "CALCULATED":
        return "pad"
    if key == "axis" and value == NO_AXIS:
        return None
    if key in ("pad", "pad_list") and isinstance(value, tuple) and -1 in value:  # as the mode says, of unknown lengths
        return 0
    if key == "output_size" and isinstance(value, tuple):
        return tuple(None if one == SAME_LENGTH else one for one in value)
    if key == "argmax_type":
        return POSITIONS.get(value, value)
    if key == "pads" and isinstance(value, tuple) and len(value) == 4:  # of all axes
        return value[2:]
    if key == "output_padding" and isinstance(value, tuple) and len(value) == 5:
        return value[2:]
    return value


def by_settings(name: str, settings: Sequence[Any], written_by: str = "") -> Callable[..., Any]:
    """Return a primitive that is configured by settings in order, as it was in a release. Raises as `by_attributes`."""
    if name in PLAIN:
        return PLAIN[name]
    kind = class_of(name, written_by)
    if kind is None:
        raise UnknownPrimitive("there is no such primitive here")
    return _construct(kind, settings, {})


def by_computed_settings(name: str, count: int, written_by: str = "") -> Callable[..., Any]:
    """Return a function of inputs and settings, which makes the primitive whenever it is called.

    Args:
        name: of the primitive.
        count: of the last arguments, which are settings.
        written_by: the release that wrote the file.

    Raises:
        UnknownPrimitive: there is no such primitive here.
    """
    kind = class_of(name, written_by)
    if kind is None:
        raise UnknownPrimitive("there is no such primitive here")

    def call_with_settings(*values: Any) -> Any:
        settings = (_plain(value) for value in values[len(values) - count :])
        return kind(*settings)(*values[: len(values) - count])

    return call_with_settings


def _plain(setting: Any) -> Any:
    """Return a setting as a number or a tuple of them."""
    return setting.asnumpy().tolist() if isinstance(setting, Tensor) else setting


def _construct(kind: type[Primitive], settings: Sequence[Any], named: Mapping[str, Any]) -> Callable[..., Any]:
    try:
        return kind(*settings, **named)
    except Exception as error:
        raise UnknownPrimitive(f"it cannot be made: {error}") from error


def setting_count(name: str) -> int:
    """Return the number of last inputs of a function that configure its primitive."""
    kind = None if name in PLAIN else class_of(name)
    return sum(key not in EARLIER.get(name, ()) for key in settings_of(kind)) if kind else 0
