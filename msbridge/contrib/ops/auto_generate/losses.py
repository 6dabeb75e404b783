"""Losses of classes with what their gradients need.

MindSpore computes these on an Ascend only; they follow its documentation and are tested against those of mint.
"""

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.kernel_calls.vector_jacobian import backward

Data = torch.Tensor


def logsigmoid(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the logarithm of the sigmoid, and exp(-|input|), which the gradient may use.

    Follows: mindspore.ops.auto_generate.LogSigmoid (2.10).
    """

    def run(data: Data) -> tuple[Data, Data]:
        return F.logsigmoid(data), torch.exp(-data.abs())

    return call_kernel(run, "LogSigmoid", input)  # type: ignore[no-any-return]


def logsigmoid_grad(dy: Tensor, input: Tensor, buffer: Tensor) -> Tensor:
    """Return the gradient of `logsigmoid`; `buffer` is its second result.

    Follows: mindspore.ops.auto_generate.LogSigmoidGrad (2.10).
    """

    def run(seed: Data, data: Data, small: Data) -> Data:
        return seed * torch.where(data < 0, 1, small) / (1 + small)

    return call_kernel(run, "LogSigmoidGrad", dy, input, buffer)  # type: ignore[no-any-return]


def nllloss_2d(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str = "mean", ignore_index: int = -100
) -> tuple[Tensor, Tensor]:
    """Return the negative log likelihood of the classes of pixels, and the sum of their weights.

    Args:
        input: logarithms of chances, (N, C, H, W).
        target: classes, (N, H, W).
        weight: of the classes, (C,), or None for ones.
        reduction: "none", "mean" or "sum".
        ignore_index: a class that does not count.

    Follows: mindspore.ops.auto_generate.NLLLoss2d (2.10).
    """

    def run(data: Data, classes: Data, shares: Data | None) -> tuple[Data, Data]:
        classes = classes.long()
        loss = F.nll_loss(data, classes, shares, ignore_index=ignore_index, reduction=reduction)
        return loss, _total(data, classes, shares, ignore_index)

    return call_kernel(run, "NLLLoss2d", input, target, weight)  # type: ignore[no-any-return]


def nllloss_2d_grad(
    loss_grad: Tensor,
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    total_weight: Tensor,
) -> Tensor:
    """Return the gradient of `nllloss_2d`; `total_weight` is its second result.

    Follows: mindspore.ops.auto_generate.NLLLoss2dGrad (2.10).
    """
    shares = None if weight is None else weight._data

    def forward(data: Data) -> Data:
        kind = "sum" if reduction == "mean" else reduction
        loss = F.nll_loss(data, target._data.long(), shares, ignore_index=ignore_index, reduction=kind)
        return loss / total_weight._data if reduction == "mean" else loss

    return backward("NLLLoss2dGrad", forward, loss_grad, input)[0]


def cross_entropy_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    lse_square_scale_for_zloss: float = 0.0,
    return_zloss: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the cross entropy of scores and classes, with what its gradient needs.

    Args:
        input: scores, (N, C).
        target: classes, (N,).
        weight: of the classes, (C,), or None for ones.
        reduction: "none", "mean" or "sum".
        ignore_index: a class that does not count.
        label_smoothing: the share of the target that goes to all classes alike, in [0, 1).
        lse_square_scale_for_zloss: factor of the squares of the log-sum-exp that are added to the loss.
        return_zloss: whether that part is a result, too.

    Returns:
        The loss, the logarithms of the chances, that part and the log-sum-exp; the last two are empty without it.

    Follows: mindspore.ops.auto_generate.cross_entropy_loss (2.10).
    """

    def run(data: Data, classes: Data, shares: Data | None) -> tuple[Data, ...]:
        settings = (reduction, ignore_index, label_smoothing, lse_square_scale_for_zloss)
        loss, part, sums = _entropy(data, classes.long(), shares, *settings)
        empty = data.new_empty(0)
        is_squared = lse_square_scale_for_zloss != 0
        shown = part if return_zloss and is_squared else empty
        return loss, torch.log_softmax(data, -1), shown, sums if is_squared else empty

    return call_kernel(run, "CrossEntropyLoss", input, target, weight)  # type: ignore[no-any-return]


def cross_entropy_loss_grad(
    grad_loss: Tensor,
    log_prob: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    grad_zloss: Tensor | None = None,
    lse_for_zloss: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    lse_square_scale_for_zloss: float = 0.0,
) -> Tensor:
    """Return the gradient of `cross_entropy_loss`, from its second and fourth result.

    Follows: mindspore.ops.auto_generate.cross_entropy_loss_grad (2.10).
    """
    settings = (reduction, ignore_index, label_smoothing, lse_square_scale_for_zloss)
    shares, classes = None if weight is None else weight._data, target._data.long()
    has_squares = lse_for_zloss is not None and lse_for_zloss.size > 0
    sums = lse_for_zloss._data[:, None] if lse_for_zloss is not None and has_squares else 0
    scores = Tensor(log_prob._data.detach() + sums)

    def forward(data: Data) -> tuple[Data, Data]:
        return _entropy(data, classes, shares, *settings)[:2]

    seed = grad_zloss if grad_zloss is not None and grad_zloss.size else Tensor(torch.zeros_like(grad_loss._data))
    return backward("CrossEntropyLossGrad", forward, (grad_loss, seed), scores)[0]


def _entropy(
    data: Data, classes: Data, shares: Data | None, reduction: str, ignored: int, smoothing: float, scale: float
) -> tuple[Data, Data, Data]:
    """Return the loss, its part that is the squares of the log-sum-exp, and the log-sum-exp of each row."""
    loss = F.cross_entropy(data, classes, shares, ignore_index=ignored, reduction=reduction, label_smoothing=smoothing)
    sums = torch.logsumexp(data, -1)
    part = scale * sums**2 * (classes != ignored)
    if reduction == "sum":
        part = part.sum()
    elif reduction == "mean":
        part = part.sum() / _total(data, classes, shares, ignored)
    return loss + part, part, sums


def _total(data: Data, classes: Data, shares: Data | None, ignored: int) -> Data:
    """Return the sum of the weights of the classes that count."""
    counts = (classes != ignored).to(data.dtype)
    if shares is not None:
        counts = counts * shares[classes.clamp(0, len(shares) - 1)]
    return counts.sum()
