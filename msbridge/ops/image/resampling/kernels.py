"""Matrices that resample one axis: by areas, or by a filter that is scaled and moved."""

import math
from collections.abc import Callable

import numpy as np


def _lanczos(radius: float) -> tuple[Callable[[np.ndarray], np.ndarray], float]:
    def kernel(x: np.ndarray) -> np.ndarray:
        return np.where(np.abs(x) <= radius, np.sinc(x) * np.sinc(x / radius), 0)

    return kernel, radius


def _gaussian(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 1.5, np.exp(-(x**2) / (2 * 0.5**2)), 0)


def _box(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 0.5, 1.0, np.where(np.abs(x) == 0.5, 0.5, 0.0))


def _triangle(x: np.ndarray) -> np.ndarray:
    return np.clip(1 - np.abs(x), 0, None)


def _cubic(b: float, c: float) -> tuple[Callable[[np.ndarray], np.ndarray], float]:
    """Return the filter of Mitchell and Netravali."""

    def kernel(x: np.ndarray) -> np.ndarray:
        x = np.abs(x)
        near = ((12 - 9 * b - 6 * c) * x**3 + (-18 + 12 * b + 6 * c) * x**2 + 6 - 2 * b) / 6
        far = ((-b - 6 * c) * x**3 + (6 * b + 30 * c) * x**2 + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6
        return np.where(x < 1, near, np.where(x < 2, far, 0))

    return kernel, 2.0


FILTERS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], float]] = {
    "lanczos1": _lanczos(1),
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
    "gaussian": (_gaussian, 1.5),
    "box": (_box, 1.0),
    "triangle": (_triangle, 1.0),
    "keyscubic": _cubic(0, 0.5),
    "mitchellcubic": _cubic(1 / 3, 1 / 3),
}


def filter_matrix(
    name: str, inputs: int, outputs: int, scale: float, translation: float, antialias: bool
) -> np.ndarray:
    """Return the matrix (outputs, inputs) of an axis that is scaled, moved and filtered, with zeros outside."""
    kernel, radius = FILTERS[name]
    inverse = np.float32(1) / np.float32(scale)  # in float32 as MindSpore, so that the same places are outside
    width = max(float(inverse), 1.0) if antialias else 1.0
    places = (np.arange(outputs, dtype=np.float32) + np.float32(0.5)) * inverse - inverse * np.float32(translation)
    sources = np.arange(inputs)
    first = np.ceil(places - radius * width - 0.5)[:, None]
    last = np.floor(places + radius * width - 0.5)[:, None]
    weights = kernel((sources + 0.5 - places[:, None]) / width) * (sources >= first) * (sources <= last)
    totals = weights.sum(1, keepdims=True)
    within = (places[:, None] >= 0) & (places[:, None] <= inputs) & (np.abs(totals) > 1e-30)
    return np.where(within, weights / np.where(within, totals, 1), 0)


def average_matrix(inputs: int, outputs: int, align_corners: bool) -> np.ndarray:
    """Return the matrix (outputs, inputs) of the averages over the stretch that an output covers."""
    scale = (inputs - 1) / (outputs - 1) if align_corners and outputs > 1 else inputs / outputs
    matrix = np.zeros((outputs, inputs))
    for place in range(outputs):
        start, end = place * scale, (place + 1) * scale
        for source in range(math.floor(start), math.ceil(end)):
            share = min(source + 1, end) - max(source, start)
            matrix[place, min(source, inputs - 1)] += share / scale
    return matrix
