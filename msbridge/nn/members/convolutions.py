"""Convolutions: their operators."""

from typing import Any

from msbridge.core.checks.arguments import per_axis
from msbridge.nn.members.attaching import Members, P

members = Members()


def _convolution_settings(one: Any) -> dict[str, Any]:
    sizes = {"stride": one.stride, "dilation": one.dilation, "group": one.group}
    return {"pad_mode": one.pad_mode, "pad": one.padding, **sizes}


def _transpose_operator(kind: Any) -> Any:
    """Return the maker of a transposed convolution's operator: the gradient of a convolution to its own input."""
    return lambda one: kind(one.in_channels, one.kernel_size, mode=1, **_convolution_settings(one))


_FLAT = {"expand_dims": P.ExpandDims, "shape": P.Shape, "squeeze": lambda one: P.Squeeze(2)}
_MODES = {
    "is_pad": lambda one: one.pad_mode == "pad",
    "is_same": lambda one: one.pad_mode == "same",
    "is_valid": lambda one: one.pad_mode == "valid",
}


def _side_padding(index: int) -> Any:
    return lambda one: per_axis(one.padding, "padding", one.cls_name, 4, 0)[index]


members(
    "Conv1d",
    bias_add=P.BiasAdd,
    conv2d=lambda one: P.Conv2D(one.out_channels, one.kernel_size, 1, **_convolution_settings(one)),
    **_FLAT,
)
members(
    "Conv3d",
    bias_add=lambda one: P.BiasAdd(one.data_format),
    concat=lambda one: P.Concat(1),
    conv3d=lambda one: P.Conv3D(
        one.out_channels, one.kernel_size, 1, **_convolution_settings(one), data_format=one.data_format
    ),
    shape=P.Shape,
    split_0=lambda one: P.Split(0, one.group),
    split_1=lambda one: P.Split(1, one.group),
)
members(
    "Conv1dTranspose",
    bias_add=P.BiasAdd,
    conv2d_transpose=_transpose_operator(P.Conv2DBackpropInput),
    **_FLAT,
    **_MODES,
)
members(
    "Conv2dTranspose",
    bias_add=P.BiasAdd,
    conv2d_transpose=_transpose_operator(P.Conv2DTranspose),
    padding_bottom=_side_padding(1),
    padding_left=_side_padding(2),
    padding_right=_side_padding(3),
    padding_top=_side_padding(0),
    shape=P.Shape,
    **_MODES,
)
members(
    "Conv3dTranspose",
    bias_add=lambda one: P.BiasAdd(one.data_format),
    conv3d_transpose=lambda cell: P.Conv3DTranspose(
        cell.in_channels,
        cell.out_channels,
        cell.kernel_size,
        1,
        **_convolution_settings(cell),
        output_padding=cell.output_padding,
        data_format=cell.data_format,
    ),
    shape=P.Shape,
)
