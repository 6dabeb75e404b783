"""Transforms of images that r1.x had besides, or with other arguments."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.transforms.base import Transform, is_pil
from msbridge.dataset.transforms.cast import TypeCast, as_numpy_dtype
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform
from msbridge.dataset.vision.color.pixel_values import NormalizePad


class PixelsToBgr(ImageTransform):
    """Reverse the channels of images (H, W, 3).

    Follows: mindspore.dataset.vision.c_transforms.RgbToBgr (1.10).
    """

    one_by_one = True

    def transform_value(self, value: Any) -> np.ndarray:
        image = base.array_of(value, "RgbToBgr")
        if image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(f"RgbToBgr: image should be in shape of <H,W,3>, but got {image.shape}.")
        return np.ascontiguousarray(image[..., ::-1])


class PlanesToBgr(Transform):
    """Reverse the channels of images (3, H, W) or (N, 3, H, W).

    Args:
        is_hwc: channels are the last axis, else the third last.

    Follows: mindspore.dataset.vision.py_transforms.RgbToBgr (1.10).
    """

    python_only = True

    def __init__(self, is_hwc: bool = False) -> None:
        require_type(is_hwc, "is_hwc", bool)
        self.is_hwc = is_hwc

    def transform_value(self, value: Any) -> np.ndarray:
        axis = -1 if self.is_hwc else -3
        if not isinstance(value, np.ndarray) or value.ndim not in (3, 4) or value.shape[axis] != 3:
            raise TypeError(f"RgbToBgr: the image should be an ndarray of three channels, got {value!r}.")
        return np.ascontiguousarray(np.flip(value, axis))


class PlanesNormalizePad(NormalizePad):
    """Normalize pixels of (C, H, W), and append a channel of zeros.

    Args:
        mean: per channel.
        std: per channel.
        dtype: "float32" or "float16".

    Follows: mindspore.dataset.vision.py_transforms.NormalizePad (1.10).
    """

    def __init__(self, mean: Sequence[float], std: Sequence[float], dtype: str = "float32") -> None:
        super().__init__(mean, std, dtype, is_hwc=False)


class DividedToTensor(Transform):
    """Convert images (H, W, C) or (H, W), or PIL images, to (C, H, W), divided by 255 in float64.

    Args:
        output_type: dtype of the result.

    Follows: mindspore.dataset.vision.py_transforms.ToTensor (1.10).
    """

    python_only = True

    def __init__(self, output_type: Any = np.float32) -> None:
        self.output_type = as_numpy_dtype(output_type)

    def check_inputs(self, *inputs: Any) -> Any:
        return inputs[0]

    def transform_value(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray) and not is_pil(value):
            raise TypeError(f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(value)}.")
        image = np.asarray(value)
        if image.ndim not in (2, 3):
            raise TypeError(f"The dimension of input image should be 2 or 3. Got {image.ndim}.")
        planes = np.atleast_3d(image).transpose(2, 0, 1)
        return np.ascontiguousarray(planes / 255.0).astype(self.output_type)


class OutputToType(TypeCast):
    """Cast values to another dtype.

    Args:
        output_type: the dtype.

    Follows: mindspore.dataset.vision.py_transforms.ToType (1.10).
    """

    python_only = True

    def __init__(self, output_type: Any) -> None:
        super().__init__(output_type)
