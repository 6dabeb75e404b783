"""Primitives of colours; the last axis has red, green and blue, or hue, saturation and value.

Follows: mindspore.ops.AdjustHue, AdjustSaturation, HSVToRGB, RGBToHSV (2.10).
"""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import derive


def _to_hsv(data: torch.Tensor) -> torch.Tensor:
    """Return hue in [0, 1), saturation and value of colours."""
    red, green, blue = data.unbind(-1)
    value, least = data.amax(-1), data.amin(-1)
    span = value - least
    part = 1 / (6 * torch.where(span > 0, span, torch.ones_like(span)))
    hue = torch.where(value == green, part * (blue - red) + 2 / 6, part * (red - green) + 4 / 6)
    hue = torch.where(value == red, part * (green - blue), hue)
    hue = torch.where(span > 0, hue + (hue < 0), torch.zeros_like(hue))
    saturation = torch.where(value > 0, span / torch.where(value > 0, value, torch.ones_like(value)), value * 0)
    return torch.stack((hue, saturation, value), -1)


def _to_rgb(data: torch.Tensor) -> torch.Tensor:
    """Return the colours of hue, saturation and value."""
    hue, saturation, value = data.unsqueeze(-1).unbind(-2)
    sixths = hue * 6
    away = torch.cat((sixths - 3, sixths - 2, sixths - 4), -1).abs()
    parts = torch.cat((away[..., :1] - 1, 2 - away[..., 1:]), -1).clamp(0, 1)
    return (1 - saturation + saturation * parts) * value


def _image(data: torch.Tensor, rank: int, exactly: bool = False) -> torch.Tensor:
    if data.dim() < rank or (exactly and data.dim() != rank) or data.shape[-1] != 3:
        raise ValueError(f"an image must have {rank} axes{'' if exactly else ' or more'}, the last of length 3.")
    return data


def _adjust_hue(image: Tensor, delta: Tensor) -> Tensor:
    """Add to the hue, a circle of length 1; image (…, height, width, 3).

    Args:
        image: shape (..., height, width, 3); Float16 or Float32.
        delta: 0-d; Float32.

    Returns:
        A Tensor of the shape and dtype of `image`.
    """

    def adjust_hue(data: torch.Tensor, change: torch.Tensor) -> torch.Tensor:
        hue, saturation, value = _to_hsv(_image(data, 3).float()).unbind(-1)
        return _to_rgb(torch.stack(((hue + change) % 1, saturation, value), -1)).to(data.dtype)

    return call_kernel(adjust_hue, "AdjustHue", image, delta)  # type: ignore[no-any-return]


def _adjust_saturation(image: Tensor, scale: Tensor) -> Tensor:
    """Multiply the saturation, and cut it to [0, 1]; image (…, height, width, 3).

    Args:
        image: shape (..., height, width, 3); Float16 or Float32.
        scale: 0-d; Float32.

    Returns:
        A Tensor of the shape and dtype of `image`.
    """

    def adjust_saturation(data: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        hue, saturation, value = _to_hsv(_image(data, 3).float()).unbind(-1)
        return _to_rgb(torch.stack((hue, (saturation * factor).clamp(0, 1), value), -1)).to(data.dtype)

    return call_kernel(adjust_saturation, "AdjustSaturation", image, scale)  # type: ignore[no-any-return]


def _hsv_to_rgb(x: Tensor) -> Tensor:
    """Return the colours of hue, saturation and value (N, height, width, 3).

    Args:
        x: shape (N, height, width, 3), in [0, 1]; floats.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    return call_kernel(lambda data: _to_rgb(_image(data, 4, True)), "HSVToRGB", x)  # type: ignore[no-any-return]


def _rgb_to_hsv(images: Tensor) -> Tensor:
    """Return hue, saturation and value of colours (…, 3).

    Args:
        images: shape (..., 3), in [0, 1]; floats.

    Returns:
        A Tensor of the shape and dtype of `images`.
    """
    return call_kernel(lambda data: _to_hsv(_image(data, 1)), "RGBToHSV", images)  # type: ignore[no-any-return]


DERIVED = (
    derive("AdjustHue", _adjust_hue),
    derive("AdjustSaturation", _adjust_saturation),
    derive("HSVToRGB", _hsv_to_rgb),
    derive("RGBToHSV", _rgb_to_hsv),
)
