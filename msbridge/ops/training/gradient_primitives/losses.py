"""Gradients of losses.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.gradient_primitives.families import gradient, of_primitive


def _ctc(
    grad_out: Tensor,
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    neg_log_likelihood: Tensor,
    log_alpha: Tensor,
    blank: int,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> Tensor:
    """Return the gradient of `CTCLossV2` with respect to the log probabilities; the loss is computed again."""
    one_of(reduction, "reduction", "CTCLossV2Grad", ("none",))

    def loss(chances: Tensor) -> Tensor:
        lengths = (input_lengths._data, target_lengths._data)
        return wrap(torch.ctc_loss(chances._data, targets._data, *lengths, blank, 0, zero_infinity))

    return gradient("CTCLossV2Grad", loss, grad_out, log_probs)[0]


def _multilabel_margin(y_grad: Tensor, x: Tensor, target: Tensor, is_target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the gradient of `MultilabelMarginLoss`; which classes are targets is found again."""
    loss = P.MultilabelMarginLoss(reduction)
    return gradient("MultilabelMarginLossGrad", lambda data: loss(data, target)[0], y_grad, x)[0]


def _nll(
    logits: Tensor,
    loss_grad: Tensor,
    labels: Tensor,
    weight: Tensor,
    total_weight: Tensor,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> Tensor:
    """Return the gradient of `NLLLoss`."""

    def run(data, dout, places, shares, total):  # type: ignore[no-untyped-def]
        chosen = places.long().clamp(min=0)
        part = -shares[chosen] * (places != ignore_index) * dout
        part = part / total if reduction == "mean" else part
        return data.new_zeros(data.shape).scatter(1, chosen[:, None], part[:, None].to(data.dtype))

    return call_kernel(run, "NLLLossGrad", logits, loss_grad, labels, weight, total_weight)  # type: ignore[no-any-return]


def _sigmoid_cross_entropy(x: Tensor, y: Tensor, dout: Tensor) -> Tensor:
    """Return the gradient of `SigmoidCrossEntropyWithLogits` with respect to the logits."""
    return wrap((x._data.sigmoid() - y._data) * dout._data)


DERIVED = (
    of_primitive(
        "BinaryCrossEntropyGrad",
        P.BinaryCrossEntropy,
        "input target grad_output weight?",
        "input target weight",
        "input",
        reduction="mean",
    ),
    derive("CTCLossV2Grad", _ctc, "blank reduction zero_infinity"),
    of_primitive(
        "KLDivLossGrad", P.KLDivLoss, "dy input_x input_target", "input_x input_target", "input_x", reduction="mean"
    ),
    of_primitive(
        "MultiMarginLossGrad",
        P.MultiMarginLoss,
        "y_grad x target weight?",
        "x target weight",
        "x",
        p=1,
        margin=1.0,
        reduction="mean",
    ),
    derive("MultilabelMarginLossGrad", _multilabel_margin, "reduction"),
    derive("NLLLossGrad", _nll, "reduction ignore_index"),
    derive("SigmoidCrossEntropyWithLogitsGrad", _sigmoid_cross_entropy),
    of_primitive(
        "SmoothL1LossGrad",
        P.SmoothL1Loss,
        "prediction target dout",
        "prediction target",
        "prediction",
        beta=1.0,
        reduction="none",
    ),
    of_primitive(
        "SoftMarginLossGrad", P.SoftMarginLoss, "predict label dout", "predict label", "predict", reduction="mean"
    ),
)
