"""Pooling: the largest, the mean or a norm of each window, and its inverse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.arguments import per_axis
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.windows import (
    Pairs,
    Sizes,
    befores,
    check_pad_mode,
    explain_window,
    is_symmetric,
    pad,
    pad_pairs,
    same_pairs,
)

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "lp_pool1d",
    "lp_pool2d",
    "max_pool2d",
    "max_pool3d",
]

Pooling = Callable[[torch.Tensor], Any]
_AVERAGES: dict[int, Callable[..., torch.Tensor]] = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
_MAXIMA: dict[int, Callable[..., torch.Tensor]] = {1: torch.max_pool1d, 2: torch.max_pool2d, 3: torch.max_pool3d}
_INDEXED: dict[int, Callable[..., Any]] = {
    1: F.max_pool1d_with_indices,
    2: F.max_pool2d_with_indices,
    3: F.max_pool3d_with_indices,
}


def avg_pool1d(
    input_x: Tensor,
    kernel_size: Sizes = 1,
    stride: Sizes = 1,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Give the mean of each window over the last axis.

    Follows: mindspore.ops.avg_pool1d (2.10).
    """
    fn = average_pooling(1, "avg_pool1d", kernel_size, stride, "pad", padding, ceil_mode, count_include_pad)
    return pool(fn, "avg_pool1d", input_x)


def avg_pool2d(
    input_x: Tensor,
    kernel_size: Sizes = 1,
    stride: Sizes = 1,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Give the mean of each window over the last two axes.

    Args:
        input_x: shape (N, C, H, W).
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        padding: an int, (height, width) or (top, bottom, left, right); zeros.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead; 0 for none.

    Follows: mindspore.ops.avg_pool2d (2.10).
    """
    settings = (kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)
    return pool(average_pooling(2, "avg_pool2d", *settings), "avg_pool2d", input_x)


def avg_pool3d(
    input_x: Tensor,
    kernel_size: Sizes = 1,
    stride: Sizes = 1,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Give the mean of each window over the last three axes.

    Follows: mindspore.ops.avg_pool3d (2.10).
    """
    settings = (kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)
    return pool(average_pooling(3, "avg_pool3d", *settings), "avg_pool3d", input_x)


def max_pool2d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """Give the largest element of each window over the last two axes.

    Args:
        x: shape (N, C, H, W).
        kernel_size: an int or (height, width).
        stride: an int or (height, width); None for `kernel_size`.
        padding: an int or (height, width), at most half the kernel; minus infinity.
        dilation: gaps between the elements of a window.
        return_indices: whether to give (values, Int64 positions in the plane) instead.
        ceil_mode: whether a window that runs over the end counts.

    Follows: mindspore.ops.max_pool2d (2.10).
    """
    stride = kernel_size if stride is None else stride
    settings = (kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)
    return pool(max_pooling(2, "max_pool2d", *settings), "max_pool2d", x)


def max_pool3d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Give the largest element of each window over the last three axes.

    Follows: mindspore.ops.max_pool3d (2.10).
    """
    stride = kernel_size if stride is None else stride
    settings = (kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)
    return pool(max_pooling(3, "max_pool3d", *settings), "max_pool3d", x)


def max_pooling(
    rank: int,
    op: str,
    kernel_size: Sizes,
    stride: Sizes,
    pad_mode: str,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Pooling:
    """Choose the torch function of a max pooling once.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or does not go with `pad_mode`.
    """
    mode = check_pad_mode(pad_mode, padding, op, is_any_case=True)
    kernel, steps = per_axis(kernel_size, "kernel_size", op, rank), per_axis(stride, "stride", op, rank)
    gaps = per_axis(dilation, "dilation", op, rank)
    fn = (_INDEXED if return_indices else _MAXIMA)[rank]
    rest = (gaps, bool(ceil_mode))
    if mode == "same":
        return _SameMaximum(fn, kernel, steps, rest)
    pairs = pad_pairs(padding, rank, op)
    if any(2 * max(pair) > length for pair, length in zip(pairs, kernel, strict=True)):
        raise ValueError(f"For '{op}', padding must be at most half of kernel_size {kernel}, got {padding!r}.")
    if is_symmetric(pairs):
        return _Settled(fn, (kernel, steps, befores(pairs), *rest))
    return _PaddedMaximum(_Settled(fn, (kernel, steps, 0, *rest)), pairs)


@dataclass(frozen=True, slots=True)
class _Settled:
    """A torch pooling with its settings: `fn(data)`."""

    fn: Callable[..., Any]
    settings: tuple

    def __call__(self, data: torch.Tensor) -> Any:
        return self.fn(data, *self.settings)


@dataclass(frozen=True, slots=True)
class _PaddedMaximum:
    """A max pooling whose padding differs between the sides, or is more than torch allows."""

    fn: Pooling
    pairs: Pairs

    def __call__(self, data: torch.Tensor) -> Any:
        lowest = -float("inf") if data.is_floating_point() else torch.iinfo(data.dtype).min
        return self.fn(pad(data, self.pairs, lowest))


@dataclass(frozen=True, slots=True)
class _SameMaximum:
    """A max pooling of mode "same", whose padding depends on the input."""

    fn: Callable[..., Any]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    rest: tuple

    def __call__(self, data: torch.Tensor) -> Any:
        pairs = same_pairs(data.shape[-len(self.kernel) :], self.kernel, self.stride, self.rest[0])
        if _is_native(pairs, self.kernel):
            return self.fn(data, self.kernel, self.stride, befores(pairs), *self.rest)
        return _PaddedMaximum(_Settled(self.fn, (self.kernel, self.stride, 0, *self.rest)), pairs)(data)


def _is_native(pairs: Pairs, kernel: tuple[int, ...]) -> bool:
    """Whether torch's own padding can do: equal on both sides, and at most half the kernel."""
    return all(before == after and 2 * before <= size for (before, after), size in zip(pairs, kernel, strict=True))


def average_pooling(
    rank: int,
    op: str,
    kernel_size: Sizes,
    stride: Sizes,
    pad_mode: str,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    counts_same: bool = False,
) -> Pooling:
    """Choose the torch function of a mean pooling once.

    With `counts_same` the mode "same" counts its padding; else it divides by what lies inside the input.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or does not go with `pad_mode`.
    """
    mode = check_pad_mode(pad_mode, padding, op, is_any_case=True)
    kernel, steps = per_axis(kernel_size, "kernel_size", op, rank), per_axis(stride, "stride", op, rank)
    if divisor_override is not None and divisor_override < 0:
        raise ValueError(f"For '{op}', divisor_override must be > 0, got {divisor_override}.")
    divisor = divisor_override or None
    fn = _AVERAGES[rank]
    includes = bool(count_include_pad)
    divisors = (divisor,) if rank > 1 else ()
    if mode == "same":
        return _SameAverage(fn, kernel, steps, bool(ceil_mode), includes and counts_same, divisors)
    pairs = pad_pairs(padding, rank, op)
    if any(sum(pair) > length for pair, length in zip(pairs, kernel, strict=True)):
        raise ValueError(f"For '{op}', padding must be at most half of kernel_size {kernel}, got {padding!r}.")
    if is_symmetric(pairs):
        return _Settled(fn, (kernel, steps, befores(pairs), bool(ceil_mode), includes, *divisors))
    return _PaddedAverage(_Settled(fn, (kernel, steps, 0, bool(ceil_mode), True, *divisors)), pairs, includes)


@dataclass(frozen=True, slots=True)
class _PaddedAverage:
    """A mean pooling whose padding differs between the sides, or is more than torch allows."""

    fn: _Settled
    pairs: Pairs
    counts_pad: bool

    def __call__(self, data: torch.Tensor) -> torch.Tensor:
        means = self.fn(pad(data, self.pairs))
        has_divisor = len(self.fn.settings) == 6 and self.fn.settings[5] is not None
        if self.counts_pad or has_divisor:
            return means
        rank = len(self.pairs)
        inside = torch.ones((1, 1, *data.shape[-rank:]), dtype=data.dtype, device=data.device)
        return means / self.fn(pad(inside, self.pairs)).reshape(means.shape[-rank:])


@dataclass(frozen=True, slots=True)
class _SameAverage:
    """A mean pooling of mode "same", whose padding depends on the input."""

    fn: Callable[..., torch.Tensor]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    ceil_mode: bool
    counts_pad: bool
    divisors: tuple

    def __call__(self, data: torch.Tensor) -> torch.Tensor:
        pairs = same_pairs(data.shape[-len(self.kernel) :], self.kernel, self.stride, (1,) * len(self.kernel))
        rest = (self.ceil_mode, self.counts_pad, *self.divisors)
        if _is_native(pairs, self.kernel):
            return self.fn(data, self.kernel, self.stride, befores(pairs), *rest)
        settled = _Settled(self.fn, (self.kernel, self.stride, 0, self.ceil_mode, True, *self.divisors))
        return _PaddedAverage(settled, pairs, self.counts_pad)(data)


def pool(fn: Pooling, op: str, input: Tensor) -> Any:
    """Apply a function that `max_pooling` or `average_pooling` chose; indices make a pair."""
    try:
        result = fn(input._data)
        return wrap(result) if isinstance(result, torch.Tensor) else (wrap(result[0]), wrap(result[1]))
    except Exception as error:
        raise explain_window(error, op, input=input) from error


def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Give `output_size` means over the last axis.

    Follows: mindspore.ops.adaptive_avg_pool1d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool1d, output_size=output_size), "adaptive_avg_pool1d", input)


def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[int | None]) -> Tensor:
    """Give `output_size` means over the last two axes; None keeps an axis.

    Follows: mindspore.ops.adaptive_avg_pool2d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool2d, output_size=output_size), "adaptive_avg_pool2d", input)


def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[int | None]) -> Tensor:
    """Give `output_size` means over the last three axes; None keeps an axis.

    Follows: mindspore.ops.adaptive_avg_pool3d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool3d, output_size=output_size), "adaptive_avg_pool3d", input)


def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Give `output_size` maxima over the last axis.

    Follows: mindspore.ops.adaptive_max_pool1d (2.10).
    """
    return pool(partial(F.adaptive_max_pool1d, output_size=output_size), "adaptive_max_pool1d", input)


def adaptive_max_pool2d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    """Give `output_size` maxima over the last two axes; with `return_indices` (values, Int64 positions).

    Follows: mindspore.ops.adaptive_max_pool2d (2.10).
    """
    fn = partial(F.adaptive_max_pool2d, output_size=output_size, return_indices=return_indices)
    return pool(fn, "adaptive_max_pool2d", input)


def adaptive_max_pool3d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    """Give `output_size` maxima over the last three axes; with `return_indices` (values, Int32 positions).

    Follows: mindspore.ops.adaptive_max_pool3d (2.10).
    """
    fn = partial(F.adaptive_max_pool3d, output_size=output_size, return_indices=return_indices)
    result = pool(fn, "adaptive_max_pool3d", input)
    return (result[0], wrap(result[1]._data.int())) if return_indices else result


def lp_pool1d(
    x: Tensor, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
) -> Tensor:
    """Give the p-norm of each window over the last axis, p = `norm_type`.

    Follows: mindspore.ops.lp_pool1d (2.10).
    """
    fn = partial(F.lp_pool1d, norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)
    return pool(fn, "lp_pool1d", x)


def lp_pool2d(
    x: Tensor, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
) -> Tensor:
    """Give the p-norm of each window over the last two axes, p = `norm_type`.

    Follows: mindspore.ops.lp_pool2d (2.10).
    """
    fn = partial(F.lp_pool2d, norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)
    return pool(fn, "lp_pool2d", x)
