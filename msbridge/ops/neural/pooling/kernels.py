"""Computations that the faces of pooling share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import per_axis
from msbridge.core.errors.explain import explaining, refuse
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.memoization import memoize
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype
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
from msbridge.ops.neural.pooling.maxima import max_pool2d

Pooling = Callable[[torch.Tensor], Any]


_AVERAGES: dict[int, Callable[..., torch.Tensor]] = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


_MAXIMA: dict[int, Callable[..., torch.Tensor]] = {1: torch.max_pool1d, 2: max_pool2d, 3: torch.max_pool3d}


_INDEXED: dict[int, Callable[..., Any]] = {
    1: F.max_pool1d_with_indices,
    2: F.max_pool2d_with_indices,
    3: F.max_pool3d_with_indices,
}


@memoize
@explaining
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
        most = f"For '{op}', padding must be at most half of kernel_size {kernel}, got {padding!r}."
        raise refuse(ValueError(most), is_late=True)
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


@memoize
@explaining
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
        return retry_in_wider_dtype(error, op, pool, fn, op, input, input=input)
