"""Losses under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell
from msbridge.nn.losses.base import LossBase

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "KLDivLoss",
    "MSELoss",
    "NLLLoss",
    "SmoothL1Loss",
]


class _Loss(Cell):
    """Base of the losses.

    Args:
        reduction: "mean", "sum" or "none"; another one is an error on call.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction


class BCELoss(LossBase):
    """Compute the cross-entropy of probabilities and targets in [0, 1].

    Args:
        weight: of each element; None for ones.
        reduction: "mean", "sum" or "none".

    Inputs:
        input: probabilities in [0, 1], any shape; floats.
        target: of the same shape.

    Outputs:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Raises:
        ValueError: another `reduction`.

    Follows: mindspore.mint.nn.BCELoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Compute the cross-entropy of the logistic function of `input` and targets in [0, 1].

    Args:
        weight: of each element; None for ones.
        reduction: "mean", "sum" or "none".
        pos_weight: of positive targets; None for ones.

    Inputs:
        input: any shape; floats.
        target: of the same shape.

    Outputs:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Raises:
        ValueError: another `reduction`.

    Follows: mindspore.mint.nn.BCEWithLogitsLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", pos_weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        settings = (self.weight, self.reduction, self.pos_weight)
        return functional.binary_cross_entropy_with_logits(input, target, *settings)


class CosineEmbeddingLoss(_Loss):
    """Compute 1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1.

    Args:
        margin: in [-1, 1].
        reduction: "mean", "sum" or "none".

    Inputs:
        input1: shape (N, D) or (D,); floats.
        input2: likewise.
        target: 1 or -1, (N,) or 0-d.

    Outputs:
        A Tensor of the dtype of `input1`: 0-d, or of shape (N,).

    Follows: mindspore.mint.nn.CosineEmbeddingLoss (2.10).
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return functional.cosine_embedding_loss(input1, input2, target, self.margin, self.reduction)


class CrossEntropyLoss(_Loss):
    """Compute the cross-entropy of logits (N, C, ...) and classes, or probabilities of the logits' shape.

    Args:
        weight: of each class; None for ones.
        ignore_index: a class that does not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of the target is spread over all classes.

    Follows: mindspore.mint.nn.CrossEntropyLoss (2.10).
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

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        settings = (self.weight, self.ignore_index, self.reduction, self.label_smoothing)
        return functional.cross_entropy(input, target, *settings)


class KLDivLoss(_Loss):
    """Compute the Kullback-Leibler divergence of log-probabilities and targets.

    Args:
        reduction: "mean", "batchmean", "sum" or "none".
        log_target: whether the targets are logarithms, too.

    Inputs:
        input: logarithms of probabilities, any shape; floats.
        target: of the same shape.

    Outputs:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Follows: mindspore.mint.nn.KLDivLoss (2.10).
    """

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.kl_div(input, target, self.reduction, self.log_target)


class L1LossExt(LossBase):
    """Compute |input - target|.

    Args:
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: any shape.
        labels: broadcasts against `logits`.

    Outputs:
        A Tensor of the dtype of `logits`: 0-d, or of the broadcast shape.

    Raises:
        ValueError: `reduction` is not "mean", "sum" or "none".

    Follows: mindspore.mint.nn.L1Loss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return functional.l1_loss(logits, labels, self.reduction)


class MSELoss(_Loss):
    """Compute (input - target)².

    Args:
        reduction: "mean", "sum" or "none".

    Inputs:
        input: any shape.
        target: broadcasts against `input`.

    Outputs:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Follows: mindspore.mint.nn.MSELoss (2.10).
    """

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.mse_loss(input, target, self.reduction)


class NLLLoss(_Loss):
    """Compute the negative log-likelihood of classes.

    Args:
        weight: of each class; None for ones.
        ignore_index: a class that does not count.
        reduction: "mean", "sum" or "none".

    Follows: mindspore.mint.nn.NLLLoss (2.10).
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class SmoothL1Loss(_Loss):
    """Compute half the difference's square over `beta` where it is below `beta`, else its magnitude less beta/2.

    Args:
        reduction: "mean", "sum" or "none".
        beta: where the square ends, at least 0.

    Inputs:
        input: any shape; floats.
        target: of the same shape.

    Outputs:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Follows: mindspore.mint.nn.SmoothL1Loss (2.10).
    """

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.smooth_l1_loss(input, target, self.reduction, self.beta)
