"""Normalisation folded into the weights of a convolution: statistics, correction, and their gradients.

Follows: mindspore.ops.operations._quant_ops.BatchNormFold, CorrectionMul, BatchNormFold2 and relatives (1.9, 2.10);
a name that ends in D is Ascend's form, which gets sums and returns the averages instead of writing them.
"""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.quantization.kernels import along, batch_statistics, correct, fold

Four = tuple[Tensor, Tensor, Tensor, Tensor]


def _fold(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    global_step: Tensor,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> Four:
    """Return mean and deviation of the batch, and the averages of both, which are then brought up to date in place.

    From the step `freeze_bn` on, and without `is_training`, the batch counts as (0, 1) and the averages stay.
    """
    try:
        running_mean = mean._data.clone()
        running_std = (variance._data + epsilon).sqrt()
        zeros, ones = torch.zeros_like(running_mean), torch.ones_like(running_mean)
        if not is_training:
            return wrap(zeros), wrap(ones), wrap(running_mean), wrap(running_std)
        goes_on = global_step._data.reshape(()) < freeze_bn
        batch_mean, batch_std, unbiased = batch_statistics(x._data, epsilon)
        with torch.no_grad():
            for average, value in ((mean._data, batch_mean), (variance._data, unbiased)):
                average.copy_(torch.where(goes_on, momentum * average + (1 - momentum) * value.detach(), average))
        batch = torch.where(goes_on, batch_mean, zeros), torch.where(goes_on, batch_std, ones)
        return wrap(batch[0]), wrap(batch[1]), wrap(running_mean), wrap(running_std)
    except Exception as error:
        raise explain(error, "BatchNormFold", x=x, mean=mean, variance=variance, global_step=global_step) from error


def _fold_grad(
    d_batch_mean: Tensor,
    d_batch_std: Tensor,
    x: Tensor,
    batch_mean: Tensor,
    batch_std: Tensor,
    global_step: Tensor | None = None,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> Tensor:
    """Return the gradient of BatchNormFold with respect to `x`."""

    def statistics(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return batch_statistics(data, epsilon)[:2]

    (dx,) = backward("BatchNormFoldGrad", statistics, (d_batch_mean, d_batch_std), x)
    if not is_training:
        return wrap(torch.zeros_like(dx._data))
    if global_step is None:
        return dx
    return wrap(torch.where(global_step._data.reshape(()) < freeze_bn, dx._data, 0))


def _fold_of_sums(
    x: Tensor,
    x_sum: Tensor,
    x_square_sum: Tensor,
    mean: Tensor,
    variance: Tensor,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> tuple[Tensor, ...]:
    """Return x, mean and deviation of the batch, the averages of both, and the averages brought up to date."""
    try:
        count = x._data.numel() // x._data.shape[1]
        batch_mean = x_sum._data / count
        biased = x_square_sum._data / count - batch_mean.square()
        unbiased = biased * (count / max(count - 1, 1))
        news = (
            momentum * mean._data + (1 - momentum) * batch_mean,
            momentum * variance._data + (1 - momentum) * unbiased,
        )
        stds = (biased + epsilon).sqrt(), (variance._data + epsilon).sqrt()
        return tuple(map(wrap, (x._data, batch_mean, stds[0], mean._data.clone(), stds[1], *news)))
    except Exception as error:
        raise explain(error, "BatchNormFoldD", x=x, x_sum=x_sum, mean=mean, variance=variance) from error


def _correct(x: Tensor, batch_std: Tensor, running_std: Tensor, channel_axis: int = 0) -> Tensor:
    """Return x·batch_std/running_std along `channel_axis`."""
    try:
        return wrap(correct(x._data, batch_std._data, running_std._data, channel_axis))
    except Exception as error:
        raise explain(error, "CorrectionMul", x=x, batch_std=batch_std, running_std=running_std) from error


def _correct_grad(
    dout: Tensor, x: Tensor, gamma: Tensor, running_std: Tensor, channel_axis: int = 0
) -> tuple[Tensor, ...]:
    """Return the gradients of CorrectionMul with respect to `x` and `batch_std`."""

    def forward(data: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
        return correct(data, std, running_std._data, channel_axis)

    return backward("CorrectionMulGrad", forward, dout, x, gamma)


def sum_channels(mul_dx: Tensor, channel_axis: int = 0) -> Tensor:
    """Return the sums along all axes but one."""
    data = mul_dx._data
    return wrap(data.movedim(channel_axis, 0).flatten(1).sum(1) if data.dim() > 1 else data)


def _fold2(
    x: Tensor,
    beta: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    freeze_bn: int = 0,
) -> Tensor:
    """Take the correction back and add the bias; from the step `freeze_bn` on with the averages, not the batch's."""
    try:
        tensors = (x, beta, gamma, batch_std, batch_mean, running_std, running_mean, global_step)
        return wrap(_fold_by_step(freeze_bn, *(one._data for one in tensors)))
    except Exception as error:
        raise explain(error, "BatchNormFold2", x=x, beta=beta, gamma=gamma, batch_std=batch_std) from error


def _fold_by_step(
    freeze_bn: int,
    x: torch.Tensor,
    beta: torch.Tensor,
    gamma: torch.Tensor,
    batch_std: torch.Tensor,
    batch_mean: torch.Tensor,
    running_std: torch.Tensor,
    running_mean: torch.Tensor,
    global_step: torch.Tensor,
) -> torch.Tensor:
    now = fold(x, beta, gamma, batch_std, batch_mean, running_std)
    frozen = fold(x, beta, gamma, None, running_mean.detach(), running_std.detach())
    return torch.where(global_step.reshape(()) < freeze_bn, now, frozen)


def _fold2_grad(
    dout: Tensor,
    x: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    freeze_bn: int = 0,
) -> tuple[Tensor, ...]:
    """Return the gradients of BatchNormFold2: of batch_std, batch_mean, beta, gamma and x."""

    def forward(*differentiated: torch.Tensor) -> torch.Tensor:
        averages = [one._data for one in (running_std, running_mean, global_step)]
        return _fold_by_step(freeze_bn, *differentiated, *averages)

    beta = wrap(torch.zeros_like(gamma._data))
    d_x, d_beta, d_gamma, d_std, d_mean = backward(
        "BatchNormFold2Grad", forward, dout, x, beta, gamma, batch_std, batch_mean
    )
    return d_std, d_mean, d_beta, d_gamma, d_x


def _fold2_ascend(
    x: Tensor,
    beta: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    freeze_bn: int = 0,
) -> Tensor:
    """Return x·running_std/batch_std + beta - gamma·batch_mean/batch_std."""
    try:
        return wrap(fold(*(one._data for one in (x, beta, gamma, batch_std, batch_mean, running_std))))
    except Exception as error:
        raise explain(error, "BatchNormFold2D", x=x, beta=beta, gamma=gamma, batch_std=batch_std) from error


def _fold2_reduce(dout: Tensor, x: Tensor, freeze_bn: int = 0) -> tuple[Tensor, Tensor]:
    """Return the sums of `dout` and of `dout·x` over all axes but that of the channels."""
    try:
        return sum_channels(dout, 1), sum_channels(wrap(dout._data * x._data), 1)
    except Exception as error:
        raise explain(error, "BatchNormFold2GradReduce", dout=dout, x=x) from error


def _fold2_grad_ascend(
    dout: Tensor,
    dout_reduce: Tensor,
    dout_x_reduce: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    freeze_bn: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the gradients of BatchNormFold2D, from the sums: of batch_std, batch_mean, gamma and x."""
    try:
        std, total = batch_std._data, dout_reduce._data
        part = gamma._data * batch_mean._data * total - dout_x_reduce._data * running_std._data
        found = (part / std.square(), -total * gamma._data / std, -total * batch_mean._data / std)
        d_x = dout._data * along(running_std._data / std, dout._data, 1)
        return wrap(found[0]), wrap(found[1]), wrap(found[2]), wrap(d_x)
    except Exception as error:
        raise explain(error, "BatchNormFold2GradD", dout=dout, gamma=gamma, batch_std=batch_std) from error


DERIVED = (
    derive("BatchNormFold", _fold, "momentum epsilon is_training freeze_bn"),
    derive("BatchNormFoldGrad", _fold_grad, "epsilon is_training freeze_bn"),
    derive("BatchNormFoldD", _fold_of_sums, "momentum epsilon is_training freeze_bn"),
    derive("BatchNormFoldGradD", _fold_grad, "epsilon is_training freeze_bn"),
    derive("CorrectionMul", _correct, "channel_axis"),
    derive("CorrectionMulGrad", _correct_grad, "channel_axis"),
    derive("CorrectionMulGradReduce", sum_channels, "channel_axis"),
    derive("BatchNormFold2", _fold2, "freeze_bn"),
    derive("BatchNormFold2Grad", _fold2_grad, "freeze_bn"),
    derive("BatchNormFold2D", _fold2_ascend, "freeze_bn"),
    derive("BatchNormFold2GradReduce", _fold2_reduce, "freeze_bn"),
    derive("BatchNormFold2GradD", _fold2_grad_ascend, "freeze_bn"),
)
