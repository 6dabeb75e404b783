"""Conversions between arrays and PIL images."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, RandomImageTransform

__all__ = ["Grayscale", "RandomGrayscale", "ToNumpy", "ToPIL"]


class ToPIL(ImageTransform):
    """Convert arrays (H, W) or (H, W, C) to PIL images; PIL images stay.

    Follows: mindspore.dataset.vision.ToPIL (2.10).
    """

    python_only = True
    one_by_one = True

    def check_inputs(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"ToPIL: it takes one input, got {len(inputs)}.")
        return inputs[0]

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return value
        if not isinstance(value, np.ndarray):
            raise TypeError(f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(value)}.")
        if value.ndim not in (2, 3):
            raise ValueError(f"The dimension of input image should be 2 or 3. Got {value.ndim}.")
        image = value[..., 0] if value.ndim == 3 and value.shape[2] == 1 else value
        if image.ndim == 3 and image.shape[2] > 4:
            raise ValueError(f"The channel of input image should not exceed 4. Got {image.shape[2]}.")
        if image.ndim == 3 and image.dtype != np.uint8:
            raise TypeError(
                f"The input image type {image.dtype} is not supported when image shape is [H, W, 2], [H, W, 3] or [H, "
                "W, 4]."
            )
        return base.import_pil("ToPIL").fromarray(np.ascontiguousarray(image))


class ToNumpy(ImageTransform):
    """Convert PIL images to arrays.

    Follows: mindspore.dataset.vision.ToNumpy (2.10).
    """

    def check_inputs(self, *inputs: Any) -> Any:
        return inputs[0]

    def transform_value(self, value: Any) -> np.ndarray:
        return np.array(value)


class Grayscale(ImageTransform):
    """Convert PIL images to greyscale.

    Args:
        num_output_channels: 1, or 3 equal ones.

    Follows: mindspore.dataset.vision.Grayscale (2.10).
    """

    python_only = True
    one_by_one = True

    def __init__(self, num_output_channels: int = 1) -> None:
        if require_type(num_output_channels, "num_output_channels", int) not in (1, 3):
            raise ValueError(
                f"Number of channels of the output grayscale image should be either 1 or 3, got {num_output_channels}."
            )
        self.num_output_channels = num_output_channels

    def transform_value(self, value: Any) -> Any:
        grey = base.pil_of(value).convert("L")
        return grey if self.num_output_channels == 1 else base.import_pil("Grayscale").merge("RGB", (grey, grey, grey))


class RandomGrayscale(RandomImageTransform):
    """Convert PIL images to greyscale with probability `prob`; the number of channels stays.

    Args:
        prob: in [0, 1].

    Follows: mindspore.dataset.vision.RandomGrayscale (2.10).
    """

    python_only = True

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = base.check_probability(prob)

    def check_inputs(self, *inputs: Any) -> Any:
        return inputs[0]

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        channels = 1 if value.mode == "L" else 3
        return Grayscale(channels).transform_value(value) if draw is not None and draw.uniform() < self.prob else value
