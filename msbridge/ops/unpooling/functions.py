"""Pooling at drawn positions, and the inverse of pooling."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.pooling.functions import pool
from msbridge.ops.windows import Sizes

__all__ = [
    "fractional_max_pool2d",
    "fractional_max_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
]


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
