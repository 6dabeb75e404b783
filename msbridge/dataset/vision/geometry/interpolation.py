"""Resizing of stacks of images, equal to MindSpore's OpenCV bit for bit.

OpenCV weighs uint8 pixels with 11-bit integers, first along rows, then along columns; other dtypes with float32
weights. The numpy forms below do the same arithmetic in the same order. For uint8 and bilinear, cv2 itself computes the
same result, faster, and is used where it is installed; its other results changed with its releases and processors
(fused multiplications), so they are not.
"""

from functools import lru_cache

import numpy as np

from msbridge.dataset.transforms.lookup_tables import opencv
from msbridge.dataset.vision.base import import_cv2, import_pil
from msbridge.dataset.vision.enums import Inter

STACKED_CHANNELS = 32  # images of so many channels in all are resized as one image; more are not faster
STACKED_PIXELS = 64 * 64  # beyond, cv2 is faster on single images than on stacks of them


def resize(images: np.ndarray, height: int, width: int, interpolation: Inter) -> np.ndarray:
    """Resize images (n, H, W, C) to (n, height, width, C); the dtype stays.

    Raises:
        RuntimeError: the dtype or number of channels is not supported with this interpolation.
    """
    dtype = images.dtype
    if dtype == np.bool_:
        return resize(images.view(np.uint8), height, width, interpolation).astype(np.bool_)
    if images.shape[1:3] == (height, width):
        return images.copy()
    if interpolation is Inter.NEAREST:
        return _nearest(images, height, width)
    if dtype not in (np.uint8, np.int16, np.uint16, np.float32, np.float64):
        raise RuntimeError(
            f"Resize: images of {dtype} are not supported; it must be bool, uint8, int16, uint16, float32 or float64."
        )
    if interpolation is Inter.AREA:
        return _by_cv2(images, height, width, import_cv2("Resize with Inter.AREA").INTER_AREA)
    if interpolation is Inter.PILCUBIC:
        return _by_pillow(images, height, width)
    if interpolation is Inter.BILINEAR:
        if dtype == np.uint8 and (cv2 := opencv()) is not None:
            return _by_cv2(images, height, width, cv2.INTER_LINEAR)
        return _weight_neighbours(images, height, width, 2)
    if interpolation is Inter.BICUBIC:
        return _weight_neighbours(images, height, width, 4)
    raise TypeError(f"Resize: interpolation {interpolation.name} is supported for PIL images only.")


def resize_plain(image: np.ndarray, height: int, width: int, interpolation: Inter) -> np.ndarray | None:
    """Resize an image (H, W, 3) as most are, without detours, which cost 150 µs after a decoder ran.

    Returns:
        The image; None where it is not of that kind.
    """
    cv2 = opencv()
    if cv2 is None or interpolation is not Inter.BILINEAR or image.dtype != np.uint8 or image.shape[2] != 3:
        return None
    if image.shape[:2] == (height, width):
        return image.copy()
    return cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR)


def _by_cv2(images: np.ndarray, height: int, width: int, method: int) -> np.ndarray:
    cv2 = import_cv2("Resize")
    count, rows, columns, channels = images.shape
    stackable = method == cv2.INTER_LINEAR and max(rows * columns, height * width) <= STACKED_PIXELS
    stackable &= (rows, columns) != (2 * height, 2 * width)  # of which cv2 rounds the averages by number of channels
    if stackable and count * channels > 4:
        return _by_cv2_stacked(images, height, width, method)
    resized = np.empty((count, height, width, channels), images.dtype)
    for source, target in zip(images, resized, strict=True):
        if channels <= 4:
            cv2.resize(source, (width, height), dst=target, interpolation=method)
            continue
        for start in range(0, channels, 4):  # area takes at most four channels
            part = np.ascontiguousarray(source[..., start : start + 4])
            done = cv2.resize(part, (width, height), interpolation=method)
            target[..., start : start + 4] = done.reshape(height, width, -1)
    return resized


def _by_cv2_stacked(images: np.ndarray, height: int, width: int, method: int) -> np.ndarray:
    """Resize all images as the channels of few images: cv2's fixed costs are paid once, the results are the same."""
    cv2 = import_cv2("Resize")
    count, rows, columns, channels = images.shape
    planes = images.transpose(1, 2, 0, 3).reshape(rows, columns, count * channels)
    parts = [
        cv2.resize(
            np.ascontiguousarray(planes[..., start : start + STACKED_CHANNELS]), (width, height), interpolation=method
        )
        for start in range(0, count * channels, STACKED_CHANNELS)
    ]
    parts = [part.reshape(height, width, -1) for part in parts]
    resized = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)
    return resized.reshape(height, width, count, channels).transpose(2, 0, 1, 3)


def _nearest(images: np.ndarray, height: int, width: int) -> np.ndarray:
    def sources(size: int, wanted: int) -> np.ndarray:
        return np.minimum(np.floor(np.arange(wanted) * (1.0 / (wanted / size))).astype(np.int64), size - 1)

    return images[:, sources(images.shape[1], height)][:, :, sources(images.shape[2], width)]


def _weight_neighbours(images: np.ndarray, height: int, width: int, taps: int) -> np.ndarray:
    """Sum `taps` neighbours along each row, then along each column."""
    is_by_area = images.dtype != np.uint8 or images.shape[3] in (1, 3, 4)
    if taps == 2 and is_by_area and images.shape[1:3] == (2 * height, 2 * width):
        return _halve(images)
    across, weights_across = _weights(images.shape[2], width, taps, clamped=taps == 2)
    down, weights_down = _weights(images.shape[1], height, taps, clamped=False)
    if images.dtype == np.uint8:
        return _weight_bytes(images, across, weights_across, down, weights_down)
    working = images.astype(np.float64 if images.dtype == np.float64 else np.float32)
    rows = _sum([working[:, :, at] * weight[:, None] for at, weight in zip(across, weights_across, strict=True)])
    terms = [rows[:, at] * weight[:, None, None] for at, weight in zip(down, weights_down, strict=True)]
    resized = _sum(terms)
    if taps == 4 and working.dtype == np.float32:
        resized = _with_tail(_sum_backwards(terms), resized, vector=4)
    if images.dtype.kind in "iu":
        limits = np.iinfo(images.dtype)
        resized = np.clip(np.rint(resized), limits.min, limits.max)
    return resized.astype(images.dtype)


def _weight_bytes(
    images: np.ndarray, across: np.ndarray, weights_across: np.ndarray, down: np.ndarray, weights_down: np.ndarray
) -> np.ndarray:
    """The uint8 form: weights of 11 bits; the bilinear column sum cuts 4 bits, then 16, and rounds the last 2."""
    by_row = np.rint(weights_across * 2048).astype(np.int32)
    by_column = np.rint(weights_down * 2048).astype(np.int32)
    working = images.astype(np.int32)
    rows = _sum([working[:, :, at] * weight[:, None] for at, weight in zip(across, by_row, strict=True)])
    if len(across) == 2:
        rows >>= 4
        terms = [(rows[:, at] * weight[:, None, None]) >> 16 for at, weight in zip(down, by_column, strict=True)]
        return ((terms[0] + terms[1] + 2) >> 2).astype(np.uint8)
    whole = _sum([rows[:, at] * weight[:, None, None] for at, weight in zip(down, by_column, strict=True)])
    scaled = by_column.astype(np.float32) * np.float32(2.0**-22)
    floats = rows.astype(np.float32)
    terms = [floats[:, at] * weight[:, None, None] for at, weight in zip(down, scaled, strict=True)]
    rounded = np.rint(_sum_backwards(terms)).astype(np.int32)
    return np.clip(_with_tail(rounded, (whole + (1 << 21)) >> 22, vector=8), 0, 255).astype(np.uint8)


def _halve(images: np.ndarray) -> np.ndarray:
    """Average 2 × 2 pixels: what bilinear means at exactly half the size, in OpenCV's order of additions."""
    if images.dtype.kind in "iu":
        images_wide = images.astype(np.int32)
        total = _sum([images_wide[:, row::2, column::2] for row in (0, 1) for column in (0, 1)])
        return ((total + 2) >> 2).astype(images.dtype)
    parts = [images[:, row::2, column::2] for row in (0, 1) for column in (0, 1)]
    quarter = images.dtype.type(0.25)
    forwards = _sum(parts) * quarter
    if images.dtype == np.float64 or images.shape[3] not in (1, 4):
        return forwards
    return _with_tail(((parts[0] + parts[1]) + (parts[2] + parts[3])) * quarter, forwards, vector=4)


def _sum(terms: list[np.ndarray]) -> np.ndarray:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _sum_backwards(terms: list[np.ndarray]) -> np.ndarray:
    return terms[0] + (terms[1] + (terms[2] + terms[3]))


def _with_tail(vectors: np.ndarray, scalars: np.ndarray, vector: int) -> np.ndarray:
    """Take `vectors`, and `scalars` for the end of each row, which does not fill one of OpenCV's vectors."""
    count, height, width, channels = vectors.shape
    whole = width * channels // vector * vector
    parts = [vectors.reshape(count, height, -1)[..., :whole], scalars.reshape(count, height, -1)[..., whole:]]
    return np.concatenate(parts, axis=2).reshape(count, height, width, channels)


@lru_cache(maxsize=256)
def _weights(size: int, wanted: int, taps: int, clamped: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return for each wanted pixel the `taps` source indices and float32 weights, each of shape (taps, wanted).

    `clamped` sets the weight beyond the border to 0 as OpenCV does along rows; along columns it repeats the border.
    """
    centre = ((np.arange(wanted) + 0.5) * (1.0 / (wanted / size)) - 0.5).astype(np.float32)
    first = np.floor(centre).astype(np.int64)
    part = centre - first.astype(np.float32)
    if taps == 2:
        if clamped:
            outside = (first < 0) | (first >= size - 1)
            part[outside] = 0
            first = np.clip(first, 0, size - 1)
        indices = np.stack([first, first + 1])
        weights = np.stack([1 - part, part])
    else:
        steep, unit = np.float32(-0.75), np.float32(1)
        weights = np.empty((4, wanted), np.float32)
        weights[0] = ((steep * (part + 1) - 5 * steep) * (part + 1) + 8 * steep) * (part + 1) - 4 * steep
        weights[1] = ((steep + 2) * part - (steep + 3)) * part * part + 1
        weights[2] = ((steep + 2) * (unit - part) - (steep + 3)) * (unit - part) * (unit - part) + 1
        weights[3] = unit - weights[0] - weights[1] - weights[2]
        indices = first + np.arange(-1, 3)[:, None]
    return np.clip(indices, 0, size - 1), weights


def _by_pillow(images: np.ndarray, height: int, width: int) -> np.ndarray:
    if images.shape[3] != 3:
        raise RuntimeError(f"Resize: Interpolation PILCUBIC takes images of 3 channels, got {images.shape[3]}.")
    if images.dtype != np.uint8:
        raise RuntimeError(f"Resize: Interpolation PILCUBIC takes images of uint8, got {images.dtype}.")
    pil = import_pil("Resize with Inter.PILCUBIC")
    return np.stack([np.asarray(pil.fromarray(image).resize((width, height), 3)) for image in images])
