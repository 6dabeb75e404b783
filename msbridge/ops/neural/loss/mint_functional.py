"""Functions of `mint.nn.functional` under torch's argument names."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.families import unary
from msbridge.ops.neural.loss import functions


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the cross-entropy of probabilities and targets in [0, 1].

    Follows: mindspore.mint.nn.functional.binary_cross_entropy (2.10).
    """
    return functions.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return the cross-entropy of the logistic function of `input` and targets in [0, 1].

    Follows: mindspore.mint.nn.functional.binary_cross_entropy_with_logits (2.10).
    """
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Return the Kullback-Leibler divergence of log-probabilities and targets.

    Follows: mindspore.mint.nn.functional.kl_div (2.10).
    """
    if log_target:
        target = unary(torch.exp, "kl_div", target)
    return functions.kl_div(input, target, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Return the difference's square where it is below `beta`, else its magnitude.

    Follows: mindspore.mint.nn.functional.smooth_l1_loss (2.10).
    """
    return functions.smooth_l1_loss(input, target, beta, reduction)


SAME = same(functions, "cosine_embedding_loss l1_loss mse_loss soft_margin_loss")
