"""Totals: the sums and extremes of a difference, of everything at once or block by block.

Everything at once is exact, and knows NaN, infinities and masks. Blocks stay in the processor's cache, which makes
large tensors cheap; they are for finite numbers.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

MASKED = 1e3  # a constant so many times larger than all else is a mask
BLOCK = 1 << 15  # elements; a few float32 arrays of this length fit into a core's second cache
MAX_SAMPLED_ELEMENTS = 1 << 17  # elements, in evenly spread blocks, where a rough look will do
Numbers = NDArray[np.float64]


@dataclass(slots=True)
class Totals:
    """The sums of which the figures of a difference are made.

    Attributes:
        place: where the greatest difference is, in the flattened tensors.
        max_abs: the greatest difference.
        max_rel: the greatest relative difference; values below a thousandth of the root mean square count as that much.
        norms: of actual and of expected.
        product: the sum of the products of both.
        nans: how many NaN there are in actual, and in expected.
        infs: how many infinities.
        noise_ratio: see `Difference`.
        peak_ratio: see `Difference`.
    """

    place: int
    max_abs: float
    max_rel: float
    norms: tuple[float, float]
    product: float
    nans: tuple[int, int] = (0, 0)
    infs: tuple[int, int] = (0, 0)
    noise_ratio: float = 0.0
    peak_ratio: float = 0.0


def at_once(actual: Numbers, expected: Numbers, reference: Numbers | None, unit: float) -> Totals:
    """Work out the totals of flat arrays.

    Args:
        actual: the Cell's.
        expected: torch's.
        reference: the same as `expected`, computed in float64.
        unit: the rounding unit of the coarser of both dtypes; 0 for integers.
    """
    with np.errstate(all="ignore"):
        gap = np.abs(actual - expected)
        nans, infs, safe = (0, 0), (0, 0), (actual, expected)
        if not math.isfinite(gap.sum() + expected.sum()):
            nans = int(np.isnan(actual).sum()), int(np.isnan(expected).sum())
            infs = int(np.isinf(actual).sum()), int(np.isinf(expected).sum())
            gap = _finite(np.where(_agree(actual, expected), 0.0, gap))
            usable = np.isfinite(gap) & np.isfinite(expected)
            safe = np.where(usable, actual, 0.0), np.where(usable, expected, 0.0)
        norms = _norm(safe[0]), _norm(safe[1])
        rms, size = norms[1] / math.sqrt(gap.size), np.abs(safe[1])
        relative = gap / np.maximum(size, 1e-3 * rms) if rms else gap * 0.0
        noise, peak = _ratios(actual, expected, reference, gap, rms, unit)
        place = int(gap.argmax())
        greatest = float(gap[place]), float(relative.max())
        return Totals(place, *greatest, norms, float(safe[0] @ safe[1]), nans, infs, noise, peak)


def in_blocks(
    actual: torch.Tensor,
    expected: torch.Tensor,
    reference: torch.Tensor | None,
    unit: float,
    sample: Numbers,
    is_rough: bool,
) -> Totals | None:
    """Work out the totals of flat tensors of floats; None where they are not finite or may be masked.

    Args:
        actual: the Cell's.
        expected: torch's.
        reference: the same as `expected`, computed in float64.
        unit: the rounding unit of the coarser of both dtypes.
        sample: some of the expected values.
        is_rough: whether `ENOUGH` elements will do.
    """
    begins = range(0, actual.numel(), BLOCK)
    if is_rough:
        begins = begins[:: -(-len(begins) * BLOCK // MAX_SAMPLED_ELEMENTS)]
    is_single = actual.dtype == expected.dtype == torch.float32
    count, low = sum(min(BLOCK, actual.numel() - begin) for begin in begins), 1e-3 * _rms(sample)
    with np.errstate(all="ignore"):
        room = np.empty((2, min(BLOCK, count)), np.float32 if is_single else np.float64)  # every time: a page fault
        pairs = _blocks(begins, is_single, actual, expected)
        rows = [_gap(own, wanted, low, room[:, : len(own)]) for own, wanted in pairs]
        figures = np.array(rows, np.float64)
        own_square, square, gap_square = figures[:, :3].sum(0).tolist()
        greatest, largest, max_rel = figures[:, 3:].max(0).tolist()
        if not math.isfinite(own_square + square + gap_square + greatest + largest + max_rel):
            return None
    begin = begins[int(figures[:, 3].argmax())]
    worst = [one[begin : begin + BLOCK].cpu().double().numpy() for one in (actual, expected)]
    gap = np.abs(worst[0] - worst[1])
    place = int(gap.argmax())
    norms = math.sqrt(own_square), math.sqrt(square)
    totals = Totals(begin + place, float(gap[place]), max_rel, norms, (own_square + square - gap_square) / 2)
    floor, peak_floor = 0.25 * unit * norms[1] / math.sqrt(count), 0.5 * unit * largest
    if reference is None:
        totals.noise_ratio = _over(math.sqrt(gap_square / count), 2 * floor)
        totals.peak_ratio = _over(totals.max_abs, 2 * peak_floor)
        return totals
    size = np.abs(sample)
    if not ((size < 0.99 * largest) & (size * MASKED > largest)).any():
        return None
    with np.errstate(all="ignore"):
        errors = np.array([_errors(*three) for three in _blocks(begins, False, actual, expected, reference)])
    mine, theirs = (math.sqrt(one / count) for one in errors[:, :2].sum(0).tolist())
    if not math.isfinite(mine + theirs):
        return None
    own_peak, peak = errors[:, 2:].max(0).tolist()
    totals.noise_ratio = _over(mine, max(theirs, floor))
    totals.peak_ratio = _over(own_peak, max(peak, peak_floor))
    return totals


def _blocks(begins: Sequence[int], is_single: bool, *data: torch.Tensor) -> Iterator[list[NDArray[Any]]]:
    kind = torch.float32 if is_single else torch.float64
    for begin in begins:
        yield [one[begin : begin + BLOCK].to("cpu", kind).numpy() for one in data]


def _gap(ours: NDArray[Any], wanted: NDArray[Any], low: float, room: NDArray[Any]) -> tuple[float, ...]:
    """Return the squares of own, wanted and their gap, and the largest gap, wanted value and relative gap."""
    gap, size = room
    np.subtract(ours, wanted, out=gap)
    np.abs(wanted, out=size)
    squares = ours @ ours, wanted @ wanted, gap @ gap
    np.abs(gap, out=gap)
    greatest, largest = gap.max(), size.max()
    np.maximum(size, size.dtype.type(low), out=size)
    np.divide(gap, size, out=gap)
    return *squares, greatest, largest, gap.max()


def _errors(own: Numbers, wanted: Numbers, exact: Numbers) -> tuple[float, ...]:
    """Return the squares of both errors, and their extremes."""
    mine, theirs = own - exact, wanted - exact
    extremes = float(np.abs(mine).max()), float(np.abs(theirs).max())
    return float(mine @ mine), float(theirs @ theirs), *extremes


def _ratios(
    actual: Numbers, expected: Numbers, reference: Numbers | None, gap: Numbers, rms: float, unit: float
) -> tuple[float, float]:
    """Return the noise ratio and the peak ratio; zero rounding (integers) makes any difference infinite."""
    size = _finite(np.abs(expected), 0.0)
    largest = float(size.max())
    floor, peak_floor = 0.25 * unit * rms, 0.5 * unit * largest
    if reference is None:
        return _over(_rms(gap), 2 * floor), _over(float(gap.max()), 2 * peak_floor)
    if parts := _parts(size, largest):
        found = [
            _ratios(actual[part], expected[part], reference[part], gap[part], _rms(size[part]), unit) for part in parts
        ]
        return max(one for one, _ in found), max(one for _, one in found)
    mine, theirs = np.abs(actual - reference), np.abs(expected - reference)
    if not math.isfinite(mine.sum() + theirs.sum()):
        both_bad = ~np.isfinite(actual) & _agree(actual, expected)
        mine, theirs = (
            _finite(np.where(both_bad | _agree(one, reference), 0.0, error))
            for one, error in ((actual, mine), (expected, theirs))
        )
    return (
        _over(_rms(mine), max(_rms(theirs), floor)),
        _over(float(mine.max()), max(float(theirs.max()), peak_floor)),
    )


def _parts(size: Numbers, largest: float) -> list[NDArray[np.bool_]]:
    """Separate what one huge value masks from the rest, so that its rounding does not hide the others' errors."""
    loud = size > 0.99 * largest
    rest = float(size.max(where=~loud, initial=0.0))
    return [loud, ~loud] if 0 < MASKED * rest < largest else []


def _finite(data: Numbers, instead: float = math.inf) -> Numbers:
    return np.where(np.isfinite(data), data, instead)


def _agree(one: Numbers, other: Numbers) -> NDArray[np.bool_]:
    agree: NDArray[np.bool_] = (one == other) | (np.isnan(one) & np.isnan(other))
    return agree


def _over(error: float, noise: float) -> float:
    if not error:
        return 0.0
    if math.isinf(noise):
        return 1.0
    return error / noise if noise else math.inf


def _norm(data: Numbers) -> float:
    return math.sqrt(float(data @ data))


def _rms(data: Numbers) -> float:
    return _norm(data) / math.sqrt(data.size)
