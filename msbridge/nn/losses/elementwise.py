"""Losses as Cells; `segmentation_loss` has those of regions.

Follows: mindspore.nn.loss (2.10).
"""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.arguments import boolean
from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, as_torch, wrap
from msbridge.nn.cell import Cell
from msbridge.ops.classification_loss import functions as classification_loss
from msbridge.ops.classification_loss.kernels import (
    explain_classes,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
    sparse_softmax_cross_entropy_mean,
)
from msbridge.ops.loss import (
    functions as elementwise,  # the global name `loss` is a module of its own in old import paths
)
from msbridge.ops.loss.kernels import check_reduction, reduced
from msbridge.ops.operations import Cast, Mul, ReduceMean, ReduceSum

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "MultiLabelSoftMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SmoothL1Loss",
    "SoftmaxCrossEntropyWithLogits",
]


class LossBase(Cell):
    """Base of the losses: `get_loss` weighs and reduces.

    Args:
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: another `reduction`.

    Follows: mindspore.nn.LossBase (2.10).
    """

    # Operators for the `construct` of subclasses, which scripts take for given.
    cast = Cast()
    mul = Mul()
    reduce_mean = ReduceMean()
    reduce_sum = ReduceSum()

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_reduction(reduction, self.cls_name)
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """Return all axes of `x`.

        Follows: mindspore.nn.LossBase.get_axis (2.10).
        """
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: float | Tensor = 1.0) -> Tensor:
        """Return the reduced `weights`·`x`, computed in Float32, in the dtype of `x`.

        Follows: mindspore.nn.LossBase.get_loss (2.10).
        """
        try:
            scale = weights if isinstance(weights, int | float) else as_torch(weights, torch.float32)
            return wrap(reduced(x._data.float() * scale, self.reduction).to(x._data.dtype))
        except Exception as error:
            raise explain(error, self.cls_name, x=x, weights=weights) from error

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, logits, labels).")


class MSELoss(LossBase):
    """Compute the squared difference.

    Follows: mindspore.nn.MSELoss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """Compute the root of the mean squared difference.

    Follows: mindspore.nn.RMSELoss (2.10).
    """

    def __init__(self) -> None:
        super().__init__()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return wrap(torch.sqrt(elementwise.mse_loss(logits, label)._data))


class L1Loss(LossBase):
    """Compute the absolute difference.

    Follows: mindspore.nn.L1Loss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.l1_loss(logits, labels, self.reduction)


class MAELoss(LossBase):
    """Compute the absolute difference.

    Follows: mindspore.nn.MAELoss (2.10).
    """

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return elementwise.l1_loss(logits, label, self.reduction)


class SmoothL1Loss(LossBase):
    """Compute 0.5·d² / beta where |d| < beta, |d| - 0.5·beta elsewhere; d the difference.

    Args:
        beta: where the parabola ends, >= 0.
        reduction: "none" (the default here), "mean" or "sum".

    Follows: mindspore.nn.SmoothL1Loss (2.10).
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """Compute 0.5·d² where |d| <= delta, delta·(|d| - 0.5·delta) elsewhere; d the difference.

    Follows: mindspore.nn.HuberLoss (2.10).
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.huber_loss(logits, labels, self.reduction, self.delta)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Compute minus the log softmax of the logits (N, C) at the labels.

    Args:
        sparse: whether the labels are class numbers (N,) instead of probabilities (N, C). A class out of range
            counts 0; on a CPU, with the mean, it is an error.
        reduction: "none" (the default here) gives shape (N,); "mean" or "sum".

    Raises:
        RuntimeError: a class is out of range (on call).
        TypeError: `sparse` is not a bool; or the labels are of another dtype (on call).
        ValueError: another `reduction`; or the shapes do not fit (on call).

    Follows: mindspore.nn.SoftmaxCrossEntropyWithLogits (2.10).
    """

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.sparse = boolean(sparse, "sparse", self.cls_name)
        self._fn = softmax_cross_entropy
        self._reduction = reduction
        if sparse and reduction == "mean":
            self._fn = sparse_softmax_cross_entropy_mean
            self._reduction = "none"
        elif sparse:
            self._fn = sparse_softmax_cross_entropy

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        try:
            scores, classes = logits._data, labels._data
            if scores.dim() != 2:
                raise ValueError(f"For '{self.cls_name}', the logits must have 2 axes, got shape {logits.shape}.")
            if self.sparse and classes.is_floating_point():
                raise TypeError(f"For '{self.cls_name}', the labels must be Int32 or Int64, got {labels.dtype}.")
            return wrap(reduced(self._fn(scores, classes), self._reduction))
        except Exception as error:
            raise explain_classes(error, self.cls_name, logits, labels) from error


class CrossEntropyLoss(LossBase):
    """Compute minus the log softmax of the logits (N, C, ...) at the labels, class numbers or probabilities.

    Args:
        weight: shape (C,); scales the losses of each class, and the mean is weighted.
        ignore_index: class numbers of this value do not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of the target is spread evenly over the classes, in [0, 1].

    Follows: mindspore.nn.CrossEntropyLoss (2.10).
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        settings = (self.weight, self.ignore_index, self.reduction, self.label_smoothing)
        return classification_loss.cross_entropy(logits, labels, *settings)


class NLLLoss(LossBase):
    """Compute minus the log probabilities (N, C, ...) at the class numbers.

    Follows: mindspore.nn.NLLLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return classification_loss.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """Compute the binary cross entropy of probabilities.

    Args:
        weight: broadcasts against the logits.
        reduction: "mean", "sum" or "none".

    Follows: mindspore.nn.BCELoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Compute the binary cross entropy of the sigmoid of the input.

    Args:
        reduction: "mean", "sum" or "none".
        weight: broadcasts against the input; scales each loss.
        pos_weight: broadcasts against the input; scales the losses of targets 1.

    Follows: mindspore.nn.BCEWithLogitsLoss (2.10).
    """

    def __init__(self, reduction: str = "mean", weight: Tensor | None = None, pos_weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        settings = (self.weight, self.pos_weight, self.reduction)
        return elementwise.binary_cross_entropy_with_logits(input, target, *settings)


class KLDivLoss(LossBase):
    """Compute labels·(log(labels) - logits).

    Args:
        reduction: "mean" (over all elements), "batchmean", "sum" or "none".

    Follows: mindspore.nn.KLDivLoss (2.10).
    """

    def __init__(self, reduction: str = "mean") -> None:
        check_reduction(reduction, "KLDivLoss", ("none", "mean", "batchmean", "sum"))
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return elementwise.kl_div(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """Compute the binary cross entropy of sigmoid(x), averaged over the classes.

    Follows: mindspore.nn.MultiLabelSoftMarginLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return classification_loss.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class GaussianNLLLoss(LossBase):
    """Compute 0.5·(log(max(var, eps)) + d² / max(var, eps)), plus 0.5·log(2π) with `full`; d the difference.

    Follows: mindspore.nn.GaussianNLLLoss (2.10).
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = boolean(full, "full", self.cls_name)
        self.eps = eps

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        return elementwise.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """Compute exp(x) - target·x (or x - target·log(x + eps)), plus Stirling's term with `full`.

    Follows: mindspore.nn.PoissonNLLLoss (2.10).
    """

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        try:
            settings = {"log_input": self.log_input, "full": self.full, "eps": self.eps, "reduction": self.reduction}
            return wrap(F.poisson_nll_loss(input._data, target._data, **settings))
        except Exception as error:
            raise explain(error, self.cls_name, input=input, target=target) from error


class CTCLoss(LossBase):
    """Compute the connectionist temporal classification loss.

    Args:
        blank: the class of blanks.
        reduction: "mean" (each loss over its target's length, then the mean), "sum" or "none".
        zero_infinity: whether infinite losses count as 0.

    Follows: mindspore.nn.CTCLoss (2.10).
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        settings = (self.blank, self.reduction, self.zero_infinity)
        return classification_loss.ctc_loss(log_probs, targets, input_lengths, target_lengths, *settings)[0]
