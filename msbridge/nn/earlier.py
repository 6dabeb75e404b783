"""Layers as they were in earlier releases."""

import torch

from msbridge.core.earlier import Earlier
from msbridge.core.recording import is_repeat
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.ops.normalization.kernels import normalize_batch


def _repr(cell: Cell) -> str:
    """Write a Cell in angle brackets.

    Follows: mindspore.nn.Cell (2.0).
    """
    extra = cell.extend_repr()
    if not cell._cells:
        return f"{cell.cls_name}<{extra}>"
    lines = [extra] if extra else []
    lines += [f"({name}): {child!r}" for name, child in cell._cells.items()]
    body = "\n".join(lines).replace("\n", "\n  ")
    return f"{cell.cls_name}<\n  {body}\n  >"


def _normalize_batch(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    is_training: bool,
    momentum: float,
    epsilon: float,
) -> Tensor:
    """Normalise over the batch; the moving variance follows the variance of the batch as it is, not the unbiased one.

    Follows: mindspore.nn.BatchNorm2d (2.0).
    """
    if variance is None or not is_training or is_repeat():
        return normalize_batch(input, weight, bias, mean, variance, is_training, momentum, epsilon)
    unbiased = wrap(variance._data.clone())
    result = normalize_batch(input, weight, bias, mean, unbiased, is_training, momentum, epsilon)
    count = input._data.numel() // input._data.shape[1]
    with torch.no_grad():
        variance._data.mul_(1 - momentum).lerp_(unbiased._data, (count - 1) / count)
    return result


ROWS = [
    Earlier("nn.cell.Cell.__repr__", "2.3", _repr),
    Earlier("nn.layers.batch_normalization.normalize_batch", "2.3", _normalize_batch),
]
