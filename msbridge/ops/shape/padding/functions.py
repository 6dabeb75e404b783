"""Padding: constant, reflecting, repeating or periodic borders."""

from collections.abc import Sequence

import torch
from torch.nn import functional

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import rearrange
from msbridge.ops.kernel_calls.families import Number, scalar_or_tensor
from msbridge.ops.shape.padding.kernels import pad_data

_MIRRORS = ("REFLECT", "SYMMETRIC")


def pad(
    input_x: Tensor,
    padding: Sequence[int] | Sequence[Sequence[int]] | Tensor,
    mode: str = "constant",
    value: Number | Tensor | None = None,
) -> Tensor:
    """Put a border around a tensor.

    Args:
        input_x: the Tensor; modes other than "constant" take 2 to 5 axes and pad the last 1 to 3.
        padding: (before, after) of the last axis, then of the last but one, …; negative cuts off. A pair for each axis
            in order, as releases before 2.0 had it, works too.
        mode: "constant", "reflect", "replicate" or "circular".
        value: what "constant" puts there; None means 0.

    Returns:
        A Tensor of the dtype of `input_x`, each axis as much longer or shorter.

    Raises:
        TypeError: `padding` is not of ints.
        ValueError: another `mode`, or an odd number of ints, or too few axes.

    Follows: mindspore.ops.pad (2.10).
    """
    return rearrange(pad_data, "pad", input_x, padding, mode, scalar_or_tensor(value))


def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """Fill the last axis, of length 1, with zeros up to `pad_dim_size`.

    Args:
        x: shape (..., 1).
        pad_dim_size: the length of the last axis of the result.

    Returns:
        A Tensor of shape (..., pad_dim_size) and the dtype of `x`.

    Raises:
        ValueError: the last axis is longer than 1, or `pad_dim_size` is not positive.

    Follows: mindspore.ops.padding (2.10).
    """
    return rearrange(_fill_last_axis, "padding", x, pad_dim_size)


def mirror_pad(input_x: Tensor, paddings: Sequence[Sequence[int]] | Tensor, mode: str) -> Tensor:
    """Continue a tensor beyond its ends by its mirror image.

    Args:
        input_x: the Tensor.
        paddings: (before, after) for each axis.
        mode: "REFLECT" does not repeat the element at the edge, "SYMMETRIC" does.

    Returns:
        A Tensor of the dtype of `input_x`, each axis as much longer.

    Raises:
        ValueError: another `mode`, or more padding than elements to mirror.

    Follows: mindspore.ops.MirrorPad (2.10).
    """
    return rearrange(_mirror_pad, "MirrorPad", input_x, paddings, mode)


def _fill_last_axis(data: torch.Tensor, pad_dim_size: int) -> torch.Tensor:
    if pad_dim_size < 1:
        raise ValueError(f"pad_dim_size must be positive, got {pad_dim_size}.")
    if data.dim() < 2 or data.size(-1) != 1:
        raise ValueError(f"the last of at least two axes must be of length 1, got shape {tuple(data.shape)}.")
    return functional.pad(data, (0, pad_dim_size - 1))


def _mirror_pad(data: torch.Tensor, paddings: Sequence[Sequence[int]] | Tensor, mode: str) -> torch.Tensor:
    if mode not in _MIRRORS:
        raise ValueError(f"mode must be one of {_MIRRORS}, got {mode!r}.")
    pairs = paddings.tolist() if isinstance(paddings, Tensor) else paddings
    if len(pairs) != data.dim():
        raise ValueError(f"paddings must have a pair for each of the {data.dim()} axes, got {pairs!r}.")
    for axis, (before, after) in enumerate(pairs):
        if not before and not after:
            continue
        length = data.size(axis)
        if max(before, after) > length - (mode == "REFLECT"):
            raise ValueError(f"axis {axis}, of length {length}, cannot be mirrored by {(before, after)} elements.")
        edge = 1 if mode == "REFLECT" else 0
        front = torch.arange(before - 1 + edge, -1 + edge, -1)
        back = torch.arange(length - 1 - edge, length - 1 - edge - after, -1)
        order = torch.cat((front, torch.arange(length), back))
        data = data.index_select(axis, order.to(data.device))
    return data
