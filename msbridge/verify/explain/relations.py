"""Relations: what one tensor is of another when it is not the same: moved, scaled, shifted or constant."""

import itertools
import math
from collections.abc import Iterator

import torch

from msbridge.verify.explain.findings import Cause, Fact, Finding, fact, first
from msbridge.verify.record.equality import CLOSE, RANK, Both, is_close

# What to do about a tensor that holds torch's values in other places.
MOVED_BACK = {"moved": "same place", "part": "same place", "permuted": "permute", "reversed": "flip", "rolled": "roll"}
SAME_VALUES = 1e-6  # of the largest value, for sorted values: those of two large random tensors are much alike


def relation(ours: torch.Tensor, wanted: torch.Tensor) -> Finding | None:
    """Return the relation of the Cell's tensor to torch's; None where nothing simple fits."""
    if not ours.numel() or not wanted.numel() or ours.is_complex() or wanted.is_complex():
        return None
    return first(RELATIONS, (ours, wanted))


def _mask(both: Both) -> Fact | None:
    ours, wanted = both
    if not ours.dtype == wanted.dtype == torch.bool or ours.shape != wanted.shape:
        return None
    if torch.equal(ours, ~wanted):
        return fact("inverted")
    counts = [int(one.sum()) for one in (wanted, ours)]
    return fact("unlike masks", torch=counts[0], cell=counts[1], of=ours.numel(), place=_first_unlike(both))


def _indices(both: Both) -> Fact | None:
    ours, wanted = both
    if any(one.is_floating_point() or one.dtype is torch.bool for one in both) or ours.shape != wanted.shape:
        return None
    gap = (ours.long() - wanted.long()).unique()
    if gap.numel() == 1:
        return fact("shifted", by=int(gap.item()))
    for moved in _moves(ours.double(), wanted.double()):
        return moved
    if ours.unique().numel() == 1:
        return fact("constant", value=int(ours.flatten()[0]))
    place = _first_unlike(both)
    return fact("unlike at", place=place, cell=int(ours[place]), torch=int(wanted[place]))


def _first_unlike(both: Both) -> tuple[int, ...]:
    return tuple(int(one) for one in (both[0] != both[1]).nonzero()[0])


def _layout(both: Both) -> Finding | None:
    seen = None if _hold_truth(both) else next(_moves(*_wide(both)), None)
    if seen is None:
        return None
    return Finding("layout", seen, fix=Fact(MOVED_BACK.get(seen.name, "same layout"), seen.values))


def _everywhere(both: Both) -> Fact | None:
    own = both[0]
    if _hold_truth(both) or own.shape != both[1].shape or own.numel() == 1 or own.unique().numel() != 1:
        return None
    return fact("constant", value=own.flatten()[0].item())


def _scale(both: Both) -> Fact | None:
    if not _may_be_computed(both) or both[1].numel() == 1:  # any number is another one times something
        return None
    ours, wanted = _wide(both)
    size = wanted.square().sum().item()
    factor = (ours * wanted).sum().item() / size if size else 0.0
    is_other = factor and not math.isclose(factor, 1.0, rel_tol=CLOSE)
    return fact("scaled", factor=factor) if is_other and is_close(ours, factor * wanted) else None


def _shift(both: Both) -> Fact | None:
    if not _may_be_computed(both):
        return None
    own, wanted = _wide(both)
    shift = (own - wanted).mean().item()
    if wanted.numel() > 1 and is_close(own, wanted + shift) and not is_close(own, wanted):
        return fact("added", shift=shift)
    return None


def _may_be_computed(both: Both) -> bool:
    is_finite = all(bool(one.isfinite().all()) for one in both)
    return not _hold_truth(both) and both[0].shape == both[1].shape and is_finite


def _hold_truth(both: Both) -> bool:
    return any(one.dtype is torch.bool for one in both)


def _wide(both: Both) -> Both:
    return both[0].detach().double(), both[1].detach().double()


RELATIONS = (
    Cause("mask", _mask, "same mask"),
    Cause("indices", _indices, "same indices"),
    Cause("layout", _layout, "same layout"),
    Cause("constant", _everywhere, "no constant"),
    Cause("scale", _scale, "no factor"),
    Cause("constant", _shift, "no shift"),
)


def _moves(ours: torch.Tensor, wanted: torch.Tensor) -> Iterator[Fact]:
    """Yield the moves of data that make one tensor of the other."""
    if wanted.unique().numel() == 1:
        return
    if ours.dim() == wanted.dim() <= RANK and sorted(ours.shape) == sorted(wanted.shape):
        for axes in itertools.permutations(range(ours.dim())):
            if list(axes) != sorted(axes) and is_close(ours, wanted.permute(axes)):
                yield fact("permuted", axes=axes)
    if ours.shape == wanted.shape:
        for axis, size in enumerate(ours.shape):
            if size > 1 and is_close(ours, wanted.flip(axis)):
                yield fact("reversed", axis=axis)
            shifts = range(1, size) if size <= 8 else sorted({1, size // 3, size // 2, 2 * size // 3, size - 1})
            for shift in shifts:
                if is_close(ours, wanted.roll(shift, axis)):
                    yield fact("rolled", by=shift, axis=axis)
        for axis, size in enumerate(ours.shape):
            for ahead in (1, -1) if size > 2 else ():
                mine, target = (0, 1) if ahead == 1 else (1, 0)
                if is_close(ours.narrow(axis, mine, size - 1), wanted.narrow(axis, target, size - 1)):
                    yield fact("moved", by=-ahead, axis=axis)
    unlike = [axis for axis, size in enumerate(ours.shape) if ours.dim() == wanted.dim() and size != wanted.shape[axis]]
    if len(unlike) == 1 and ours.shape[unlike[0]] < wanted.shape[unlike[0]]:
        axis, size = unlike[0], ours.shape[unlike[0]]
        for start in range(wanted.shape[axis] - size + 1):
            if is_close(ours, wanted.narrow(axis, start, size)):
                yield fact("part", start=start, end=start + size, axis=axis)
                break
    if ours.numel() == wanted.numel() and is_close(ours.flatten().sort()[0], wanted.flatten().sort()[0], SAME_VALUES):
        yield fact("reordered")
