"""Constructor snippets: a setting on torch's scale as the constructor of a Cell takes it."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge import mint, nn

__all__ = ["constructor", "format_padding", "is_alone", "number", "parameters_of", "plain"]

ROOMS = {"nn": nn, "mint.nn": mint.nn}
# Cells whose arguments all have a default, so that one can stand alone.
BARE = frozenset({"CELU", "Dropout", "ELU", "GELU", "HShrink", "Hardshrink", "Hardtanh", "LeakyReLU", "LogSoftmax",
                   "SoftShrink", "Softmax", "Softshrink"})  # fmt: skip
# What a setting may be called; the signature decides.
NAMES = {
    "axis": ("axis", "dim"),
    "eps": ("eps", "epsilon"),
    "epsilon": ("epsilon", "eps"),
    "group": ("group", "groups"),
    "has_bias": ("has_bias", "bias"),
}


def constructor(kind: str, setting: str, torch: Any, **along: Any) -> str:
    """Return the call that makes a Cell as torch's layer is.

    Args:
        kind: the Cell's class, such as `nn.GELU`.
        setting: a name of `measure.settings`.
        torch: its value in torch's layer.
        along: other settings that have to be given with it.

    Returns:
        Such as `nn.GELU(approximate=False)`; "" where it is unknown.
    """
    room, _, name = kind.rpartition(".")
    parameters = parameters_of(getattr(ROOMS[room], name, None)) if room in ROOMS else {}
    parameter = next((one for one in NAMES.get(setting, (setting,)) if one in parameters), "")
    if not parameter:
        return ""
    if setting in WRITTEN and room == "nn":
        given = WRITTEN[setting](parameter, torch)
    elif setting == "padding" and room == "mint.nn":
        given = _beside(torch)
    else:
        given = plain(parameter, torch)
    before = [constructor(kind, *one).partition("…, ")[2].removesuffix(")") for one in along.items()]
    given = ", ".join([*filter(None, before), given]) if given else ""
    return f"{kind}({'' if is_alone(kind) else '…, '}{given})" if given else ""


def parameters_of(target: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a class or function by name; none of what is neither."""
    return inspect.signature(target).parameters if callable(target) else {}


def is_alone(kind: str) -> bool:
    """Whether one argument makes a whole constructor of a Cell."""
    return kind.rpartition(".")[2] in BARE


def number(value: Any) -> str:
    """Return a setting's value as it is written in Python, short."""
    return re.sub(r"e([+-])0+", r"e\1", f"{value:g}") if isinstance(value, float) else repr(value)


def plain(name: str, value: Any) -> str:
    """Return an argument with its value; sizes that are the same along all axes as one."""
    sizes = tuple(value) if isinstance(value, tuple | list) and value else ()
    return f"{name}={number(sizes[0] if sizes and len(set(sizes)) == 1 else sizes or value)}"


def format_padding(sizes: str | Sequence[int]) -> str:
    """Return the arguments that pad a Cell of `nn` by some rows at the beginning and the end of each axis."""
    if isinstance(sizes, str):
        return f"pad_mode={sizes!r}"
    if not any(sizes):
        return "pad_mode='valid'"
    return f"pad_mode='pad', {plain('padding', tuple(sizes))}" if min(sizes) >= 0 else ""


def _beside(sizes: str | Sequence[int]) -> str:
    """Return the arguments that pad one of mint's layers, as torch writes them."""
    is_even = isinstance(sizes, str) or list(sizes[::2]) == list(sizes[1::2])
    return plain("padding", sizes if isinstance(sizes, str) else tuple(sizes[::2])) if is_even else ""


# What MindSpore writes differently from torch.
WRITTEN: Mapping[str, Callable[[str, Any], str]] = {
    "approximate": lambda name, value: f"{name}={value == 'tanh'}",
    "momentum": lambda name, value: "" if value is None else plain(name, round(1 - value, 12)),
    "output_padding": lambda name, value: "",
    "padding": lambda name, value: format_padding(value),
    "use_batch_statistics": lambda name, value: f"{name}={True if value else None}",
}
