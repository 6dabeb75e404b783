"""Numbers of a quantisation: the range that loses least, scale and zero point, integer weights, folded weights."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import one_of
from msbridge.nn.cell.cell import Cell
from msbridge.nn.quantization.dtypes import QuantDtype

__all__ = [
    "cal_quantization_params",
    "compute_kl_threshold",
    "fold_batchnorm",
    "get_quant_min_max",
    "scale_zp_max_min_from_fake_quant_cell",
    "weight2int",
    "without_fold_batchnorm",
]

MIN_THRESHOLD = 1e-5
BINS = 1024  # more than these, and ten are taken


def cal_quantization_params(
    input_min: np.ndarray,
    input_max: np.ndarray,
    quant_min: int,
    quant_max: int,
    data_type: Any,
    symmetric: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scale and the zero point of ranges, shape (1,) or (channels,).

    Raises:
        ValueError: the steps or the ranges are empty, or their shapes do not fit.

    Follows: mindspore.compression.quant.quant_utils.cal_quantization_params (1.9).
    """
    if quant_min == quant_max:
        raise ValueError("quant_min and quant_max must differ.")
    high, low = np.maximum(0.0, input_max), np.minimum(0.0, input_min)
    if low.shape != high.shape or low.ndim > 1:
        raise ValueError(f"input_min and input_max must have one and the same axis, got {low.shape} and {high.shape}.")
    if (high == low).all():
        return np.ones(low.shape), np.zeros(low.shape)
    if symmetric:
        high = np.maximum(-low, high)
        low = -high
    scale = (high - low) / (quant_max - quant_min)
    if data_type == np.int8 and symmetric:
        return scale, np.zeros(low.shape)
    if (scale == 0).any():
        raise ValueError("a range is empty: its scale would be 0.")
    return scale, np.floor(quant_min - low / scale + 0.5)


def get_quant_min_max(data_type: Any, num_bits: int = 8, narrow_range: bool = False) -> tuple[int, int]:
    """Return the least and the largest integer of np.int8 or np.uint8 with so many bits.

    Raises:
        ValueError: another type.

    Follows: mindspore.compression.quant.quant_utils.get_quant_min_max (1.9).
    """
    one_of(data_type, "data_type", None, (np.int8, np.uint8))
    low = -(2 ** (num_bits - 1)) if data_type == np.int8 else 0
    return low + narrow_range, low + 2**num_bits - 1


def weight2int(
    data: np.ndarray, scale: np.ndarray, zero_point: np.ndarray, quant_min: int, quant_max: int
) -> np.ndarray:
    """Return round(data / scale) + zero_point within the integers, as floats.

    Raises:
        ValueError: a scale is 0, or the shapes do not fit.

    Follows: mindspore.compression.quant.quant_utils.weight2int (1.9).
    """
    if scale.shape != zero_point.shape:
        raise ValueError(f"scale and zero_point must have the same shape, got {scale.shape} and {zero_point.shape}.")
    if (scale == 0).any():
        raise ValueError("scale must not be 0.")
    if scale.size > 1:
        scale, zero_point = (_by_channel(part, data) for part in (scale, zero_point))
    return np.clip(np.round(data / scale + zero_point), quant_min, quant_max)


def _by_channel(vector: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return a vector in the shape that broadcasts along the weight's first or second axis."""
    axis = next((axis for axis in (0, 1) if axis < weight.ndim and weight.shape[axis] == len(vector)), None)
    if axis is None:
        raise ValueError(f"a weight of shape {weight.shape} has no axis of {len(vector)} channels.")
    return vector.reshape([-1 if place == axis else 1 for place in range(weight.ndim)])


def scale_zp_max_min_from_fake_quant_cell(
    cell: Any, data_type: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return scale, zero point, upper and lower end of a FakeQuantWithMinMaxObserver.

    Follows: mindspore.compression.quant.quant_utils.scale_zp_max_min_from_fake_quant_cell (1.9).
    """
    low, high = cell.minq.asnumpy(), cell.maxq.asnumpy()
    if cell.mode == "LEARNED_SCALE":
        low, high = -np.abs(low), np.abs(high)
    steps = get_quant_min_max(data_type, cell.num_bits, cell.narrow_range)
    scale, zero = cal_quantization_params(low, high, *steps, data_type, cell.symmetric and not cell.neg_trunc)
    return scale, zero, high, low


def fold_batchnorm(weight: np.ndarray, cell_quant: Cell) -> tuple[np.ndarray, np.ndarray]:
    """Return weight and bias with the normalisation of a Conv2dBnFoldQuant in them.

    Raises:
        ValueError: its epsilon is 0, or the weight has no axis of its channels.

    Follows: mindspore.compression.quant.quant_utils.fold_batchnorm (1.9).
    """
    return _fold_normalization(weight, cell_quant)


def without_fold_batchnorm(weight: np.ndarray, cell_quant: Cell) -> tuple[np.ndarray, np.ndarray]:
    """Return weight and bias with the normalisation of a Conv2dBnWithoutFoldQuant in them.

    Raises:
        ValueError: its epsilon is 0, or the weight has no axis of its channels.

    Follows: mindspore.compression.quant.quant_utils.without_fold_batchnorm (1.9).
    """
    return _fold_normalization(weight, cell_quant.batchnorm)


def _fold_normalization(weight: np.ndarray, norm: Any) -> tuple[np.ndarray, np.ndarray]:
    if norm.eps == 0:
        raise ValueError("the epsilon of the normalisation must not be 0.")
    names = ("gamma", "beta", "moving_mean", "moving_variance")
    gamma, beta, mean, variance = (getattr(norm, name).asnumpy() for name in names)
    sigma = np.sqrt(variance + norm.eps)
    return weight * _by_channel(gamma, weight) / _by_channel(sigma, weight), beta - gamma * mean / sigma


def compute_kl_threshold(data: np.ndarray, bitwidth: QuantDtype) -> float:
    """Return the end of the range that changes the distribution of |data| least when it is cut there and rounded.

    The divergence is that of the cumulated histogram from itself seen through 2^(bits - 1) points.

    Follows: mindspore.compression.quant.quant_utils.compute_kl_threshold (1.9).
    """
    sizes = np.abs(data)
    largest = float(sizes.max())
    if largest < MIN_THRESHOLD:
        return MIN_THRESHOLD
    counts, edges = np.histogram(sizes, bins="sqrt", range=(0, largest), density=True)
    if len(counts) > BINS:
        counts, edges = np.histogram(sizes, range=(0, largest), density=True)
    points = 2 ** (bitwidth.num_bits - 1)
    if points + 1 > len(counts):
        return float(edges[-1])
    cumulated = np.cumsum(counts / counts.sum())
    kept = np.arange(points + 1, len(counts) + 1)
    divergences = [_kl_divergence_of_bins(cumulated, bins, points) for bins in kept]
    return max(float((kept[np.argmin(divergences)] + 0.5) * (edges[1] - edges[0])), MIN_THRESHOLD)


def _kl_divergence_of_bins(cumulated: np.ndarray, bins: int, points: int) -> float:
    """Return the divergence of a cumulated histogram from itself cut after `bins` bins and seen at `points` points."""
    seen = cumulated.copy()
    seen[bins - 1 :] = 1
    few, many = np.linspace(0, 1, points), np.linspace(0, 1, bins)
    seen[:bins] = np.interp(many, few, np.interp(few, many, seen[:bins]))
    if (seen == 0).any():
        raise ValueError("the first bin of the histogram is empty: there is no divergence.")
    return float(np.sum((cumulated - seen) * np.log2(cumulated / seen)))
