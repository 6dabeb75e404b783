"""Primitives of losses."""

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.loss import functions, kernels
from msbridge.ops.primitive.primitive import derive


def _bce_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the binary cross entropy of sigmoid(input).

    Args:
        input: any shape; floats.
        target: of the same shape.
        weight: scales each loss; broadcasts against `input`.
        pos_weight: scales the losses of targets 1; broadcasts against `input`.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.
    """
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def _half_square_sum(input_x: Tensor) -> Tensor:
    """Return half the sum of the squares.

    Args:
        input_x: any shape; floats.

    Returns:
        A 0-d Tensor of the dtype of `input_x`.
    """
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
    """Return max(0, |x - positive| - |x - negative| + margin).

    Args:
        x: shape (N, D); floats.
        positive: shape (N, D).
        negative: shape (N, D).
        margin: at least 0; a number or a 0-d Tensor.
        p: which norm.
        swap: whether the smaller of the distances of `x` and `positive` to `negative` counts.
        eps: added to each difference.
        reduction: "mean", "sum" or "none".

    Returns:
        A Tensor of the dtype of `x`: 0-d, or of shape (N,).
    """
    return functions.triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)


def _ctc(
    x: Tensor,
    labels_indices: Tensor,
    labels_values: Tensor,
    sequence_length: Tensor,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the connectionist temporal classification loss of each sample, and its gradient to `x`.

    `x` (T, N, C) are scores, the last class is the blank; the labels are a sparse (N, S) matrix, where a blank ends
    a sample's labels. A sample without an alignment has an infinite loss, which no gradient goes through.

    Args:
        x: shape (T, N, C); floats.
        labels_indices: shape (n, 2): sample and place; Int64.
        labels_values: the classes, (n,); Int32.
        sequence_length: how many steps of each sample count, (N,); Int32.
        preprocess_collapse_repeated: join equal neighbours among the labels first.
        ctc_merge_repeated: True.
        ignore_longer_outputs_than_inputs: count a loss of 0 where there are more labels than steps.

    Returns:
        (loss, gradient), of shapes (N,) and (T, N, C) and the dtype of `x`.

    Raises:
        ValueError: not merging repeated labels is asked for.
        RuntimeError: labels come after a blank, or are more than the sample's steps, unless longer ones are ignored.
    """
    if not ctc_merge_repeated:
        raise ValueError("For 'CTCLoss', msbridge has ctc_merge_repeated=True only.")
    try:
        scores, times, blank = x._data, sequence_length._data.long(), x._data.shape[2] - 1
        classes = _label_rows(labels_indices._data, labels_values._data, scores.shape[1], blank)
        before = (classes != blank).long().cumprod(1)
        lengths = before.sum(1)
        if ((classes != blank) > before).any():
            raise RuntimeError("For 'CTCLoss', a blank ends the labels of a sample, got other labels after it.")
        if preprocess_collapse_repeated:
            repeated = F.pad((classes[:, 1:] == classes[:, :-1]) & (classes[:, 1:] != blank), (1, 0))
            classes = classes.gather(1, torch.argsort(repeated.long(), dim=1, stable=True))
            lengths = lengths - repeated.sum(1)
        if not ignore_longer_outputs_than_inputs and (lengths > times).any():
            raise RuntimeError(
                f"For 'CTCLoss', a sample has more labels than steps, got {lengths.tolist()} and {times.tolist()}."
            )

        def losses(data: torch.Tensor, zero_infinity: bool) -> torch.Tensor:
            chances = torch.log_softmax(data if data.itemsize > 2 else data.float(), -1)
            each = F.ctc_loss(chances, classes, times, lengths, blank, reduction="none", zero_infinity=zero_infinity)
            return each.to(data.dtype)

        with torch.enable_grad():
            leaf = scores.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(losses(leaf, True).sum(), leaf)
        endless = losses(scores.detach(), False).isinf()
        return wrap(losses(scores, True).masked_fill(endless, torch.inf)), wrap(gradient)
    except Exception as error:
        raise explain(error, "CTCLoss", x=x, labels_values=labels_values) from error


def _label_rows(indices: torch.Tensor, values: torch.Tensor, samples: int, blank: int) -> torch.Tensor:
    """Return sparse labels as a matrix (N, S) of int64, filled up with blanks."""
    width = int(torch.bincount(indices[:, 0].long(), minlength=samples).max()) if len(indices) else 0
    rows = torch.full((samples, width), blank, device=values.device)
    rows[indices[:, 0].long(), indices[:, 1].long()] = values.long()
    return rows


def _kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Return labels·(log(labels) - logits).

    Args:
        logits: logarithms of probabilities, any shape; floats.
        labels: probabilities, of the same shape.
        reduction: "mean" (over all elements), "batchmean" (the sum over the length of axis 0), "sum" or "none".

    Returns:
        A Tensor of the dtype of `logits`: 0-d, or of the shape of `logits`.
    """
    return functions.kl_div(logits, labels, reduction)


DERIVED = (
    derive("BCEWithLogitsLoss", _bce_with_logits, "reduction"),
    derive("BinaryCrossEntropy", functions.binary_cross_entropy, "reduction"),
    derive("CTCLoss", _ctc, "preprocess_collapse_repeated ctc_merge_repeated ignore_longer_outputs_than_inputs"),
    derive("KLDivLoss", _kl_div, "reduction"),
    derive("L2Loss", _half_square_sum),
    derive("SigmoidCrossEntropyWithLogits", kernels.sigmoid_cross_entropy),
    derive("SmoothL1Loss", functions.smooth_l1_loss, "beta reduction"),
    derive("SoftMarginLoss", functions.soft_margin_loss, "reduction"),
    derive("TripletMarginLoss", _triplet_margin, "p swap eps reduction"),
)
