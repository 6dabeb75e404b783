"""Computations that the faces of loss share."""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.errors.explain import explain, refuse
from msbridge.core.tensor.tensor import Tensor, wrap

Loss = Callable[..., torch.Tensor]


_TYPED = frozenset({"BCEWithLogitsLoss", "BinaryCrossEntropy", "SmoothL1Loss", "SoftMarginLoss", "soft_margin_loss"})
_LOOKED_AT_FIRST = frozenset({*_TYPED, "KLDivLoss", "multilabel_margin_loss", "ctc_loss"})  # before the inputs
REDUCTIONS = ("mean", "sum", "none")


def check_reduction(reduction: Any, op: str, allowed: tuple[str, ...] = REDUCTIONS) -> str:
    """Return the reduction.

    Raises:
        TypeError: it is not a str, and `op` hands it to a primitive.
        ValueError: it is not one of `allowed`.
    """
    if reduction not in allowed:
        kind = TypeError if op in _TYPED and not isinstance(reduction, str) else ValueError
        near = did_you_mean(reduction, allowed)
        sentence = f"For '{op}', the 'reduction' must be in {list(allowed)}, but got {reduction!r}.{near}"
        raise kind(sentence) if isinstance(reduction, str) and op in _LOOKED_AT_FIRST else refuse(kind(sentence))
    return reduction


def reduce_losses(losses: torch.Tensor, reduction: str) -> torch.Tensor:
    """Return the mean or the sum of the losses, or all of them."""
    if reduction == "mean":
        return losses.mean()
    return losses.sum() if reduction == "sum" else losses


def reduce_integer_losses(losses: torch.Tensor, reduction: str) -> torch.Tensor:
    """Do the same with whole numbers, in their dtype: the fraction of a mean is left out."""
    if reduction == "none":
        return losses
    total = losses.sum()
    if reduction == "mean":
        total = torch.div(total, max(losses.numel(), 1), rounding_mode="trunc")
    return total.to(losses.dtype)


def elementwise_loss(fn: Loss, op: str, input: Tensor, target: Tensor, reduction: str, *settings: Any) -> Tensor:
    """Apply `fn(input, target, *settings, reduction=…)`; the two are promoted and broadcast against each other."""
    try:
        left, right = input._data, target._data
        if left.dtype is not right.dtype:
            common = torch.promote_types(left.dtype, right.dtype)
            left, right = left.to(common), right.to(common)
        if left.shape != right.shape:
            left, right = torch.broadcast_tensors(left, right)
        return wrap(fn(left, right, *settings, reduction=reduction))
    except Exception as error:
        check_reduction(reduction, op)
        raise explain(error, op, input=input, target=target) from error


def explain_shapes(error: Exception, op: str, input: Tensor, target: Tensor) -> Exception:
    """Return the error of shapes that do not fit, or what `explain` finds."""
    if hasattr(input, "_data") and hasattr(target, "_data") and input.shape != target.shape:
        return ValueError(f"For '{op}', the shapes must be equal, got {input.shape} and {target.shape}.")
    return explain(error, op, input=input, target=target)


def sigmoid_cross_entropy(logits: Tensor, label: Tensor) -> Tensor:
    """Return the binary cross entropy of sigmoid(logits), element by element; the label gets no gradient.

    Args:
        logits: any shape; floats.
        label: of the same shape and dtype.

    Returns:
        A Tensor of the shape and dtype of `logits`.
    """
    try:
        return wrap(F.binary_cross_entropy_with_logits(logits._data, label._data.detach(), reduction="none"))
    except Exception as error:
        raise explain_shapes(error, "SigmoidCrossEntropyWithLogits", logits, label) from error
