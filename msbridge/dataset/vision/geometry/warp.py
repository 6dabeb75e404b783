"""Affine and perspective transformations of arrays, equal to OpenCV 4's bit for bit.

OpenCV 4 finds each pixel's source in 1/32 pixels and weighs its neighbours with 15-bit integers. OpenCV 5 does it in
float32 (opencv/opencv#26505), so the sources are found here, and only the weighing is left to `cv2.remap`, which is the
same in all releases.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from msbridge.dataset.vision.base import import_cv2
from msbridge.dataset.vision.enums import Inter

CUBIC_BORDER = 4  # pixels around an image that the neighbours of any position lie in
FRACTION_BITS = 5  # of a source position
WEIGHT_BITS = 15  # of a weight of uint8 pixels
DELTA_BITS = 10  # of a step between neighbouring positions of an affine transformation
WARPED = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
LAST_POSITION = 32767  # of an int16

Matrix = np.ndarray
Fill = Sequence[float]


def warp_affine(
    image: np.ndarray, matrix: Matrix, size: tuple[int, int], interpolation: Inter, fill: Fill, op: str
) -> np.ndarray:
    """Transform an image (H, W) or (H, W, C) by a matrix (2, 3) from its pixels to those of the result.

    Args:
        image: what to transform.
        matrix: float64.
        size: (height, width) of the result.
        interpolation: how to weigh; AREA is BILINEAR here.
        fill: the colour outside of the image.
        op: whose work it is.

    Raises:
        RuntimeError: the dtype is not supported with this interpolation.
    """
    height, width = size
    inverse = _inverse_affine(matrix)
    scale = 1 << DELTA_BITS
    is_nearest = interpolation is Inter.NEAREST
    half = scale // 2 if is_nearest else scale >> (FRACTION_BITS + 1)
    steps, lines = np.arange(width), np.arange(height)
    places = [
        _round((row[1] * lines + row[2]) * scale)[:, None] + half + _round(row[0] * steps * scale) for row in inverse
    ]
    shift = DELTA_BITS if is_nearest else DELTA_BITS - FRACTION_BITS
    return _sample(image, places[0] >> shift, places[1] >> shift, interpolation, fill, op)


def warp_perspective(
    image: np.ndarray, matrix: Matrix, size: tuple[int, int], interpolation: Inter, fill: Fill, op: str
) -> np.ndarray:
    """Transform an image by a perspective matrix (3, 3); otherwise as `warp_affine`."""
    height, width = size
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        inverse = np.zeros((3, 3))
    steps, lines = np.arange(width), np.arange(height)[:, None]
    parts = [row[0] * steps + (row[1] * lines + row[2]) for row in inverse]
    unit = 1.0 if interpolation is Inter.NEAREST else float(1 << FRACTION_BITS)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(parts[2] != 0, unit / parts[2], 0.0)
    limits = np.iinfo(np.int32)
    across, down = (_round(np.clip(part * weight, limits.min, limits.max)) for part in parts[:2])
    return _sample(image, across, down, interpolation, fill, op)


def perspective_matrix(start: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> Matrix:
    """Return the matrix (3, 3) that takes four points (x, y) to four others; zeros but for the corner if none does."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(start, end, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -x * u, -y * u])
        rows.append([0, 0, 0, x, y, 1, -x * v, -y * v])
        wanted += [u, v]
    try:
        found = np.linalg.solve(np.array(rows, np.float64), np.array(wanted, np.float64))
    except np.linalg.LinAlgError:
        found = np.zeros(8)
    return np.append(found, 1.0).reshape(3, 3)


def rotation_matrix(centre: Sequence[float], degrees: float) -> Matrix:
    """Return the matrix (2, 3) of a rotation counter-clockwise around a point (x, y)."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = centre
    return np.array([[cosine, sine, (1 - cosine) * x - sine * y], [-sine, cosine, sine * x + (1 - cosine) * y]])


def _inverse_affine(matrix: Matrix) -> Matrix:
    (a, b, x), (c, d, y) = matrix
    determinant = a * d - b * c
    factor = 1.0 / determinant if determinant else 0.0
    a, b, c, d = d * factor, -b * factor, -c * factor, a * factor
    return np.array([[a, b, -a * x - b * y], [c, d, -c * x - d * y]])


def _round(values: np.ndarray) -> np.ndarray:
    return np.rint(values).astype(np.int64)


def _sample(
    image: np.ndarray, across: np.ndarray, down: np.ndarray, interpolation: Inter, fill: Fill, op: str
) -> np.ndarray:
    """Read the image at positions, whole ones or in 1/32 pixels."""
    cv2 = import_cv2(op)
    if image.dtype == np.bool_:
        image = image.view(np.uint8)
    ways = {
        Inter.NEAREST: cv2.INTER_NEAREST,
        Inter.BILINEAR: cv2.INTER_LINEAR,
        Inter.AREA: cv2.INTER_LINEAR,
    }
    if interpolation not in (*ways, Inter.BICUBIC) or image.dtype not in WARPED:
        raise RuntimeError(f"{op}: images of {image.dtype} are not supported with Inter.{interpolation.name}.")
    fraction = None
    if interpolation is not Inter.NEAREST:
        part = (1 << FRACTION_BITS) - 1
        fraction = ((down & part) << FRACTION_BITS | (across & part)).astype(np.uint16)
        across, down = across >> FRACTION_BITS, down >> FRACTION_BITS
    if interpolation is Inter.BICUBIC:
        return _cubic(image, across, down, fraction, fill)
    whole = np.clip(np.stack([across, down], -1), -LAST_POSITION - 1, LAST_POSITION).astype(np.int16)
    colour = [*fill, 0.0][:4]
    try:
        done = cv2.remap(
            np.ascontiguousarray(image),
            whole,
            fraction,
            ways[interpolation],
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=colour,
        )
    except cv2.error as error:
        raise RuntimeError(
            f"{op}: images of {image.dtype} and shape {image.shape} are not supported with Inter.{interpolation.name}."
        ) from error
    return done.reshape(*whole.shape[:2], *image.shape[2:])


def _cubic(image: np.ndarray, across: np.ndarray, down: np.ndarray, fraction: Any, fill: Fill) -> np.ndarray:
    """Weigh 4 × 4 neighbours; OpenCV 5 rounds the weights otherwise, and those of float64 wrongly."""
    if image.dtype not in ("uint8", "uint16", "int16", "float32", "float64"):
        raise RuntimeError(f"images of {image.dtype} are not supported with Inter.BICUBIC.")
    planes = image if image.ndim == 3 else image[..., None]
    rows, columns, channels = planes.shape
    bordered = np.empty((rows + 2 * CUBIC_BORDER, columns + 2 * CUBIC_BORDER, channels), image.dtype)
    bordered[...] = np.resize(np.array([*fill, 0.0][:4]), channels)
    bordered[CUBIC_BORDER : CUBIC_BORDER + rows, CUBIC_BORDER : CUBIC_BORDER + columns] = planes
    first_row = np.clip(down, 1 - CUBIC_BORDER, rows + 1) + CUBIC_BORDER - 1
    first = (first_row * bordered.shape[1] + np.clip(across, 1 - CUBIC_BORDER, columns + 1) + CUBIC_BORDER - 1).ravel()
    is_bytes = image.dtype == np.uint8
    weights = (_cubic_integers() if is_bytes else _cubic_weights())[:, fraction.ravel()]
    flat = bordered.reshape(-1, channels).T.astype(np.int32 if is_bytes else np.float64)  # channel by channel
    total = np.zeros((channels, first.size), flat.dtype)
    for tap, weight in enumerate(weights):
        values = flat.take(first + (tap // 4 * bordered.shape[1] + tap % 4), axis=1)
        values *= weight
        total += values
    if is_bytes:
        total = (total + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS
    if image.dtype.kind in "iu":
        limits = np.iinfo(image.dtype)
        total = np.clip(np.rint(total), limits.min, limits.max)
    return np.ascontiguousarray(total.T).astype(image.dtype).reshape(*across.shape, *image.shape[2:])


@cache
def _cubic_weights() -> np.ndarray:
    """Return the weights (16, 1024) of each position in 1/32 pixels, down and across, float32."""
    part = np.arange(1 << FRACTION_BITS, dtype=np.float32) / np.float32(1 << FRACTION_BITS)
    steep = np.float32(-0.75)
    line = np.empty((len(part), 4), np.float32)
    line[:, 0] = ((steep * (part + 1) - 5 * steep) * (part + 1) + 8 * steep) * (part + 1) - 4 * steep
    line[:, 1] = ((steep + 2) * part - (steep + 3)) * part * part + 1
    line[:, 2] = ((steep + 2) * (1 - part) - (steep + 3)) * (1 - part) * (1 - part) + 1
    line[:, 3] = 1 - line[:, 0] - line[:, 1] - line[:, 2]
    return np.ascontiguousarray((line[:, None, :, None] * line[None, :, None, :]).reshape(-1, 16).T)


@cache
def _cubic_integers() -> np.ndarray:
    """Return the weights in 15 bits; what is missing to their sum goes to one of the last four middle ones."""
    whole = np.rint(_cubic_weights().T * np.float32(1 << WEIGHT_BITS)).astype(np.int32)
    whole = np.minimum(whole, LAST_POSITION)
    middle = np.array([10, 11, 14, 15])  # from the third row and column on
    excess = whole.sum(axis=1) - (1 << WEIGHT_BITS)
    chosen = np.where(excess < 0, whole[:, middle].argmax(axis=1), whole[:, middle].argmin(axis=1))
    whole[np.arange(len(whole)), middle[chosen]] -= excess
    return np.ascontiguousarray(whole.T)
