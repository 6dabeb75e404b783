"""Pooling: the largest, the mean or a norm of each window, and its inverse."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling.kernels import average_pooling, max_pooling, pool


def avg_pool1d(
    input_x: Tensor,
    kernel_size: Sizes = 1,
    stride: Sizes = 1,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Return the mean of each window over the last axis.

    Args:
        input_x: shape (N, C, L); floats.
        kernel_size: the length of the windows.
        stride: from a window to the next.
        padding: zeros at each side.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.

    Returns:
        A Tensor of shape (N, C, L_out) and the dtype of `input_x`.

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
    *,
    strides: Sizes | None = None,
) -> Tensor:
    """Return the mean of each window over the last two axes.

    Args:
        input_x: shape (N, C, H, W).
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        padding: an int, (height, width) or (top, bottom, left, right); zeros.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead; 0 for none.
        strides: the older name of `stride`.

    Returns:
        A Tensor of shape (N, C, H_out, W_out) and the dtype of `input_x`.

    Follows: mindspore.ops.avg_pool2d (2.10), and of 1.10 for `strides`.
    """
    stride = stride if strides is None else strides
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
    """Return the mean of each window over the last three axes.

    Args:
        input_x: shape (N, C, D, H, W); floats.
        kernel_size: an int or (depth, height, width).
        stride: from a window to the next, likewise.
        padding: zeros: an int, three or six.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead; 0 for none.

    Returns:
        A Tensor of shape (N, C, D_out, H_out, W_out) and the dtype of `input_x`.

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
    """Return the largest element of each window over the last two axes.

    Args:
        x: shape (N, C, H, W).
        kernel_size: an int or (height, width).
        stride: an int or (height, width); None for `kernel_size`.
        padding: an int or (height, width), at most half the kernel; minus infinity.
        dilation: gaps between the elements of a window.
        return_indices: whether to return (values, Int64 positions in the plane) instead.
        ceil_mode: whether a window that runs over the end counts.

    Returns:
        A Tensor of shape (N, C, H_out, W_out) and the dtype of `x`, or a pair.

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
    """Return the largest element of each window over the last three axes.

    Args:
        x: shape (N, C, D, H, W); floats.
        kernel_size: an int or (depth, height, width).
        stride: from a window to the next, likewise; None for `kernel_size`.
        padding: minus infinity, likewise; at most half the kernel.
        dilation: gaps between the elements of a window.
        ceil_mode: whether a window that runs over the end counts.
        return_indices: whether to return (values, Int64 positions in the volume) instead.

    Returns:
        A Tensor of shape (N, C, D_out, H_out, W_out) and the dtype of `x`, or a pair.

    Follows: mindspore.ops.max_pool3d (2.10).
    """
    stride = kernel_size if stride is None else stride
    settings = (kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)
    return pool(max_pooling(3, "max_pool3d", *settings), "max_pool3d", x)


def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Return `output_size` means over the last axis.

    Args:
        input: shape (N, C, L) or (C, L); floats.
        output_size: how many.

    Returns:
        A Tensor of shape (..., output_size) and the dtype of `input`.

    Follows: mindspore.ops.adaptive_avg_pool1d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool1d, output_size=output_size), "adaptive_avg_pool1d", input)


def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[int | None]) -> Tensor:
    """Return `output_size` means over the last two axes; None keeps an axis.

    Args:
        input: shape (..., height, width) of three or four axes; floats.
        output_size: height and width of the result, or an int for both.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`.

    Follows: mindspore.ops.adaptive_avg_pool2d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool2d, output_size=output_size), "adaptive_avg_pool2d", input)


def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[int | None]) -> Tensor:
    """Return `output_size` means over the last three axes; None keeps an axis.

    Args:
        input: shape (..., depth, height, width) of four or five axes; floats.
        output_size: depth, height and width of the result, or an int for all.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`.

    Follows: mindspore.ops.adaptive_avg_pool3d (2.10).
    """
    return pool(partial(F.adaptive_avg_pool3d, output_size=output_size), "adaptive_avg_pool3d", input)


def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Return `output_size` maxima over the last axis.

    Args:
        input: shape (N, C, L) or (C, L); floats.
        output_size: how many.

    Returns:
        A Tensor of shape (..., output_size) and the dtype of `input`.

    Follows: mindspore.ops.adaptive_max_pool1d (2.10).
    """
    return pool(partial(F.adaptive_max_pool1d, output_size=output_size), "adaptive_max_pool1d", input)


def adaptive_max_pool2d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    """Return `output_size` maxima over the last two axes; with `return_indices` (values, Int64 positions).

    Args:
        input: shape (..., height, width).
        output_size: height and width of the result; None or -1 keeps that of the input.
        return_indices: whether to return the positions, too.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`, or a pair.

    Follows: mindspore.ops.adaptive_max_pool2d (2.10).
    """
    if not isinstance(output_size, int):
        output_size = [None if length == -1 else length for length in output_size]
    fn = partial(F.adaptive_max_pool2d, output_size=output_size, return_indices=return_indices)
    return pool(fn, "adaptive_max_pool2d", input)


def adaptive_max_pool3d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    """Return `output_size` maxima over the last three axes; with `return_indices` (values, Int32 positions).

    Args:
        input: shape (..., depth, height, width) of four or five axes; floats.
        output_size: depth, height and width of the result, or an int for all.
        return_indices: whether to return the positions, too.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`, or a pair.

    Follows: mindspore.ops.adaptive_max_pool3d (2.10).
    """
    fn = partial(F.adaptive_max_pool3d, output_size=output_size, return_indices=return_indices)
    result = pool(fn, "adaptive_max_pool3d", input)
    return (result[0], wrap(result[1]._data.int())) if return_indices else result


def lp_pool1d(
    x: Tensor, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
) -> Tensor:
    """Return the p-norm of each window over the last axis, p = `norm_type`.

    Args:
        x: shape (N, C, L) or (C, L); floats.
        norm_type: p, not 0.
        kernel_size: the length of the windows.
        stride: from a window to the next; None for `kernel_size`.
        ceil_mode: whether a window that runs over the end counts.

    Returns:
        A Tensor of shape (..., L_out) and the dtype of `x`.

    Follows: mindspore.ops.lp_pool1d (2.10).
    """
    fn = partial(F.lp_pool1d, norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)
    return pool(fn, "lp_pool1d", x)


def lp_pool2d(
    x: Tensor, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
) -> Tensor:
    """Return the p-norm of each window over the last two axes, p = `norm_type`.

    Args:
        x: shape (N, C, H, W) or (C, H, W); floats.
        norm_type: p, not 0.
        kernel_size: an int or (height, width).
        stride: from a window to the next, likewise; None for `kernel_size`.
        ceil_mode: whether a window that runs over the end counts.

    Returns:
        A Tensor of shape (..., H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.lp_pool2d (2.10).
    """
    fn = partial(F.lp_pool2d, norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)
    return pool(fn, "lp_pool2d", x)


def _sizes_of_axes(output_size: tuple[int, ...] | None, axes: int, data: torch.Tensor) -> tuple[int, ...] | None:
    """Return the sizes of the pooled axes, of a shape that may begin with the channels."""
    has_channels = output_size and len(output_size) == axes + 1 and output_size[0] == data.shape[-axes - 1]
    return output_size[1:] if output_size and has_channels else output_size


def _unpool(
    fn: Callable[..., torch.Tensor],
    op: str,
    x: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    if not isinstance(output_size, tuple | None):
        raise ValueError(f"For '{op}', output_size must be a tuple, got {output_size!r}.")
    axes = int(op[-2])
    try:
        data = x._data
        if not isinstance(kernel_size, int) and len(kernel_size) != axes:  # torch 2.9 reads past the end
            raise ValueError(f"kernel_size must be an int or {axes} of them, got {kernel_size!r}.")
        sizes = _sizes_of_axes(output_size, axes, data)
        wide = data if data.is_floating_point() else data.double()
        return wrap(fn(wide, indices._data.long(), kernel_size, stride or None, padding, sizes).to(data.dtype))
    except Exception as error:
        raise explain(error, op, x=x, indices=indices) from error


_unpooling = partial(
    define,
    _unpool,
    args=(
        "x: the values: one or two axes more than are pooled.\n"
        "indices: where each lies in its plane, of the shape of `x`; Int32 or Int64.\n"
        "kernel_size: of the windows, an int or one for each axis.\n"
        "stride: from a window to the next, likewise; None for `kernel_size`.\n"
        "padding: that of the pooling, likewise.\n"
        "output_size: the shape of the result; None for the smallest."
    ),
    returns="A Tensor of the dtype of `x`.",
)
max_unpool1d = _unpooling(
    F.max_unpool1d, "Put the values of a max pooling over one axis back where `indices` say; zeros elsewhere."
)
max_unpool2d = _unpooling(
    F.max_unpool2d, "Put the values of a max pooling over two axes back where `indices` say; zeros elsewhere."
)
max_unpool3d = _unpooling(
    F.max_unpool3d,
    "Put the values of a max pooling over three axes back where `indices` say; zeros elsewhere.",
)


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | tuple[float, float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Return the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Args:
        input: shape (N, C, H, W) or (C, H, W); floats.
        kernel_size: an int or (height, width).
        output_size: height and width of the result.
        output_ratio: instead: that of the result to the input, in (0, 1).
        return_indices: whether to return (values, Int64 positions) instead.
        _random_samples: places of the windows, in [0, 1), (N, C, 2); None draws them.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`, or a pair.

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
    """Return the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Args:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.
        kernel_size: an int or (depth, height, width).
        output_size: depth, height and width of the result.
        output_ratio: instead: that of the result to the input, in (0, 1).
        return_indices: whether to return (values, Int64 positions) instead.
        _random_samples: places of the windows, in [0, 1), (N, C, 3); None draws them.

    Returns:
        A Tensor of shape (..., *output_size) and the dtype of `input`, or a pair.

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
        raise ValueError(f"For '{op}', pass exactly one of output_size and output_ratio.")
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
