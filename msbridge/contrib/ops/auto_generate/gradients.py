"""Gradients of operators as operators, by torch's backward pass through them.

MindSpore computes most of these on an Ascend only; they are tested against the gradients of the operators here.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape, scalar_or_tensor
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import REQUIRED
from msbridge.ops.primitive.row_functions import row_function


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


def leaky_relu_grad_ext(dy: Tensor, input: Tensor, negative_slope: float = 0.01, is_result: bool = False) -> Tensor:
    """Return the gradient of `leaky_relu`; the sign of the input is that of the result.

    Follows: mindspore.ops.auto_generate.LeakyReLUGradExt (2.10).
    """
    if is_result and negative_slope < 0:
        raise ValueError("For 'LeakyReLUGradExt', a negative slope needs the input, not the result.")
    return _through("LeakyReLUGradExt", lambda x: F.leaky_relu(x, negative_slope), dy, input)


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


def _row(op: str, forward: Callable[..., torch.Tensor], inputs: str, taken: str, /, **settings: Any) -> Any:
    """Return the gradient of torch's function with respect to the first of what it takes, beside settings."""
    names, order = inputs.split(), taken.split()

    def run(given: Mapping[str, Any]) -> Tensor:
        others = [scalar_or_tensor(given[key]) for key in order[1:]]
        options = {key: given[key] for key in settings}
        return _through(op, lambda x: forward(x, *others, **options), given[names[0]], given[order[0]])

    doc = f"Return the gradient of its first input.\n\nFollows: mindspore.ops.auto_generate.{op} (2.10)."
    return row_function(op, run, dict.fromkeys(names, Tensor), settings, Tensor, doc)


def _swiglu(x: torch.Tensor, dim: int) -> torch.Tensor:
    first, second = x.chunk(2, dim)
    return F.silu(first) * second


def _kl_div(x: torch.Tensor, target: torch.Tensor, reduction: str, log_target: bool) -> torch.Tensor:
    loss = F.kl_div(x, target, reduction="sum" if reduction == "mean" else reduction, log_target=log_target)
    return loss / x.numel() if reduction == "mean" else loss


def _with_logits(x: torch.Tensor, target: torch.Tensor, weight: Any, pos_weight: Any, reduction: str) -> torch.Tensor:
    return F.binary_cross_entropy_with_logits(x, target, weight, reduction=reduction, pos_weight=pos_weight)


_WINDOWS = {"padding": 0, "ceil_mode": False, "count_include_pad": True, "divisor_override": None}
avg_pool2d_grad = _row(
    "AvgPool2DGrad", F.avg_pool2d, "grad image", "image", kernel_size=REQUIRED, stride=REQUIRED, **_WINDOWS
)
avg_pool3d_grad = _row(
    "AvgPool3DGradExt", F.avg_pool3d, "grad input", "input", kernel_size=REQUIRED, stride=None, **_WINDOWS
)
binary_cross_entropy_with_logits_backward = _row(
    "BinaryCrossEntropyWithLogitsBackward",
    _with_logits,
    "grad_output input target weight? posWeight?",
    "input target weight posWeight",
    reduction="mean",
)
gelu_grad_ext = _row("GeluGradExt", F.gelu, "grad input", "input", approximate="none")
hardtanh_grad = _row("HardtanhGrad", F.hardtanh, "dout input", "input", min_val=-1, max_val=1)
kl_div_grad = _row("KLDivGrad", _kl_div, "grad_output input target", "input target", reduction="mean", log_target=False)
l1_loss_backward_ext = _row(
    "L1LossBackwardExt", F.l1_loss, "grad_output input target", "input target", reduction="mean"
)
mish_grad_ext = _row("MishGradExt", F.mish, "dout x", "x")
mse_loss_grad_ext = _row("MSELossGradExt", F.mse_loss, "dout x target", "x target", reduction="mean")
reflection_pad_grad = _row(
    *("ReflectionPadGrad", lambda x, padding: F.pad(x, plain_shape(padding), "reflect"), "grad_output input", "input"),
    padding=REQUIRED,
)
replication_pad_grad = _row(
    *("ReplicationPadGrad", lambda x, padding: F.pad(x, plain_shape(padding), "replicate")),
    *("grad_output input", "input"),
    padding=REQUIRED,
)
softplus_grad_ext = _row("SoftplusGradExt", F.softplus, "dout x", "x", beta=1, threshold=20)
swiglu_grad = _row("SwigluGrad", _swiglu, "grad_output input", "input", dim=-1)
threshold_grad = _row("ThresholdGrad", partial(F.threshold, value=0), "grad_output input", "input", threshold=REQUIRED)
