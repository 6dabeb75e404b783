"""Moving blocks of pixels between space, channels and the batch; windows; runs reversed by length."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from msbridge.core.tensor import Tensor
from msbridge.ops.families import plain_shape
from msbridge.ops.moving import long, moved, picked

Size = int | Sequence[int]
Pairs = Sequence[Sequence[int]]


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Turn channels into space: (…, c·r², h, w) becomes (…, c, h·r, w·r).

    Follows: mindspore.ops.pixel_shuffle (2.10).
    """
    return moved(torch.pixel_shuffle, "pixel_shuffle", input, upscale_factor)


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Turn space into channels: (…, c, h·r, w·r) becomes (…, c·r², h, w).

    Follows: mindspore.ops.pixel_unshuffle (2.10).
    """
    return moved(torch.pixel_unshuffle, "pixel_unshuffle", input, downscale_factor)


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """Interleave the channels of groups: (n, g·k, …) is read as (g, k) and written as (k, g).

    Follows: mindspore.ops.channel_shuffle (2.10).
    """
    return moved(_channel_shuffle, "channel_shuffle", x, groups)


def space_to_depth(x: Tensor, block_size: int) -> Tensor:
    """Turn blocks of b·b pixels into channels: (n, c, h, w) becomes (n, b·b·c, h/b, w/b).

    Raises:
        ValueError: h or w is not divisible by `block_size`.

    Follows: mindspore.ops.SpaceToDepth (2.10).
    """
    return moved(_space_to_depth, "SpaceToDepth", x, block_size)


def depth_to_space(x: Tensor, block_size: int) -> Tensor:
    """Turn channels into blocks of b·b pixels: (n, b·b·c, h, w) becomes (n, c, h·b, w·b).

    Raises:
        ValueError: the channels are not divisible by b·b.

    Follows: mindspore.ops.DepthToSpace (2.10).
    """
    return moved(_depth_to_space, "DepthToSpace", x, block_size)


def space_to_batch_nd(input_x: Tensor, block_size: Size, paddings: Pairs) -> Tensor:
    """Turn blocks of the last axes into the batch, after padding them with zeros.

    Args:
        input_x: shape (n, …, s1, …, sk).
        block_size: the k block lengths.
        paddings: (before, after) of each of the k axes; the padded lengths are divisible by the blocks.

    Returns:
        shape (b1·…·bk·n, …, s1/b1, …, sk/bk).

    Follows: mindspore.ops.space_to_batch_nd (2.10).
    """
    return moved(_space_to_batch, "space_to_batch_nd", input_x, block_size, paddings)


def batch_to_space_nd(input_x: Tensor, block_shape: Size, crops: Pairs) -> Tensor:
    """Turn the batch into blocks of the last axes, and cut `crops` off: the inverse of `space_to_batch_nd`.

    Follows: mindspore.ops.batch_to_space_nd (2.10).
    """
    return moved(_batch_to_space, "batch_to_space_nd", input_x, block_shape, crops)


def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_dim` of each element i of the batch.

    Args:
        x: the Tensor.
        seq_lengths: one axis, as long as the batch; Int32 or Int64.
        seq_dim: along which to reverse.
        batch_dim: which axis is the batch.

    Follows: mindspore.ops.reverse_sequence (2.10).
    """
    return picked(_reverse_sequence, "reverse_sequence", x, seq_lengths, seq_dim, batch_dim)


def unfold(input: Tensor, kernel_size: Size, dilation: Size = 1, padding: Size = 0, stride: Size = 1) -> Tensor:
    """Lay windows side by side: (n, c, h, w) becomes (n, c·kh·kw, windows).

    Follows: mindspore.ops.unfold (2.10).
    """
    return moved(functional.unfold, "unfold", input, kernel_size, dilation, padding, stride)


def fold(
    input: Tensor,
    output_size: Size | Tensor,
    kernel_size: Size,
    dilation: Size = 1,
    padding: Size = 0,
    stride: Size = 1,
) -> Tensor:
    """Add windows up where they were taken: (n, c·kh·kw, windows) becomes (n, c, h, w).

    Follows: mindspore.ops.fold (2.10).
    """
    return moved(_fold, "fold", input, output_size, kernel_size, dilation, padding, stride)


def col2im(
    input_x: Tensor,
    output_size: Size | Tensor,
    kernel_size: Size,
    dilation: Size,
    padding_value: Size,
    stride: Size,
) -> Tensor:
    """Add windows up where they were taken: (n, c, kh·kw, windows) becomes (n, c, h, w).

    Follows: mindspore.ops.col2im (2.10).
    """
    return moved(_fold, "col2im", input_x, output_size, kernel_size, dilation, padding_value, stride)


def windows(x: Tensor, ksizes: Size, strides: Size = 1, dilations: Size = 1, pads: Size = 0) -> Tensor:
    """Lay windows side by side: (n, c, h, w) becomes (n, c, kh·kw, windows).

    Follows: mindspore.ops.Im2Col (2.10).
    """
    return moved(_windows, "Im2Col", x, ksizes, strides, dilations, pads)


def patches(
    input_x: Tensor, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str
) -> Tensor:
    """Give each window's pixels as channels, in the order (row, column, channel): (n, kh·kw·c, rows, columns).

    Args:
        input_x: shape (n, c, h, w).
        ksizes: (1, 1, kh, kw) or (1, kh, kw, 1).
        strides: as `ksizes`.
        rates: as `ksizes`: the dilation.
        padding: "VALID" or "SAME".

    Follows: mindspore.ops.ExtractImagePatches (2.10).
    """
    return moved(_patches, "ExtractImagePatches", input_x, ksizes, strides, rates, padding)


def _channel_shuffle(data: torch.Tensor, groups: int) -> torch.Tensor:
    return torch.channel_shuffle(data, groups)


def _space_to_depth(data: torch.Tensor, block: int) -> torch.Tensor:
    batch, channels, height, width = data.shape
    _check_blocks(height, block)
    _check_blocks(width, block)
    cut = data.reshape(batch, channels, height // block, block, width // block, block)
    return cut.permute(0, 3, 5, 1, 2, 4).reshape(batch, -1, height // block, width // block)


def _depth_to_space(data: torch.Tensor, block: int) -> torch.Tensor:
    batch, channels, height, width = data.shape
    _check_blocks(channels, block * block)
    cut = data.reshape(batch, block, block, channels // (block * block), height, width)
    return cut.permute(0, 3, 4, 1, 5, 2).reshape(batch, -1, height * block, width * block)


def _space_to_batch(data: torch.Tensor, block_size: Size, paddings: Pairs) -> torch.Tensor:
    blocks = _block_sizes(block_size, paddings)
    data = functional.pad(data, [size for pair in reversed(paddings) for size in pair])
    first = data.dim() - len(blocks)
    shape = list(data.shape[:first])
    for length, block in zip(data.shape[first:], blocks, strict=True):
        _check_blocks(length, block)
        shape += [length // block, block]
    inner = range(first + 1, len(shape), 2)
    order = [*inner, *range(first), *range(first, len(shape), 2)]
    result = data.reshape(shape).permute(order)
    return result.reshape(-1, *result.shape[len(blocks) + 1 :])


def _batch_to_space(data: torch.Tensor, block_shape: Size, crops: Pairs) -> torch.Tensor:
    blocks = _block_sizes(block_shape, crops)
    count, first = len(blocks), data.dim() - len(blocks)
    result = data.reshape(*blocks, -1, *data.shape[1:])
    order = list(range(count, count + first))
    for axis in range(count):
        order += [count + first + axis, axis]
    result = result.permute(order)
    lengths = [length * block for length, block in zip(data.shape[first:], blocks, strict=True)]
    result = result.reshape(*result.shape[:first], *lengths)
    for axis, (before, after) in enumerate(crops):
        result = result.narrow(first + axis, before, lengths[axis] - before - after)
    return result


def _block_sizes(blocks: Size, pairs: Pairs) -> tuple[int, ...]:
    return (blocks,) * len(pairs) if isinstance(blocks, int) else plain_shape(blocks)


def _check_blocks(length: int, block: int) -> None:
    if block < 1 or length % block:
        raise ValueError(f"an axis of length {length} does not divide into blocks of {block}.")


def _reverse_sequence(data: torch.Tensor, lengths: torch.Tensor, seq_dim: int, batch_dim: int) -> torch.Tensor:
    seq_dim, batch_dim = seq_dim % data.dim(), batch_dim % data.dim()
    places = torch.arange(data.size(seq_dim), device=data.device)
    ends = long(lengths).unsqueeze(1)
    places = torch.where(places < ends, ends - 1 - places, places)
    shape = [1] * data.dim()
    shape[batch_dim], shape[seq_dim] = data.size(batch_dim), data.size(seq_dim)
    places = places.reshape(shape) if batch_dim < seq_dim else places.t().reshape(shape)
    return torch.gather(data, seq_dim, places.expand_as(data))


def _fold(
    data: torch.Tensor, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> torch.Tensor:
    size = plain_shape(output_size)
    if data.dim() == 4:
        data = data.flatten(1, 2)
    return functional.fold(data, size, kernel_size, dilation, padding, stride)


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


__all__ = [
    "batch_to_space_nd",
    "channel_shuffle",
    "col2im",
    "fold",
    "pixel_shuffle",
    "pixel_unshuffle",
    "reverse_sequence",
    "space_to_batch_nd",
    "unfold",
]
