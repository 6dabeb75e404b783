"""Losses of classes, and of sequences of classes."""

from functools import cached_property
from typing import Any

from msbridge.core.checks.arguments import boolean, in_range, instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.losses.base import LossBase
from msbridge.ops import operations
from msbridge.ops.neural.classification_loss import functions as classification_loss
from msbridge.ops.neural.classification_loss.kernels import (
    explain_classes,
    explain_probabilities,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
    sparse_softmax_cross_entropy_mean,
    unfit_labels,
)
from msbridge.ops.neural.loss import functions as loss
from msbridge.ops.neural.loss.kernels import reduce_losses

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CrossEntropyLoss",
    "MultiLabelSoftMarginLoss",
    "NLLLoss",
    "SoftmaxCrossEntropyWithLogits",
]


class BCELoss(LossBase):
    """Compute the binary cross entropy of probabilities.

    Args:
        weight: broadcasts against the logits.
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: probabilities in [0, 1], a Tensor of any shape; floats.
        labels: a Tensor of the same shape and dtype.

    Outputs: as in every loss.

    Follows: mindspore.nn.BCELoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Compute the binary cross entropy of the sigmoid of the input.

    Args:
        reduction: "mean", "sum" or "none".
        weight: broadcasts against the input; scales each loss.
        pos_weight: broadcasts against the input; scales the losses of targets 1.

    Inputs:
        input: a Tensor of any shape; floats.
        target: a Tensor of the same shape and dtype.

    Outputs: as in every loss.

    Follows: mindspore.nn.BCEWithLogitsLoss (2.10).
    """

    def __init__(self, reduction: str = "mean", weight: Tensor | None = None, pos_weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        settings = (self.weight, self.pos_weight, self.reduction)
        return loss.binary_cross_entropy_with_logits(input, target, *settings)


class CTCLoss(LossBase):
    """Compute the connectionist temporal classification loss of (T, N, C) or, for one sequence, of (T, C).

    Args:
        blank: the class of blanks.
        reduction: "mean" (each loss over its target's length, then the mean), "sum" or "none".
        zero_infinity: whether infinite losses count as 0.

    Inputs:
        log_probs: the logarithms of probabilities, shape (T, N, C) or (T, C); floats.
        targets: class numbers, shape (N, S), or those of all sequences in one axis; Int32 or Int64.
        input_lengths: how much of T counts, shape (N,) or a tuple of ints.
        target_lengths: how much of S counts, shape (N,) or a tuple of ints.

    Outputs:
        A Tensor of shape (), or (N,) with the reduction "none", and the dtype of `log_probs`.

    Follows: mindspore.nn.CTCLoss (2.10).
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        settings = (self.blank, self.reduction, self.zero_infinity)
        is_one = log_probs.ndim == 2
        if is_one:
            log_probs, targets = log_probs.expand_dims(1), targets.expand_dims(0)  # type: ignore[attr-defined]
        losses = classification_loss.ctc_loss(log_probs, targets, input_lengths, target_lengths, *settings)[0]
        return losses.squeeze(0) if is_one and self.reduction == "none" else losses  # type: ignore[attr-defined]


class CrossEntropyLoss(LossBase):
    """Compute minus the log softmax of the logits (N, C, ...) at the labels, class numbers or probabilities.

    Args:
        weight: shape (C,); scales the losses of each class, and the mean is weighted.
        ignore_index: class numbers of this value do not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of the target is spread evenly over the classes, in [0, 1].

    Inputs:
        logits: shape (N, C, ...) or (C,); floats.
        labels: class numbers, shape (N, ...), Int32 or Int64; or probabilities of the shape and dtype of `logits`.

    Outputs:
        A Tensor of shape () and the dtype of `logits`; with the reduction "none" shape (N, ...).

    Raises:
        TypeError: an argument is of another type.
        ValueError: `label_smoothing` is out of its range, or another `reduction`.

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
        self.weight = instance(weight, "weight", self.cls_name, (Tensor, type(None)))
        self.ignore_index = instance(ignore_index, "ignore_index", self.cls_name, int)
        instance(label_smoothing, "label_smoothing", self.cls_name, float)
        self.label_smoothing = in_range(label_smoothing, "label_smoothing", self.cls_name, 0.0, 1.0, "[]")

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        settings = (self.weight, self.ignore_index, self.reduction, self.label_smoothing)
        try:
            return classification_loss.cross_entropy(logits, labels, *settings)
        except (RuntimeError, TypeError, ValueError) as error:
            raise unfit_labels(self.cls_name, logits, labels) or error from error.__cause__


class MultiLabelSoftMarginLoss(LossBase):
    """Compute the binary cross entropy of sigmoid(x), averaged over the classes.

    Args:
        weight: shape (C,); scales the losses of each class.
        reduction: as in every loss.

    Inputs:
        x: shape (N, C); floats.
        target: the same; 0 or 1.

    Outputs: as in every loss of samples.

    Follows: mindspore.nn.MultiLabelSoftMarginLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return classification_loss.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class NLLLoss(LossBase):
    """Compute minus the log probabilities (N, C, ...) at the class numbers.

    Args:
        weight: shape (C,); scales the losses of each class, and the mean is weighted.
        ignore_index: class numbers of this value do not count.
        reduction: as in every loss.

    Inputs:
        logits: shape (N, C, ...) or (C,); floats.
        labels: class numbers, shape (N, ...), Int32 or Int64.

    Outputs:
        A Tensor of shape () and the dtype of `logits`; with the reduction "none" shape (N, ...).

    Follows: mindspore.nn.NLLLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = instance(weight, "weight", self.cls_name, (Tensor, type(None)))
        self.ignore_index = instance(ignore_index, "ignore_index", self.cls_name, int)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return classification_loss.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Compute minus the log softmax of the logits (N, C) at the labels.

    Args:
        sparse: whether the labels are class numbers (N,) instead of probabilities (N, C). A class out of range
            counts 0; on a CPU, with the mean, it is an error.
        reduction: "none" (the default here) yields shape (N,); "mean" or "sum".
        is_grad: of releases before 1.0; only False, the loss itself.

    Inputs:
        logits: shape (N, C); Float16 or Float32.
        labels: with `sparse`, shape (N,), Int32 or Int64; else the shape and dtype of `logits`.

    Outputs:
        A Tensor of the dtype of `logits`, of shape (N,), or () with "mean" and "sum".

    Raises:
        RuntimeError: a class is out of range (on call).
        TypeError: `sparse` is not a bool; or the labels are of another dtype (on call).
        ValueError: another `reduction`, or `is_grad`; or the shapes do not fit (on call).

    Examples:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> round(loss(Tensor([[0.0, 0.0]]), Tensor([1], ms.int32)).item(), 4)
        0.6931

    Follows: mindspore.nn.SoftmaxCrossEntropyWithLogits (2.10).
    """

    def __init__(self, sparse: bool = False, reduction: str = "none", *, is_grad: bool = False) -> None:
        super().__init__(reduction)
        if is_grad:
            raise ValueError(f"For '{self.cls_name}', 'is_grad' must be False; use mindspore.grad for the gradient.")
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
            return wrap(reduce_losses(self._fn(scores, classes), self._reduction))
        except Exception as error:
            explain_for = explain_classes if self.sparse else explain_probabilities
            raise explain_for(error, self.cls_name, logits, labels) from error

    # Operators for strategies.
    softmax_cross_entropy = cached_property(lambda self: operations.SoftmaxCrossEntropyWithLogits())
    sparse_softmax_cross_entropy = cached_property(lambda self: operations.SparseSoftmaxCrossEntropyWithLogits())
    one_hot = cached_property(lambda self: operations.OneHot())

    def _by_operators(self, logits: Tensor, labels: Tensor) -> Tensor:
        if self.sparse and self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)  # type: ignore[no-any-return]
        if self.sparse:
            labels = self.one_hot(labels, logits.shape[-1], Tensor(1.0, logits.dtype), Tensor(0.0, logits.dtype))
        return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])
