"""Windows of signal processing."""

from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, float64


def bartlett_window(window_length: int | Tensor, periodic: bool = True, *, dtype: Type | None = None) -> Tensor:
    """Return the triangular window.

    Args:
        window_length: how many samples.
        periodic: whether the window continues with its first sample behind the last.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of shape (window_length,) and dtype `dtype`.

    Follows: mindspore.ops.bartlett_window (2.10).
    """
    return _window(torch.bartlett_window, window_length, periodic, dtype)


def blackman_window(window_length: int | Tensor, periodic: bool = True, *, dtype: Type | None = None) -> Tensor:
    """Return the Blackman window.

    Args:
        window_length: how many samples.
        periodic: whether the window continues with its first sample behind the last.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of shape (window_length,) and dtype `dtype`.

    Follows: mindspore.ops.blackman_window (2.10).
    """
    return _window(torch.blackman_window, window_length, periodic, dtype)


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Type | None = None
) -> Tensor:
    """Return the Hamming window, `alpha - beta * cos(2πn / N)`.

    Args:
        window_length: how many samples.
        periodic: whether the window continues with its first sample behind the last.
        alpha: the constant part.
        beta: the factor of the cosine.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of shape (window_length,) and dtype `dtype`.

    Follows: mindspore.ops.hamming_window (2.10).
    """
    return _window(torch.hamming_window, window_length, periodic, dtype, alpha, beta)


def hann_window(window_length: int, periodic: bool = True, *, dtype: Type | None = None) -> Tensor:
    """Return the Hann window, Float64 by default.

    Args:
        window_length: how many samples.
        periodic: whether the window continues with its first sample behind the last.
        dtype: a float; None for Float64.

    Returns:
        A Tensor of shape (window_length,) and dtype `dtype`.

    Follows: mindspore.ops.hann_window (2.10).
    """
    return _window(torch.hann_window, window_length, periodic, dtype or float64)


def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Type | None = None
) -> Tensor:
    """Return the Kaiser window, Float64 by default.

    Args:
        window_length: how many samples.
        periodic: whether the window continues with its first sample behind the last.
        beta: the shape of the window: a larger one is narrower.
        dtype: a float; None for Float64.

    Returns:
        A Tensor of shape (window_length,) and dtype `dtype`.

    Follows: mindspore.ops.kaiser_window (2.10).
    """
    return _window(torch.kaiser_window, window_length, periodic, dtype or float64, beta)


def _window(fn: Any, length: int | Tensor, periodic: bool, dtype: Type | None, *settings: float) -> Tensor:
    try:
        return wrap(fn(int(length), periodic, *settings, dtype=(dtype or float32).torch, device=torch_device()))
    except Exception as error:
        raise explain(error, fn.__name__, window_length=length) from error
