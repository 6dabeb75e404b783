"""Windows of signals, Float32."""

import torch

from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.framework.windows import functions as windows


def bartlett(M: int) -> Tensor:
    """Return the triangular window of `M` points.

    Args:
        M: how many points; below 1 none.

    Returns:
        A Float32 vector of length `M`.

    Raises:
        TypeError: `M` is not an int.

    Follows: mindspore.numpy.bartlett (2.10).
    """
    return windows.bartlett_window(_points("bartlett", M), False)


def blackman(M: int) -> Tensor:
    """Return the Blackman window of `M` points.

    Args:
        M: how many points; below 1 none.

    Returns:
        A Float32 vector of length `M`.

    Raises:
        TypeError: `M` is not an int.

    Follows: mindspore.numpy.blackman (2.10).
    """
    return windows.blackman_window(_points("blackman", M), False)


def hamming(M: int) -> Tensor:
    """Return the Hamming window of `M` points.

    Args:
        M: how many points; below 1 none.

    Returns:
        A Float32 vector of length `M`.

    Raises:
        TypeError: `M` is not an int.

    Follows: mindspore.numpy.hamming (2.10).
    """
    return windows.hamming_window(_points("hamming", M), False)


def hanning(M: int) -> Tensor:
    """Return the Hann window of `M` points.

    Args:
        M: how many points; below 1 none.

    Returns:
        A Float32 vector of length `M`.

    Raises:
        TypeError: `M` is not an int.

    Follows: mindspore.numpy.hanning (2.10).
    """
    return wrap(windows.hann_window(_points("hanning", M), False)._data.to(torch.float32))


def _points(op: str, count: int) -> int:
    if not isinstance(count, int):
        raise TypeError(f"For '{op}', M must be an int, got {describe(count)}.")
    return max(count, 0)
