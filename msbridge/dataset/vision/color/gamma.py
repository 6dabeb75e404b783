"""AdjustGamma and RandomLighting."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, RandomImageTransform

__all__ = ["AdjustGamma", "RandomLighting"]

ALMOST_256 = 255 + 1 - 0.001  # so that each of the 256 levels gets an equal share before it is cut off
# The principal components of ImageNet's colours, each multiplied by its standard deviation (Krizhevsky et al. 2012).
COLOUR_COMPONENTS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
COLOUR_DEVIATIONS = np.array([55.46, 4.794, 1.148])


class AdjustGamma(ImageTransform):
    """Correct the gamma of images: gain · value ** gamma, of values from 0 to 1.

    Args:
        gamma: exponent, 0 or more.
        gain: factor.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustGamma (2.10).
    """

    def __init__(self, gamma: float, gain: float = 1) -> None:
        limit = base.MAX_SIDE
        self.gamma = within(require_type(gamma, "gamma", (float, int)), "gamma", 0, limit)
        self.gain = 1 if gain is None else within(require_type(gain, "gain", (float, int)), "gain", -limit, limit)

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return self._pil_one(value)
        image = base.array_of(value, "AdjustGamma")
        base.axes(image, "AdjustGamma")
        if image.ndim > 2 and image.shape[-1] not in (1, 3):
            raise RuntimeError(f"AdjustGamma: channel of input image should be 1 or 3, but got: {image.shape[-1]}.")
        if image.dtype.kind not in "buif" or image.dtype in (np.int64, np.uint64, np.uint32):
            raise RuntimeError(f"AdjustGamma: images of {image.dtype} are not supported.")
        if image.dtype.kind == "f":
            return np.clip(np.power(image.astype(np.float32) * np.float32(self.gain), np.float32(self.gamma)), 0, 1)
        levels = image.astype(np.uint8) if image.dtype.itemsize == 1 else np.clip(image, 0, 255).astype(np.uint8)
        return self._table()[levels].astype(image.dtype)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self.transform_value(rows[..., None])[..., 0] if rows.ndim == 3 else super().stack(rows)

    def _table(self) -> np.ndarray:
        table = ALMOST_256 * self.gain * (np.arange(256) / 255.0) ** self.gamma
        return np.clip(table, 0, 255).astype(np.uint8)

    def _pil_one(self, image: Any) -> Any:
        bands = len(image.getbands())
        if bands not in (1, 3):
            return image
        table = [int(ALMOST_256 * self.gain * (level / 255.0) ** self.gamma) for level in range(256)]
        return image.point(table * bands)


class RandomLighting(RandomImageTransform):
    """Add noise along the principal components of ImageNet's colours to RGB images.

    Args:
        alpha: standard deviation of the noise's shares, 0 or more.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomLighting (2.10).
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = within(require_type(alpha, "alpha", (float, int)), "alpha", 0, base.MAX_SIDE)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        shares = np.zeros(3) if draw is None else self.alpha * np.random.default_rng(draw.bits()).standard_normal(3)
        noise = COLOUR_COMPONENTS @ (COLOUR_DEVIATIONS * shares)
        if is_pil(value):
            pixels = np.asarray(value if value.mode == "RGB" else value.convert("RGB")) + noise
            return base.import_pil("RandomLighting").fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
        image = base.array_of(value, "RandomLighting")
        if image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(f"RandomLighting: input tensor is not in shape of <H,W,3>, but got {image.shape}.")
        if image.dtype.kind not in "buif" or image.dtype in (np.int64, np.uint64, np.uint32):
            raise RuntimeError(f"RandomLighting: images of {image.dtype} are not supported.")
        if image.dtype.kind == "b" or not noise.any():
            return image
        lit = image + noise
        if image.dtype.kind in "iu":
            limits = np.iinfo(image.dtype)
            lit = np.clip(np.rint(lit), limits.min, limits.max)
        return lit.astype(image.dtype)
