"""Losses of the difference between two tensors, or of a distribution's logarithm."""

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import boolean, in_range, instance
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.losses.base import LossBase
from msbridge.ops.neural.loss import functions as loss
from msbridge.ops.neural.loss.kernels import check_reduction

__all__ = [
    "GaussianNLLLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MAELoss",
    "MSELoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SmoothL1Loss",
]


class MSELoss(LossBase):
    """Compute the squared difference; of whole numbers in their dtype, the mean without its fraction.

    Args:
        reduction: as in every loss.

    Inputs:
        logits: a Tensor of any shape; any dtype but Complex.
        labels: a Tensor that broadcasts against `logits`.

    Outputs: as in every loss.

    Follows: mindspore.nn.MSELoss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        result = loss.mse_loss(logits, labels, self.reduction)
        left, right = logits._data, labels._data
        if left.is_floating_point() or right.is_floating_point() or left.is_complex() or right.is_complex():
            return result
        return wrap(result._data.to(torch.promote_types(left.dtype, right.dtype)))


class RMSELoss(LossBase):
    """Compute the root of the mean squared difference.

    Inputs:
        logits: a Tensor of any shape; any dtype but Complex.
        label: a Tensor that broadcasts against `logits`.

    Outputs:
        A Tensor of shape () and the dtype of `logits`; Float32 for integers and bools.

    Follows: mindspore.nn.RMSELoss (2.10).
    """

    def __init__(self) -> None:
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return wrap(torch.sqrt(self.MSELoss(logits, label)._data))


class L1Loss(LossBase):
    """Compute the absolute difference; of booleans, whether they differ, their mean and sum whether any do.

    Args:
        reduction: as in every loss.

    Inputs:
        logits: a Tensor of any shape and dtype.
        labels: a Tensor that broadcasts against `logits`.

    Outputs: as in every loss.

    Follows: mindspore.nn.L1Loss (2.10).
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        if logits._data.dtype is torch.bool and labels._data.dtype is torch.bool:
            differ = logits._data ^ labels._data
            return wrap(differ if self.reduction == "none" else differ.any())
        return loss.l1_loss(logits, labels, self.reduction)


class MAELoss(LossBase):
    """Compute the absolute difference.

    Args:
        reduction: as in every loss.

    Inputs:
        logits: a Tensor of any shape; any dtype but Bool.
        label: a Tensor that broadcasts against `logits`.

    Outputs: as in every loss.

    Follows: mindspore.nn.MAELoss (2.10).
    """

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return loss.l1_loss(logits, label, self.reduction)


class SmoothL1Loss(LossBase):
    """Compute 0.5·d² / beta where |d| < beta, |d| - 0.5·beta elsewhere; d the difference.

    Args:
        beta: where the parabola ends, > 0.
        reduction: "none" (the default here), "mean" or "sum".

    Inputs:
        logits: a Tensor of any shape; floats.
        labels: a Tensor of the same shape.

    Outputs: as in every loss.

    Raises:
        TypeError: `beta` is not a number.
        ValueError: another `reduction`.
        RuntimeError: `beta` is not positive (on call).

    Follows: mindspore.nn.SmoothL1Loss (2.10).
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        if not isinstance(reduction, str):
            raise ValueError(
                f"For 'SmoothL1Loss', the 'reduction' must be in ['mean', 'sum', 'none'], but got {reduction!r}."
            )
        super().__init__(reduction)
        self.beta = instance(beta, "beta", "SmoothL1Loss", (bool, int, float))

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """Compute 0.5·d² where |d| <= delta, delta·(|d| - 0.5·delta) elsewhere; d the difference.

    Args:
        reduction: as in every loss.
        delta: where the parabola ends, > 0.

    Inputs, Outputs: as in every loss.

    Follows: mindspore.nn.HuberLoss (2.10).
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.huber_loss(logits, labels, self.reduction, self.delta)


class KLDivLoss(LossBase):
    """Compute labels·(log(labels) - logits).

    Args:
        reduction: "mean" (over all elements), "batchmean", "sum" or "none".

    Inputs, Outputs: as in every loss.

    Follows: mindspore.nn.KLDivLoss (2.10).
    """

    def __init__(self, reduction: str = "mean") -> None:
        check_reduction(reduction, "KLDivLoss", ("none", "mean", "batchmean", "sum"))
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return loss.kl_div(logits, labels, self.reduction)


class GaussianNLLLoss(LossBase):
    """Compute 0.5·(log(max(var, eps)) + d² / max(var, eps)), plus 0.5·log(2π) with `full`; d the difference.

    Args:
        full: whether the constant is added.
        eps: the smallest variance, > 0.
        reduction: as in every loss.

    Inputs:
        logits: the expected values, shape (N, ...); integers or floats.
        labels: what was observed, a Tensor that broadcasts against `logits`.
        var: the variances, of the shape of `logits`, or of length 1 in the last axis.

    Outputs: as in every loss.

    Raises:
        TypeError: `full` is not a bool, `eps` is not a float.
        ValueError: `eps` is not positive.

    Follows: mindspore.nn.GaussianNLLLoss (2.10).
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = boolean(full, "full", self.cls_name)
        instance(eps, "eps", self.cls_name, float)
        self.eps = in_range(eps, "eps", self.cls_name, 0, float("inf"), "()")

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        return loss.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """Compute exp(x) - target·x (or x - target·log(x + eps)), plus Stirling's term with `full`.

    Args:
        log_input: whether x is a logarithm.
        full: whether Stirling's term is added, where the target is over 1.
        eps: keeps the logarithm from 0, with `log_input=False`.
        reduction: as in every loss.

    Inputs, Outputs: as in every loss.

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
            losses = F.poisson_nll_loss(input._data, target._data, **settings)
            return wrap(losses.to(input._data.dtype) if input._data.is_floating_point() else losses)
        except Exception as error:
            raise explain(error, self.cls_name, input=input, target=target) from error
