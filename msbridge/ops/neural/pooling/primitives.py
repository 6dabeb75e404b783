"""Primitives of pooling."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of, per_axis
from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.channels_last import in_format
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.kernel_calls.windows import Sizes, check_pad_mode
from msbridge.ops.neural.pooling import functions, kernels
from msbridge.ops.primitive.primitive import REQUIRED, Primitive, derive


class _Pool(Primitive):
    """A pooling whose torch function is chosen when it is made."""

    _fn: Callable[[torch.Tensor], Any]

    def __init__(self, **attributes: Any) -> None:
        super().__init__(type(self).__name__)
        for name, value in attributes.items():
            self.add_prim_attr(name, value)

    def __call__(self, input: Tensor) -> Any:
        return kernels.pool(self._fn, self.name, input)


def _attributes(op: str, kernel_size: Sizes, strides: Sizes, pad_mode: str, data_format: str) -> dict[str, Any]:
    """Return the attributes as they print: windows with a batch and a channel axis."""
    kernel, steps = per_axis(kernel_size, "kernel_size", op, 2), per_axis(strides, "strides", op, 2)
    check_pad_mode(pad_mode, 0, op, is_any_case=True)
    settings = {"kernel_size": (1, 1, *kernel), "strides": (1, 1, *steps), "pad_mode": pad_mode.upper()}
    return settings | {"data_format": data_format}


class _PlanePool(_Pool):
    """A pooling of planes."""

    _pooling: Callable[..., Callable[[torch.Tensor], Any]]

    def __init__(
        self,
        kernel_size: Sizes = 1,
        strides: Sizes = 1,
        pad_mode: str = "valid",
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(**_attributes(type(self).__name__, kernel_size, strides, pad_mode, data_format))
        fn = self._pooling(2, self.name, kernel_size, strides, pad_mode)
        self._fn = in_format(data_format, fn)


class MaxPool(_PlanePool):
    """Return the largest element of each window over the last two axes.

    Args:
        kernel_size: of the windows, in height and width.
        strides: from a window to the next.
        pad_mode: "valid" or "same".
        data_format: "NCHW" or "NHWC".

    Inputs:
        x: shape (N, C, H, W), or (N, H, W, C) with "NHWC"; floats.

    Outputs:
        A Tensor of shape (N, C, H_out, W_out), or of that format, and the dtype of `x`.

    Follows: mindspore.ops.MaxPool (2.10).
    """

    _pooling = staticmethod(kernels.max_pooling)


class AvgPool(_PlanePool):
    """Return the mean of each window over the last two axes; "same" divides by what lies inside the input.

    Args:
        kernel_size: of the windows, in height and width.
        strides: from a window to the next.
        pad_mode: "valid" or "same", in either case.
        data_format: "NCHW" or "NHWC".

    Inputs:
        x: shape (N, C, H, W), or (N, H, W, C) with "NHWC"; floats.

    Outputs:
        A Tensor of shape (N, C, H_out, W_out), or of that format, and the dtype of `x`.

    Follows: mindspore.ops.AvgPool (2.10).
    """

    _pooling = staticmethod(kernels.average_pooling)
    __init__ = with_defaults(_PlanePool.__init__, pad_mode="VALID")

    def __call__(self, x: Tensor) -> Tensor:
        """Return the mean of each window."""
        return super().__call__(x)


class MaxPool3D(_Pool):
    """Return the largest element of each window over the last three axes.

    Args:
        kernel_size: an int or (depth, height, width).
        strides: from a window to the next, likewise.
        pad_mode: "valid", "same" or "pad", in either case.
        pad_list: with "pad": an int, or six.
        ceil_mode: whether a window that runs over the end counts; None is False.
        data_format: "NCDHW".

    Inputs:
        x: shape (N, C, D, H, W); floats.

    Outputs:
        A Tensor of shape (N, C, D_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.MaxPool3D (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        strides: Sizes = 1,
        pad_mode: str = "VALID",
        pad_list: Sizes = 0,
        ceil_mode: bool | None = None,
        data_format: str = "NCDHW",
    ) -> None:
        one_of(data_format, "data_format", "MaxPool3D", ("NCDHW",))
        super().__init__(kernel_size=kernel_size, strides=strides, pad_mode=pad_mode.upper(), pad_list=pad_list)
        settings = (kernel_size, strides, pad_mode, pad_list, 1, False, bool(ceil_mode))
        self._fn = kernels.max_pooling(3, self.name, *settings)


class AvgPool3D(_Pool):
    """Return the mean of each window over the last three axes; padding counts unless `count_include_pad` is False.

    Args:
        kernel_size: an int or (depth, height, width).
        strides: from a window to the next, likewise.
        pad_mode: "valid", "same" or "pad", in either case.
        pad: with "pad": an int, or six.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead; 0 for none.
        data_format: "NCDHW".

    Inputs:
        x: shape (N, C, D, H, W); floats.

    Outputs:
        A Tensor of shape (N, C, D_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.AvgPool3D (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        strides: Sizes = 1,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int = 0,
        data_format: str = "NCDHW",
    ) -> None:
        one_of(data_format, "data_format", "AvgPool3D", ("NCDHW",))
        super().__init__(kernel_size=kernel_size, strides=strides, pad_mode=pad_mode.upper(), pad=pad)
        settings = (kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override)
        self._fn = kernels.average_pooling(3, self.name, *settings, counts_same=True)


class MaxPoolWithArgmax(_PlanePool):
    """Return the largest element of each window, and where it lies in its sample (Int32).

    Args:
        kernel_size: of the windows, in height and width.
        strides: from a window to the next.
        pad_mode: "valid" or "same", in either case.
        data_format: "NCHW" or "NHWC".

    Inputs:
        input: shape (N, C, H, W), or (N, H, W, C) with "NHWC"; floats.

    Outputs:
        (values, places), of shape (N, C, H_out, W_out) or of that format: of the dtype of `input`, and Int32.

    Follows: mindspore.ops.MaxPoolWithArgmax (1.10).
    """

    _pooling = staticmethod(partial(kernels.max_pooling, return_indices=True))

    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]:
        values, positions = kernels.pool(self._fn, self.name, input)
        _, channels, height, width = input.shape
        starts = torch.arange(channels, device=positions._data.device).reshape(-1, 1, 1) * (height * width)
        return values, wrap((positions._data + starts).int())


class MaxPoolWithArgmaxV2(_Pool):
    """Return the largest element of each window, and where it lies in its plane.

    Args:
        kernel_size: an int or (height, width).
        strides: from a window to the next, likewise; None for `kernel_size`.
        pads: minus infinity, likewise; at most half the kernel.
        dilation: gaps between the elements of a window.
        ceil_mode: whether a window that runs over the end counts.
        argmax_type: Int32 or Int64.

    Inputs:
        input: shape (N, C, H, W); floats.

    Outputs:
        (values, places), of shape (N, C, H_out, W_out): of the dtype of `input`, and of `argmax_type`.

    Follows: mindspore.ops.MaxPoolWithArgmaxV2 (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes,
        strides: Sizes | None = None,
        pads: Sizes = 0,
        dilation: Sizes = (1, 1),
        ceil_mode: bool = False,
        argmax_type: Type = mstype.int64,
    ) -> None:
        steps = kernel_size if strides is None else strides
        super().__init__(kernel_size=kernel_size, strides=steps, pads=pads, dilation=dilation, ceil_mode=ceil_mode)
        self._argmax_type = argmax_type
        self._fn = kernels.max_pooling(2, self.name, kernel_size, steps, "pad", pads, dilation, True, ceil_mode)

    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]:
        values, positions = kernels.pool(self._fn, self.name, input)
        return values, wrap(positions._data.to(self._argmax_type.torch))


def _adaptive_max_pool2d(input: Tensor, output_size: Sizes) -> tuple[Tensor, Tensor]:
    """Return `output_size` maxima over the last two axes, and their Int64 positions.

    Args:
        input: shape (..., height, width) of three or four axes; floats.
        output_size: height and width of the result, or an int for both.

    Returns:
        (values, places), of shape (..., *output_size): of the dtype of `input`, and Int64.
    """
    return functions.adaptive_max_pool2d(input, output_size, True)


def _adaptive_max_pool3d(x: Tensor, output_size: Tensor | Sizes) -> tuple[Tensor, Tensor]:
    """Return `output_size` maxima over the last three axes, and their Int32 positions.

    Args:
        x: shape (..., depth, height, width) of four or five axes; floats.
        output_size: depth, height and width of the result; a Tensor or a tuple.

    Returns:
        (values, places), of shape (..., *output_size): of the dtype of `x`, and Int32.
    """
    return functions.adaptive_max_pool3d(x, plain_shape(output_size), True)


def _max_unpool2d(
    x: Tensor,
    argmax: Tensor,
    ksize: Sizes = 1,
    strides: Sizes = 0,
    pads: Sizes = 0,
    output_shape: tuple[int, ...] = (),
    data_format: str = "NCHW",
) -> Tensor:
    """Put the values of a max pooling back where `argmax` says.

    Args:
        x: shape (N, C, H, W).
        argmax: where each value lies in its plane, of the shape of `x`; Int32 or Int64.
        ksize: an int or (height, width).
        strides: from a window to the next, likewise; 0 for `ksize`.
        pads: that of the pooling, likewise.
        output_shape: that of the result; () for the smallest.
        data_format: "NCHW".

    Returns:
        A Tensor of shape (N, C, H_out, W_out) and the dtype of `x`.
    """
    return functions.max_unpool2d(x, argmax, ksize, strides or None, pads, output_shape or None)


def _max_unpool3d(
    x: Tensor,
    argmax: Tensor,
    ksize: Sizes = 1,
    strides: Sizes = 0,
    pads: Sizes = 0,
    output_shape: tuple[int, ...] = (),
    data_format: str = "NCDHW",
) -> Tensor:
    """Put the values of a max pooling back where `argmax` says.

    Args:
        x: shape (N, C, D, H, W).
        argmax: where each value lies in its volume, of the shape of `x`; Int32 or Int64.
        ksize: an int or (depth, height, width).
        strides: from a window to the next, likewise; 0 for `ksize`.
        pads: that of the pooling, likewise.
        output_shape: that of the result; () for the smallest.
        data_format: "NCDHW".

    Returns:
        A Tensor of shape (N, C, D_out, H_out, W_out) and the dtype of `x`.
    """
    return functions.max_unpool3d(x, argmax, ksize, strides or None, pads, output_shape or None)


DERIVED = (
    derive("AdaptiveAvgPool2D", functions.adaptive_avg_pool2d, "output_size"),
    derive("AdaptiveAvgPool3D", functions.adaptive_avg_pool3d, "output_size"),
    derive("AdaptiveMaxPool2D", _adaptive_max_pool2d, "output_size"),
    derive("AdaptiveMaxPool3D", _adaptive_max_pool3d),
    derive("MaxUnpool2D", _max_unpool2d, "ksize strides pads output_shape data_format", ksize=REQUIRED),
    derive("MaxUnpool3D", _max_unpool3d, "ksize strides pads output_shape data_format", ksize=REQUIRED),
)
