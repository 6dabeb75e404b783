"""Layers as they were in earlier releases."""

from typing import Any

import torch

from msbridge.core.context.grad_state import is_repeat
from msbridge.core.legacy.parameter_memory import copy_shared
from msbridge.core.parameter.step_scalars import memory_of
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers import embedding
from msbridge.nn.layers.normalization import batch_norm
from msbridge.nn.losses.classification import BCELoss
from msbridge.nn.members import optimizers
from msbridge.nn.members.attaching import P, member_of
from msbridge.nn.optim.cells.adam import Adam
from msbridge.nn.optim.cells.momentum import SGD
from msbridge.nn.optim.cells.rates import _IteratorLearningRate
from msbridge.ops.legacy.r2_0_indexing import gather
from msbridge.ops.legacy.r2_0_loss import binary_cross_entropy
from msbridge.ops.neural.normalization.kernels import normalize_batch


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
    if mean is not None:
        copy_shared(mean)
    copy_shared(variance)
    unbiased = wrap(variance._data.clone())
    result = normalize_batch(input, weight, bias, mean, unbiased, is_training, momentum, epsilon)
    count = input._data.numel() // input._data.shape[1]
    with torch.no_grad():
        variance._data.mul_(1 - momentum).lerp_(unbiased._data, (count - 1) / count)
    return result


def _rate_of_list(self: _IteratorLearningRate, global_step: int) -> float:
    """Return the rate after `global_step` steps; 0 after the end of the list.

    Follows: mindspore.nn.Optimizer (2.0).
    """
    rates = memory_of(self.learning_rate)
    return float(rates[global_step]) if global_step < rates.size else 0.0


def _embedding(ids: Tensor, weight: Tensor) -> Tensor:
    """Look up rows of a table; those out of range are zero.

    Follows: mindspore.nn.Embedding (2.0).
    """
    return gather(weight, ids, 0)


def _bce_loss(self: BCELoss, logits: Tensor, labels: Tensor) -> Tensor:
    """Compute the cross entropy of probabilities; the gradient of the labels is zero.

    Follows: mindspore.nn.BCELoss (2.0).
    """
    return binary_cross_entropy(logits, labels, self.weight, self.reduction)


def _adam_operator(one: Adam) -> Any:
    if one.use_amsgrad and not one.use_offload:
        return P.ApplyAdamWithAmsgrad(one._beta1_number, one._beta2_number, one._eps_number, one.use_locking)
    return _today_adam(one)


def _recompute(self: Cell, should_add_flag: bool = True, output_recompute: bool = False) -> None:
    """Mark a Cell and those below it as recomputed; its flag says that the output is kept."""
    is_new = not self._has_config_recompute
    _today_recompute(self, False, output_recompute)
    if should_add_flag and is_new:
        self.add_flags(output_no_recompute=True)


_today_adam, _today_recompute = optimizers._adam_operator, Cell._recompute
OVERRIDES = {
    "nn.Adam.opt": member_of(Adam, "opt", _adam_operator),
    "nn.BCELoss.construct": _bce_loss,
    "nn.BatchNorm2d": Part(batch_norm, "normalize_batch", _normalize_batch),
    "nn.Cell.__repr__": _repr,
    "nn.Cell.recompute": Part(Cell, "_recompute", _recompute),
    "nn.Embedding.construct": Part(embedding, "embedding", _embedding),
    "nn.Optimizer.get_lr": Part(_IteratorLearningRate, "number_at", _rate_of_list),
    "nn.SGD": Part(SGD, "_spared", ()),  # weight decay took gamma and beta, too
}
