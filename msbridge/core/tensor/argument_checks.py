"""Argument checks of constructors: those of primitives, and those that an earlier release had (`checks` of a row)."""

import builtins
import functools
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from msbridge.core.checks.arguments import in_range, instance, is_int, one_of
from msbridge.core.releases.rows import ArgumentCheck, Checks, refuse_unknown
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.mappings import table

Check = Callable[[Any, str, str], Any]
"""Takes a value, its argument's name and the class; raises when the value is not what was asked."""

_COMPARE = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_KINDS = {kind.__name__: kind for kind in (bool, dict, float, int, list, str, tuple, Tensor)}

_WORDS = """
    add align_corners asymmetric backward bilinear bnsd border bsh bsnd ceil constant default floor forward full gelu
    half_pixel ij left linear mean ncdhw nchw ncl ndhwc nearest nhwc none ortho pad reflect reflection relu right same
    sbh sigmoid silu sum swish symmetric tanh update valid xy zeros
    """
ENUMERATORS = frozenset(_WORDS.split())
"""The words that MindSpore's generated primitives take for a mode, a layout or a reduction, whichever they are for."""


@dataclass(frozen=True, slots=True)
class PrimitiveChecks:
    """A row of primitive_checks.toml."""

    primitive: str  # the name of its class
    checks: Checks  # what its constructor asks, by argument

    def __post_init__(self) -> None:
        refuse_unknown(self.checks)


def checking(kind: Any, asked: Checks) -> Callable[..., None]:
    """Return the constructor of a class that checks its arguments before it calls today's.

    Args:
        kind: the class.
        asked: by the names of arguments, what is asked; those that are not given are not looked at.
    """
    init = kind.__init__
    checks = {name: check_of(each) for name, each in asked.items()}
    is_derived = "self" not in inspect.signature(init).parameters or hasattr(kind, "defaults")
    signature = inspect.signature(kind if is_derived else init)

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind_partial(*(self,) * (not is_derived), *args, **kwargs).arguments
        except TypeError:
            given = {}  # the constructor says what is wrong
        for name in checks:
            if name in given:
                checks[name](given[name], name, kind.__name__)
        init(self, *args, **kwargs)

    return __init__


@cache
def checks_of(primitive: str) -> Mapping[str, Check]:
    """Return the checks of a primitive's constructor by argument: a row of `mappings/primitive_checks.toml`."""
    row = table("primitive_checks.toml", PrimitiveChecks).get(primitive)
    return {name: check_of(asked) for name, asked in row.checks.items()} if row else {}


@cache
def check_of(asked: str | ArgumentCheck) -> Check:
    """Return the function that checks an argument."""
    asked = ArgumentCheck(asked) if isinstance(asked, str) else asked
    error = getattr(builtins, asked.error) if asked.error else None
    kinds = asked.kinds.split()
    return partial(_check, steps=list(_steps(asked, kinds)), is_optional="None" in kinds, error=error)


def _steps(asked: ArgumentCheck, kinds: list[str]) -> Iterator[Check]:
    """Yield the checks of a value that is not None."""
    types = tuple(_KINDS[name] for name in kinds if name in _KINDS)
    if types:
        yield partial(instance, kinds=types)
    if "enum" in kinds:
        yield _enumerate
    if "dtype" in kinds:
        yield partial(_dtype, allowed=asked.one_of)
    elif asked.one_of:
        yield partial(one_of, allowed=asked.one_of)
    if asked.lengths:
        yield partial(_long, lengths=asked.lengths)
    if asked.sizes:
        yield partial(_sizes, lengths=asked.sizes, least=1 if asked.least is None else asked.least)
    elif {asked.above, asked.least, asked.most, asked.below} != {None}:
        yield partial(_check_bounds, asked=asked)
    elif {int, tuple} <= set(types):
        yield _items


def _check(
    value: Any, name: str, owner: str, steps: Sequence[Check], is_optional: bool, error: type[Exception] | None
) -> None:
    """Check a value; with `error`, any fault is an error of this class."""
    if value is None and is_optional:
        return
    try:
        for step in steps:
            step(value, name, owner)
    except (TypeError, ValueError) as problem:
        if error is None:
            raise
        raise error(str(problem)) from problem


def _items(value: Any, name: str, owner: str) -> None:
    """Check that the items of a tuple are ints."""
    for item in value if isinstance(value, tuple) else ():
        instance(item, f"item of {name}", owner, int)


def _dtype(value: Any, name: str, owner: str, allowed: Sequence[str]) -> None:
    if not isinstance(value, Type) or (allowed and value.name not in allowed):
        raise TypeError(
            f"For '{owner}', the '{name}' must be one of {list(allowed) or 'the dtypes'}, but got {value!r}."
        )


def _enumerate(value: Any, name: str, owner: str) -> None:
    instance(value, name, owner, str)
    if value.lower() not in ENUMERATORS:
        raise ValueError(f"For '{owner}', the '{name}' is none of the words that operators know, but {value!r}.")


def _long(value: Any, name: str, owner: str, lengths: Sequence[int]) -> None:
    if len(value) not in lengths:
        raise ValueError(f"For '{owner}', the '{name}' must have {_or(lengths)} items, but got {value}.")


def _check_bounds(value: Any, name: str, owner: str, asked: ArgumentCheck) -> None:
    """Check a number against an interval, or one bound."""
    bounds = {">": asked.above, ">=": asked.least, "<": asked.below, "<=": asked.most}
    given = [(sign, bound) for sign, bound in bounds.items() if bound is not None]
    if len(given) == 2:
        (above, low), (under, high) = given
        in_range(value, name, owner, low, high, ("[" if above == ">=" else "(") + ("]" if under == "<=" else ")"))
    elif not _COMPARE[given[0][0]](value, given[0][1]):
        raise ValueError(f"For '{owner}', the '{name}' must be {given[0][0]} {given[0][1]}, but got {value}.")


def _sizes(value: Any, name: str, owner: str, lengths: Sequence[int], least: float) -> None:
    items = (value,) if is_int(value) else value
    if not is_int(value) and len(items) not in lengths:
        raise ValueError(f"For '{owner}', the '{name}' must have {_or(lengths)} items, but got {value}.")
    if not all(is_int(item) and item >= least for item in items):
        raise ValueError(f"For '{owner}', the '{name}' must be ints of {least} or more, but got {value}.")


def _or(lengths: Sequence[int]) -> str:
    return " or ".join(str(length) for length in lengths)
