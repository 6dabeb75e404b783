"""Batch, group and layer normalization with their statistics, and the gradients.

MindSpore computes most of these on an Ascend only; they follow its documentation, and `rstd` and `invstd` are one over
the standard deviation. The statistics of batches over several devices are those of synchronized batch normalization.
"""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.neural.normalization.kernels import adds_in_16_bits

Shape = int | tuple[int, ...] | list[int]
Mask = tuple[int, ...]
Data = torch.Tensor


def batch_norm_ext(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    running_mean: Tensor | None = None,
    runnning_var: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    epsilon: float = 1e-5,
) -> tuple[Tensor, Tensor, Tensor]:
    """Bring each channel to mean 0 and variance 1, then scale and shift.

    Returns:
        The result; where it is training, the mean and the rstd of the batch, else empty.

    Follows: mindspore.ops.auto_generate.BatchNormExt (2.10).
    """

    def run(data: Data, scale: Data, shift: Data, mean: Data, variance: Data) -> tuple[Data, ...]:
        return torch.native_batch_norm(data, scale, shift, mean, variance, training, momentum, epsilon)

    return call_kernel(run, "BatchNormExt", input, weight, bias, running_mean, runnning_var)  # type: ignore[no-any-return]


def batch_norm_grad_ext(
    dout: Tensor,
    input: Tensor,
    weight: Tensor | None = None,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    saved_mean: Tensor | None = None,
    saved_rstd: Tensor | None = None,
    training: bool = False,
    eps: float = 1e-5,
    output_mask: Mask = (1, 1, 1),
) -> tuple[Tensor, ...]:
    """Return the gradients of `batch_norm_ext`: of the input, the weight and the bias, zeros where the mask has 0.

    Follows: mindspore.ops.auto_generate.BatchNormGradExt (2.10).
    """

    def run(*datas: Data) -> tuple[Data, ...]:
        mask = [bool(one) for one in output_mask]
        found = torch.ops.aten.native_batch_norm_backward(*datas, training, eps, mask)
        return _fill_missing(found, (datas[1], datas[3], datas[3]))

    given = (dout, input, weight, running_mean, running_var, saved_mean, saved_rstd)
    return call_kernel(run, "BatchNormGradExt", *given)  # type: ignore[no-any-return]


def batch_norm_stats(input: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the mean and the invstd of each channel of the batch.

    Args:
        input: shape (N, C, ...); floats.
        eps: added to the variance.

    Returns:
        (mean, invstd), of shape (C,); Float32 for half precision, else the dtype of `input`.

    Follows: mindspore.mint.batch_norm_stats (2.10).
    """

    def run(data: Data) -> tuple[Data, Data]:
        wide = data.float() if data.dtype in (torch.float16, torch.bfloat16) else data
        variance, mean = torch.var_mean(wide.transpose(0, 1).flatten(1), 1, correction=0)
        return mean, torch.rsqrt(variance + eps)

    return call_kernel(run, "BatchNormStats", input)  # type: ignore[no-any-return]


def batch_norm_elemt(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    mean: Tensor | None = None,
    invstd: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize with given statistics: (input - mean) · invstd · weight + bias, channel by channel.

    Args:
        input: (N, C, ...).
        weight: (C,), or None for ones.
        bias: (C,), or None for zeros.
        mean: (C,), or None for zeros.
        invstd: (C,), which has `eps` in it; None for variances of one.
        eps: added to those.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.batch_norm_elemt (2.10).
    """

    def run(data: Data, *given: Data | None) -> Data:
        scale, shift, center, factor = (None if one is None else _beside(one, data) for one in given)
        found = data if center is None else data - center
        found = found * ((1 + eps) ** -0.5 if factor is None else factor)
        found = found if scale is None else found * scale
        return (found if shift is None else found + shift).to(data.dtype)

    return call_kernel(run, "BatchNormElemt", input, weight, bias, mean, invstd)  # type: ignore[no-any-return]


def batch_norm_gather_stats_with_counts(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    counts: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the mean and the invstd over all devices, and move the running statistics in place towards them.

    Args:
        input: this device's batch.
        mean: of each device, (devices, C).
        invstd: likewise.
        running_mean: (C,), changed in place.
        running_var: (C,), likewise, by the variance without bias.
        momentum: the share of the new ones.
        eps: what was added to the variances.
        counts: of values that each device's statistics are of, (devices,).

    Returns:
        (mean, invstd), of shape (C,).

    Follows: mindspore.mint.batch_norm_gather_stats_with_counts (2.10).
    """

    def run(data: Data, means: Data, factors: Data, center: Data | None, spread: Data | None, sizes: Data | None):  # type: ignore[no-untyped-def]
        if sizes is None:
            sizes = means.new_full((len(means),), data.numel() / data.shape[1])
        shares, total = sizes.to(means.dtype)[:, None], sizes.to(means.dtype).sum()
        mean = (means * shares).sum(0) / total
        squares = ((factors**-2 - eps + (means - mean) ** 2) * shares).sum(0)
        if center is not None:
            center.detach().lerp_(mean.detach().to(center.dtype), momentum)
        if spread is not None:
            spread.detach().lerp_((squares / (total - 1)).detach().to(spread.dtype), momentum)
        return mean, torch.rsqrt(squares / total + eps)

    given = (input, mean, invstd, running_mean, running_var, counts)
    return call_kernel(run, "BatchNormGatherStatsWithCounts", *given)  # type: ignore[no-any-return]


def batch_norm_reduce_grad(
    dout: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    input_g: bool = True,
    weight_g: bool = True,
    bias_g: bool = True,
) -> tuple[Tensor, ...]:
    """Return the sums over each channel that gradients over several devices need.

    Returns:
        The sums of `dout` and of `dout` · (input - mean); the gradients of weight and bias. Zeros where they are
        not asked for.

    Follows: mindspore.ops.auto_generate.BatchNormReduceGrad (2.10).
    """

    def run(seed: Data, data: Data, center: Data, factor: Data) -> tuple[Data, ...]:
        axes = [axis for axis in range(data.dim()) if axis != 1]
        total = seed.to(center.dtype).sum(axes)
        along = (seed.to(center.dtype) * (data - _beside(center, data))).sum(axes)
        kind = center.dtype if weight is None else weight._data.dtype
        found = (total, input_g), (along, input_g), ((along * factor).to(kind), weight_g), (total.to(kind), bias_g)
        return tuple(one.clone() if is_asked else torch.zeros_like(one) for one, is_asked in found)

    return call_kernel(run, "BatchNormReduceGrad", dout, input, mean, invstd)  # type: ignore[no-any-return]


def batch_norm_elemt_grad(
    dout: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    sumd_dy: Tensor,
    sum_dy_xmu: Tensor,
    count: Tensor,
) -> Tensor:
    """Return the gradient of the input from the sums of `batch_norm_reduce_grad` over all devices.

    Follows: mindspore.ops.auto_generate.BatchNormElemtGrad (2.10).
    """

    def run(seed, data, center, factor, scale, total, along, sizes):  # type: ignore[no-untyped-def]
        size = sizes.sum()
        centered, wide = data - _beside(center, data), _beside(factor, data)
        found = seed - _beside(total / size, data) - centered * wide**2 * _beside(along / size, data)
        found = found * wide
        return (found if scale is None else found * _beside(scale, data)).to(data.dtype)

    given = (dout, input, mean, invstd, weight, sumd_dy, sum_dy_xmu, count)
    return call_kernel(run, "BatchNormElemtGrad", *given)  # type: ignore[no-any-return]


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize groups of channels: the result, and the means and rstds, shape (N, num_groups).

    Follows: mindspore.ops.auto_generate.GroupNorm (2.10).
    """

    def run(data: Data, scale: Data | None, shift: Data | None) -> tuple[Data, ...]:
        return torch.native_group_norm(data, scale, shift, *_group_sizes(data), num_groups, eps)

    return call_kernel(run, "GroupNorm", input, weight, bias)  # type: ignore[no-any-return]


def group_norm_grad(
    dy: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    gamma_opt: Tensor | None,
    num_groups: int,
    dx_is_require: bool = True,
    dgamma_is_require: bool = True,
    dbeta_is_require: bool = True,
) -> tuple[Tensor, ...]:
    """Return the gradients of `group_norm`: of the input, the weight and the bias, zeros where they are not asked for.

    Follows: mindspore.ops.auto_generate.GroupNormGrad (2.10).
    """

    def run(*datas: Data) -> tuple[Data, ...]:
        mask = [dx_is_require, dgamma_is_require, dbeta_is_require]
        found = torch.ops.aten.native_group_norm_backward(*datas, *_group_sizes(datas[1]), num_groups, mask)
        channels = datas[1].new_zeros(datas[1].shape[1])
        return _fill_missing(found, (datas[1], channels, channels))

    return call_kernel(run, "GroupNormGrad", dy, x, mean, rstd, gamma_opt)  # type: ignore[no-any-return]


def layer_norm_ext(
    input: Tensor, normalized_shape: Shape, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize over the last axes: the result, and the means and rstds, of length 1 there.

    Follows: mindspore.ops.auto_generate.LayerNormExt (2.10).
    """

    def run(data: Data, scale: Data | None, shift: Data | None) -> tuple[Data, ...]:
        shape = plain_shape(normalized_shape)
        if not adds_in_16_bits(data):
            return torch.native_layer_norm(data, shape, scale, shift, eps)
        wide, factors, terms = (None if one is None else one.float() for one in (data, scale, shift))
        return tuple(one.to(data.dtype) for one in torch.native_layer_norm(wide, shape, factors, terms, eps))

    return call_kernel(run, "LayerNormExt", input, weight, bias)  # type: ignore[no-any-return]


def layer_norm_grad_ext(
    dy: Tensor,
    x: Tensor,
    normalized_shape: Shape,
    mean: Tensor,
    variance: Tensor,
    gamma: Tensor,
    beta: Tensor,
    output_mask: Mask = (1, 1, 1),
) -> tuple[Tensor, ...]:
    """Return the gradients of `layer_norm_ext`: of the input, the weight and the bias, zeros where the mask has 0.

    `variance` is the rstd, as in `layer_norm_ext`.

    Follows: mindspore.ops.auto_generate.LayerNormGradExt (2.10).
    """

    def run(seed: Data, data: Data, center: Data, factor: Data, scale: Data, shift: Data) -> tuple[Data, ...]:
        mask, shape = [bool(one) for one in output_mask], plain_shape(normalized_shape)
        given = (seed, data, center, factor, scale, shift)
        seed, wide, *others = (one.float() for one in given) if adds_in_16_bits(data) else given
        found = torch.ops.aten.native_layer_norm_backward(seed, wide, shape, *others, mask)
        forms = (data, scale, shift)
        return tuple(one.to(form.dtype) for one, form in zip(_fill_missing(found, forms), forms, strict=True))

    return call_kernel(run, "LayerNormGradExt", dy, x, mean, variance, gamma, beta)  # type: ignore[no-any-return]


def layer_norm_v3(
    input_x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize from an axis on: the result, and the means and rstds, of length 1 there.

    Args:
        input_x: any shape.
        gamma: the factors, of the shape from `begin_params_axis` on.
        beta: what is added, likewise.
        begin_norm_axis: the first of the axes that are normalized over.
        begin_params_axis: the first of the axes of `gamma` and `beta`.
        epsilon: added to the variance.

    Follows: mindspore.ops.auto_generate.LayerNormV3 (2.10).
    """

    def run(data: Data, scale: Data, shift: Data) -> tuple[Data, ...]:
        axes = list(range(begin_norm_axis % data.dim(), data.dim()))
        variance, mean = torch.var_mean(data.float(), axes, correction=0, keepdim=True)
        factor, form = torch.rsqrt(variance + epsilon), data.shape[begin_params_axis % data.dim() :]
        found = (data - mean) * factor * scale.reshape(form) + shift.reshape(form)
        return found.to(data.dtype), mean.to(data.dtype), factor.to(data.dtype)

    return call_kernel(run, "LayerNormV3", input_x, gamma, beta)  # type: ignore[no-any-return]


def layer_norm_grad_v3(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
) -> tuple[Tensor, ...]:
    """Return the gradients of `layer_norm_v3`: of the input, `gamma` and `beta`; `variance` is the rstd.

    Follows: mindspore.ops.auto_generate.LayerNormGradV3 (2.10).
    """

    def run(data: Data, seed: Data, factor: Data, center: Data, scale: Data) -> tuple[Data, ...]:
        axes = list(range(begin_norm_axis % data.dim(), data.dim()))
        others = list(range(begin_params_axis % data.dim()))
        normal, scaled = (data - center) * factor, seed * scale
        along = (scaled * normal).mean(axes, keepdim=True)
        found = (scaled - scaled.mean(axes, keepdim=True) - normal * along) * factor
        return found.to(data.dtype), (seed * normal).sum(others), seed.sum(others)

    return call_kernel(run, "LayerNormGradV3", x, dy, variance, mean, gamma)  # type: ignore[no-any-return]


def _beside(channels: Data, data: Data) -> Data:
    """Return values of channels, (C,), as they are placed beside data of shape (N, C, ...)."""
    return channels.reshape(-1, *[1] * (data.dim() - 2))


def _group_sizes(data: Data) -> tuple[int, int, int]:
    """Return N, C and the product of the other sizes."""
    return data.shape[0], data.shape[1], data.shape[2:].numel()


def _fill_missing(found: tuple[Data | None, ...], forms: tuple[Data, ...]) -> tuple[Data, ...]:
    """Return zeros of a form in place of what was not computed."""
    return tuple(torch.zeros_like(form) if one is None else one for one, form in zip(found, forms, strict=True))
