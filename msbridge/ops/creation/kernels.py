"""Computations that the faces of creation share."""

from typing import Any

import torch

from msbridge.core.context import torch_device
from msbridge.core.dtype import Type, float32
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.families import Number, plain_shape, unary


def empty(*size: Any, dtype: Type | None = None) -> Tensor:
    """Make a tensor whose values are not set, Float32 by default.

    Follows: mindspore.mint.empty (2.10).
    """
    shape = size[0] if len(size) == 1 else size
    return wrap(torch.empty(plain_shape(shape), dtype=(dtype or float32).torch, device=torch_device()))


def fill_diagonal(input: Tensor, fill_value: Number, wrap: bool = False) -> Tensor:
    """Return a copy with one value on the diagonal; `wrap` starts it again below a tall matrix.

    Follows: mindspore.Tensor.fill_diagonal (2.10).
    """
    return unary(lambda data: data.clone().fill_diagonal_(fill_value, wrap), "fill_diagonal", input)


def diag_part(x: Tensor) -> Tensor:
    """Return the diagonal of a tensor of shape `result.shape * 2`.

    Follows: mindspore.ops.DiagPart (2.10).
    """
    return unary(_diag_part, "DiagPart", x)


def _diag_part(data: torch.Tensor) -> torch.Tensor:
    shape = data.shape[: data.dim() // 2]
    return data.reshape(shape.numel(), -1).diagonal().reshape(shape)
