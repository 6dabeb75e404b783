"""Products of large float32 matrices on AMD's processors with AVX-512, by oneDNN.

On a CPU torch hands products to MKL, which uses AVX-512 on Intel's processors alone; oneDNN, which torch ships as well,
uses it on both. Measured on an AMD EPYC (torch 2.13, one thread): oneDNN takes 0.45 of MKL's time from 4 million
multiplications on, as long for a million, and 10 us more below. So it computes the large ones, to the same float32.

What watches torch's operators (a comparison, a profile), transforms or exports them gets torch's own.
"""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.ops.eager import is_plain, is_watched

__all__ = ["is_faster", "linear", "matmul"]

LEAST = 1 << 22  # multiplications
_FEWEST_ROWS = 8  # with fewer, both wait for the memory

_multiply: Any = getattr(torch.ops.mkldnn, "_linear_pointwise", None)


def is_faster() -> bool:
    """Whether oneDNN multiplies faster than MKL on this processor."""
    features = torch.cpu.get_capabilities()
    is_amd = str(features.get("cpu_name", "")).startswith("AMD")
    return _multiply is not None and torch.backends.mkl.is_available() and is_amd and bool(features.get("avx512_vl"))


def linear(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Return `data @ weight.T + bias`."""
    if data.numel() * weight.size(0) >= LEAST and _fits(data, weight, bias):
        if torch.is_grad_enabled():
            return _Product.apply(data, weight, bias)  # type: ignore[no-any-return, no-untyped-call]
        return _multiply(data, weight, bias, "none", [], "")  # type: ignore[no-any-return]
    return F.linear(data, weight, bias)


def matmul(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return `left @ right`, of two matrices, vectors or batches of matrices."""
    if right.dim() == 2 and left.numel() * right.size(1) >= LEAST:
        columns = right.t()
        if _fits(left, columns):
            return linear(left, columns)
    return torch.matmul(left, right)


class _Product(torch.autograd.Function):
    """`data @ weight.T + bias`: a matrix or a batch of them, a matrix, and a vector or None."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        return _multiply(data, weight, bias, "none", [], "")  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        data, weight = ctx.saved_tensors
        to_data, to_weight, to_bias = ctx.needs_input_grad
        rows = grads[0].flatten(0, -2)
        return (
            matmul(grads[0], weight) if to_data else None,
            matmul(rows.t(), data.flatten(0, -2)) if to_weight else None,
            rows.sum(0) if to_bias else None,
        )


def _fits(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
    length = weight.size(1) if weight.dim() == 2 else 0
    return (
        not is_watched()
        and data.dim() > 1
        and data.size(-1) == length
        and data.numel() >= _FEWEST_ROWS * length
        and (bias is None or (is_plain(bias) and bias.shape == weight.shape[:1]))
        and is_plain(data)
        and is_plain(weight)
        and torch._C._get_mkldnn_enabled()
    )
