"""Explanation of errors inside an operator, in the words and the class that its caller expects.

Runs only after a failure, so it may look at everything. What torch says stays in `__cause__`; the user reads what was
called, the argument, what it got and what is allowed.
"""

import dataclasses
import dis
import functools
import itertools
from collections.abc import Callable, Sequence
from traceback import walk_tb
from types import FrameType
from typing import Any, TypeVar

import numpy as np
import torch

from msbridge.core.checks.stack_frames import FOLDERS, folder_of, is_ours
from msbridge.core.errors.call_info import Call, call_of, fits, running_call, words
from msbridge.core.errors.exception_classes import Rule, class_for, rule_of, shapes_differ
from msbridge.core.errors.torch_patterns import AXIS, DEVICES, DTYPES, MACHINE, cause_of
from msbridge.core.types.symbolic import Unfilled

_Function = TypeVar("_Function", bound=Callable[..., Any])
_RAISES = frozenset({dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]})
_AXES = (
    "axis",
    "axes",
    "dim",
    "dims",
    "axis0",
    "axis1",
    "dim0",
    "dim1",
    "source",
    "destination",
    "start_dim",
    "end_dim",
)
_LIBRARIES = (*FOLDERS, *map(folder_of, (torch, np, dis)))  # dis: Python's own
_ABOUT_ARGUMENTS = frozenset(
    {
        ArithmeticError,
        AssertionError,
        AttributeError,
        IndexError,
        KeyError,
        NotImplementedError,
        OverflowError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
        ZeroDivisionError,
    }
)
_RANGED = (bool, int, float, complex, torch.Tensor)  # whose value or shape is what does not fit, where the type does
_MAX_LENGTH = 120  # characters of a value's repr


def explain(error: Exception, op: str, **arguments: object) -> Exception:
    """Turn a failure inside an op into the error that its caller should see.

    Args:
        error: what was raised.
        op: the name of the op, where the stack shows no function, method, primitive or layer that a user calls.
        arguments: the op's arguments by name, likewise.

    Returns:
        The error to raise.

    Raises:
        Exception: `error` itself where it speaks for itself.
    """
    if not _is_for_us(error) or getattr(error, "explained", False):
        try:
            raise error
        finally:
            del error  # or this frame and the error would keep one another, and the tensors of all frames, alive
    return _find_explanation(error, running_call(error, op, arguments))


def explaining(function: _Function) -> _Function:
    """Let an operator explain its failures: for those that call no family; it costs a frame."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise explain(error, function.__name__) from error

    return call  # type: ignore[return-value]


EXPLAINED = explaining(lambda: None).__code__  # of every function that `explaining` made


def refuse(error: Exception, count: int | None = None, is_late: bool = False) -> Exception:
    """Return the error of a refused check: a complaint about another argument's type, if there is one, comes before.

    Args:
        error: about a value.
        count: how many arguments MindSpore has looked at by then; None for all.
        is_late: whether types are looked at before it even where a function looks at values first.

    Returns:
        The error to raise: `error`, where all arguments of the running call are of their types.
    """
    call = running_call(error, "", {})
    is_first = rule_of(call.name, call.path()).values_first and not is_late
    found = (None if is_first else _wrong_type(call, count)) or error
    found.explained = True  # type: ignore[attr-defined]
    return found


def explain_layer(error: Exception, frame: FrameType) -> Exception:
    """Turn a failure in a layer, outside its operators, into the error that its caller should see.

    Args:
        error: what was raised.
        frame: where the layer's `construct` ran.

    Returns:
        The error to raise; `error` itself where it speaks for itself.
    """
    if not _is_for_us(error) or getattr(error, "explained", False):
        return error
    name = type(frame.f_locals["self"]).__name__
    return _find_explanation(error, dataclasses.replace(call_of(frame, name) or Call(name, {}), face="nn"))


def _find_explanation(error: Exception, call: Call) -> Exception:
    speaks = is_own(error) and not isinstance(error, AttributeError)  # which a Cell raises where a Tensor is wanted
    rule = rule_of(call.name, call.path())
    if speaks and rule.values_first and type(error) is ValueError:
        return error
    explanation = _without_values(call) or _wrong_type(call) or _wrong_dtype(call, rule)
    if explanation is None:
        explanation = _with_raised_class(_prefix_message(error, call) if speaks else _refusal(error, call), call, rule)
    explanation.explained = True  # type: ignore[attr-defined]
    return explanation


def _without_values(call: Call) -> Exception | None:
    for value in call.arguments.values():
        if isinstance(data := getattr(value, "_data", None), Unfilled):
            return data.refusal_of(call.name)
    return None


def describe(value: object) -> str:
    """Name a value in a message: tensors by shape and dtype, the rest by repr and type."""
    data = getattr(value, "_data", None)
    if isinstance(data, torch.Tensor):
        return f"{type(value).__name__} of shape {tuple(data.shape)} and dtype {dtype_name(data.dtype)}"
    if isinstance(value, np.ndarray | torch.Tensor):
        return (
            f"{type(value).__module__.split('.')[0]} array of shape {tuple(value.shape)}; wrap it in mindspore.Tensor"
        )
    return f"{_format_value(value)} ({type(value).__name__})"


def dtype_name(dtype: torch.dtype) -> str:
    """Name a dtype as MindSpore does."""
    return str(dtype).removeprefix("torch.")


def _format_value(value: object) -> str:
    if isinstance(getattr(value, "_data", value), np.ndarray | torch.Tensor):
        return describe(value)
    if isinstance(value, list | tuple) and any(hasattr(item, "_data") for item in value[:3]):
        items = ", ".join(map(_format_value, value[:3])) + ", …" * (len(value) > 3)
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    text = repr(value)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"


def _is_for_us(error: Exception) -> bool:
    """Whether the error is about the arguments.

    Out of memory, a failing device, torch's signals to itself and what a user's function raises are not ours to change.
    """
    if type(error) not in _ABOUT_ARGUMENTS and type(error).__name__ != "_LinAlgError":
        return False
    text = str(error)
    if isinstance(error, RuntimeError) and MACHINE.search(text) and not DEVICES.search(text):
        return False
    inner = error.__traceback__ and error.__traceback__.tb_next
    return all(frame.f_code.co_filename.startswith(_LIBRARIES) for frame, _ in walk_tb(inner))


def is_own(error: Exception) -> bool:
    """Whether a `raise` of ours made the error, rather than a call of torch, numpy or Python."""
    traceback = error.__traceback__
    if traceback is None:
        return True
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return is_ours(code.co_filename) and code.co_code[traceback.tb_lasti] in _RAISES


def _prefix_message(error: Exception, call: Call) -> Exception:
    """Put the call's name in front of what a kernel of ours says."""
    text = str(error.args[0]) if error.args else ""
    return error if text.startswith("For ") else type(error)(f"For '{call.name}': {text}")


def _wrong_type(call: Call, count: int | None = None) -> Exception | None:
    """Return the complaint about the first argument of another type; a ValueError waits for those of later ones."""
    given = dict(itertools.islice(call.given_arguments().items(), count))
    unfit = {name: error for name, value in given.items() if (error := _unfit(call, name, value))}
    for error in unfit.values():
        if type(error) in (TypeError, AttributeError):
            return error
    first = next(iter(unfit.values()), None)
    numbers = sum(isinstance(given[name], int | float) for name in unfit)
    if first is not None and numbers > 1:  # their ranks agree, so that types are looked at
        return TypeError(*first.args)
    return first


def _unfit(call: Call, name: str, value: object) -> Exception | None:
    annotation = call.annotations.get(name, Any)
    recorded = class_for(call.path(), name, value)
    is_unfit = not fits(value, annotation)
    is_of_ours = isinstance(annotation, type) and annotation.__module__ != "builtins"
    if not is_unfit and (recorded is None or is_of_ours or _may_be_out_of_range(value, recorded)):
        return None
    wanted = f"must be {words(annotation)}, got" if is_unfit else "cannot be"
    return (recorded or TypeError)(f"For '{call.name}', {name} {wanted} {describe(value)}.")


def _may_be_out_of_range(value: object, recorded: type[Exception]) -> bool:
    """Whether it is the value or the shape of an argument that does not fit, rather than its type."""
    is_number = isinstance(value, int | float)  # which is refused regardless of its value, where that is a TypeError
    return isinstance(getattr(value, "_data", value), _RANGED) and not (is_number and recorded is TypeError)


def _wrong_dtype(call: Call, rule: Rule) -> Exception | None:
    """Return the complaint about dtypes of a function that looks at them first."""
    dtypes = {name: data.dtype for name, data in call.tensors().items()}
    is_unfit = rule.dtypes is not None and not rule.dtypes.issuperset(dtypes.values())
    are_unlike = len(set(list(dtypes.values())[: rule.alike])) > 1
    if is_unfit or are_unlike or any(dtype not in rule.dtypes_of.get(name, (dtype,)) for name, dtype in dtypes.items()):
        return rule.of_dtypes(f"For '{call.name}', the dtypes do not fit: {_kinds(call)}.")
    return None


def _with_raised_class(error: Exception, call: Call, rule: Rule) -> Exception:
    """Set the class of an error to the one that its function raises."""
    if type(error) is ValueError:
        return error if rule.shapes is ValueError else rule.shapes(*error.args)
    tensors = call.tensors()
    if rule.are_ranks_alike and len({data.dim() for data in tensors.values()}) > 1:
        return ValueError(f"For '{call.name}', the Tensors must have equally many axes; got {_listing(call)}.")
    if type(error) is not TypeError or not {"dtypes", "conversion"} & set(str(error).split()):
        return error
    is_of_shapes = rule.shapes_first or ("conversion" in str(error) and not call.name.endswith("_"))
    if (is_of_shapes and shapes_differ(tensors)) or any(data.dim() < rule.least_rank for data in tensors.values()):
        return ValueError(f"For '{call.name}', the shapes do not fit; got {_listing(call)}.")
    return error if rule.of_dtypes is TypeError else rule.of_dtypes(*error.args)


def _kinds(call: Call) -> str:
    return ", ".join(f"{name} {dtype_name(data.dtype)}" for name, data in call.tensors().items()) or _listing(call)


def _refusal(error: Exception, call: Call) -> Exception:
    message = str(error)
    if " object has no attribute '_data'" in message:
        return TypeError(f"For '{call.name}', a Tensor is wanted; got {_listing(call)}.")
    if DEVICES.search(message) and len(set((places := _places(call)).values())) > 1:
        where = ", ".join(f"{name} on {place}" for name, place in places.items())
        return ValueError(f"For '{call.name}', all Tensors must be on one device, got {where}; Tensor.to moves one.")
    if found := AXIS.search(message):
        return _wrong_axis(call, *map(int, found.groups()))
    if DTYPES.search(message):
        return TypeError(f"For '{call.name}', the dtypes do not fit: {_kinds(call)}.")
    cause = cause_of(message)
    kind = (
        cause.kinds.get(f"{call.face}.{call.name}", cause.kinds.get(call.name, cause.kind))
        if cause
        else TypeError
        if isinstance(error, TypeError | AttributeError)
        else ValueError
    )
    reason = cause.reason if cause else "these arguments do not fit"
    return kind(f"For '{call.name}', {reason}; got {_listing(call)}.")


def _places(call: Call) -> dict[str, str]:
    """Return the device of each Tensor of a call, those in lists too, by argument."""
    named: dict[str, Any] = {
        f"{name}[{place}]" if isinstance(value, list | tuple) else name: item
        for name, value in call.arguments.items()
        for place, item in enumerate(_items(value))
    }
    return {name: item.device for name, item in named.items() if isinstance(getattr(item, "_data", None), torch.Tensor)}


def _wrong_axis(call: Call, lowest: int, highest: int, wrong: int) -> Exception:
    named = {name: value for name, value in call.arguments.items() if name in _AXES}
    holding = (name for name, value in named.items() if any(type(one) is int and one == wrong for one in _items(value)))
    name = next(holding, next(iter(named), "axis"))
    shapes = [tuple(data.shape) for data in call.tensors().values()]
    where = f" for shape {shapes[0]}" if shapes else ""
    value = named.get(name, wrong)
    value = wrong if value == (wrong,) else value  # primitives keep a single axis as a tuple
    got = f"{name}=" * (name != "axis") + _format_value(value)
    return ValueError(f"For '{call.name}', axis must be in [{lowest}, {highest + 1}), got {got}{where}.")


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else (value,)


def _listing(call: Call) -> str:
    return ", ".join(f"{name}={_format_value(value)}" for name, value in call.given_arguments().items())
