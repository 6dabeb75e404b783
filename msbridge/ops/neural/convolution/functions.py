"""Convolutions and their transposes over one, two and three spatial axes.

MindSpore's pad modes: "valid" pads nothing, "same" yields ceil(size / stride) outputs and pads the odd element at the
end, "pad" pads by `padding`.
"""

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import binary_same
from msbridge.ops.kernel_calls.half_precision import linear_tensors
from msbridge.ops.kernel_calls.windows import (
    Sizes,
)
from msbridge.ops.neural.convolution.kernels import (
    _TRANSPOSES,
    apply_convolution,
    convolution,
    deformable_offsets,
    explain_linear,
    transposed_convolution,
)


def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return input @ weight.T + bias.

    Args:
        input: shape (..., in).
        weight: shape (out, in) or (in,).
        bias: shape (out,).

    Returns:
        A Tensor of shape (..., out), or (...) for a vector, and the dtype of `input`.

    Follows: mindspore.ops.dense (2.10).
    """
    try:
        return linear_tensors(input, weight, bias)
    except Exception as error:
        raise explain_linear(error, "Dense", input=input, weight=weight, bias=bias) from error


def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return input1 @ weight @ input2 + bias, for each output channel.

    Args:
        input1: shape (..., in1).
        input2: shape (..., in2).
        weight: shape (out, in1, in2).
        bias: shape (out,).

    Returns:
        A Tensor of shape (..., out) and the dtype of `input1`.

    Follows: mindspore.ops.bidense (2.10).
    """
    try:
        return wrap(F.bilinear(input1._data, input2._data, weight._data, None if bias is None else bias._data))
    except Exception as error:
        raise explain_linear(error, "BiDense", input1=input1, input2=input2, weight=weight) from error


def _bias_add(data: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    return data + bias.reshape(-1, *(1,) * (data.dim() - 2))


bias_add = define(
    binary_same,
    _bias_add,
    "Add `bias`, shape (C,), along the axis 1 of `input_x`.",
    "input_x bias",
    op="BiasAdd",
    args=("input_x: shape (N, C, ...).\nbias: shape (C,), of the dtype of `input_x`."),
    returns="A Tensor of the shape and dtype of `input_x`.",
)


def _convolve(
    rank: int,
    op: str,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    pad_mode: str = "valid",
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    fn = convolution(rank, op, stride, pad_mode, padding, dilation, groups)
    return apply_convolution(fn, op, input, weight, bias)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    pad_mode: str = "valid",
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over two axes.

    Args:
        input: shape (N, C_in, H, W).
        weight: shape (C_out, C_in / groups, K_h, K_w).
        bias: shape (C_out,).
        stride: an int or two.
        pad_mode: "valid", "same" or "pad".
        padding: with "pad": an int, two (height, width) or four (top, bottom, left, right).
        dilation: an int or two.
        groups: how many groups of channels are convolved apart.

    Returns:
        A Tensor of shape (N, C_out, H_out, W_out) and the dtype of `input`.

    Raises:
        TypeError: the dtypes differ.
        ValueError: `pad_mode` is unknown, or a padding is given for another mode than "pad".
        RuntimeError: the channels do not fit.

    Follows: mindspore.ops.conv2d (2.10).
    """
    return _convolve(2, "Conv2D", input, weight, bias, stride, pad_mode, padding, dilation, groups)


conv1d = define(
    _convolve,
    1,
    "Convolve over one axis: `input` (N, C_in, L), `weight` (C_out, C_in / groups, K).",
    name="conv1d",
    args=(
        "input: shape (N, C_in, L); floats.\n"
        "weight: shape (C_out, C_in / groups, K), of the dtype of `input`.\n"
        "bias: shape (C_out,), or None.\n"
        "stride: an int.\n"
        'pad_mode: "valid", "same" or "pad".\n'
        'padding: with "pad": an int, or (left, right).\n'
        "dilation: an int.\n"
        "groups: how many groups of channels are convolved apart."
    ),
    returns="A Tensor of shape (N, C_out, L_out) and the dtype of `input`.",
)
conv3d = define(
    _convolve,
    3,
    "Convolve over three axes: `input` (N, C_in, D, H, W), `weight` (C_out, C_in / groups, K_d, K_h, K_w).",
    name="conv3d",
    op="Conv3D",
    args=(
        "input: shape (N, C_in, D, H, W); floats.\n"
        "weight: shape (C_out, C_in / groups, K_d, K_h, K_w), of the dtype of `input`.\n"
        "bias: shape (C_out,), or None.\n"
        "stride: an int or three.\n"
        'pad_mode: "valid", "same" or "pad".\n'
        'padding: with "pad": an int, three or six.\n'
        "dilation: an int or three.\n"
        "groups: how many groups of channels are convolved apart."
    ),
    returns="A Tensor of shape (N, C_out, D_out, H_out, W_out) and the dtype of `input`.",
)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return the transposed convolution of `input` (N, C_in, H, W) with `weight` (C_in, C_out / groups, K_h, K_w).

    Args:
        input: shape (N, C_in, H, W); floats.
        weight: shape (C_in, C_out / groups, K_h, K_w), of the dtype of `input`.
        bias: shape (C_out,), or None.
        stride: an int or two.
        padding: what is cut off at each side, an int or two.
        output_padding: how much larger one side is, an int or two.
        groups: how many groups of channels are convolved apart.
        dilation: an int or two.

    Returns:
        A Tensor of shape (N, C_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.ops.conv_transpose2d (2.10).
    """
    try:
        parts = (input._data, weight._data, None if bias is None else bias._data)
        return wrap(_TRANSPOSES[2](*parts, stride, padding, output_padding, groups, dilation))
    except Exception as error:
        raise explain(error, "conv_transpose2d", input=input, weight=weight, bias=bias) from error


@explaining
def conv3d_transpose(
    inputs: Tensor,
    weight: Tensor,
    pad_mode: str = "valid",
    padding: Sizes = 0,
    stride: Sizes = 1,
    dilation: Sizes = 1,
    group: int = 1,
    output_padding: Sizes = 0,
) -> Tensor:
    """Return the transposed convolution over three axes.

    Args:
        inputs: shape (N, C_in, D, H, W); floats.
        weight: shape (C_in, C_out / group, K_d, K_h, K_w), of the dtype of `inputs`.
        pad_mode: "valid", "same" or "pad".
        padding: with "pad": an int or six.
        stride: an int or three.
        dilation: an int or three.
        group: how many groups of channels are convolved apart.
        output_padding: how much larger one side is, an int or three.

    Returns:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and the dtype of `inputs`.

    Follows: mindspore.ops.conv3d_transpose (2.10).
    """
    settings = (stride, pad_mode, padding, dilation, group, output_padding)
    fn = transposed_convolution(3, "Conv3DTranspose", tuple(weight.shape[2:]), *settings)
    return apply_convolution(fn, "Conv3DTranspose", inputs, weight, None)


@explaining
def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: tuple[int, int],
    strides: tuple[int, ...],
    padding: tuple[int, int, int, int],
    bias: Tensor | None = None,
    dilations: tuple[int, ...] = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """Convolve at positions moved by `offsets`.

    Args:
        x: shape (N, C, H, W).
        weight: shape (C_out, C / groups, K_h, K_w).
        offsets: shape (N, 3·deformable_groups·K_h·K_w, H_out, W_out): offsets in x, offsets in y, weights.
        kernel_size: (K_h, K_w).
        strides: (1, 1, stride_h, stride_w).
        padding: (top, bottom, left, right).
        bias: shape (C_out,).
        dilations: (1, 1, dilation_h, dilation_w).
        groups: groups of the convolution.
        deformable_groups: groups of channels that share offsets.
        modulated: must be True.

    Returns:
        A Tensor of shape (N, C_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.deformable_conv2d (2.10).
    """
    if not modulated:
        raise ValueError("For 'deformable_conv2d', modulated must be True.")
    moved = deformable_offsets(x._data, offsets._data, kernel_size, strides, padding, dilations, deformable_groups)
    parts = (weight._data, None if bias is None else bias._data)
    return wrap(F.conv2d(moved, *parts, stride=kernel_size, groups=groups))
