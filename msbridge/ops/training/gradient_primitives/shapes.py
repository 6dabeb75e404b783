"""Gradients of what moves elements: the gradient goes back to where each came from.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.gradient_primitives.families import back, of_primitive


def _flatten(x: Tensor, shape: Any) -> Tensor:
    """Return the gradient in the shape that was flattened."""
    return call_kernel(lambda data: data.reshape(plain_shape(shape)), "FlattenGrad", x)  # type: ignore[no-any-return]


def _mirror_pad(dy: Tensor, paddings: Tensor, mode: str = "REFLECT") -> Tensor:
    """Return the gradient of `MirrorPad`: what was mirrored is added to where it came from."""
    sizes = [size - sum(pair) for size, pair in zip(dy.shape, paddings.tolist(), strict=True)]
    pad = P.MirrorPad(mode)
    return back("MirrorPadGrad", lambda x: pad(x, paddings), dy, sizes)


def _slice(dy: Tensor, x: Tensor, begin: Any, size: Any) -> Tensor:
    """Return the gradient of `Slice`."""
    return back("SliceGrad", lambda data: P.Slice()(data, begin, size), dy, x.shape)


def _gather(x: Tensor, dim: int, index: Tensor, dout: Tensor) -> Tensor:
    """Return the gradient of `GatherD`."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda data, places, seed: seed.new_zeros(data.shape).scatter_add(dim, places.long(), seed),
        *("GatherDGradV2", x, index, dout),
    )


def _trace(y_grad: Tensor, x_shape: Any) -> Tensor:
    """Return the gradient of `Trace`."""

    def run(seed: torch.Tensor) -> torch.Tensor:
        return seed * torch.eye(*plain_shape(x_shape), dtype=seed.dtype, device=torch_device())

    return call_kernel(run, "TraceGrad", y_grad)  # type: ignore[no-any-return]


def _bias_add(dout: Tensor, data_format: str = "NCHW") -> Tensor:
    """Return the gradient of the bias of `BiasAdd`: sums over all axes but that of the channels."""

    def run(seed: torch.Tensor) -> torch.Tensor:
        axis = seed.dim() - 1 if data_format == "NHWC" else 1
        return seed.sum([place for place in range(seed.dim()) if place != axis])

    return call_kernel(run, "BiasAddGrad", dout)  # type: ignore[no-any-return]


DERIVED = (
    derive("BiasAddGrad", _bias_add, "data_format"),
    derive("FlattenGrad", _flatten),
    derive("GatherDGradV2", _gather),
    of_primitive("MaskedSelectGrad", P.MaskedSelect, "input mask grad", "input mask", "input"),
    derive("MirrorPadGrad", _mirror_pad, "mode"),
    derive("SliceGrad", _slice),
    of_primitive(
        "StridedSliceGrad",
        P.StridedSlice,
        "dy shapex begin end strides",
        "x begin end strides",
        "x",
        shape="shapex",
        begin_mask=0,
        end_mask=0,
        ellipsis_mask=0,
        new_axis_mask=0,
        shrink_axis_mask=0,
    ),
    derive("TraceGrad", _trace),
)
