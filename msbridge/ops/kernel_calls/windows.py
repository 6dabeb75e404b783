"""Windows that slide over the spatial axes: what their sizes, strides and paddings may be, and MindSpore's pad modes.

A padding is a tuple of (before, after) pairs, one pair for each spatial axis.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import per_axis
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.errors.explain import describe

_UNTYPED = frozenset({"Conv1d", "Conv1dTranspose", "Conv2dTranspose"})
Sizes = int | tuple[int, ...] | list[int]
Pairs = tuple[tuple[int, int], ...]
PAD_MODES = ("valid", "same", "pad")


def pad_pairs(padding: Any, rank: int, op: str) -> Pairs:
    """Return (before, after) for each spatial axis.

    Args:
        padding: an int for all sides, one int for each axis, or two for each axis in order.
        rank: how many spatial axes there are.
        op: the operator's name, for the error.

    Raises:
        TypeError: `padding` is neither an int nor a sequence of ints.
        ValueError: wrong length, or a negative value.
    """
    if isinstance(padding, tuple | list) and len(padding) == 2 * rank:
        flat = per_axis(padding, "padding", op, 2 * rank, 0)
        return tuple((flat[2 * axis], flat[2 * axis + 1]) for axis in range(rank))
    return tuple((size, size) for size in per_axis(padding, "padding", op, rank, 0))


def check_pad_mode(pad_mode: Any, padding: Any, op: str, is_any_case: bool = False) -> str:
    """Return the pad mode in lower case.

    Raises:
        TypeError: `pad_mode` is not a str (a ValueError in the layers that look at the value only).
        ValueError: an unknown mode, or a padding although the mode is not "pad".
    """
    if not isinstance(pad_mode, str):
        kind = ValueError if op in _UNTYPED else TypeError
        raise kind(f"For '{op}', the 'pad_mode' must be str, got {describe(pad_mode)}.")
    mode = pad_mode.lower() if is_any_case else pad_mode
    if mode not in PAD_MODES:
        near = did_you_mean(pad_mode, PAD_MODES)
        raise ValueError(f"For '{op}', the 'pad_mode' must be one of {list(PAD_MODES)}, got {pad_mode!r}.{near}")
    has_padding = any(padding) if isinstance(padding, tuple | list) else bool(padding)
    if mode != "pad" and has_padding:
        raise ValueError(
            f"For '{op}', the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': {padding} and "
            f"'pad_mode': {pad_mode}."
        )
    return mode


def same_pairs(sizes: Sequence[int], kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Pairs:
    """Return the padding of mode "same": ceil(size / stride) windows fit; an odd pad is larger at the end."""
    pairs = []
    for size, length, step, gap in zip(sizes, kernel, stride, dilation, strict=True):
        total = max(0, (-(-size // step) - 1) * step + gap * (length - 1) + 1 - size)
        pairs.append((total // 2, total - total // 2))
    return tuple(pairs)


def is_symmetric(pairs: Pairs) -> bool:
    """Whether the padding is the same on both sides of each axis."""
    for before, after in pairs:  # noqa: SIM110 - `all` of a generator takes twice the time, and calls come here
        if before != after:
            return False
    return True


def befores(pairs: Pairs) -> tuple[int, ...]:
    """Return the padding in front of each axis."""
    return tuple([before for before, _ in pairs])


def pad(data: torch.Tensor, pairs: Pairs, value: float = 0.0) -> torch.Tensor:
    """Pad the trailing axes of `data` by `pairs` with `value`."""
    return F.pad(data, [size for pair in reversed(pairs) for size in pair], value=value)
