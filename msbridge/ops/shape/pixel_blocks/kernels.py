"""Computations that the faces of blocks share."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import rearrange

Size = int | Sequence[int]


def space_to_depth(x: Tensor, block_size: int) -> Tensor:
    """Turn blocks of b·b pixels into channels: (n, c, h, w) becomes (n, b·b·c, h/b, w/b).

    Args:
        x: shape (n, c, h, w).
        block_size: b, at least 2.

    Returns:
        A Tensor of shape (n, b·b·c, h/b, w/b) and the dtype of `x`.

    Raises:
        ValueError: h or w is not divisible by `block_size`.

    Follows: mindspore.ops.SpaceToDepth (2.10).
    """
    return rearrange(_space_to_depth, "SpaceToDepth", x, block_size)


def depth_to_space(x: Tensor, block_size: int) -> Tensor:
    """Turn channels into blocks of b·b pixels: (n, b·b·c, h, w) becomes (n, c, h·b, w·b).

    Args:
        x: shape (n, b·b·c, h, w).
        block_size: b, at least 2.

    Returns:
        A Tensor of shape (n, c, h·b, w·b) and the dtype of `x`.

    Raises:
        ValueError: the channels are not divisible by b·b.

    Follows: mindspore.ops.DepthToSpace (2.10).
    """
    return rearrange(_depth_to_space, "DepthToSpace", x, block_size)


def windows(x: Tensor, ksizes: Size, strides: Size = 1, dilations: Size = 1, pads: Size = 0) -> Tensor:
    """Lay windows side by side: (n, c, h, w) becomes (n, c, kh·kw, windows).

    Args:
        x: shape (n, c, h, w).
        ksizes: an int or (height, width).
        strides: the distance of windows, likewise.
        dilations: the distance of neighbours in a window, likewise.
        pads: zeros around the image, likewise.

    Returns:
        A Tensor of shape (n, c, kh·kw, windows) and the dtype of `x`.

    Follows: mindspore.ops.Im2Col (2.10).
    """
    return rearrange(_windows, "Im2Col", x, ksizes, strides, dilations, pads)


def patches(
    input_x: Tensor, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str
) -> Tensor:
    """Return each window's pixels as channels, in the order (row, column, channel): (n, kh·kw·c, rows, columns).

    Args:
        input_x: shape (n, c, h, w).
        ksizes: (1, 1, kh, kw) or (1, kh, kw, 1).
        strides: as `ksizes`.
        rates: as `ksizes`: the dilation.
        padding: "VALID" or "SAME".

    Returns:
        A Tensor of shape (n, kh·kw·c, rows, columns) and the dtype of `input_x`.

    Follows: mindspore.ops.ExtractImagePatches (2.10).
    """
    return rearrange(_patches, "ExtractImagePatches", input_x, ksizes, strides, rates, padding)


def _space_to_depth(data: torch.Tensor, block: int) -> torch.Tensor:
    batch, channels, height, width = data.shape
    check_blocks(height, block)
    check_blocks(width, block)
    cut = data.reshape(batch, channels, height // block, block, width // block, block)
    return cut.permute(0, 3, 5, 1, 2, 4).reshape(batch, -1, height // block, width // block)


def _depth_to_space(data: torch.Tensor, block: int) -> torch.Tensor:
    batch, channels, height, width = data.shape
    check_blocks(channels, block * block)
    cut = data.reshape(batch, block, block, channels // (block * block), height, width)
    return cut.permute(0, 3, 4, 1, 5, 2).reshape(batch, -1, height * block, width * block)


def check_blocks(length: int, block: int) -> None:
    """Refuse an axis that does not divide into blocks."""
    if block < 1 or length % block:
        raise ValueError(f"an axis of length {length} does not divide into blocks of {block}.")


def _windows(data: torch.Tensor, ksizes: Any, strides: Any, dilations: Any, pads: Any) -> torch.Tensor:
    result = functional.unfold(data, ksizes, dilations, pads, strides)
    return result.unflatten(1, (data.size(1), -1))


def _patches(
    data: torch.Tensor, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str
) -> torch.Tensor:
    kernel, stride, rate = (_spatial(sizes) for sizes in (ksizes, strides, rates))
    if padding.upper() not in ("SAME", "VALID"):
        raise ValueError(f"padding must be 'SAME' or 'VALID', got {padding!r}.")
    reach = [(size - 1) * step + 1 for size, step in zip(kernel, rate, strict=True)]
    if padding.upper() == "SAME":
        lengths = zip(data.shape[2:], stride, reach, strict=True)
        missing = [max((-(-length // step) - 1) * step + size - length, 0) for length, step, size in lengths]
        data = functional.pad(data, [part for gap in reversed(missing) for part in (gap // 2, gap - gap // 2)])
    rows, columns = (
        (length - size) // step + 1 for length, size, step in zip(data.shape[2:], reach, stride, strict=True)
    )
    found = functional.unfold(data, kernel, rate, 0, stride).unflatten(1, (data.size(1), -1))
    return found.transpose(1, 2).reshape(data.size(0), -1, rows, columns)


def _spatial(sizes: Sequence[int]) -> tuple[int, int]:
    return (sizes[1], sizes[2]) if sizes[3] == 1 and sizes[1] != 1 else (sizes[2], sizes[3])
