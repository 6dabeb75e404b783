"""How a setting on torch's scale is written in the constructor of a Cell."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

ALONE = frozenset({"nn.Dropout", "nn.ELU", "nn.GELU", "nn.Hardtanh", "nn.LeakyReLU", "nn.LogSoftmax", "nn.Softmax"})


def constructor(kind: str, setting: str, torch: Any) -> str:
    """Return the call that makes a Cell as torch's layer is.

    Args:
        kind: the Cell's class, such as `nn.GELU`.
        setting: a name of `measure.settings`.
        torch: its value in torch's layer.

    Returns:
        Such as `nn.GELU(approximate=False)`; "" where it cannot be told.
    """
    if kind.startswith("nn."):
        given = WRITTEN.get(setting, _plain)(setting, torch)
    elif kind.startswith("mint."):
        given = _plain(TORCH_NAMES.get(setting, setting), torch)
    else:
        return ""
    return f"{kind}({'' if kind in ALONE else '…, '}{given})" if given else ""


def number(value: Any) -> str:
    """Return a setting's value as it is written in Python, short."""
    return re.sub(r"e([+-])0+", r"e\1", f"{value:g}") if isinstance(value, float) else repr(value)


def _plain(name: str, value: Any) -> str:
    sizes = value if isinstance(value, tuple) and value else ()
    return f"{name}={number(sizes[0] if sizes and len(set(sizes)) == 1 else value)}"


def _padding(_: str, sizes: str | Sequence[int]) -> str:
    if isinstance(sizes, str):
        return f"pad_mode={sizes!r}"
    if not any(sizes):
        return "pad_mode='valid'"
    return f"pad_mode='pad', {_plain('padding', tuple(sizes))}" if min(sizes) >= 0 else ""


# What MindSpore writes otherwise than torch.
WRITTEN: Mapping[str, Callable[[str, Any], str]] = {
    "approximate": lambda name, value: f"{name}={value == 'tanh'}",
    "momentum": lambda name, value: "" if value is None else _plain(name, round(1 - value, 12)),
    "output_padding": lambda name, value: "",
    "padding": _padding,
    "use_batch_statistics": lambda name, value: f"{name}={True if value else None}",
}
# What mint calls as torch does.
TORCH_NAMES = {"alpha": "negative_slope", "axis": "dim", "epsilon": "eps", "group": "groups", "has_bias": "bias"}
