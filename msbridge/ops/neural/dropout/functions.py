"""Dropout: zeroing drawn elements, or whole channels, and scaling the rest up."""

from collections.abc import Callable

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.dropout.kernels import draw_seeded_mask, drop_elements


def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Zero each element with probability `p` and divide the rest by 1 - p.

    Args:
        input: a floating dtype.
        p: in [0, 1).
        training: whether to draw; else `input` comes back.
        seed: starts a stream of numbers for this call; None draws from the global one.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself when not training.

    Raises:
        RuntimeError: `p` is out of range.

    Follows: mindspore.ops.dropout (2.10).
    """
    if not training:
        return input
    if not 0 <= p < 1:
        raise RuntimeError(f"For 'Dropout', the 'keep_prob' must be in (0.0, 1.0], but got {1 - p:g}.")
    try:
        data = input._data
        if seed is None:
            kept = drop_elements(data, p)
            return wrap(kept.clone() if kept is data else kept)
        return wrap(data * draw_seeded_mask(data, p, seed) / (1 - p))
    except Exception as error:
        raise explain(error, "Dropout", input=input, p=p) from error


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, L) or (C, L), with probability `p`.

    Args:
        input: shape (N, C, L) or (C, L); floats.
        p: in [0, 1].
        training: whether to draw; else `input` comes back.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.dropout1d (2.10).
    """
    return _channels(F.dropout1d, "dropout1d", input, p, training)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, H, W), with probability `p`.

    Args:
        input: shape (N, C, H, W); floats.
        p: in [0, 1].
        training: whether to draw; else `input` comes back.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.dropout2d (2.10).
    """
    return _channels(F.dropout2d, "dropout2d", input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, D, H, W), with probability `p`.

    Args:
        input: shape (N, C, D, H, W); floats.
        p: in [0, 1].
        training: whether to draw; else `input` comes back.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.dropout3d (2.10).
    """
    return _channels(F.dropout3d, "dropout3d", input, p, training)


def _channels(fn: Callable[..., torch.Tensor], op: str, input: Tensor, p: float, training: bool) -> Tensor:
    if not training:
        return input
    try:
        return wrap(fn(input._data, p, True))
    except Exception as error:
        raise explain(error, op, input=input, p=p) from error
