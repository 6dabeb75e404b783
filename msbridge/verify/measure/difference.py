"""Differences: how far one tensor is from another, and whether rounding explains it."""

import itertools
import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch

from msbridge.verify.measure.reductions import Numbers, at_once, in_blocks
from msbridge.verify.record.equality import same

# How much larger than the reference's own rounding error a difference may be. On pairs of equal networks with different
# kernels the measured ratios stay below 4; the smallest real faults looked at (eps 1e-5 for 1e-6) begin at 30.
RATIO = 10.0
PEAK_RATIO = 40.0
SAMPLE = 1 << 12  # quantiles of larger tensors are taken of so many elements,
RUN = 64  # in evenly spread runs of so many: single ones would each cost a miss of the cache
BORDERS = (0.0, *(10.0**power for power in range(-12, 5)))  # of the histogram


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of `actual` from `expected`.

    Attributes:
        shape: of the expected tensor.
        dtype: of the actual tensor.
        expected_dtype: of the expected one.
        max_abs: the greatest absolute difference.
        index: where it is.
        actual: the value there.
        expected: the value that should be there.
        max_rel: the greatest relative difference; values below a thousandth of the root mean square count as that much.
        p50: half of the absolute differences are below; p99 and p999 likewise. Of large tensors, a sample counts.
        cosine: of the angle between both.
        norm_ratio: norm of actual over norm of expected.
        nans: how many NaN there are in actual, and in expected.
        infs: how many infinities.
        noise_ratio: the error of actual over the error of expected, both against the reference in float64; the rounding
            unit is in where expected is exact, and where there is no reference.
        peak_ratio: the same of the greatest errors.
        is_equal: whether the bits agree.
        histogram: how many absolute differences are zero, below 1e-12, below 1e-11 … below 1e4, and above.
        actual_shape: of the actual tensor, where it is another, so that the two cannot be compared.
    """

    shape: tuple[int, ...] = ()
    dtype: str = ""
    expected_dtype: str = ""
    max_abs: float = 0.0
    index: tuple[int, ...] = ()
    actual: float = 0.0
    expected: float = 0.0
    max_rel: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    p999: float = 0.0
    cosine: float = 1.0
    norm_ratio: float = 1.0
    nans: tuple[int, int] = (0, 0)
    infs: tuple[int, int] = (0, 0)
    noise_ratio: float = 0.0
    peak_ratio: float = 0.0
    is_equal: bool = False
    histogram: tuple[int, ...] = ()
    actual_shape: tuple[int, ...] | None = None

    @property
    def is_coarser(self) -> bool:
        """Whether the actual values have another floating dtype than the expected ones."""
        return self.dtype != self.expected_dtype and "float" in self.dtype and "float" in self.expected_dtype

    @property
    def is_comparable(self) -> bool:
        """Whether both tensors have the same shape."""
        return self.actual_shape is None

    @property
    def is_noise(self) -> bool:
        """Whether rounding explains the difference."""
        return self.is_equal or (self.is_comparable and self.noise_ratio <= RATIO and self.peak_ratio <= PEAK_RATIO)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, in which there are no NaN and infinities."""
        return {
            key: repr(value) if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in asdict(self).items()
        }

    def allowing(self, times: float) -> "Difference":
        """Return the difference where so many times the rounding is allowed, because errors add up."""
        return replace(self, noise_ratio=self.noise_ratio / times, peak_ratio=self.peak_ratio / times)


def compare_tensors(
    actual: torch.Tensor, expected: torch.Tensor, reference: torch.Tensor | None = None, is_rough: bool = False
) -> Difference:
    """Compare two tensors.

    Args:
        actual: the Cell's.
        expected: torch's.
        reference: the same as `expected`, computed in float64.
        is_rough: whether evenly spread blocks of a large tensor may represent the whole.
    """
    kind, other = (str(one.dtype).removeprefix("torch.") for one in (actual, expected))
    shape = tuple(expected.shape)
    if actual.shape != expected.shape:
        return Difference(shape, kind, other, actual_shape=tuple(actual.shape))
    if not expected.numel() or same(actual, expected):
        return Difference(shape, kind, other, is_equal=True)
    unit = torch.finfo(_coarser(actual.dtype, expected.dtype)).eps if expected.is_floating_point() else 0.0
    if reference is not None and reference.shape != expected.shape:
        reference = None
    is_float = actual.is_floating_point() and expected.is_floating_point()
    if actual.is_complex() or expected.is_complex():
        actual, expected = (torch.view_as_real(one.to(torch.complex128)) for one in (actual, expected))
        reference = None if reference is None else torch.view_as_real(reference.to(torch.complex128))
    ours, wanted = actual.detach().to(expected.device).reshape(-1), expected.detach().reshape(-1)
    exact = None if reference is None else reference.detach().to(expected.device).reshape(-1)
    some = _numbers(_sample(ours)), _numbers(_sample(wanted))
    is_sampled = len(some[0]) < ours.numel()
    totals = in_blocks(ours, wanted, exact, unit, some[1], is_rough) if is_float and is_sampled else None
    if totals is None:
        whole = (_numbers(ours), _numbers(wanted)) if is_sampled else some
        totals = at_once(*whole, None if exact is None else _numbers(exact), unit)
    norms, gaps = totals.norms, np.sort(_gaps(*some))
    p50, p99, p999 = (float(gaps[round(share * (len(gaps) - 1))]) for share in (0.5, 0.99, 0.999))
    return Difference(
        shape=shape,
        dtype=kind,
        expected_dtype=other,
        max_abs=totals.max_abs,
        index=_unravel_index(totals.place, tuple(expected.shape)),
        actual=ours[totals.place].item(),
        expected=wanted[totals.place].item(),
        max_rel=totals.max_rel,
        p50=p50,
        p99=p99,
        p999=p999,
        cosine=min(1.0, totals.product / (norms[0] * norms[1])) if all(norms) else float(norms[0] == norms[1]),
        norm_ratio=norms[0] / norms[1] if norms[1] else (math.inf if norms[0] else 1.0),
        nans=totals.nans,
        infs=totals.infs,
        noise_ratio=totals.noise_ratio,
        peak_ratio=totals.peak_ratio,
        is_equal=kind == other and not totals.max_abs,
        histogram=_histogram(gaps),
    )


def _coarser(one: torch.dtype, other: torch.dtype) -> torch.dtype:
    kinds = [dtype for dtype in (one, other) if dtype.is_floating_point]
    return max(kinds, key=lambda dtype: torch.finfo(dtype).eps)


def _sample(flat: torch.Tensor) -> torch.Tensor:
    """Return all of a short tensor, evenly spread runs of a long one."""
    if flat.numel() < 2 * SAMPLE:
        return flat
    count = SAMPLE // RUN
    return flat[: flat.numel() // count * count].view(count, -1)[:, :RUN].reshape(-1)


def _numbers(flat: torch.Tensor) -> Numbers:
    found: Numbers = flat.double().cpu().numpy()
    return found


def _gaps(ours: Numbers, wanted: Numbers) -> Numbers:
    """Return the absolute differences; equal infinities, and NaN on both sides, are none."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(ours - wanted)
    if math.isfinite(gap.sum()):
        return gap
    agree = (ours == wanted) | (np.isnan(ours) & np.isnan(wanted))
    return np.nan_to_num(np.where(agree, 0.0, gap), nan=math.inf, posinf=math.inf)


def _unravel_index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        place, rest = divmod(place, size)
        index.append(rest)
    return tuple(reversed(index))


def _histogram(ordered: Numbers) -> tuple[int, ...]:
    ends = np.searchsorted(ordered, BORDERS, "right").tolist()
    return tuple(end - start for start, end in itertools.pairwise([0, *ends, len(ordered)]))
