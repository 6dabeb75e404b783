"""Argument checks of constructors: those of primitives, and those that an earlier release had (`checks` of a row)."""

import builtins
import functools
import inspect
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

from msbridge.core.checks.arguments import in_range, instance, is_int, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type

Check = Callable[[Any, str, str], Any]
"""Takes a value, its argument's name and the class; raises when the value is not what was asked."""

_KINDS = {kind.__name__: kind for kind in (bool, dict, float, int, list, str, tuple, Tensor)}
_INTERVAL = re.compile(r"(?P<open>[\[(])(?P<low>[^,]+), (?P<high>[^\])]+)(?P<close>[\])])$")
_BOUND = re.compile(r"(?P<sign>[<>=]=|[<>]) (?P<bound>\S+)$")

_WORDS = """
    add align_corners asymmetric backward bilinear bnsd border bsh bsnd ceil constant default floor forward full gelu
    half_pixel ij left linear mean ncdhw nchw ncl ndhwc nearest nhwc none ortho pad reflect reflection relu right same
    sbh sigmoid silu sum swish symmetric tanh update valid xy zeros
    """
ENUMERATORS = frozenset(_WORDS.split())
"""The words that MindSpore's generated primitives take for a mode, a layout or a reduction, whichever they are for."""


def checking(kind: Any, texts: Mapping[str, str]) -> Callable[..., None]:
    """Return the constructor of a class that checks its arguments before it calls today's.

    Args:
        kind: the class.
        texts: by the names of arguments, what is asked; those that are not given are not looked at.
    """
    init = kind.__init__
    checks = {name: check_of(text) for name, text in texts.items()}
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
    """Return what a primitive's constructor asks, by argument: a row of `mappings/primitive_checks.toml`."""
    return {name: check_of(text) for name, text in _primitives().get(primitive, {}).items()}


@cache
def _primitives() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("msbridge.mappings").joinpath("primitive_checks.toml").read_text(encoding="utf-8"))


@cache
def check_of(text: str) -> Check:
    """Read what is asked: "int tuple", "float (0, 1]", "int > 0", "of valid same", "enum", "dtype Int32", "list len 4".

    "sizes int tuple 2 4" is an int, or a tuple of two or four, all of them positive; "sizes tuple 3 >= 0" may be zero.
    `None` before all that says that None is allowed. What follows `else` is the class of the error, where it is neither
    TypeError nor ValueError. A number without a kind is an int, a bool or a float.
    """
    if " else " in text:
        text, _, error = text.partition(" else ")
        return partial(_refused, check=check_of(text), error=getattr(builtins, error))
    kind, _, rest = text.partition(" ")
    if kind == "None":
        return partial(_optional, check=check_of(rest))
    if kind == "sizes":
        return _sizes_of(rest)
    if kind == "enum":
        return _enumerated
    if kind == "dtype":
        return partial(_dtype, allowed=rest.split())
    if " len " in text:
        kinds, _, lengths = text.partition(" len ")
        return partial(_long, kinds=_kinds(kinds), lengths=[int(one) for one in lengths.split()])
    if " of " in f" {text}":
        kinds, _, words = text.rpartition("of ")
        return partial(_listed, kinds=_kinds(kinds), allowed=words.split())
    if found := _INTERVAL.search(text) or _BOUND.search(text):
        return partial(_bounded, kinds=_kinds(text[: found.start()]), **found.groupdict())
    return partial(_instance, kinds=_kinds(text))


def _refused(value: Any, name: str, owner: str, check: Check, error: type[Exception]) -> None:
    """Check a value; whatever is wrong is an error of one class."""
    try:
        check(value, name, owner)
    except (TypeError, ValueError) as problem:
        raise error(str(problem)) from problem


def _kinds(text: str) -> tuple[type, ...]:
    return tuple(_KINDS[name] for name in text.split())


def _instance(value: Any, name: str, owner: str, kinds: tuple[type, ...]) -> None:
    instance(value, name, owner, kinds)
    if tuple in kinds and int in kinds and isinstance(value, tuple):
        for item in value:
            instance(item, f"item of {name}", owner, int)


def _dtype(value: Any, name: str, owner: str, allowed: list[str]) -> None:
    if not isinstance(value, Type) or (allowed and value.name not in allowed):
        raise TypeError(f"For '{owner}', the '{name}' must be one of {allowed or 'the dtypes'}, but got {value!r}.")


def _optional(value: Any, name: str, owner: str, check: Check) -> None:
    if value is not None:
        check(value, name, owner)


def _enumerated(value: Any, name: str, owner: str) -> None:
    instance(value, name, owner, str)
    if value.lower() not in ENUMERATORS:
        raise ValueError(f"For '{owner}', the '{name}' is none of the words that operators know, but {value!r}.")


def _long(value: Any, name: str, owner: str, kinds: tuple[type, ...], lengths: list[int]) -> None:
    instance(value, name, owner, kinds)
    if len(value) not in lengths:
        raise ValueError(f"For '{owner}', the '{name}' must have {_or(lengths)} items, but got {value}.")


def _listed(value: Any, name: str, owner: str, kinds: tuple[type, ...], allowed: list[str]) -> None:
    if kinds:
        instance(value, name, owner, kinds)
    one_of(value, name, owner, allowed)


def _bounded(value: Any, name: str, owner: str, kinds: tuple[type, ...], **ends: str) -> None:
    """Check a number against an interval, or one bound."""
    if kinds:
        instance(value, name, owner, kinds)
    elif not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {type(value).__name__}.")
    if "sign" not in ends:
        in_range(value, name, owner, float(ends["low"]), float(ends["high"]), ends["open"] + ends["close"])
        return
    bound, sign = float(ends["bound"]), ends["sign"]
    holds = {"<": value < bound, ">": value > bound, "<=": value <= bound, ">=": value >= bound, "==": value == bound}
    if not holds[sign]:
        raise ValueError(f"For '{owner}', the '{name}' must be {sign} {ends['bound']}, but got {value}.")


def _sizes_of(text: str) -> Check:
    """Return the check of "int tuple 2 4 >= 0": kinds, lengths, and from where on ints may be."""
    text, _, least = text.partition(" >= ")
    words = text.split()
    lengths = [int(word) for word in words if word.isdecimal()]
    kinds = _kinds(" ".join(word for word in words if not word.isdecimal()))
    return partial(_sizes, kinds=kinds, lengths=lengths, least=int(least or 1))


def _sizes(value: Any, name: str, owner: str, kinds: tuple[type, ...], lengths: list[int], least: int) -> None:
    instance(value, name, owner, kinds)
    items = (value,) if is_int(value) else value
    if not is_int(value) and len(items) not in lengths:
        raise ValueError(f"For '{owner}', the '{name}' must have {_or(lengths)} items, but got {value}.")
    if not all(is_int(item) and item >= least for item in items):
        raise ValueError(f"For '{owner}', the '{name}' must be ints of {least} or more, but got {value}.")


def _or(lengths: list[int]) -> str:
    return " or ".join(str(length) for length in lengths)
