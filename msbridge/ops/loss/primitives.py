"""Primitives of losses."""

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.classification_loss import functions as classification_loss
from msbridge.ops.loss import functions
from msbridge.ops.primitive import derive


def _softmax_cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Give the cross entropy of each row of `logits` (N, C) to `labels` (N, C), and its gradient to `logits`."""
    try:
        losses = classification_loss.softmax_cross_entropy(logits._data, labels._data)
        gradient = torch.softmax(logits._data.detach(), -1) - labels._data.detach()
        return wrap(losses), wrap(gradient)
    except Exception as error:
        raise explain(error, "SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels) from error


def _sparse_softmax_cross_entropy(logits: Tensor, labels: Tensor, is_grad: bool = False) -> Tensor:
    """Give the mean cross entropy of the rows of `logits` (N, C) to the classes `labels` (N,), or its gradient."""
    try:
        scores, classes = logits._data, labels._data.long()
        if is_grad:
            hot = F.one_hot(classes, scores.shape[1]).to(scores.dtype)
            return wrap((torch.softmax(scores, -1) - hot) / scores.shape[0])
        return wrap(classification_loss.sparse_softmax_cross_entropy_mean(scores, classes))
    except Exception as error:
        op = "SparseSoftmaxCrossEntropyWithLogits"
        raise classification_loss.explain_classes(error, op, logits, labels) from error


def _nll(logits: Tensor, labels: Tensor, weight: Tensor, reduction: str = "mean", ignore_index: int = -100) -> tuple:
    """Give minus the log probabilities at the classes, and the sum of the weights that count."""
    result = classification_loss.nll_loss(logits, labels, weight, ignore_index, reduction)
    classes = labels._data.long()
    counts = classes != ignore_index
    total = (weight._data[torch.where(counts, classes, 0)] * counts).sum()
    return result, wrap(total)


def _bce_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Give the binary cross entropy of sigmoid(input)."""
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def _half_square_sum(input_x: Tensor) -> Tensor:
    """Give half the sum of the squares."""
    try:
        return wrap(input_x._data.square().sum() / 2)
    except Exception as error:
        raise explain(error, "L2Loss", input=input_x) from error


def _triplet_margin(
    x: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: Tensor | float,
    p: int = 2,
    swap: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Give max(0, |x - positive| - |x - negative| + margin)."""
    return functions.triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)


def _multi_margin(
    x: Tensor, target: Tensor, weight: Tensor | None = None, p: int = 1, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Give the mean over the other classes of max(0, margin - x[target] + x[class])^p."""
    return classification_loss.multi_margin_loss(x, target, p, margin, weight, reduction)


def _multilabel_margin(x: Tensor, target: Tensor, reduction: str = "mean") -> tuple[Tensor, Tensor]:
    """Give the margin loss, and which classes are targets (Int32)."""
    classes = target._data.long()
    listed = (classes >= 0).int().cumprod(-1).bool()
    marks = torch.zeros_like(classes, dtype=torch.int32)
    marks.scatter_add_(-1, torch.where(listed, classes, 0), listed.int())
    return classification_loss.multilabel_margin_loss(x, target, reduction), wrap((marks > 0).int())


def _ctc(
    x: Tensor,
    labels_indices: Tensor,
    labels_values: Tensor,
    sequence_length: Tensor,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> tuple[Tensor, Tensor]:
    """Give the connectionist temporal classification loss of each sample, and its gradient to `x`.

    `x` (T, N, C) are scores, the last class is the blank; the labels are a sparse (N, S) matrix.

    Raises:
        ValueError: collapsing labels, or not merging repeated ones, is asked for.
    """
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise ValueError(
            "For 'CTCLoss', msbridge has preprocess_collapse_repeated=False and ctc_merge_repeated=True only."
        )
    try:
        scores, samples = x._data, labels_indices._data[:, 0].long()
        lengths = torch.bincount(samples, minlength=scores.shape[1])
        settings = {"blank": scores.shape[2] - 1, "zero_infinity": ignore_longer_outputs_than_inputs}
        classes, times = labels_values._data.long(), sequence_length._data.long()

        def losses(data: torch.Tensor) -> torch.Tensor:
            return F.ctc_loss(torch.log_softmax(data, -1), classes, times, lengths, reduction="none", **settings)

        with torch.enable_grad():
            leaf = scores.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(losses(leaf).sum(), leaf)
        return wrap(losses(scores)), wrap(gradient)
    except Exception as error:
        raise explain(error, "CTCLoss", x=x, labels_values=labels_values) from error


def _ctc_v2(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Give the connectionist temporal classification losses, and the table of their forward variables."""
    settings = (blank, reduction, zero_infinity)
    return classification_loss.ctc_loss(log_probs, targets, input_lengths, target_lengths, *settings)


def _kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Give labels·(log(labels) - logits)."""
    return functions.kl_div(logits, labels, reduction)


_REDUCTION = {"reduction": "mean"}


DERIVED = (
    derive("BCEWithLogitsLoss", _bce_with_logits, "reduction"),
    derive("BinaryCrossEntropy", functions.binary_cross_entropy, "reduction"),
    derive("CTCGreedyDecoder", classification_loss.ctc_greedy_decoder, "merge_repeated"),
    derive("CTCLoss", _ctc, "preprocess_collapse_repeated ctc_merge_repeated ignore_longer_outputs_than_inputs"),
    derive("CTCLossV2", _ctc_v2, "blank reduction zero_infinity"),
    derive("KLDivLoss", _kl_div, "reduction"),
    derive("L2Loss", _half_square_sum),
    derive("MultiMarginLoss", _multi_margin, "p margin reduction"),
    derive("MultilabelMarginLoss", _multilabel_margin, "reduction"),
    derive("NLLLoss", _nll, "reduction ignore_index"),
    derive("SigmoidCrossEntropyWithLogits", functions.sigmoid_cross_entropy),
    derive("SmoothL1Loss", functions.smooth_l1_loss, "beta reduction"),
    derive("SoftMarginLoss", functions.soft_margin_loss, "reduction"),
    derive("SoftmaxCrossEntropyWithLogits", _softmax_cross_entropy),
    derive("SparseSoftmaxCrossEntropyWithLogits", _sparse_softmax_cross_entropy, "is_grad"),
    derive("TripletMarginLoss", _triplet_margin, "p swap eps reduction"),
)
