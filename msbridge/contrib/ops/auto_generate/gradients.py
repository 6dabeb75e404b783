"""Gradients of operators as operators, by torch's backward pass through them.

MindSpore computes most of these on an Ascend alone; they are tested against the gradients of the operators here.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape, scalar_or_tensor
from msbridge.ops.kernel_calls.vector_jacobian import backward


def _through(op: str, forward: Callable[..., torch.Tensor], dout: Tensor, x: Tensor) -> Tensor:
    return backward(op, forward, dout, x)[0]


def elu_grad_ext(dout: Tensor, x_or_out: Tensor, alpha: float = 1.0, is_result: bool = False) -> Tensor:
    """Return the gradient of `elu`, from its input, or with `is_result` from its result.

    Follows: mindspore.ops.auto_generate.EluGradExt (2.10).
    """

    def forward(x: torch.Tensor) -> torch.Tensor:
        return F.elu(x, alpha)

    if not is_result:
        return _through("EluGradExt", forward, dout, x_or_out)
    out = x_or_out._data
    return Tensor(dout._data * torch.where(out < 0, out + alpha, 1))


def gelu_grad_ext(grad: Tensor, input: Tensor, approximate: str = "none") -> Tensor:
    """Return the gradient of `gelu`.

    Follows: mindspore.ops.auto_generate.GeluGradExt (2.10).
    """
    return _through("GeluGradExt", lambda x: F.gelu(x, approximate=approximate), grad, input)


def leaky_relu_grad_ext(dy: Tensor, input: Tensor, negative_slope: float = 0.01, is_result: bool = False) -> Tensor:
    """Return the gradient of `leaky_relu`; the sign of the input is that of the result.

    Follows: mindspore.ops.auto_generate.LeakyReLUGradExt (2.10).
    """
    if is_result and negative_slope < 0:
        raise ValueError("For 'LeakyReLUGradExt', a negative slope needs the input, not the result.")
    return _through("LeakyReLUGradExt", lambda x: F.leaky_relu(x, negative_slope), dy, input)


def mish_grad_ext(dout: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of `mish`.

    Follows: mindspore.ops.auto_generate.MishGradExt (2.10).
    """
    return _through("MishGradExt", F.mish, dout, x)


def softplus_grad_ext(dout: Tensor, x: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Return the gradient of `softplus`.

    Follows: mindspore.ops.auto_generate.SoftplusGradExt (2.10).
    """
    return _through("SoftplusGradExt", lambda data: F.softplus(data, beta, threshold), dout, x)


def hardtanh_grad(dout: Tensor, input: Tensor, min_val: float = -1, max_val: float = 1) -> Tensor:
    """Return the gradient of `hardtanh`.

    Follows: mindspore.ops.auto_generate.HardtanhGrad (2.10).
    """
    return _through("HardtanhGrad", lambda x: F.hardtanh(x, min_val, max_val), dout, input)


def threshold_grad(grad_output: Tensor, input: Tensor, threshold: float) -> Tensor:
    """Return the gradient of `threshold`.

    Follows: mindspore.ops.auto_generate.ThresholdGrad (2.10).
    """
    return _through("ThresholdGrad", lambda x: F.threshold(x, threshold, 0), grad_output, input)


def swiglu_grad(grad_output: Tensor, input: Tensor, dim: int = -1) -> Tensor:
    """Return the gradient of `swiglu`.

    Follows: mindspore.ops.auto_generate.swiglu_grad (2.10).
    """

    def forward(x: torch.Tensor) -> torch.Tensor:
        first, second = x.chunk(2, dim)
        return F.silu(first) * second

    return _through("SwigluGrad", forward, grad_output, input)


def softmax_backward(dout: Tensor, out: Tensor, dim: int = -1) -> Tensor:
    """Return the gradient of `softmax`, from its result.

    Follows: mindspore.ops.auto_generate.SoftmaxBackward (2.10).
    """
    return call_kernel(  # type: ignore[no-any-return]
        lambda seed, data: data * (seed - (seed * data).sum(dim, keepdim=True)), "SoftmaxBackward", dout, out
    )


def rms_norm_grad(dy: Tensor, x: Tensor, rstd: Tensor, gamma: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients of `rms_norm`: of the input, and of the factors in Float32; `rstd` is its second result.

    Follows: mindspore.ops.auto_generate.RmsNormGrad (2.10).
    """
    axes = tuple(range(-len(gamma.shape), 0))
    seed, data, inverse, factors = (one._data.float() for one in (dy, x, rstd, gamma))
    plain, scaled = data * inverse, seed * factors
    d_x = inverse * (scaled - plain * (scaled * plain).mean(axes, keepdim=True))
    d_gamma = (seed * plain).sum_to_size(factors.shape)
    return Tensor(d_x.to(x._data.dtype)), Tensor(d_gamma)


def kl_div_grad(
    grad_output: Tensor, input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Return the gradient of `kl_div` with respect to the input.

    Follows: mindspore.ops.auto_generate.kl_div_grad (2.10).
    """

    def forward(x: torch.Tensor) -> torch.Tensor:
        loss = F.kl_div(x, target._data, reduction="sum" if reduction == "mean" else reduction, log_target=log_target)
        return loss / x.numel() if reduction == "mean" else loss

    return _through("KLDivGrad", forward, grad_output, input)


def l1_loss_backward_ext(grad_output: Tensor, input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the gradient of `l1_loss` with respect to the input.

    Follows: mindspore.ops.auto_generate.L1LossBackwardExt (2.10).
    """
    return _through("L1LossBackwardExt", lambda x: F.l1_loss(x, target._data, reduction=reduction), grad_output, input)


def mse_loss_grad_ext(dout: Tensor, x: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the gradient of `mse_loss` with respect to the input.

    Follows: mindspore.ops.auto_generate.MSELossGradExt (2.10).
    """
    return _through("MSELossGradExt", lambda data: F.mse_loss(data, target._data, reduction=reduction), dout, x)


def binary_cross_entropy_with_logits_backward(
    grad_output: Tensor,
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    posWeight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the gradient of `binary_cross_entropy_with_logits` with respect to the input.

    Follows: mindspore.ops.auto_generate.BinaryCrossEntropyWithLogitsBackward (2.10).
    """
    options: dict[str, Any] = {"weight": scalar_or_tensor(weight), "pos_weight": scalar_or_tensor(posWeight)}

    def forward(x: torch.Tensor) -> torch.Tensor:
        return F.binary_cross_entropy_with_logits(x, target._data, reduction=reduction, **options)

    return _through("BinaryCrossEntropyWithLogitsBackward", forward, grad_output, input)


def embedding_dense_backward(
    grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int | None = None, scale_grad_by_freq: bool = False
) -> Tensor:
    """Return the gradient of the table of `embedding`.

    Follows: mindspore.ops.auto_generate.EmbeddingDenseBackward (2.10).
    """

    def forward(table: torch.Tensor) -> torch.Tensor:
        places = indices._data.long()
        return F.embedding(places, table, padding_idx, scale_grad_by_freq=scale_grad_by_freq)

    zeros = Tensor(grad._data.new_zeros(num_weights, grad._data.shape[-1]))
    return _through("EmbeddingDenseBackward", forward, grad, zeros)


def col2im_grad(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Return the gradient of `fold`, which is `unfold`.

    Follows: mindspore.ops.auto_generate.Col2ImGrad (2.10).
    """
    return Tensor(F.unfold(input._data, kernel_size, dilation, padding, stride))


def avg_pool2d_grad(
    grad: Tensor,
    image: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the gradient of `avg_pool2d`.

    Follows: mindspore.ops.auto_generate.AvgPool2DGrad (2.10).
    """
    options = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _through("AvgPool2DGrad", lambda x: F.avg_pool2d(x, *options), grad, image)


def avg_pool3d_grad(
    grad: Tensor,
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the gradient of `avg_pool3d`.

    Follows: mindspore.ops.auto_generate.AvgPool3DGradExt (2.10).
    """
    options = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _through("AvgPool3DGradExt", lambda x: F.avg_pool3d(x, *options), grad, input)


def adaptive_avg_pool2d_grad(grad_output: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of `adaptive_avg_pool2d`.

    Follows: mindspore.ops.auto_generate.AdaptiveAvgPool2DGradExt (2.10).
    """
    size = grad_output.shape[-2:]
    return _through("AdaptiveAvgPool2DGradExt", lambda data: F.adaptive_avg_pool2d(data, size), grad_output, x)


def adaptive_avg_pool3d_grad(input_grad: Tensor, input: Tensor) -> Tensor:
    """Return the gradient of `adaptive_avg_pool3d`.

    Follows: mindspore.ops.auto_generate.AdaptiveAvgPool3DGradExt (2.10).
    """
    size = input_grad.shape[-3:]
    return _through("AdaptiveAvgPool3DGradExt", lambda data: F.adaptive_avg_pool3d(data, size), input_grad, input)


def reflection_pad_grad(grad_output: Tensor, input: Tensor, padding: Any) -> Tensor:
    """Return the gradient of a border of reflections.

    Follows: mindspore.ops.auto_generate.ReflectionPad1DGrad, ReflectionPad2DGrad, ReflectionPad3DGrad (2.10).
    """
    return _through("ReflectionPadGrad", lambda x: F.pad(x, plain_shape(padding), "reflect"), grad_output, input)


def replication_pad_grad(grad_output: Tensor, input: Tensor, padding: Any) -> Tensor:
    """Return the gradient of a border of repeated edges.

    Follows: mindspore.ops.auto_generate.ReplicationPad1DGrad, ReplicationPad2DGrad, ReplicationPad3DGrad (2.10).
    """
    return _through("ReplicationPadGrad", lambda x: F.pad(x, plain_shape(padding), "replicate"), grad_output, input)
