"""Affine and perspective transformations of arrays, equal to OpenCV 4's bit for bit.

OpenCV 4 finds each pixel's source in 1/32 pixels and weighs its neighbours with 15-bit integers. OpenCV 5 does it in
float32 (opencv/opencv#26505), so the sources are found here, and only the weighing is left to `cv2.remap`, which is the
same in all releases.
"""

import math
from collections.abc import Sequence

import numpy as np

from msbridge.dataset.vision.enums import Inter
from msbridge.dataset.vision.images import import_cv2

FRACTION_BITS = 5  # of a source position
DELTA_BITS = 10  # of a step between neighbouring positions of an affine transformation
LAST_POSITION = 32767  # of an int16

Matrix = np.ndarray
Fill = Sequence[float]


def warped_affine(
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
        _rounded((row[1] * lines + row[2]) * scale)[:, None] + half + _rounded(row[0] * steps * scale)
        for row in inverse
    ]
    shift = DELTA_BITS if is_nearest else DELTA_BITS - FRACTION_BITS
    return _sampled(image, places[0] >> shift, places[1] >> shift, interpolation, fill, op)


def warped_perspective(
    image: np.ndarray, matrix: Matrix, size: tuple[int, int], interpolation: Inter, fill: Fill, op: str
) -> np.ndarray:
    """Transform an image by a perspective matrix (3, 3); otherwise as `warped_affine`."""
    height, width = size
    inverse = np.linalg.inv(matrix)
    steps, lines = np.arange(width), np.arange(height)[:, None]
    parts = [row[0] * steps + (row[1] * lines + row[2]) for row in inverse]
    unit = 1.0 if interpolation is Inter.NEAREST else float(1 << FRACTION_BITS)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(parts[2] != 0, unit / parts[2], 0.0)
    limits = np.iinfo(np.int32)
    across, down = (_rounded(np.clip(part * weight, limits.min, limits.max)) for part in parts[:2])
    return _sampled(image, across, down, interpolation, fill, op)


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


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.rint(values).astype(np.int64)


def _sampled(
    image: np.ndarray, across: np.ndarray, down: np.ndarray, interpolation: Inter, fill: Fill, op: str
) -> np.ndarray:
    """Read the image at positions, whole ones or in 1/32 pixels."""
    cv2 = import_cv2(op)
    if image.dtype == np.bool_:
        image = image.view(np.uint8)
    ways = {
        Inter.NEAREST: cv2.INTER_NEAREST,
        Inter.BILINEAR: cv2.INTER_LINEAR,
        Inter.BICUBIC: cv2.INTER_CUBIC,
        Inter.AREA: cv2.INTER_LINEAR,
    }
    if interpolation not in ways or image.dtype in (np.int64, np.uint64, np.uint32) or image.dtype.kind not in "iuf":
        raise RuntimeError(f"{op}: images of {image.dtype} are not supported with Inter.{interpolation.name}.")
    fraction = None
    if interpolation is not Inter.NEAREST:
        part = (1 << FRACTION_BITS) - 1
        fraction = ((down & part) << FRACTION_BITS | (across & part)).astype(np.uint16)
        across, down = across >> FRACTION_BITS, down >> FRACTION_BITS
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
