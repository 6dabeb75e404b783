"""Losses between a prediction and a target of the same shape; those of classes are in `classification_loss`."""

import math
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core import torch_private
from msbridge.core.errors.explain import dtype_name, explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.loss.kernels import (
    Loss,
    check_reduction,
    elementwise_loss,
    explain_shapes,
    reduce_integer_losses,
    reduce_losses,
)

_MIN_PROBABILITY = 1e-12  # logarithms in the binary cross entropy are taken of no less


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the squared difference.

    Args:
        input: any shape.
        target: broadcasts against `input`.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.mse_loss (2.10).
    """
    return elementwise_loss(_mse, "mse_loss", input, target, reduction)


def _mse(left: torch.Tensor, right: torch.Tensor, reduction: str) -> torch.Tensor:
    if not left.is_floating_point() and not left.is_complex():
        left, right = left.float(), right.float()
    return F.mse_loss(left, right, reduction=reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the absolute difference; of whole numbers in their dtype, the mean without its fraction.

    Args:
        input: any shape.
        target: broadcasts against `input`.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.l1_loss (2.10).
    """
    return elementwise_loss(_l1, "l1_loss", input, target, reduction)


def _l1(left: torch.Tensor, right: torch.Tensor, reduction: str) -> torch.Tensor:
    if left.is_floating_point() or left.is_complex():
        return F.l1_loss(left, right, reduction=reduction)
    check_reduction(reduction, "l1_loss")
    return reduce_integer_losses((left - right).abs(), reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none") -> Tensor:
    """Return 0.5·d² / beta where |d| < beta, |d| - 0.5·beta elsewhere; d the difference.

    Args:
        input: any shape; floats.
        target: of the same shape and dtype.
        beta: where the square ends, positive.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Raises:
        RuntimeError: `beta` is not positive.
        ValueError: the shapes differ.

    Follows: mindspore.ops.smooth_l1_loss (2.10).
    """
    if beta <= 0:
        raise RuntimeError(f"For 'SmoothL1Loss', beta must be greater than 0, got {beta}.")
    if getattr(input, "shape", None) != getattr(target, "shape", None):
        raise explain_shapes(ValueError("shapes"), "SmoothL1Loss", input, target)
    return elementwise_loss(_smooth_l1, "SmoothL1Loss", input, target, reduction, beta)


def _smooth_l1(left: torch.Tensor, right: torch.Tensor, beta: float, reduction: str) -> torch.Tensor:
    return torch_private.smooth_l1_loss(left, right, reduction=reduction, beta=beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """Return 0.5·d² where |d| <= delta, delta·(|d| - 0.5·delta) elsewhere; d the difference.

    Args:
        input: any shape; floats.
        target: broadcasts against `input`.
        reduction: "mean", "sum" or "none".
        delta: where the square ends, positive.

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Raises:
        ValueError: `delta` is not positive.

    Follows: mindspore.ops.huber_loss (2.10).
    """
    if delta <= 0:
        raise ValueError(f"For 'huber_loss', delta must be > 0, got {delta}.")
    return elementwise_loss(_huber, "huber_loss", input, target, reduction, delta)


def _huber(left: torch.Tensor, right: torch.Tensor, delta: float, reduction: str) -> torch.Tensor:
    if not left.is_floating_point():
        left, right = left.float(), right.float()
    return F.huber_loss(left, right, reduction=reduction, delta=delta)


def binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return -weight·(y·log(p) + (1 - y)·log(1 - p)).

    Args:
        logits: p, probabilities in [0, 1].
        labels: y; the shape and dtype of `logits`.
        weight: broadcasts against `logits`.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `logits`: 0-d, or of the shape of `logits`.

    Raises:
        TypeError: the dtypes differ.
        ValueError: the shapes differ.

    Follows: mindspore.ops.binary_cross_entropy (2.10).
    """
    check_reduction(reduction, "BinaryCrossEntropy")
    try:
        left, right = logits._data, labels._data
        scale = None if weight is None else weight._data
        if left.shape != right.shape:
            raise ValueError(f"logits and labels must be of the same shape, got {logits.shape} and {labels.shape}.")
        if left.dtype is not right.dtype:
            raise TypeError(
                f"the dtypes of logits and labels must be equal, got {dtype_name(logits.dtype)} and "
                f"{dtype_name(labels.dtype)}."
            )
        losses = _binary_cross_entropy(left, right)
        return wrap(reduce_losses(losses if scale is None else losses * scale, reduction))
    except Exception as error:
        raise explain(error, "BinaryCrossEntropy", logits=logits, labels=labels) from error


def _binary_cross_entropy(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    hit, miss = torch.log(left.clamp_min(_MIN_PROBABILITY)), torch.log((1 - left).clamp_min(_MIN_PROBABILITY))
    return -(right * hit + (1 - right) * miss)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the binary cross entropy of sigmoid(input).

    Args:
        input: any shape.
        target: the shape of `input`.
        weight: broadcasts against `input`; scales each loss.
        pos_weight: broadcasts against `input`; scales the losses of targets 1.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.binary_cross_entropy_with_logits (2.10).
    """
    check_reduction(reduction, "BCEWithLogitsLoss")
    try:
        scale = None if weight is None else weight._data
        positive = None if pos_weight is None else pos_weight._data
        fn = F.binary_cross_entropy_with_logits
        return wrap(fn(input._data, target._data, scale, reduction=reduction, pos_weight=positive))
    except Exception as error:
        raise explain_shapes(error, "BCEWithLogitsLoss", input, target) from error


def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Return labels·(log(labels) - logits), and 0 where the label is not above 0.

    Args:
        logits: logarithms of probabilities.
        labels: probabilities; the shape of `logits`. They get no gradient.
        reduction: "mean" (over all elements), "batchmean" (the sum over the length of axis 0), "sum" or "none".

    Returns:
        A Tensor of the dtype of `logits`: 0-d, or of the shape of `logits`.

    Follows: mindspore.ops.kl_div (2.10).
    """
    check_reduction(reduction, "KLDivLoss", ("none", "mean", "batchmean", "sum"))
    try:
        losses = _divergence(logits._data, labels._data.detach())
        if reduction == "batchmean":
            return wrap(losses.sum() / losses.shape[0])
        return wrap(reduce_losses(losses, reduction))
    except Exception as error:
        raise explain_shapes(error, "KLDivLoss", logits, labels) from error


def _divergence(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return labels·(log(labels) - logits), its gradient -labels everywhere, 0 where the label is not above 0."""
    counts = labels > 0
    scores = labels * logits
    scores = torch.where(counts, scores, (scores - scores.detach()).nan_to_num(nan=0.0))  # where logits are infinite
    return torch.where(counts, torch.xlogy(labels, labels), 0) - scores


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return 1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1.

    Args:
        input1: shape (N, D) or (D,); floats.
        input2: likewise.
        target: 1 or -1, (N,) or 0-d.
        margin: in [-1, 1].
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input1`: 0-d, or of shape (N,).

    Follows: mindspore.ops.cosine_embedding_loss (2.10).
    """
    parts = (input1, input2, target)
    return _plain_loss(F.cosine_embedding_loss, "cosine_embedding_loss", parts, reduction, margin=margin)


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return max(0, -target·(input1 - input2) + margin).

    Args:
        input1: any shape; floats.
        input2: of the same shape.
        target: 1 where `input1` should be larger, else -1; of the same shape.
        margin: how far ahead it should be.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input1`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.margin_ranking_loss (2.10).
    """
    parts = (input1, input2, target)
    return _plain_loss(_margin_ranking_loss, "margin_ranking_loss", parts, reduction, margin=margin)


def _margin_ranking_loss(*data: torch.Tensor, **settings: Any) -> torch.Tensor:
    return F.margin_ranking_loss(*torch.broadcast_tensors(*data), **settings)


def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """Return x where the target is positive, max(0, margin - x) where it is negative, 0 where it is 0.

    Args:
        inputs: any shape; floats.
        targets: 1 or -1; broadcasts against `inputs`.
        margin: how far negative ones should be away.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `inputs`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.hinge_embedding_loss (2.10).
    """
    parts = (inputs, targets)
    return _plain_loss(_hinge, "hinge_embedding_loss", parts, reduction, margin=margin)


def _hinge(data: torch.Tensor, target: torch.Tensor, margin: float, reduction: str) -> torch.Tensor:
    if not data.is_floating_point():
        raise TypeError("the numbers must be floating ones.")
    below = torch.where(target < 0, torch.relu(margin - data), 0)
    return reduce_losses(torch.where(target > 0, data, below), reduction)


def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return log(1 + exp(-target·input)).

    Args:
        input: any shape; floats.
        target: 1 or -1, of the same shape and dtype.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Follows: mindspore.ops.soft_margin_loss (2.10).
    """
    return _plain_loss(F.soft_margin_loss, "soft_margin_loss", (input, target), reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float | Tensor = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return max(0, |anchor - positive| - |anchor - negative| + margin), in the p-norm over the last axis.

    Args:
        anchor: shape (N, D).
        positive: shape (N, D).
        negative: shape (N, D).
        margin: >= 0.
        p: which norm.
        eps: added to each difference.
        swap: whether the smaller of anchor and positive's distances to negative counts.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `anchor`: 0-d, or of shape (N,).

    Follows: mindspore.ops.triplet_margin_loss (2.10).
    """
    try:
        settings = {"margin": float(margin), "p": float(p), "eps": eps, "swap": swap}
    except ValueError as error:
        raise explain(error, "triplet_margin_loss", anchor=anchor) from error
    return _plain_loss(
        F.triplet_margin_loss, "triplet_margin_loss", (anchor, positive, negative), reduction, **settings
    )


def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Tensor,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Return 0.5·(log(max(var, eps)) + (x - target)² / max(var, eps)), plus 0.5·log(2π) with `full`.

    Args:
        x: the mean, any shape; floats.
        target: broadcasts against `x`.
        var: the variance, not negative; broadcasts against `x`.
        full: whether the constant counts.
        eps: the least variance.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `x`: 0-d, or of the broadcast shape.

    Follows: mindspore.ops.gaussian_nll_loss (2.10).
    """
    return _plain_loss(_gaussian_nll, "gaussian_nll_loss", (x, target, var), reduction, full=full, eps=eps)


def _gaussian_nll(
    x: torch.Tensor, target: torch.Tensor, var: torch.Tensor, full: bool, eps: float, reduction: str
) -> torch.Tensor:
    """Compute it of any variance; what is below `eps`, which torch refuses below 0, has no gradient."""
    if x.shape != var.shape and x.shape[:-1] == var.shape:
        var = var.unsqueeze(-1)
    bounded = var.clamp_min(eps)
    losses = 0.5 * (bounded.log() + (x - target) ** 2 / bounded)
    return reduce_losses(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)


def _plain_loss(fn: Loss, op: str, tensors: tuple[Tensor, ...], reduction: str, **settings: Any) -> Tensor:
    check_reduction(reduction, op)
    try:
        return wrap(fn(*[tensor._data for tensor in tensors], reduction=reduction, **settings))
    except Exception as error:
        raise explain(error, op, input=tensors[0], target=tensors[1]) from error
