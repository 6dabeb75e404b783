"""Computations that the faces of padding share."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import rearrange
from msbridge.ops.kernel_calls.families import Number, plain_shape, scalar_or_tensor

_MODES = {
    "constant": "constant",
    "reflect": "reflect",
    "replicate": "replicate",
    "edge": "replicate",
    "circular": "circular",
}


def pad_axes(input_x: Tensor, paddings: Sequence[Sequence[int]]) -> Tensor:
    """Put zeros before and after each axis, by one pair for each.

    Args:
        input_x: any shape and dtype.
        paddings: (before, after) for each axis.

    Returns:
        A Tensor of the dtype of `input_x`, each axis as much longer.

    Raises:
        ValueError: a number is negative, or there is not one pair for each axis.

    Follows: mindspore.ops.Pad (2.10).
    """
    return rearrange(_pad_axes, "Pad", input_x, paddings)


def pad_by_input(
    x: Tensor,
    paddings: Sequence[int] | Tensor,
    constant_value: Number | Tensor | None = None,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> Tensor:
    """Put a border around a tensor, as `pad`.

    Args:
        x: the Tensor.
        paddings: as for `pad`; if not contiguous, all numbers before, then all numbers after.
        constant_value: what "constant" puts there; None means 0.
        mode: "constant", "reflect", "edge" or "circular".
        paddings_contiguous: whether before and after are together.

    Returns:
        A Tensor of the dtype of `x`, each axis as much longer or shorter.

    Follows: mindspore.ops.PadV3 (2.10).
    """
    sizes = plain_shape(paddings)
    if not paddings_contiguous:
        half = len(sizes) // 2
        sizes = tuple(size for pair in zip(sizes[:half], sizes[half:], strict=True) for size in pair)
    return rearrange(pad_data, "PadV3", x, sizes, mode, scalar_or_tensor(constant_value))


def pad_data(data: torch.Tensor, padding: Any, mode: str, value: Any) -> torch.Tensor:
    """Return `data` with elements added at both ends of axes, the last axis first."""
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {sorted(_MODES)}, got {mode!r}.")
    if mode != "constant" and value is not None:
        raise ValueError(f"mode {mode!r} takes no value, got {value!r}.")
    if isinstance(padding, list | tuple) and padding and isinstance(padding[0], list | tuple):
        padding = [size for pair in reversed(padding) for size in pair]
    sizes = _ints(padding)
    if len(sizes) % 2:
        raise ValueError(f"the size of padding must be divisible by 2, got {len(sizes)}.")
    if mode == "constant":
        if isinstance(value, torch.Tensor):
            value = value.item()
        return functional.pad(data, sizes, value=0 if value is None else value)
    try:
        return functional.pad(data, sizes, _MODES[mode])
    except NotImplementedError as error:
        raise ValueError(f"mode {mode!r} cannot pad {data.dim()} axes with {sizes}.") from error


def _ints(padding: Any) -> tuple[int, ...]:
    if isinstance(padding, Tensor):
        return plain_shape(padding)
    if not isinstance(padding, list | tuple) or any(isinstance(size, float) for size in padding):
        raise TypeError(f"padding must be a tuple or list of ints, got {padding!r}.")
    return plain_shape(padding)


def _pad_axes(data: torch.Tensor, paddings: Sequence[Sequence[int]]) -> torch.Tensor:
    if len(paddings) != data.dim():
        raise ValueError(f"paddings must have a pair for each of the {data.dim()} axes, got {paddings!r}.")
    if any(size < 0 for pair in paddings for size in pair):
        raise ValueError(f"all elements of paddings must be at least 0, got {paddings!r}.")
    return functional.pad(data, [size for pair in reversed(paddings) for size in pair])
