"""Products and convolutions of float16 on a CPU: computed in float32, and rounded at the end.

torch's own float16 kernels there are slow: a product of 512x4096 matrices takes 46 times as long as in float32, a 3x3
convolution of 64 channels 11 times (torch 2.13, one core). Ascend's cube unit adds up in float32 as well.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls import onednn_products

_HALF = torch.float16
_MANY = 1 << 12 if onednn_products.is_faster() else 1 << 63  # elements that may make a large product


def linear_tensors(input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return `input @ weight.T + bias`, of Tensors."""
    data = input._data
    is_large = type(data) is torch.Tensor and data.numel() >= _MANY  # sizes stay free in torch.export
    product = linear if data.dtype is _HALF or is_large else F.linear
    return wrap(product(data, weight._data, None if bias is None else bias._data))


def linear(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Return `data @ weight.T + bias`."""
    if data.dtype is _HALF and _is_slow(data, weight, bias):
        return linear(data.float(), weight.float(), None if bias is None else bias.float()).half()
    if type(data) is torch.Tensor and data.numel() >= _MANY:
        return onednn_products.linear(data, weight, bias)
    return F.linear(data, weight, bias)


def matmul(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return `left @ right`, of two matrices, vectors or batches of matrices."""
    if left.dtype is _HALF and _is_slow(left, right):
        return matmul(left.float(), right.float()).half()
    if type(left) is torch.Tensor and left.numel() >= _MANY:
        return onednn_products.matmul(left, right)
    if left.dim() == 3 == right.dim() and left.size(0) == right.size(0):
        return torch.bmm(left, right)  # what torch.matmul comes to, without its views
    return torch.matmul(left, right)


def baddbmm(total: torch.Tensor, left: torch.Tensor, right: torch.Tensor, beta: Any, alpha: Any) -> torch.Tensor:
    """Return `beta * total + alpha * (left @ right)`, of batches of matrices."""
    if left.dtype is _HALF and _is_slow(left, right, total):
        return torch.baddbmm(total.float(), left.float(), right.float(), beta=beta, alpha=alpha).half()
    return torch.baddbmm(total, left, right, beta=beta, alpha=alpha)


def einsum(equation: str, datas: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the sum of products of an equation of indices."""
    if len(datas) > 1 and datas[0].dtype is _HALF and all(_is_slow(datas[0], data) for data in datas[1:]):
        return torch.einsum(equation, [data.float() for data in datas]).half()
    return torch.einsum(equation, *datas)


def convolving(fn: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Return torch's convolution `fn(data, weight, bias, *settings)` with float16 as this module computes it."""
    return partial(_convolve, fn)


def in_float32(fn: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Return `fn(data, *settings)` that takes float16, too, where torch (2.13) has no such kernel for a CPU."""
    return lambda data, *settings: fn(data.float(), *settings).half() if data.dtype is _HALF else fn(data, *settings)


def _convolve(
    fn: Callable[..., torch.Tensor],
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *settings: Any,
) -> torch.Tensor:
    if data.dtype is _HALF and _is_slow(data, weight, bias):
        return fn(data.float(), weight.float(), None if bias is None else bias.float(), *settings).half()
    return fn(data, weight, bias, *settings)


def _is_slow(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
    """Whether all is float16 on the CPU; a mixture is left to torch, which refuses it."""
    return data.device.type == "cpu" and weight.dtype is _HALF and (bias is None or bias.dtype is _HALF)
