"""Primitives of classification_loss."""

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.classification_loss import functions
from msbridge.ops.neural.classification_loss.kernels import (
    explain_classes,
    promote_scores,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy_mean,
)
from msbridge.ops.primitive.primitive import derive


def _softmax_cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cross entropy of each row of `logits` (N, C) to `labels` (N, C), and its gradient to `logits`.

    Args:
        logits: shape (N, C); floats.
        labels: probabilities, of the same shape and dtype.

    Returns:
        (losses, gradient), of shapes (N,) and (N, C) and the dtype of `logits`.
    """
    try:
        losses = softmax_cross_entropy(logits._data, labels._data)
        gradient = torch.softmax(logits._data.detach(), -1) - labels._data.detach()
        return wrap(losses), wrap(gradient)
    except Exception as error:
        raise explain(error, "SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels) from error


def _sparse_softmax_cross_entropy(logits: Tensor, labels: Tensor, is_grad: bool = False) -> Tensor:
    """Return the mean cross entropy of the rows of `logits` (N, C) to the classes `labels` (N,), or its gradient.

    Args:
        logits: shape (N, C); floats.
        labels: class numbers, (N,); Int32 or Int64.
        is_grad: return the gradient.

    Returns:
        A 0-d Tensor, or of shape (N, C); the dtype of `logits`.
    """
    try:
        scores, classes = logits._data, labels._data.long()
        if is_grad:
            hot = F.one_hot(classes, scores.shape[1]).to(scores.dtype)
            return wrap((torch.softmax(scores, -1) - hot) / scores.shape[0])
        return wrap(sparse_softmax_cross_entropy_mean(scores, classes))
    except Exception as error:
        op = "SparseSoftmaxCrossEntropyWithLogits"
        raise explain_classes(error, op, logits, labels) from error


def _nll(logits: Tensor, labels: Tensor, weight: Tensor, reduction: str = "mean", ignore_index: int = -100) -> tuple:
    """Return minus the log probabilities at the classes, and the sum of the weights that count.

    Args:
        logits: log probabilities, (N, C); floats.
        labels: class numbers, (N,); Int32 or Int64.
        weight: shape (C,).
        reduction: "mean", "sum" or "none".
        ignore_index: targets of this value do not count.

    Returns:
        (loss, weights), of the dtype of `logits`: 0-d, or (N,) for "none"; the weights are 0-d.
    """
    classes = labels._data.long()
    try:
        scores, scale = promote_scores(logits._data, weight)
        result = F.nll_loss(scores, classes, scale, ignore_index=ignore_index, reduction=reduction)
    except IndexError as error:
        raise ValueError(f"For 'NLLLoss', each label must be in [0, {logits.shape[-1]}).") from error
    except Exception as error:
        raise explain_classes(error, "NLLLoss", logits, labels) from error
    counts = classes != ignore_index
    total = (weight._data[torch.where(counts, classes, 0)] * counts).sum()
    return wrap(result), wrap(total)


def _multi_margin(
    x: Tensor, target: Tensor, weight: Tensor | None = None, p: int = 1, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Return the mean over the other classes of max(0, margin - x[target] + x[class])^p.

    Args:
        x: scores, (N, C); floats.
        target: class numbers, (N,); Int64.
        weight: shape (C,), or None.
        p: the power, 1 or 2.
        margin: how far a target's score must be ahead.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `x`: 0-d, or of shape (N,).
    """
    return functions.multi_margin_loss(x, target, p, margin, weight, reduction)


def _multilabel_margin(x: Tensor, target: Tensor, reduction: str = "mean") -> tuple[Tensor, Tensor]:
    """Return the margin loss, and which classes are targets (Int32).

    Args:
        x: scores; (N, C) or (C,), floats.
        target: class numbers, of the shape of `x`; Int32 or Int64.
        reduction: "mean", "sum" or "none".

    Returns:
        (loss, marks): of the dtype of `x`, 0-d, or (N,) for "none"; and of the shape of `target`, Int32.
    """
    classes = target._data.long()
    listed = (classes >= 0).int().cumprod(-1).bool()
    marks = torch.zeros_like(classes, dtype=torch.int32)
    marks.scatter_add_(-1, torch.where(listed, classes, 0), listed.int())
    return functions.multilabel_margin_loss(x, target, reduction), wrap((marks > 0).int())


def _ctc_v2(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the connectionist temporal classification losses, and the table of their forward variables.

    Args:
        log_probs: shape (T, N, C); floats.
        targets: class numbers, (N, S).
        input_lengths: shape (N,).
        target_lengths: shape (N,).
        blank: the class of blanks.
        reduction: "none".
        zero_infinity: whether infinite losses count as 0.

    Returns:
        (losses, table), of shapes (N,) and (N, T, 2·S + 1) and the dtype of `log_probs`.
    """
    settings = (blank, reduction, zero_infinity)
    return functions.ctc_loss(log_probs, targets, input_lengths, target_lengths, *settings)


DERIVED = (
    derive("CTCGreedyDecoder", functions.ctc_greedy_decoder, "merge_repeated"),
    derive("CTCLossV2", _ctc_v2, "blank reduction zero_infinity"),
    derive("MultiMarginLoss", _multi_margin, "p margin reduction"),
    derive("MultilabelMarginLoss", _multilabel_margin, "reduction"),
    derive("NLLLoss", _nll, "reduction ignore_index"),
    derive("SoftmaxCrossEntropyWithLogits", _softmax_cross_entropy),
    derive("SparseSoftmaxCrossEntropyWithLogits", _sparse_softmax_cross_entropy, "is_grad"),
)
