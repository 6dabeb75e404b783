"""Primitives of losses."""

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.loss import functions, kernels
from msbridge.ops.primitive import derive


def _bce_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the binary cross entropy of sigmoid(input)."""
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def _half_square_sum(input_x: Tensor) -> Tensor:
    """Return half the sum of the squares."""
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
    """Return max(0, |x - positive| - |x - negative| + margin)."""
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


def _kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Return labels·(log(labels) - logits)."""
    return functions.kl_div(logits, labels, reduction)


_REDUCTION = {"reduction": "mean"}


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
