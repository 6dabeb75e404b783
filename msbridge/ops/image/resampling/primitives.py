"""Primitives that resample images."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import boolean, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.resampling import kernels
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.kernel_calls.windows import same_pairs
from msbridge.ops.primitive.primitive import Primitive, derive

NOISES = ("uniform", "gaussian", "zero")


def _resample(images: torch.Tensor, rows: Any, columns: Any) -> torch.Tensor:
    """Apply matrices to height and width of images (N, H, W, C), in float32."""
    rows, columns = (torch.from_numpy(matrix).to(images.device, torch.float32) for matrix in (rows, columns))
    return torch.einsum("yh,xw,nhwc->nyxc", rows, columns, images.float())


def _resize_area(images: Tensor, size: Tensor, align_corners: bool = False) -> Tensor:
    """Return images (N, H, W, C) at another size, each pixel the average of the area it covers, float32.

    Args:
        images: shape (N, H, W, C); integers or floats.
        size: (height, width), of shape (2,); Int32.
        align_corners: whether the corner pixels keep their places.

    Returns:
        A Tensor of shape (N, height, width, C); Float32.
    """

    def resize(data: torch.Tensor) -> torch.Tensor:
        sizes = zip(data.shape[1:3], plain_shape(size), strict=True)
        return _resample(data, *(kernels.average_matrix(*pair, align_corners) for pair in sizes))

    return call_kernel(resize, "ResizeArea", images)  # type: ignore[no-any-return]


class ScaleAndTranslate(Primitive):
    """Scale and move images (N, H, W, C) through a filter; what comes from outside is 0.

    Args:
        kernel_type: the filter's name.
        antialias: whether the filter widens where images shrink.

    Inputs:
        images: shape (N, H, W, C); integers or floats.
        size: (height, width), of shape (2,); Int32.
        scale: along both axes, of shape (2,); Float32.
        translation: likewise.

    Outputs:
        A Tensor of shape (N, height, width, C); Float32.

    Raises:
        TypeError: `antialias` is not a bool.
        ValueError: there is no such filter.

    Follows: mindspore.ops.ScaleAndTranslate (2.10).
    """

    def __init__(self, kernel_type: str = "lanczos3", antialias: bool = True) -> None:
        super().__init__("ScaleAndTranslate")
        self.add_prim_attr("kernel_type", one_of(kernel_type, "kernel_type", self.name, kernels.FILTERS))
        self.add_prim_attr("antialias", boolean(antialias, "antialias", self.name))

    def __call__(self, images: Tensor, size: Tensor, scale: Tensor, translation: Tensor) -> Tensor:
        try:
            data, name, antialias = images._data, self.attrs["kernel_type"], self.attrs["antialias"]
            axes = zip(data.shape[1:3], plain_shape(size), scale.tolist(), translation.tolist(), strict=True)
            return wrap(_resample(data, *(kernels.filter_matrix(name, *axis, antialias) for axis in axes)))
        except Exception as error:
            raise explain(error, self.name, images=images, size=size, scale=scale) from error


def _resize_linear(x: Tensor, size: Any, coordinate_transformation_mode: str = "align_corners") -> Tensor:
    """Return signals (N, C, W) at another width, by linear interpolation.

    Args:
        x: shape (N, C, W); floats.
        size: (width,), or a Tensor of it.
        coordinate_transformation_mode: "align_corners" or "half_pixel".

    Returns:
        A Tensor of shape (N, C, width) and the dtype of `x`.
    """
    one_of(coordinate_transformation_mode, "mode", "ResizeLinear1D", ("align_corners", "half_pixel"))
    aligned = coordinate_transformation_mode == "align_corners"
    return call_kernel(  # type: ignore[no-any-return]
        lambda data: F.interpolate(data, plain_shape(size), mode="linear", align_corners=aligned), "ResizeLinear1D", x
    )


def _upsample(op: str, x: Tensor, output_size: Any, scales: Any, **settings: Any) -> Tensor:
    if (output_size is None) == (scales is None):
        raise ValueError(f"For '{op}', exactly one of output_size and scales must be given.")

    def upsample(data: torch.Tensor) -> torch.Tensor:
        if scales is None:
            return F.interpolate(data, plain_shape(output_size), **settings)
        factors = scales.tolist() if isinstance(scales, Tensor) else list(scales)
        return F.interpolate(data, scale_factor=factors, recompute_scale_factor=False, **settings)

    return call_kernel(upsample, op, x)  # type: ignore[no-any-return]


def _upsample_nearest(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """Return volumes (N, C, D, H, W) at another size, given by `output_size` or `scales`, by the nearest value.

    Args:
        x: shape (N, C, D, H, W); floats.
        output_size: (depth, height, width); None with `scales`.
        scales: a factor for each of the three axes; None with `output_size`.

    Returns:
        A Tensor of shape (N, C, depth, height, width) and the dtype of `x`.
    """
    return _upsample("UpsampleNearest3D", x, output_size, scales, mode="nearest")


def _upsample_trilinear(x: Tensor, output_size: Any = None, scales: Any = None, align_corners: bool = False) -> Tensor:
    """Return volumes (N, C, D, H, W) at another size, by linear interpolation.

    Args:
        x: shape (N, C, D, H, W); floats.
        output_size: (depth, height, width); None with `scales`.
        scales: a factor for each of the three axes; None with `output_size`.
        align_corners: whether the corners keep their values.

    Returns:
        A Tensor of shape (N, C, depth, height, width) and the dtype of `x`.
    """
    settings = {"mode": "trilinear", "align_corners": align_corners}
    return _upsample("UpsampleTrilinear3D", x, output_size, scales, **settings)


class ExtractGlimpse(Primitive):
    """Cut windows out of images (N, H, W, C), at places (N, 2) of their centres; what lies outside is noise.

    Args:
        centered: whether places count from the image's centre.
        normalized: whether they count in sizes of the image.
        uniform_noise: whether the noise is uniform.
        noise: "uniform", "gaussian" or "zero".

    Inputs:
        x: shape (N, H, W, C); Float32.
        size: (height, width) of the windows, of shape (2,); Int32.
        offsets: the places, (N, 2); Float32.

    Outputs:
        A Tensor of shape (N, height, width, C); Float32.

    Raises:
        TypeError: a flag is not a bool.
        ValueError: another `noise`, or one that `uniform_noise` excludes.

    Follows: mindspore.ops.ExtractGlimpse (2.10).
    """

    def __init__(
        self, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str = "uniform"
    ) -> None:
        super().__init__("ExtractGlimpse")
        flags = {"centered": centered, "normalized": normalized, "uniform_noise": uniform_noise}
        for name, flag in flags.items():
            self.add_prim_attr(name, boolean(flag, name, self.name))
        self.add_prim_attr("noise", one_of(noise, "noise", self.name, NOISES))
        if uniform_noise and noise != "uniform":
            raise ValueError(f"For '{self.name}', noise must be 'uniform' with uniform_noise, got {noise!r}.")

    def __call__(self, x: Tensor, size: Tensor, offsets: Tensor) -> Tensor:
        try:
            data, window = x._data, plain_shape(size)
            glimpses = self._noise(data, window)
            for image, place, glimpse in zip(data, offsets.tolist(), glimpses, strict=True):
                starts = [self._start(*axis) for axis in zip(place, image.shape[:2], window, strict=True)]
                spans = list(zip(starts, window, image.shape[:2], strict=True))
                taken = [slice(max(start, 0), max(min(start + long, limit), 0)) for start, long, limit in spans]
                given = [
                    slice(part.start - start, part.stop - start) for part, start in zip(taken, starts, strict=True)
                ]
                if all(part.start < part.stop for part in taken):
                    glimpse[given[0], given[1]] = image[taken[0], taken[1]]
            return wrap(glimpses)
        except Exception as error:
            raise explain(error, self.name, x=x, size=size, offsets=offsets) from error

    def _start(self, place: float, length: int, window: int) -> int:
        place = place * length if self.attrs["normalized"] else place
        place = place / 2 + length / 2 if self.attrs["centered"] else place
        return int(place - window / 2)

    def _noise(self, data: torch.Tensor, window: Sequence[int]) -> torch.Tensor:
        noise = data.new_zeros(data.shape[0], *window, data.shape[3])
        if self.attrs["noise"] == "uniform":
            return noise.uniform_(0, 255).floor_()
        if self.attrs["noise"] == "gaussian":
            std, mean = torch.std_mean(data, (1, 2), keepdim=True)
            return noise.normal_() * std + mean
        return noise


def _volume_patches(x: Tensor, kernel_size: Any, strides: Any, padding: str) -> Tensor:
    """Return the patches of volumes (N, C, D, H, W), one after another along the channels.

    Args:
        x: shape (N, C, D, H, W); floats.
        kernel_size: (depth, height, width), or with two ones before.
        strides: likewise.
        padding: "SAME" or "VALID".

    Returns:
        A Tensor of the dtype of `x`: (N, C·depth·height·width, patches along each axis).
    """

    def patches(data: torch.Tensor) -> torch.Tensor:
        window, steps = plain_shape(kernel_size)[-3:], plain_shape(strides)[-3:]
        if one_of(padding, "padding", "ExtractVolumePatches", ("SAME", "VALID", "same", "valid")).upper() == "SAME":
            pads = [
                max((-(-length // step) - 1) * step + size - length, 0)
                for length, size, step in zip(data.shape[2:], window, steps, strict=True)
            ]
            data = F.pad(data, [side for total in reversed(pads) for side in (total // 2, total - total // 2)])
        for axis, (size, step) in enumerate(zip(window, steps, strict=True)):
            data = data.unfold(axis + 2, size, step)
        return data.permute(0, 5, 6, 7, 1, 2, 3, 4).flatten(1, 4)

    return call_kernel(patches, "ExtractVolumePatches", x)  # type: ignore[no-any-return]


class Dilation2D(Primitive):
    """Return the largest sum of image and filter in every window: `x` (N, C, H, W), `filter` (C, h, w).

    Args:
        stride: an int or (height, width), or with two ones before.
        dilation: likewise.
        pad_mode: "same" or "valid".
        data_format: "NCHW".

    Inputs:
        x: shape (N, C, H, W).
        filter: shape (C, h, w), of the dtype of `x`.

    Outputs:
        A Tensor of shape (N, C, H_out, W_out) and the dtype of `x`.

    Raises:
        ValueError: another mode or format, or a size that is not positive.

    Follows: mindspore.ops.Dilation2D (2.10), of GPU and Ascend; the padding is never the largest.
    """

    def __init__(self, stride: Any, dilation: Any, pad_mode: str = "SAME", data_format: str = "NCHW") -> None:
        super().__init__("Dilation2D")
        one_of(data_format, "data_format", self.name, ("NCHW",))
        self.add_prim_attr("pad_mode", one_of(pad_mode, "pad_mode", self.name, ("SAME", "VALID", "same", "valid")))
        for name, value in (("stride", stride), ("dilation", dilation)):
            sizes = (value, value) if isinstance(value, int) else tuple(value)[-2:]
            if min(sizes) < 1:
                raise ValueError(f"For '{self.name}', {name} must be positive, got {value}.")
            self.add_prim_attr(name, sizes)

    def __call__(self, x: Tensor, filter: Tensor) -> Tensor:
        return call_kernel(self._dilate, self.name, x, filter)  # type: ignore[no-any-return]

    def _dilate(self, data: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        stride, dilation, window = self.attrs["stride"], self.attrs["dilation"], weight.shape[1:]
        if self.attrs["pad_mode"].upper() == "SAME":
            pairs = same_pairs(data.shape[2:], window, stride, dilation)
            flat = [side for pair in reversed(list(pairs)) for side in pair]
            data = F.pad(data, flat, value=float("-inf"))
        for axis, (size, step, gap) in enumerate(zip(window, stride, dilation, strict=True)):
            data = data.unfold(axis + 2, (size - 1) * gap + 1, step)[..., ::gap]
        return (data + weight[:, None, None]).amax((-1, -2))


DERIVED = (
    derive("ExtractVolumePatches", _volume_patches, "kernel_size strides padding"),
    derive("ResizeArea", _resize_area, "align_corners"),
    derive("ResizeLinear1D", _resize_linear, "coordinate_transformation_mode"),
    derive("UpsampleNearest3D", _upsample_nearest),
    derive("UpsampleTrilinear3D", _upsample_trilinear, "align_corners"),
)
