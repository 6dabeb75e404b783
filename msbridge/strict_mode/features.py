"""Features of a call: what a refusal may hang on, as short texts.

    ops.add(x, 2)  ->  "input:Float32" "input:Tensor" "input#2" "other:int" "other>0"

One form serves operators, methods, layers and dataset functions. The recorder makes its table of the features of calls
that the real MindSpore refused and accepted; strict mode asks the table about those of a script's calls.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type

__all__ = ["bind", "describe", "features_of"]

MAX_WORD = 24  # characters of a text that is taken for an option
MAX_RELATED = 4  # tensors of a call whose shapes and dtypes are compared
KINDS = (bool, int, float, complex, str, tuple, list, dict, slice)


def bind(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a call by name, defaults among them; None where they do not fit the signature."""
    signature = _signature(function)
    if signature is None:
        return {**{str(index): value for index, value in enumerate(args)}, **kwargs}
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    named: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            named |= {f"{name}{index}": each for index, each in enumerate(value)}
        elif kind is inspect.Parameter.VAR_KEYWORD:
            named |= value
        else:
            named[name] = value
    return named


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def features_of(arguments: Mapping[str, Any], prefix: str = "") -> set[str]:
    """Return the features of a call.

    Args:
        arguments: by name.
        prefix: comes before each name: "." for those of a constructor.
    """
    features: set[str] = set()
    tensors: list[tuple[str, Any]] = []
    for name, value in arguments.items():
        features.update(f"{prefix}{name}{feature}" for feature in describe(value))
        if isinstance(value, Tensor) and len(tensors) < MAX_RELATED:
            tensors.append((f"{prefix}{name}", value))
    for (first, one), (second, other) in combinations(tensors, 2):
        features.update(f"{first}~{second}:{relation}" for relation in _relations(one, other))
    return features


def describe(value: Any) -> Iterator[str]:
    """Yield the features of one value."""
    if isinstance(value, Tensor):
        yield ":Tensor"
        yield from _describe_array(str(value.dtype), value.shape)
        if isinstance(value, Parameter):
            yield ":Parameter"
    elif isinstance(value, np.ndarray):
        yield ":ndarray"
        yield from _describe_array(f"numpy.{value.dtype}", value.shape)
    elif value is None:
        yield "=None"
    elif isinstance(value, bool):
        yield from (":bool", f"={value}")
    elif isinstance(value, int | float):
        yield f":{type(value).__name__}"
        yield "<0" if value < 0 else ">0" if value > 0 else "=0"
    elif isinstance(value, str):
        yield ":str"
        if len(value) <= MAX_WORD and not any(map(str.isspace, value)):
            yield f"={value!r}"
    elif isinstance(value, tuple | list):
        yield from _describe_sequence(value)
    elif isinstance(value, Type):
        yield from (":dtype", f"={value}")
    else:
        yield f":{type(value).__name__}"


def _describe_array(dtype: str, shape: Sequence[int]) -> Iterator[str]:
    yield f":{dtype}"
    yield f"#{len(shape)}"
    if 0 in shape:
        yield "!empty"


def _describe_sequence(value: Sequence[Any]) -> Iterator[str]:
    yield f":{'tuple' if isinstance(value, tuple) else 'list'}"
    yield f"[{min(len(value), 9)}]"
    inner = [set(describe(each)) for each in value[:MAX_RELATED]]
    for feature in set().union(*inner):
        yield f"[]{feature}"
    if len({str(each.dtype) for each in value if isinstance(each, Tensor)}) > 1:
        yield "[]:mixed"


def _relations(first: Any, other: Any) -> Iterator[str]:
    if first.dtype != other.dtype:
        yield "mixed"
    if first.shape == other.shape:
        yield "same"
    else:
        yield "unlike"
        pairs = zip(reversed(first.shape), reversed(other.shape), strict=False)
        yield "broadcast" if all(1 in pair or pair[0] == pair[1] for pair in pairs) else "apart"
        yield "ranks" if len(first.shape) != len(other.shape) else "sizes"
