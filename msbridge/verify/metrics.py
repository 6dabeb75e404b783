"""Differences: how far one tensor is from another, and whether rounding explains it."""

import itertools
import math
from dataclasses import asdict, dataclass
from typing import Any

import torch

# How much larger than the reference's own rounding error a difference may be. On pairs of equal networks with different
# kernels the measured ratios stay below 4; the smallest real faults looked at (eps 1e-5 for 1e-6) begin at 30.
RATIO = 10.0
PEAK_RATIO = 40.0
SAMPLE = 1 << 15  # quantiles of larger tensors are taken of so many evenly spread elements
BORDERS = torch.tensor([0.0, *(10.0**power for power in range(-12, 5))], dtype=torch.float64)  # of the histogram


@dataclass(frozen=True, slots=True)
class Difference:
    """How far `actual` is from `expected`.

    Attributes:
        shape: of the expected tensor.
        dtype: of the actual tensor.
        expected_dtype: of the expected one.
        max_abs: the greatest absolute difference.
        index: where it is.
        actual: the value there.
        expected: the value that should be there.
        max_rel: the greatest relative difference, over values above a thousandth of the root mean square.
        p50: half of the absolute differences are below; p99 and p999 likewise.
        cosine: of the angle between both.
        norm_ratio: norm of actual over norm of expected.
        nans: how many NaN there are in actual, and in expected.
        infs: how many infinities.
        noise_ratio: the error of actual over the error of expected, both against the reference in float64; the rounding
            unit stands in where expected is exact, and where there is no reference.
        peak_ratio: the same of the greatest errors.
        is_equal: whether the bits agree.
        histogram: how many absolute differences are zero, below 1e-12, below 1e-11 … below 1e4, and above.
        problem: what makes the two incomparable.
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
    problem: str = ""

    @property
    def is_coarser(self) -> bool:
        """Whether the actual values have another floating dtype than the expected ones."""
        return self.dtype != self.expected_dtype and "float" in self.dtype and "float" in self.expected_dtype

    @property
    def is_noise(self) -> bool:
        """Whether rounding explains the difference."""
        return self.is_equal or (not self.problem and self.noise_ratio <= RATIO and self.peak_ratio <= PEAK_RATIO)

    def as_dict(self) -> dict[str, Any]:
        """Give plain values for JSON, in which there are no NaN and infinities."""
        found = asdict(self)
        return {
            key: repr(value) if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in found.items()
        }


def same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same dtype, shape and bits; the same memory is not read."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    is_alias = one.data_ptr() == other.data_ptr() and one.stride() == other.stride() and one.device == other.device
    return is_alias or (one.device == other.device and torch.equal(one, other))


def measure(actual: torch.Tensor, expected: torch.Tensor, reference: torch.Tensor | None = None) -> Difference:
    """Compare two tensors.

    Args:
        actual: the Cell's.
        expected: torch's.
        reference: the same as `expected`, computed in float64.
    """
    kind, other = (str(one.dtype).removeprefix("torch.") for one in (actual, expected))
    shape = tuple(expected.shape)
    if actual.shape != expected.shape:
        return Difference(shape, kind, other, problem=f"shape {tuple(actual.shape)}, torch's is {shape}")
    if same(actual, expected):
        return Difference(shape, kind, other, is_equal=True)
    actual, expected = actual.detach().to(expected.device), expected.detach()
    if not actual.numel():
        return Difference(shape, kind, other, is_equal=True)
    if actual.is_complex() or expected.is_complex():
        actual, expected = (torch.view_as_real(one.to(torch.complex128)) for one in (actual, expected))
        reference = None if reference is None else torch.view_as_real(reference.to(torch.complex128))
    unit = torch.finfo(_coarser(actual.dtype, expected.dtype)).eps if expected.is_floating_point() else 0.0
    wide, target = actual.double(), expected.double()
    nans, infs, gap, safe = (0, 0), (0, 0), (wide - target).abs(), (wide, target)
    if not math.isfinite((gap.sum() + target.sum()).item()):
        nans = int(wide.isnan().sum()), int(target.isnan().sum())
        infs = int(wide.isinf().sum()), int(target.isinf().sum())
        gap = torch.where(_agree(wide, target), 0.0, gap).nan_to_num(math.inf, math.inf)
        usable = gap.isfinite() & target.isfinite()
        safe = torch.where(usable, wide, 0.0), torch.where(usable, target, 0.0)
    place = int(gap.argmax())
    index = tuple(int(one) for one in torch.unravel_index(torch.tensor(place), gap.shape)) if gap.dim() else ()
    norms = [one.norm().item() for one in safe]
    rms = norms[1] / math.sqrt(gap.numel())
    relative = torch.where(safe[1].abs() > 1e-3 * rms, gap / safe[1].abs(), 0.0)
    sample = _sample(gap)
    p50, p99, p999 = (sample[round(share * (len(sample) - 1))].item() for share in (0.5, 0.99, 0.999))
    noise, peak = _ratios(wide, target, None if reference is None else reference.double(), gap, rms, unit)
    return Difference(
        shape=shape,
        dtype=kind,
        expected_dtype=other,
        max_abs=gap.max().item(),
        index=index,
        actual=wide.flatten()[place].item(),
        expected=target.flatten()[place].item(),
        max_rel=relative.max().item(),
        p50=p50,
        p99=p99,
        p999=p999,
        cosine=(safe[0] * safe[1]).sum().item() / (norms[0] * norms[1]) if all(norms) else float(norms[0] == norms[1]),
        norm_ratio=norms[0] / norms[1] if norms[1] else (math.inf if norms[0] else 1.0),
        nans=nans,
        infs=infs,
        noise_ratio=noise,
        peak_ratio=peak,
        is_equal=kind == other and not gap.any().item(),
        histogram=_histogram(sample),
    )


def _coarser(one: torch.dtype, other: torch.dtype) -> torch.dtype:
    kinds = [dtype for dtype in (one, other) if dtype.is_floating_point]
    return max(kinds, key=lambda dtype: torch.finfo(dtype).eps)


def _ratios(
    actual: torch.Tensor,
    expected: torch.Tensor,
    reference: torch.Tensor | None,
    gap: torch.Tensor,
    rms: float,
    unit: float,
) -> tuple[float, float]:
    """Give the noise ratio and the peak ratio; zero rounding (integers) makes any difference infinite."""
    largest = expected.abs().nan_to_num(0.0, 0.0, 0.0).max().item()
    floor, peak_floor = 0.25 * unit * rms, 0.5 * unit * largest
    if reference is None or reference.shape != expected.shape:
        return _over(_rms(gap), 2 * floor), _over(gap.max().item(), 2 * peak_floor)
    mine, theirs = ((one - reference).abs() for one in (actual, expected))
    if not math.isfinite((mine.sum() + theirs.sum()).item()):
        both_bad = ~actual.isfinite() & _agree(actual, expected)
        mine, theirs = (torch.where(both_bad, 0.0, one).nan_to_num(math.inf, math.inf) for one in (mine, theirs))
    return (
        _over(_rms(mine), max(_rms(theirs), floor)),
        _over(mine.max().item(), max(theirs.max().item(), peak_floor)),
    )


def _agree(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return (one == other) | (one.isnan() & other.isnan())


def _over(error: float, noise: float) -> float:
    if not error:
        return 0.0
    if math.isinf(noise):
        return 1.0
    return error / noise if noise else math.inf


def _rms(data: torch.Tensor) -> float:
    return data.norm().item() / math.sqrt(data.numel())


def _sample(gap: torch.Tensor) -> torch.Tensor:
    """Give some of the differences, sorted."""
    flat = gap.flatten()
    return (flat[:: flat.numel() // SAMPLE + 1] if flat.numel() > SAMPLE else flat).sort()[0]


def _histogram(ordered: torch.Tensor) -> tuple[int, ...]:
    ends = torch.searchsorted(ordered, BORDERS.to(ordered.device), right=True).tolist()
    return tuple(end - start for start, end in itertools.pairwise([0, *ends, len(ordered)]))
