"""Pooling: the largest, the mean or a norm of each window, and its inverse."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops._window import (
    Pairs,
    Sizes,
    befores,
    check_pad_mode,
    explain_window,
    is_symmetric,
    pad,
    pad_pairs,
    per_axis,
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
    "fractional_max_pool2d",
    "fractional_max_pool3d",
    "lp_pool1d",
    "lp_pool2d",
    "max_pool2d",
    "max_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
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
    kernel, steps = per_axis(kernel_size, rank, "kernel_size", op), per_axis(stride, rank, "stride", op)
    gaps = per_axis(dilation, rank, "dilation", op)
    settings = {"kernel_size": kernel, "stride": steps, "dilation": gaps, "ceil_mode": bool(ceil_mode)}
    fn = partial((_INDEXED if return_indices else _MAXIMA)[rank], **settings)
    if mode == "same":
        return partial(_max_pool_same, fn)
    if mode == "valid":
        return fn
    pairs = pad_pairs(padding, rank, op)
    if any(2 * max(pair) > length for pair, length in zip(pairs, kernel, strict=True)):
        raise ValueError(f"For '{op}', padding must be at most half of kernel_size {kernel}, got {padding!r}.")
    return partial(fn, padding=befores(pairs)) if is_symmetric(pairs) else partial(_max_pool_padded, fn, pairs)


def _max_pool_same(fn: partial[Any], data: torch.Tensor) -> Any:
    settings = fn.keywords
    kernel, rank = settings["kernel_size"], len(settings["kernel_size"])
    pairs = same_pairs(data.shape[-rank:], kernel, settings["stride"], settings["dilation"])
    if is_symmetric(pairs) and all(2 * before <= size for (before, _), size in zip(pairs, kernel, strict=True)):
        return fn(data, padding=befores(pairs))
    return _max_pool_padded(fn, pairs, data)


def _max_pool_padded(fn: partial[Any], pairs: Pairs, data: torch.Tensor) -> Any:
    lowest = -float("inf") if data.is_floating_point() else torch.iinfo(data.dtype).min
    return fn(pad(data, pairs, lowest))


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
    kernel, steps = per_axis(kernel_size, rank, "kernel_size", op), per_axis(stride, rank, "stride", op)
    if divisor_override is not None and divisor_override < 0:
        raise ValueError(f"For '{op}', divisor_override must be > 0, got {divisor_override}.")
    divisor = divisor_override or None
    shared = {"kernel_size": kernel, "stride": steps, "ceil_mode": bool(ceil_mode)}
    if mode == "valid" or rank > 1:
        fn = partial(_AVERAGES[rank], **shared, **({"divisor_override": divisor} if divisor else {}))
    else:
        fn = partial(_AVERAGES[rank], **shared)
    includes = bool(count_include_pad)
    if mode == "valid":
        return fn
    if mode == "same":
        return partial(_average_same, fn, includes and counts_same)
    pairs = pad_pairs(padding, rank, op)
    if any(sum(pair) > length for pair, length in zip(pairs, kernel, strict=True)):
        raise ValueError(f"For '{op}', padding must be at most half of kernel_size {kernel}, got {padding!r}.")
    if is_symmetric(pairs):
        return partial(fn, padding=befores(pairs), count_include_pad=includes)
    return partial(_average_padded, fn, pairs, includes)


def _average_same(fn: partial[torch.Tensor], counts_pad: bool, data: torch.Tensor) -> torch.Tensor:
    kernel, rank = fn.keywords["kernel_size"], len(fn.keywords["kernel_size"])
    pairs = same_pairs(data.shape[-rank:], kernel, fn.keywords["stride"], (1,) * rank)
    if is_symmetric(pairs) and all(2 * before <= size for (before, _), size in zip(pairs, kernel, strict=True)):
        return fn(data, padding=befores(pairs), count_include_pad=counts_pad)
    return _average_padded(fn, pairs, counts_pad, data)


def _average_padded(fn: partial[torch.Tensor], pairs: Pairs, counts_pad: bool, data: torch.Tensor) -> torch.Tensor:
    means = fn(pad(data, pairs))
    if counts_pad or "divisor_override" in fn.keywords:
        return means
    inside = torch.ones((1, 1, *data.shape[-len(pairs) :]), dtype=data.dtype, device=data.device)
    return means / fn(pad(inside, pairs)).reshape(means.shape[-len(pairs) :])


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


def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Put the values of a max pooling over one axis back where `indices` say; zeros elsewhere.

    Follows: mindspore.ops.max_unpool1d (2.10).
    """
    return _unpool(F.max_unpool1d, "max_unpool1d", x, indices, (kernel_size, stride, padding, output_size))


def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Put the values of a max pooling over two axes back where `indices` say; zeros elsewhere.

    Follows: mindspore.ops.max_unpool2d (2.10).
    """
    return _unpool(F.max_unpool2d, "max_unpool2d", x, indices, (kernel_size, stride, padding, output_size))


def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Put the values of a max pooling over three axes back where `indices` say; zeros elsewhere.

    Follows: mindspore.ops.max_unpool3d (2.10).
    """
    return _unpool(F.max_unpool3d, "max_unpool3d", x, indices, (kernel_size, stride, padding, output_size))


def _unpool(fn: Callable[..., torch.Tensor], op: str, x: Tensor, indices: Tensor, settings: tuple) -> Tensor:
    try:
        return wrap(fn(x._data, indices._data.long(), *settings))
    except Exception as error:
        raise explain(error, op, x=x, indices=indices) from error


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | tuple[float, float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Give the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Follows: mindspore.ops.fractional_max_pool2d (2.10).
    """
    settings = (kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return _fractional(F.fractional_max_pool2d, "fractional_max_pool2d", input, *settings)


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | tuple[float, float, float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Give the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Follows: mindspore.ops.fractional_max_pool3d (2.10).
    """
    settings = (kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return _fractional(F.fractional_max_pool3d, "fractional_max_pool3d", input, *settings)


def _fractional(
    fn: Callable[..., Any],
    op: str,
    input: Tensor,
    kernel_size: Sizes,
    output_size: Any,
    output_ratio: Any,
    return_indices: bool,
    samples: Tensor | None,
) -> Any:
    if (output_size is None) == (output_ratio is None):
        raise ValueError(f"For '{op}', give exactly one of output_size and output_ratio.")
    rank = 2 if op.endswith("2d") else 3
    ratio = (output_ratio,) * rank if isinstance(output_ratio, float) else output_ratio
    drawn = None if samples is None else samples._data
    return pool(
        partial(
            fn,
            kernel_size=kernel_size,
            output_size=output_size,
            output_ratio=ratio,
            return_indices=return_indices,
            _random_samples=drawn,
        ),
        op,
        input,
    )
