"""Learned and random augmentation: AutoAugment, RandAugment, TrivialAugmentWide, UniformAugment, RandomSelectSubpolicy.

Follows: mindspore.dataset.vision.AutoAugment and its like (2.10).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.compose import MultiTransform, Operation, call
from msbridge.dataset.vision import base
from msbridge.dataset.vision.augmentation.policy_tables import SUBPOLICIES
from msbridge.dataset.vision.base import RandomImageTransform
from msbridge.dataset.vision.color.adjust import adjust_brightness, adjust_contrast, adjust_saturation
from msbridge.dataset.vision.color.histogram import AutoContrast, Equalize, Invert, posterize_pixels, solarize_pixels
from msbridge.dataset.vision.color.sharpness import sharpen_image
from msbridge.dataset.vision.enums import AutoAugmentPolicy, Inter
from msbridge.dataset.vision.geometry.affine import rotate_image, transform_image
from msbridge.dataset.vision.geometry.pad import check_fill

__all__ = ["AutoAugment", "RandAugment", "RandomSelectSubpolicy", "TrivialAugmentWide", "UniformAugment"]

Magnitudes = dict[str, tuple[np.ndarray | None, bool]]  # by operation: one per bin, or none; whether the sign is random
AUTO_BINS = 10  # of AutoAugment's magnitudes
AUTO_SHIFT = 150.0 / 331.0  # of the width, the largest translation of AutoAugment and RandAugment
WIDE_SHIFT = 32.0  # pixels, that of TrivialAugmentWide


class _Augment(RandomImageTransform):
    """Base of what applies operations of given magnitudes to uint8 images (H, W, 3)."""

    def __init__(self, interpolation: Inter, fill_value: int | tuple[int, int, int]) -> None:
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)
        self.fill_value = check_fill(fill_value)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> np.ndarray:
        op = type(self).__name__
        image = base.array_of(value, op)
        if image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(f"{op}: the image must be in shape of <H,W,3>, but got {image.shape}.")
        return self.augment(image, draw) if draw is not None else image

    def augment(self, image: np.ndarray, draw: RowRandom) -> np.ndarray:
        """Apply what is drawn."""
        raise NotImplementedError

    def apply(self, image: np.ndarray, kind: str, magnitude: float) -> np.ndarray:
        """Apply one operation."""
        if kind in MOVES:
            shear, shift = MOVES[kind](magnitude)
            sides = (shift[0] * image.shape[1], shift[1] * image.shape[0])
            return transform_image(image, 0.0, sides, 1.0, shear, self.interpolation, self.fill_value, op=kind)
        if kind == "Rotate":
            red, green, blue = self.fill_value
            return rotate_image(image, magnitude, self.interpolation, False, None, (red, blue, green), op=kind)
        done: np.ndarray = CHANGES[kind](image, magnitude)
        return done


MOVES: dict[str, Callable[[float], tuple[tuple[float, float], tuple[float, float]]]] = {
    "ShearX": lambda magnitude: ((math.degrees(magnitude), 0.0), (0.0, 0.0)),
    "ShearY": lambda magnitude: ((0.0, math.degrees(magnitude)), (0.0, 0.0)),
    "TranslateX": lambda magnitude: ((0.0, 0.0), (magnitude, 0.0)),
    "TranslateY": lambda magnitude: ((0.0, 0.0), (0.0, magnitude)),
}
CHANGES: dict[str, Callable[[np.ndarray, float], Any]] = {
    "Identity": lambda image, magnitude: image,
    "Brightness": lambda image, magnitude: adjust_brightness(image, 1 + magnitude),
    "Color": lambda image, magnitude: adjust_saturation(image, 1 + magnitude),
    "Contrast": lambda image, magnitude: adjust_contrast(image, 1 + magnitude),
    "Sharpness": lambda image, magnitude: sharpen_image(image, 1 + magnitude, "Sharpness"),
    "Posterize": lambda image, magnitude: posterize_pixels(image, int(magnitude)),
    "Solarize": lambda image, magnitude: solarize_pixels(image, magnitude, math.inf),
    "AutoContrast": lambda image, magnitude: AutoContrast().transform_value(image),
    "Equalize": lambda image, magnitude: Equalize().transform_value(image),
    "Invert": lambda image, magnitude: Invert().transform_value(image),
}


class AutoAugment(_Augment):
    """Apply a random one of the policies that were found for a data set.

    Args:
        policy: the data set.
        interpolation: how to interpolate.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AutoAugment (2.10); Cubuk et al., AutoAugment (2019).
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        self.policy: AutoAugmentPolicy = require_type(policy, "policy", AutoAugmentPolicy)
        super().__init__(interpolation, fill_value)

    def augment(self, image: np.ndarray, draw: RowRandom) -> np.ndarray:
        choices = SUBPOLICIES[self.policy.value]
        space = magnitudes(
            AUTO_BINS, image.shape, shear=0.3, shift=None, rotation=30.0, factor=0.9, bits=4, white=256.0
        )
        for kind, probability, place in choices[draw.integer(0, len(choices) - 1)]:
            chance, is_negative = draw.uniform(), draw.integer(0, 1) == 1
            if chance <= probability:
                image = self.apply(image, kind, _magnitude(space[kind], place, is_negative))
        return image


class RandAugment(_Augment):
    """Apply several random operations of one magnitude, in sequence.

    Args:
        num_ops: how many.
        magnitude: in [0, `num_magnitude_bins`).
        num_magnitude_bins: how many magnitudes there are.
        interpolation: how to interpolate.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandAugment (2.10); Cubuk et al., RandAugment (2020).
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        self.num_ops = int_within(num_ops, "num_ops", 0, base.MAX_SIDE)
        self.num_magnitude_bins = int_within(num_magnitude_bins, "num_magnitude_bins", 2, base.MAX_SIDE)
        self.magnitude = within(require_type(magnitude, "magnitude", int), "magnitude", 0, num_magnitude_bins, "[)")
        super().__init__(interpolation, fill_value)

    def augment(self, image: np.ndarray, draw: RowRandom) -> np.ndarray:
        _check_bytes(image, "RandAugment")
        space = magnitudes(
            self.num_magnitude_bins, image.shape, shear=0.3, shift=None, rotation=30.0, factor=0.9, bits=4
        )
        for _ in range(self.num_ops):
            kind = RANDOM_KINDS[draw.integer(0, len(RANDOM_KINDS) - 1)]
            image = self.apply(image, kind, _magnitude(space[kind], self.magnitude, not draw.integer(0, 2)))
        return image


class TrivialAugmentWide(_Augment):
    """Apply one random operation of a random magnitude.

    Args:
        num_magnitude_bins: how many magnitudes there are.
        interpolation: how to interpolate.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.TrivialAugmentWide (2.10); Müller and Hutter, TrivialAugment (2021).
    """

    def __init__(
        self,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        self.num_magnitude_bins = int_within(num_magnitude_bins, "num_magnitude_bins", 2, base.MAX_SIDE)
        super().__init__(interpolation, fill_value)

    def augment(self, image: np.ndarray, draw: RowRandom) -> np.ndarray:
        _check_bytes(image, "TrivialAugmentWide")
        space = magnitudes(
            self.num_magnitude_bins, image.shape, shear=0.99, shift=WIDE_SHIFT, rotation=135.0, factor=0.99, bits=6
        )
        kind = RANDOM_KINDS[draw.integer(0, len(RANDOM_KINDS) - 1)]
        place = draw.integer(0, self.num_magnitude_bins - 1)
        return self.apply(image, kind, _magnitude(space[kind], place, not draw.integer(0, 2)))


class UniformAugment(MultiTransform):
    """Apply several random ones of the transforms, each with a random probability.

    Args:
        transforms: to choose from.
        num_ops: how many are chosen.

    Follows: mindspore.dataset.vision.UniformAugment (2.10).
    """

    def __init__(self, transforms: list[Operation] | tuple[Operation, ...], num_ops: int = 2) -> None:
        if require_type(num_ops, "num_ops", int) <= 0:
            raise ValueError(f"Input num_ops must be greater than 0, got {num_ops}.")
        if num_ops > len(transforms):
            raise ValueError(f"num_ops is greater than transforms list size, got {num_ops} and {len(transforms)}.")
        super().__init__(list(require_type(transforms, "transforms list", (list, tuple))))
        self.num_ops = num_ops

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        for number in draw.order(len(self.transforms))[: self.num_ops]:
            if draw.uniform() < draw.uniform():
                result = call(self.transforms[number], row, draw.child(number))
                row = result if isinstance(result, tuple) else (result,)
        return row if len(row) > 1 else row[0]


class RandomSelectSubpolicy(MultiTransform):
    """Apply a random one of several policies: lists of transforms, each with a probability.

    Args:
        policy: lists of pairs (transform, probability).

    Follows: mindspore.dataset.vision.RandomSelectSubpolicy (2.10).
    """

    def __init__(self, policy: list[list[tuple[Operation, float]]]) -> None:
        if not require_type(policy, "policy", list):
            raise ValueError("policy can not be empty.")
        for choice in policy:
            if not require_type(choice, "policy", list):
                raise ValueError(f"A choice of policy can not be empty, got {policy!r}.")
            for pair in choice:
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ValueError(f"Value policy needs to hold pairs (transform, probability), got {pair!r}.")
                if not callable(pair[0]):
                    raise TypeError(f"policy: {pair[0]!r} is neither a transforms op nor a callable.")
                within(pair[1], "prob of (op, prob) policy", 0, 1)
        super().__init__([operation for choice in policy for operation, _ in choice])
        self.policy = policy

    def __call__(self, *inputs: Any) -> Any:
        return super().__call__(*base.eager_images(inputs, "RandomSelectSubpolicy", 1))

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        row = tuple(base.array_of(value, "RandomSelectSubpolicy") for value in row)
        chosen = self.policy[draw.integer(0, len(self.policy) - 1)]
        for number, (operation, probability) in enumerate(chosen):
            if draw.uniform() <= probability:
                result = call(operation, row, draw.child(number))
                row = result if isinstance(result, tuple) else (result,)
        return row if len(row) > 1 else row[0]


RANDOM_KINDS = (
    "Identity",
    "ShearX",
    "ShearY",
    "TranslateX",
    "TranslateY",
    "Rotate",
    "Brightness",
    "Color",
    "Contrast",
    "Sharpness",
    "Posterize",
    "Solarize",
    "AutoContrast",
    "Equalize",
)


def magnitudes(
    bins: int,
    shape: tuple[int, ...],
    shear: float,
    shift: float | None,
    rotation: float,
    factor: float,
    bits: int,
    white: float = 255.0,
) -> Magnitudes:
    """Return the magnitudes of each operation for an image of `shape`.

    Args:
        bins: how many there are.
        shape: (H, W, C).
        shear: the largest, in radians.
        shift: the largest, in pixels; None is a share of the side.
        rotation: the largest, in degrees.
        factor: the largest change of a factor.
        bits: how many the strongest posterization takes away.
        white: where the weakest solarization begins.
    """
    places = np.arange(bins, dtype=np.float32)

    def spread(last: float) -> np.ndarray:
        return places * (np.float32(last) / np.float32(bins - 1))

    factors = spread(factor)
    across, down = (shift or AUTO_SHIFT * side for side in (shape[1], shape[0]))
    cut = np.rint(np.arange(bins) / ((bins - 1) / bits))
    none = (None, False)
    return {
        "Identity": none,
        "ShearX": (spread(shear), True),
        "ShearY": (spread(shear), True),
        "TranslateX": (spread(across), True),
        "TranslateY": (spread(down), True),
        "Rotate": (spread(rotation), True),
        "Brightness": (factors, True),
        "Color": (factors, True),
        "Contrast": (factors, True),
        "Sharpness": (factors, True),
        "Posterize": (8 - cut, False),
        "Solarize": (white - spread(white), False),
        "AutoContrast": none,
        "Equalize": none,
        "Invert": none,
    }


def _magnitude(row: tuple[np.ndarray | None, bool], place: int | None, is_negative: bool) -> float:
    values, signed = row
    if values is None or place is None:
        return 0.0
    return -float(values[place]) if signed and is_negative else float(values[place])


def _check_bytes(image: np.ndarray, op: str) -> None:
    if image.dtype != np.uint8:
        raise RuntimeError(f"{op}: the data type of image should be uint8, but got {image.dtype}.")
