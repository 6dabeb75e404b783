"""Bases and steps of layers that libraries take from MindSpore's private modules, with its arguments."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.convolution import Convolution
from msbridge.nn.layers.parameter_init import Init
from msbridge.nn.probability.bnn_layers import WithBNNLossCell as _WithBNNLossCell


class _Conv(Convolution):
    """The base of convolutions: a library's subclass defines `construct`, or takes the one here.

    Follows: mindspore.nn.layer.conv._Conv (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        pad_mode: str,
        padding: int | tuple[int, ...],
        dilation: tuple[int, ...],
        group: int,
        has_bias: bool,
        weight_init: Init,
        bias_init: Init,
        data_format: str = "NCHW",
        transposed: bool = False,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__(
            len(kernel_size),
            transposed,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype,
        )


class GraphKernel(Cell):
    """A Cell that a compiler would fuse to one kernel; here it runs as any other.

    Args:
        auto_prefix: whether parameters are named after their Cell.
        flags: attributes to set.

    Follows: mindspore.nn.GraphKernel (1.0 to 1.1).
    """

    def __init__(self, auto_prefix: bool = True, flags: Mapping[str, Any] | None = None) -> None:
        super().__init__(auto_prefix, flags)
        self.add_flags(graph_kernel=type(self).__name__)


def deconv_output_length(
    is_valid: bool,
    is_same: bool,
    is_pad: bool,
    input_length: int,
    filter_size: int,
    stride_size: int,
    dilation_size: int,
    padding: int,
) -> int:
    """Return the length that a transposed convolution makes of `input_length`; 0 without a pad mode.

    Args:
        is_valid: the pad mode is "valid".
        is_same: it is "same".
        is_pad: it is "pad".
        input_length: of the axis.
        filter_size: of the kernel.
        stride_size: step of the kernel.
        dilation_size: distance between its elements.
        padding: both sides together, for "pad".

    Follows: mindspore.nn.layer.conv._deconv_output_length (2.10).
    """
    grown = input_length * stride_size
    beyond = filter_size + (filter_size - 1) * (dilation_size - 1) - stride_size
    if is_valid:
        return grown + max(beyond, 0)
    if is_same:
        return grown
    return grown - padding + beyond if is_pad else 0


def check_input_3d(input_shape: Sequence[int], op_name: str) -> None:
    """Require three axes of a shape.

    Raises:
        ValueError: there are fewer or more.

    Follows: mindspore.nn.layer.conv._check_input_3d (2.10).
    """
    _check_axes(input_shape, 3, op_name)


def check_input_5dims(input_shape: Sequence[int], op_name: str) -> None:
    """Require five axes of a shape.

    Raises:
        ValueError: there are fewer or more.

    Follows: mindspore.nn.layer.conv._check_input_5dims (1.3 to 2.2).
    """
    _check_axes(input_shape, 5, op_name)


def _check_axes(shape: Sequence[int], count: int, op_name: str) -> None:
    if len(shape) != count:
        raise ValueError(f"For '{op_name}', the dimension of input must be {count}d, but got {len(shape)}.")


def check_is_tensor(param_name: str, input_data: object, cls_name: str) -> None:
    """Require a Tensor, or None.

    Raises:
        TypeError: it is something else.

    Follows: mindspore.nn.loss.loss._check_is_tensor (2.10), which calls it a Tensor's type that it wants.
    """
    if input_data is not None and not isinstance(input_data, Tensor):
        raise TypeError(f"For '{cls_name}', the '{param_name}' must be a Tensor, but got {type(input_data).__name__}.")


def check_dense_input_shape(x: Sequence[int], prim_name: str | None = None) -> None:
    """Require two axes or more of the shape `x`.

    Raises:
        ValueError: there are fewer.

    Follows: mindspore.nn.layer.basic.check_dense_input_shape (2.0).
    """
    if len(x) < 2:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} dimension of 'x' should not be less than 2, but got {len(x)}.")


class WithBNNLossCell(_WithBNNLossCell):
    """A network with a loss, to which the divergences of its Bayesian layers are added.

    Args:
        backbone: the network.
        loss_fn: of its output and a label.
        backbone_factor: what the loss is multiplied with.
        kl_factor: what the divergences are multiplied with.

    Follows: mindspore.nn.probability.transforms.bnn_loss.withLossCell.WithBNNLossCell (1.0).
    """

    def __init__(
        self, backbone: Cell, loss_fn: Callable[..., Tensor], backbone_factor: float = 1, kl_factor: float = 1
    ) -> None:
        super().__init__(backbone, loss_fn, backbone_factor, kl_factor)
        self.backbone_factor, self.kl_factor = backbone_factor, kl_factor

    def cal_kl_loss(self) -> Any:
        """Return the sum of the divergences."""
        return sum(divergence() for divergence in self.kl_loss)


def gain_bnn_with_loss(
    layer_count: int, backbone: Cell, loss_fn: Callable[..., Tensor], dnn_factor: float, bnn_factor: float
) -> tuple[WithBNNLossCell, io.StringIO]:
    """Return a network with the loss of its first Bayesian layers, and a file, which MindSpore writes source into.

    Args:
        layer_count: of how many Bayesian layers the divergence counts.
        backbone: the network.
        loss_fn: of its output and a label.
        dnn_factor: what the loss is multiplied with.
        bnn_factor: what the divergences are multiplied with.

    Follows: mindspore.nn.probability.transforms.bnn_loss.gain_bnn_with_loss (1.0).
    """
    cell = WithBNNLossCell(backbone, loss_fn, dnn_factor, bnn_factor)
    del cell.kl_loss[layer_count:]
    return cell, io.StringIO()
