"""Layers that compare, crop and differentiate images."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import above, in_range, instance, positive_int
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops.kernel_calls.families import unary_with

__all__ = ["MSSSIM", "PSNR", "SSIM", "CentralCrop", "ImageGradients"]


def _check_pair(op: str, left: Tensor, right: Tensor) -> None:
    if left.ndim != 4 or left.shape != right.shape:
        raise ValueError(f"For '{op}', the images must have one shape (N, C, H, W), got {left.shape}, {right.shape}.")
    if left.dtype != right.dtype:
        raise TypeError(f"For '{op}', the images must have one dtype, got {left.dtype} and {right.dtype}.")


def _unit_scale(data: torch.Tensor) -> float:
    """Return the factor that scales an integer image to [0, 1]; 1 for a floating one."""
    return 1.0 if data.is_floating_point() else 1.0 / torch.iinfo(data.dtype).max


class SSIM(Cell):
    """Compute the structural similarity of images (N, C, H, W): shape (N,).

    Args:
        max_val: the largest value of a pixel.
        filter_size: width of the Gaussian window.
        filter_sigma: standard deviation of the Gaussian window.
        k1: keeps the luminance's divisor from 0.
        k2: keeps the contrast's divisor from 0.

    Inputs:
        img1: shape (N, C, H, W); integers or floats.
        img2: the same.

    Outputs:
        A Float32 Tensor of shape (N,).

    Raises:
        ValueError: an argument is not positive; or the images' shapes do not fit (on call).

    Follows: mindspore.nn.SSIM (1.10); Wang et al., Image quality assessment, 2004.
    """

    def __init__(
        self,
        max_val: float = 1.0,
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__()
        for name, value in (("max_val", max_val), ("filter_size", filter_size), ("filter_sigma", filter_sigma)):
            above(value, name, self.cls_name)
        op = self.cls_name
        self.max_val = instance(max_val, "max_val", op, (int, float))
        self.filter_size = positive_int(filter_size, "filter_size", op)
        self.filter_sigma = instance(filter_sigma, "filter_sigma", op, float)
        self.k1 = instance(k1, "k1", op, float)
        self.k2 = instance(k2, "k2", op, float)
        self.conv = _gaussian_window(filter_size, filter_sigma)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_pair(self.cls_name, img1, img2)
        try:
            return wrap(
                _similarity_and_contrast(
                    img1._data, img2._data, self.conv.weight._data, self.max_val, self.k1, self.k2
                )[0]
            )
        except Exception as error:
            raise explain(error, self.cls_name, img1=img1, img2=img2) from error


def _gaussian_window(size: int, sigma: float) -> Conv2d:
    """Return the convolution that smooths with a Gaussian."""
    steps = np.arange(size, dtype=np.float32) - np.float32((size - 1) / 2)
    squares = np.square(steps)
    window = np.exp(-(squares[:, None] + squares[None, :]) / np.float32(2 * sigma**2))
    weight = (window / window.sum()).reshape(1, 1, size, size)
    layer = Conv2d(1, 1, size, pad_mode="valid", weight_init=Tensor(weight))
    layer.weight.requires_grad = False
    return layer


def _similarity_and_contrast(
    left: torch.Tensor, right: torch.Tensor, window: torch.Tensor, max_val: float, k1: float, k2: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return similarity and contrast, each of shape (N,)."""
    scale = _unit_scale(left)
    limit = max_val * scale
    c1, c2 = (k1 * limit) ** 2, (k2 * limit) ** 2
    batch = left.shape[0]
    planes = [(data.float() * scale).reshape(-1, 1, *data.shape[2:]) for data in (left, right)]
    mean = [F.conv2d(plane, window) for plane in planes]
    product = mean[0] * mean[1]
    squares = mean[0].square() + mean[1].square()
    luminance = (2 * product + c1) / (squares + c1)
    crossed = F.conv2d(planes[0] * planes[1], window)
    powers = F.conv2d(planes[0].square() + planes[1].square(), window)
    contrast = (2 * (crossed - product) + c2) / (powers - squares + c2)
    return (luminance * contrast).reshape(batch, -1).mean(1), contrast.reshape(batch, -1).mean(1)


class MSSSIM(Cell):
    """Compute the structural similarity of images (N, C, H, W) at several scales: shape (N,).

    Args:
        max_val: the largest value of a pixel.
        power_factors: the exponent of each scale; each scale halves the image.
        filter_size: width of the Gaussian window.
        filter_sigma: standard deviation of the Gaussian window.
        k1: keeps the luminance's divisor from 0.
        k2: keeps the contrast's divisor from 0.

    Inputs:
        img1: shape (N, C, H, W); integers or floats.
        img2: the same.

    Outputs:
        A Float32 Tensor of shape (N,).

    Follows: mindspore.nn.MSSSIM (1.10); Wang et al., Multiscale structural similarity, 2003.
    """

    def __init__(
        self,
        max_val: float = 1.0,
        power_factors: Sequence[float] = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.max_val = instance(max_val, "max_val", op, (int, float))
        self.filter_size = positive_int(filter_size, "filter_size", op)
        self.filter_sigma = instance(filter_sigma, "filter_sigma", op, float)
        self.k1 = instance(k1, "k1", op, float)
        self.k2 = instance(k2, "k2", op, float)
        self._powers = tuple(power_factors)
        self.multi_convs_list = CellList([_gaussian_window(filter_size, filter_sigma) for _ in power_factors])

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_pair(self.cls_name, img1, img2)
        try:
            scale = _unit_scale(img1._data)
            left, right = img1._data.float() * scale, img2._data.float() * scale
            result = torch.ones((), device=left.device)
            for index, (layer, power) in enumerate(zip(self.multi_convs_list, self._powers, strict=True)):
                settings = (layer.weight._data, self.max_val * scale, self.k1, self.k2)
                similarity, contrast = _similarity_and_contrast(left, right, *settings)
                is_last = index == len(self._powers) - 1
                result = result * torch.relu(similarity if is_last else contrast) ** power
                left, right = F.avg_pool2d(left, 2), F.avg_pool2d(right, 2)
            return wrap(result)
        except Exception as error:
            raise explain(error, self.cls_name, img1=img1, img2=img2) from error


class PSNR(Cell):
    """Compute the peak signal-to-noise ratio of images (N, C, H, W), in decibels: shape (N,).

    Args:
        max_val: the largest value of a pixel, > 0.

    Inputs:
        img1: shape (N, C, H, W); integers or floats.
        img2: the same.

    Outputs:
        A Float32 Tensor of shape (N,).

    Follows: mindspore.nn.PSNR (1.10).
    """

    def __init__(self, max_val: float = 1.0) -> None:
        super().__init__()
        if instance(max_val, "max_val", "PSNR", (int, float)) <= 0:
            raise ValueError(f"For 'PSNR', the 'max_val' must be > 0, but got {max_val}.")
        self.max_val = max_val

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_pair(self.cls_name, img1, img2)
        scale = _unit_scale(img1._data)
        error = ((img1._data.float() - img2._data.float()) * scale).square().mean((1, 2, 3))
        return wrap(10 * torch.log10((self.max_val * scale) ** 2 / error))


class ImageGradients(PlainLayer):
    """Compute the differences of each pixel of (N, C, H, W) to the one below and to the one on its right.

    Inputs:
        images: shape (N, C, H, W); any dtype but Bool.

    Outputs:
        A tuple (along the height, along the width) of Tensors of the shape and dtype of `images`; 0 in the last row or
            column.

    Follows: mindspore.nn.ImageGradients (1.10).
    """

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor]:
        if images.ndim != 4:
            raise ValueError(f"For 'ImageGradients', the images must have 4 axes, but got {images.ndim}.")
        data = images._data
        below = F.pad(data[:, :, 1:] - data[:, :, :-1], (0, 0, 0, 1))
        beside = F.pad(data[:, :, :, 1:] - data[:, :, :, :-1], (0, 1))
        return wrap(below), wrap(beside)


class CentralCrop(Cell):
    """Keep the middle of images (C, H, W) or (N, C, H, W).

    Args:
        central_fraction: how much of height and width is kept, in (0, 1].

    Inputs:
        image: shape (C, H, W) or (N, C, H, W); any dtype.

    Outputs:
        A Tensor of the dtype of `image`, with less height and width.

    Raises:
        TypeError: `central_fraction` is not a float.
        ValueError: `central_fraction` is out of range.

    Follows: mindspore.nn.CentralCrop (1.10).
    """

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        instance(central_fraction, "central_fraction", "CentralCrop", float)
        in_range(central_fraction, "central_fraction", "CentralCrop", 0, 1, "(]")
        self.central_fraction = central_fraction

    def construct(self, image: Tensor) -> Tensor:
        return unary_with(_crop_center, "CentralCrop", image, self.central_fraction)


def _crop_center(data: torch.Tensor, fraction: float) -> torch.Tensor:
    for axis in (-2, -1):
        size = data.shape[axis]
        before = math.floor((size - size * fraction) / 2)
        data = data.narrow(axis, before, size - 2 * before)
    return data
