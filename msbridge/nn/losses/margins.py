"""Losses of distances and margins, as Cells."""

from collections.abc import Callable

import torch

from msbridge.core.checks.arguments import above, boolean, instance, integer, one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.losses.base import LossBase
from msbridge.ops.neural.classification_loss import functions as classification_loss
from msbridge.ops.neural.loss import functions as loss
from msbridge.ops.neural.loss.kernels import reduce_losses

__all__ = [
    "CosineEmbeddingLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class CosineEmbeddingLoss(LossBase):
    """Compute 1 - cos where the label is 1, max(0, cos - margin) where it is -1.

    Args:
        margin: which cosine of unequal vectors costs nothing, in [-1, 1].
        reduction: as in every loss.

    Inputs:
        logits_x1: shape (N, D); floats.
        logits_x2: the same.
        labels: shape (N,); 1 or -1.

    Outputs: as in every loss of samples.

    Raises:
        ValueError: `margin` is not in [-1, 1].

    Follows: mindspore.nn.CosineEmbeddingLoss (2.10).
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not -1 <= instance(margin, "margin", self.cls_name, float) <= 1:
            raise ValueError(f"For '{self.cls_name}', the 'margin' must be in range [-1, 1], but got {margin}.")
        self.margin = margin

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        return loss.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """Compute max(0, -target·(input1 - input2) + margin).

    Args:
        margin: by how much the larger one is to be larger.
        reduction: as in every loss.

    Inputs:
        input1: a Tensor of any shape; floats.
        input2: the same.
        target: the same; 1 where `input1` is to be larger, else -1.

    Outputs:
        A Tensor of shape () and the dtype of `input1`; with the reduction "none" one loss for each element.

    Follows: mindspore.nn.MarginRankingLoss (2.10).
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return loss.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """Compute x where the label is 1, max(0, margin - x) where it is -1.

    Args:
        margin: which distance of unequal ones costs nothing.
        reduction: as in every loss.

    Inputs:
        logits: distances, a Tensor of any shape; floats.
        labels: a Tensor that broadcasts against `logits`; 1 or -1.

    Outputs: as in every loss.

    Raises:
        TypeError: `margin` is not a number.

    Follows: mindspore.nn.HingeEmbeddingLoss (2.10).
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = instance(margin, "margin", self.cls_name, (float, int))

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class SoftMarginLoss(LossBase):
    """Compute log(1 + exp(-label·logit)).

    Args:
        reduction: as in every loss.

    Inputs:
        logits: a Tensor of any shape; floats.
        labels: a Tensor of that shape; 1 or -1.

    Outputs: as in every loss.

    Follows: mindspore.nn.SoftMarginLoss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.soft_margin_loss(logits, labels, self.reduction)


class MultiMarginLoss(LossBase):
    """Compute the mean over the other classes of max(0, margin - x[target] + x[class])^p.

    Args:
        p: the exponent, 1 or 2.
        margin: by how much the target's score is to be larger.
        reduction: as in every loss.
        weight: shape (C,): scales the losses of each class; None for ones.

    Inputs:
        x: shape (N, C); floats.
        target: shape (N,): class numbers, Int32 or Int64.
        weight: takes the place of the argument; None for that one.

    Outputs: as in every loss of samples.

    Follows: mindspore.nn.MultiMarginLoss (2.10).
    """

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.p = one_of(integer(p, "p", self.cls_name), "p", self.cls_name, (1, 2))
        self.margin = instance(margin, "margin", self.cls_name, (float, int))
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        scale = self.weight if weight is None else weight
        return classification_loss.multi_margin_loss(x, target, self.p, self.margin, scale, self.reduction)


class MultilabelMarginLoss(LossBase):
    """Compute the mean margin of each sample's classes to all others.

    Args:
        reduction: as in every loss.

    Inputs:
        x: shape (N, C) or (C,); floats.
        target: of that shape, Int32: the numbers of a sample's classes, in front of a -1.

    Outputs: as in every loss of samples.

    Follows: mindspore.nn.MultilabelMarginLoss (2.10).
    """

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return classification_loss.multilabel_margin_loss(x, target, self.reduction)


class TripletMarginLoss(LossBase):
    """Compute max(0, |x - positive| - |x - negative| + margin), in the p-norm over the last axis.

    Args:
        p: of the norm.
        swap: whether the smaller of x and positive's distances to negative counts.
        eps: added to the differences.
        reduction: as in every loss.
        margin: by how much the negative is to be farther.

    Inputs:
        x: shape (N, D); integers or floats.
        positive: the same: samples that belong to those of `x`.
        negative: the same: samples that do not.
        margin: takes the place of the argument; None for that one.

    Outputs: as in every loss of samples.

    Follows: mindspore.nn.TripletMarginLoss (2.10).
    """

    def __init__(
        self, p: int = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean", margin: float = 1.0
    ) -> None:
        super().__init__(reduction)
        self.p = integer(p, "p", self.cls_name)
        self.swap = boolean(swap, "swap", self.cls_name)
        self.eps = eps
        self.margin = margin

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor, margin: float | Tensor | None = None) -> Tensor:
        limit = self.margin if margin is None else margin
        return loss.triplet_margin_loss(x, positive, negative, limit, self.p, self.eps, self.swap, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """Compute max(0, d(x, positive) - d(x, negative) + margin), d a distance of one's own.

    Args:
        distance_function: `f(x1, x2)` → a Tensor; None for the root of the squared differences' sum.
        swap: whether the smaller of x and positive's distances to negative counts.
        reduction: "mean", "sum" or "none".
        margin: > 0.

    Inputs:
        x: shape (N, D); integers or floats.
        positive: the same: samples that belong to those of `x`.
        negative: the same: samples that do not.

    Outputs: as in every loss of samples.

    Raises:
        ValueError: `margin` is not positive.

    Follows: mindspore.nn.TripletMarginWithDistanceLoss (2.10).
    """

    def __init__(
        self,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        swap: bool = False,
        reduction: str = "mean",
        margin: float = 1.0,
    ) -> None:
        super().__init__(reduction)
        above(margin, "margin", self.cls_name)
        self.distance_function = _pairwise_distance if distance_function is None else distance_function
        self.swap = boolean(swap, "swap", self.cls_name)
        self.margin = margin

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        near = self.distance_function(x, positive)._data
        far = self.distance_function(x, negative)._data
        if self.swap:
            far = torch.minimum(far, self.distance_function(positive, negative)._data)
        return wrap(reduce_losses(torch.clamp_min(near - far + self.margin, 0), self.reduction))


def _pairwise_distance(left: Tensor, right: Tensor) -> Tensor:
    return wrap(torch.sqrt((left._data - right._data).square().sum(-1)))
