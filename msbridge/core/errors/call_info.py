"""The call of the user's that is running: its name, its arguments and what they may be, read from the stack.

Runs only after a failure: the fast path carries no names for it.
"""

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FrameType, TracebackType
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.stack_frames import is_ours

_FACES = ("functions", "methods", "mint", "mint_functional", "primitives", "tensor", "parameter", "operators")
renamed_functions: dict[int, tuple[Any, str]] = {}
"""By the identity of code: the function that was made of another by renaming, and the module in which it is a face."""
_NUMBERS = {int, float, bool, complex}
_KINDS: Mapping[Any, tuple[type, ...]] = {
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    complex: (int, float, complex, np.number),
    bool: (bool, np.bool_),
}
_WORDS = {int: "int", float: "float", bool: "bool", str: "str", complex: "complex", types.NoneType: "None"}


@dataclass(frozen=True, slots=True)
class Call:
    """A call as its caller wrote it."""

    name: str  # the function, method, primitive or layer
    arguments: Mapping[str, Any]  # what each parameter got
    annotations: Mapping[str, Any] = field(default_factory=dict)  # what each parameter may be
    defaults: Mapping[str, Any] = field(default_factory=dict)  # what those parameters are that were left out
    face: str = ""  # "mint" or "numpy", where it is a function of theirs, "nn" or "mint.nn" where a layer; else ""

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return the torch tensors of the arguments that are Tensors."""
        found = {name: getattr(value, "_data", None) for name, value in self.arguments.items()}
        return {name: data for name, data in found.items() if isinstance(data, torch.Tensor)}

    def path(self) -> str:
        """Return the name by which tables know the call: `mint.`, `numpy.` or `Tensor.` comes before some."""
        face = "Tensor" if next(iter(self.arguments), "") == "self" else self.face
        return f"{face}.{self.name}" if face else self.name

    def given_arguments(self) -> dict[str, Any]:
        """Return the arguments that are not at their defaults."""
        return {name: value for name, value in self.arguments.items() if value is not self.defaults.get(name, self)}


def running_call(error: Exception, op: str, arguments: Mapping[str, Any]) -> Call:
    """Return the call that the caller of `explain` serves.

    Args:
        error: what the call met with.
        op: its name, where the stack shows none.
        arguments: likewise.
    """
    call, inner = Call(op, arguments), None
    for frame in _frames(error.__traceback__, sys._getframe(2)):
        owner = frame.f_locals.get("self")
        is_layer = frame.f_code.co_name == "construct"
        is_primitive = frame.f_code.co_name == "__call__" and hasattr(owner, "instance_name")
        if is_layer or is_primitive:
            # A primitive that passes on what it gets does not name it: the function does.
            made_of = inner if is_primitive and frame.f_code.co_argcount == 1 else None
            name = type(owner).__name__
            call = call_of(made_of or frame, name) or Call(name, call.arguments, call.annotations, call.defaults)
        elif _is_face(frame):
            is_operator = str(frame.f_globals.get("__name__")).endswith(".operators")  # called by an operator
            name = op if is_operator else frame.f_code.co_name
            call = call_of(frame, name.strip("_") if name.startswith("__") else name) or call
        if is_layer:
            return replace(_with_weights(call, arguments), face="mint.nn" if _face_of(frame) == "mint" else "nn")
        inner = frame
    return call


def _frames(traceback: TracebackType | None, caller: FrameType) -> Iterator[FrameType]:
    """Yield the frames of this package around a failure: those it has left, innermost first, then those that run."""
    left = []
    while traceback is not None:
        left.append(traceback.tb_frame)
        traceback = traceback.tb_next
    yield from (frame for frame in reversed(left[1:]) if is_ours(frame.f_code.co_filename))
    frame: FrameType | None = caller
    while frame is not None and is_ours(frame.f_code.co_filename):
        yield frame
        frame = frame.f_back


def _with_weights(call: Call, arguments: Mapping[str, Any]) -> Call:
    """Add what a layer's operator works on beside the layer's inputs."""
    inputs = [getattr(value, "_data", value) for value in call.arguments.values()]
    tensors = {
        name: value for name, value in arguments.items() if hasattr(value, "_data") and name not in call.arguments
    }
    added = {name: value for name, value in tensors.items() if not any(value._data is each for each in inputs)}
    return replace(call, arguments={**call.arguments, **added})


def _is_face(frame: FrameType) -> bool:
    """Whether users call the function that runs in `frame`."""
    name = frame.f_code.co_name
    path = _place_of(frame)
    if path[-1].startswith("_") or (name.startswith("_") and not name.endswith("__")) or name == "__init__":
        return False
    return path[-1] in _FACES or path[1:2] in (["numpy"], ["mint"])


def call_of(frame: FrameType, name: str) -> Call | None:
    """Return the call that runs in `frame`, or None if its function has no parameters with names."""
    code = frame.f_code
    named = code.co_argcount + code.co_kwonlyargcount
    rest = bool(code.co_flags & inspect.CO_VARARGS)
    names = code.co_varnames[: named + rest]
    function = _function_of(frame)
    values = {each: frame.f_locals[each] for each in names if each in frame.f_locals}
    if function is None:
        return None
    if code.co_name in ("construct", "__call__"):
        values.pop("self", None)
    if not values:
        return None
    positional = names[: code.co_argcount]
    given = function.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True)) | (
        function.__kwdefaults__ or {}
    )
    annotations = dict(function.__annotations__)
    if rest:
        annotations[names[-1]] = tuple[annotations.get(names[-1], Any), ...]  # type: ignore[misc]
    return Call(name, values, annotations, defaults, _face_of(frame))


def _place_of(frame: FrameType) -> list[str]:
    """Return the parts of the module's name in which the function that runs in `frame` is a face."""
    _, place = renamed_functions.get(id(frame.f_code), (None, frame.f_globals.get("__name__")))
    return str(place).split(".")


def _face_of(frame: FrameType) -> str:
    path = _place_of(frame)
    if path[-1].startswith("mint") or path[1:2] == ["mint"]:
        return "mint"
    return "numpy" if path[1:2] == ["numpy"] else ""


def _function_of(frame: FrameType) -> Any:
    code = frame.f_code
    if id(code) in renamed_functions:
        return renamed_functions[id(code)][0]
    places = (frame.f_globals.get(code.co_name), getattr(type(frame.f_locals.get("self")), code.co_name, None))
    found = (inspect.unwrap(place) for place in places if place is not None)
    return next((each for each in found if getattr(each, "__code__", None) is code), None)


def fits(value: Any, annotation: Any) -> bool:
    """Whether a value is of the annotated type; a bool is a number but no int."""
    if annotation is None or annotation is types.NoneType:
        return value is None
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, one) for one in inner)
    if annotation in _KINDS:
        return isinstance(value, _KINDS[annotation]) and (annotation in (bool, complex) or not isinstance(value, bool))
    if origin in (tuple, list, collections.abc.Sequence):
        wanted = (list, tuple) if origin is collections.abc.Sequence else origin
        if not isinstance(value, wanted):
            return isinstance(value, range) and origin is collections.abc.Sequence
        if origin is tuple and inner[-1] is not ...:
            return len(value) == len(inner) and all(map(fits, value, inner))
        return all(fits(item, inner[0]) for item in value)
    if annotation is Any or not isinstance(annotation, type):
        return True
    if isinstance(value, torch.Tensor):  # a name that the function has given its tensor
        return hasattr(annotation, "_data")
    return isinstance(value, annotation)


def words(annotation: Any) -> str:
    """Name an annotated type in a sentence."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        kinds = [one for one in inner if one not in _NUMBERS or not set(inner) >= _NUMBERS]
        names = ["a number"] * (len(kinds) < len(inner)) + [words(one) for one in kinds]
        return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    if origin in (tuple, list, collections.abc.Sequence):
        holder = {tuple: "a tuple", list: "a list"}.get(origin, "a list or tuple")
        count = f"{len(inner)} " if origin is tuple and inner[-1] is not ... else ""
        item = words(inner[0])
        plural = f"({item})" if " or " in item else f"{item.removeprefix('a ')}s"
        return f"{holder} of {count}{plural}"
    if annotation in _WORDS or annotation is None:
        return _WORDS.get(annotation, "None")
    name = getattr(annotation, "__name__", str(annotation))
    return "a mindspore dtype" if name == "Type" else f"a {name}"
