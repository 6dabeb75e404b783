"""Computations that the faces of convolution share."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import per_axis
from msbridge.core.errors.explain import describe, explain, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.half_precision import convolving
from msbridge.ops.kernel_calls.memoization import memoize
from msbridge.ops.kernel_calls.windows import (
    Pairs,
    Sizes,
    befores,
    check_pad_mode,
    is_symmetric,
    pad,
    pad_pairs,
    same_pairs,
)

Convolution = Callable[[torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]


_CONVOLUTIONS = {1: convolving(F.conv1d), 2: convolving(F.conv2d), 3: convolving(F.conv3d)}


_TRANSPOSES = {
    1: convolving(F.conv_transpose1d),
    2: convolving(F.conv_transpose2d),
    3: convolving(F.conv_transpose3d),
}


@dataclass(frozen=True, slots=True)
class SettledConvolution:
    """A torch convolution with its settings: `fn(data, weight, bias)`."""

    fn: Callable[..., torch.Tensor]
    settings: tuple

    def __call__(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        return self.fn(data, weight, bias, *self.settings)


@dataclass(frozen=True, slots=True)
class SameConvolution:
    """A convolution of mode "same", whose padding depends on the input."""

    fn: Callable[..., torch.Tensor]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    group: int

    def __call__(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        pairs = same_pairs(data.shape[2:], weight.shape[2:], self.stride, self.dilation)
        if is_symmetric(pairs):
            return self.fn(data, weight, bias, self.stride, befores(pairs), self.dilation, self.group)
        return self.fn(pad(data, pairs), weight, bias, self.stride, 0, self.dilation, self.group)


@dataclass(frozen=True, slots=True)
class _Padded:
    """A convolution whose padding differs between the sides."""

    fn: Convolution
    pairs: Pairs

    def __call__(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        return self.fn(pad(data, self.pairs), weight, bias)


@memoize
@explaining
def convolution(
    rank: int,
    op: str,
    stride: Sizes,
    pad_mode: str,
    padding: Sizes,
    dilation: Sizes,
    group: int,
    kernel_size: tuple[int, ...] | None = None,
) -> Convolution:
    """Choose the torch function of a convolution once: `fn(data, weight, bias)`.

    With `kernel_size`, mode "same" of stride 1 is a fixed padding.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or does not go with `pad_mode`.
    """
    mode = check_pad_mode(pad_mode, padding, op)
    fn = _CONVOLUTIONS[rank]
    steps, gaps = per_axis(stride, "stride", op, rank), per_axis(dilation, "dilation", op, rank)
    if mode == "valid":
        return SettledConvolution(fn, (steps, 0, gaps, group))
    if mode == "same" and (kernel_size is None or max(steps) > 1):
        return SameConvolution(fn, steps, gaps, group)
    pairs = same_pairs(kernel_size, kernel_size, steps, gaps) if mode == "same" else pad_pairs(padding, rank, op)
    if is_symmetric(pairs):
        return SettledConvolution(fn, (steps, befores(pairs), gaps, group))
    return _Padded(SettledConvolution(fn, (steps, 0, gaps, group)), pairs)


@explaining
def transposed_convolution(
    rank: int,
    op: str,
    kernel_size: tuple[int, ...],
    stride: Sizes,
    pad_mode: str,
    padding: Sizes,
    dilation: Sizes,
    group: int,
    output_padding: Sizes = 0,
) -> Convolution:
    """Choose the torch function of a transposed convolution once: `fn(data, weight, bias)`.

    With k the dilated kernel, an axis of n becomes n·stride ("same"), n·stride + max(k - stride, 0) ("valid"), or
    (n - 1)·stride + k - before - after + output_padding ("pad").

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or does not go with `pad_mode`.
    """
    mode = check_pad_mode(pad_mode, padding, op)
    steps, gaps = per_axis(stride, "stride", op, rank), per_axis(dilation, "dilation", op, rank)
    extra = per_axis(output_padding, "output_padding", op, rank, 0)
    if mode != "pad":
        if any(extra):
            raise ValueError(
                f"For '{op}', output_padding must be 0 when pad_mode is {pad_mode!r}, got {output_padding!r}."
            )
        lengths = [gap * (size - 1) + 1 for size, gap in zip(kernel_size, gaps, strict=True)]
        over = [length - step for length, step in zip(lengths, steps, strict=True)]
        extra = tuple(max(-excess, 0) for excess in over)
        cut = [max(excess, 0) if mode == "same" else 0 for excess in over]
        pairs: Pairs = tuple((total // 2, total - total // 2) for total in cut)
    else:
        pairs = pad_pairs(padding, rank, op)
    shared = tuple(min(pair) for pair in pairs)
    fn = SettledConvolution(_TRANSPOSES[rank], (steps, shared, extra, group, gaps))
    if is_symmetric(pairs):
        return fn
    crops = tuple((before - both, after - both) for (before, after), both in zip(pairs, shared, strict=True))
    return _Cropped(fn, crops)


@dataclass(frozen=True, slots=True)
class _Cropped:
    """A transposed convolution of whose result the borders are cut off."""

    fn: Convolution
    crops: Pairs

    def __call__(self, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        result = self.fn(data, weight, bias)
        sizes = zip(self.crops, result.shape[2:], strict=True)
        parts = [slice(before, size - after) for (before, after), size in sizes]
        return result[(slice(None), slice(None), *parts)]


def apply_convolution(fn: Convolution, op: str, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Apply a function that `convolution` or `transposed_convolution` chose."""
    try:
        return wrap(fn(input._data, weight._data, None if bias is None else bias._data))
    except Exception as error:
        raise explain_convolution(error, op, input, weight, bias) from error


def explain_convolution(error: Exception, op: str, input: Tensor, weight: Tensor, bias: Tensor | None) -> Exception:
    """Return the exception for inputs that do not fit in a convolution."""
    if not hasattr(input, "_data") or not hasattr(weight, "_data"):
        return explain(error, op, input=input, weight=weight, bias=bias)
    rank = weight._data.dim()
    if input._data.dim() != rank and "input to conv" not in str(error):
        return ValueError(f"For '{op}', the input must have {rank} axes, got {describe(input)}.")
    return explain(error, op, input=input, weight=weight, bias=bias)


def explain_linear(error: Exception, op: str, **arguments: object) -> Exception:
    """Return the exception for inputs that do not fit in a product of matrices: sizes are a ValueError."""
    if "cannot be multiplied" in str(error) or "size mismatch" in str(error):
        shapes = ", ".join(f"{name}={describe(value)}" for name, value in arguments.items() if value is not None)
        return ValueError(f"For '{op}', the last axes of input and weight must be equally long, got {shapes}.")
    return explain(error, op, **arguments)


def deformable_offsets(
    data: torch.Tensor,
    offsets: torch.Tensor,
    kernel_size: tuple[int, int],
    strides: tuple[int, ...],
    padding: tuple[int, int, int, int],
    dilations: tuple[int, ...],
    groups: int,
) -> torch.Tensor:
    """Sample `data` at the moved positions of each window: shape (N, C, H_out·K_h, W_out·K_w)."""
    batch, channels, height, width = data.shape
    k_h, k_w = kernel_size
    out_h, out_w = offsets.shape[2:]
    moves = offsets.reshape(batch, 3, groups, k_h, k_w, out_h, out_w)
    rows = _positions(out_h, strides[2], padding[0], k_h, dilations[2], data)[None, None, :, None, :, None]
    columns = _positions(out_w, strides[3], padding[2], k_w, dilations[3], data)[None, None, None, :, None, :]
    x = (columns + moves[:, 0]).permute(0, 1, 4, 2, 5, 3).reshape(batch * groups, out_h * k_h, out_w * k_w)
    y = (rows + moves[:, 1]).permute(0, 1, 4, 2, 5, 3).reshape(batch * groups, out_h * k_h, out_w * k_w)
    scale = moves[:, 2].permute(0, 1, 4, 2, 5, 3).reshape(batch * groups, 1, out_h * k_h, out_w * k_w)
    grid = torch.stack(((2 * x + 1) / width - 1, (2 * y + 1) / height - 1), -1)
    source = data.reshape(batch * groups, channels // groups, height, width)
    sampled = F.grid_sample(source, grid.to(data.dtype), align_corners=False) * scale
    return sampled.reshape(batch, channels, out_h * k_h, out_w * k_w)


def _positions(count: int, stride: int, before: int, kernel: int, dilation: int, like: torch.Tensor) -> torch.Tensor:
    """Return the position of each element of each window: shape (kernel, count)."""
    starts = torch.arange(count, device=like.device, dtype=like.dtype) * stride - before
    return starts[None, :] + torch.arange(kernel, device=like.device, dtype=like.dtype)[:, None] * dilation
