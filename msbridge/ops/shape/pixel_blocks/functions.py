"""Moving blocks of pixels between space, channels and the batch; windows; runs reversed by length."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import long, rearrange, select_at
from msbridge.ops.kernel_calls.families import axis_within, plain_shape
from msbridge.ops.shape.pixel_blocks.kernels import Size, check_blocks

Pairs = Sequence[Sequence[int]]


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Turn channels into space: (…, c·r², h, w) becomes (…, c, h·r, w·r).

    Args:
        input: shape (..., c·r², h, w).
        upscale_factor: r.

    Returns:
        A Tensor of shape (..., c, h·r, w·r) and the dtype of `input`.

    Follows: mindspore.ops.pixel_shuffle (2.10).
    """
    return rearrange(_pixel_shuffle, "pixel_shuffle", input, upscale_factor)


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Turn space into channels: (…, c, h·r, w·r) becomes (…, c·r², h, w).

    Args:
        input: shape (..., c, h·r, w·r).
        downscale_factor: r.

    Returns:
        A Tensor of shape (..., c·r², h, w) and the dtype of `input`.

    Follows: mindspore.ops.pixel_unshuffle (2.10).
    """
    return rearrange(_pixel_unshuffle, "pixel_unshuffle", input, downscale_factor)


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """Interleave the channels of groups: (n, g·k, …) is read as (g, k) and written as (k, g).

    Args:
        x: shape (n, c, ...).
        groups: how many groups; it divides c.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.channel_shuffle (2.10).
    """
    return rearrange(_channel_shuffle, "channel_shuffle", x, groups)


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
    return rearrange(_space_to_batch, "space_to_batch_nd", input_x, block_size, paddings)


def batch_to_space_nd(input_x: Tensor, block_shape: Size, crops: Pairs) -> Tensor:
    """Turn the batch into blocks of the last axes, and cut `crops` off: the inverse of `space_to_batch_nd`.

    Args:
        input_x: shape (n, c, h, w).
        block_shape: the sizes of a block, one for both axes or one each; n is divisible by their product.
        crops: (before, after) for each of the two axes.

    Returns:
        A Tensor of the dtype of `input_x`: (n / blocks, c, h·b0 - crops, w·b1 - crops).

    Follows: mindspore.ops.batch_to_space_nd (2.10).
    """
    return rearrange(_batch_to_space, "batch_to_space_nd", input_x, block_shape, crops)


def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_dim` of each element i of the batch.

    Args:
        x: the Tensor.
        seq_lengths: one axis, as long as the batch; Int32 or Int64.
        seq_dim: along which to reverse.
        batch_dim: which axis is the batch.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.reverse_sequence (2.10).
    """
    return select_at(_reverse_sequence, "reverse_sequence", x, seq_lengths, seq_dim, batch_dim)


def unfold(input: Tensor, kernel_size: Size, dilation: Size = 1, padding: Size = 0, stride: Size = 1) -> Tensor:
    """Lay windows side by side: (n, c, h, w) becomes (n, c·kh·kw, windows).

    Args:
        input: shape (n, c, h, w); floats.
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding: zeros around the image, likewise.
        stride: the distance of windows, likewise.

    Returns:
        A Tensor of shape (n, c·kh·kw, windows) and the dtype of `input`.

    Follows: mindspore.ops.unfold (2.10).
    """
    return rearrange(functional.unfold, "unfold", input, kernel_size, dilation, padding, stride)


def fold(
    input: Tensor,
    output_size: Size | Tensor,
    kernel_size: Size,
    dilation: Size = 1,
    padding: Size = 0,
    stride: Size = 1,
) -> Tensor:
    """Add windows up where they were taken: (n, c·kh·kw, windows) becomes (n, c, h, w).

    Args:
        input: shape (n, c·kh·kw, windows); floats.
        output_size: (h, w), or an int for both.
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding: what was put around the image, likewise.
        stride: the distance of windows, likewise.

    Returns:
        A Tensor of shape (n, c, h, w) and the dtype of `input`.

    Follows: mindspore.ops.fold (2.10).
    """
    return rearrange(_fold, "fold", input, output_size, kernel_size, dilation, padding, stride)


def col2im(
    input_x: Tensor,
    output_size: Size | Tensor,
    kernel_size: Size,
    dilation: Size,
    padding_value: Size,
    stride: Size,
) -> Tensor:
    """Add windows up where they were taken: (n, c, kh·kw, windows) becomes (n, c, h, w).

    Args:
        input_x: shape (n, c, kh·kw, windows); floats.
        output_size: (h, w).
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding_value: what was put around the image, likewise.
        stride: the distance of windows, likewise.

    Returns:
        A Tensor of shape (n, c, h, w) and the dtype of `input_x`.

    Follows: mindspore.ops.col2im (2.10).
    """
    return rearrange(_fold, "col2im", input_x, output_size, kernel_size, dilation, padding_value, stride)


def _channel_shuffle(data: torch.Tensor, groups: int) -> torch.Tensor:
    return torch.channel_shuffle(data, groups)


def _space_to_batch(data: torch.Tensor, block_size: Size, paddings: Pairs) -> torch.Tensor:
    blocks = _block_sizes(block_size, paddings)
    data = functional.pad(data, [size for pair in reversed(paddings) for size in pair])
    first = data.dim() - len(blocks)
    shape = list(data.shape[:first])
    for length, block in zip(data.shape[first:], blocks, strict=True):
        check_blocks(length, block)
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


def _reverse_sequence(data: torch.Tensor, lengths: torch.Tensor, seq_dim: int, batch_dim: int) -> torch.Tensor:
    seq_dim, batch_dim = axis_within(data, seq_dim), axis_within(data, batch_dim)
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


def _pixel_unshuffle(data: torch.Tensor, factor: int) -> torch.Tensor:
    found = torch.pixel_unshuffle(data, factor)
    if found.numel() or data.shape[-1] % factor:
        return found
    *batch, channels, height, width = data.shape  # of no elements torch (2.13) leaves the shape, and has no gradient
    return data.reshape((*batch, channels * factor**2, height // factor, width // factor))


def _pixel_shuffle(data: torch.Tensor, factor: int) -> torch.Tensor:
    found = torch.pixel_shuffle(data, factor)
    return found if found.numel() else data.reshape(found.shape)
