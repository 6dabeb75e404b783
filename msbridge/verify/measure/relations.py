"""Relations: what one tensor is of another when it is not the same: moved, scaled, shifted or constant."""

import itertools
import math
from collections.abc import Iterator

import torch

LARGE = 4096  # elements, beyond which a few are looked at first
RANK = 5  # permutations of more axes are not tried
CLOSE = 1e-4  # of the largest value
SAME_VALUES = 1e-6  # likewise, for sorted values: those of two large random tensors are much alike


def relation(own: torch.Tensor, wanted: torch.Tensor) -> tuple[str, str] | None:
    """Say what the Cell's tensor is of torch's: (kind, sentence about "it"); None where nothing simple fits.

    Kinds: "layout" for moved values, "scale" and "constant" for computed ones, "mask" for truth values, "indices" for
    integers.
    """
    if not own.numel() or not wanted.numel() or own.is_complex() or wanted.is_complex():
        return None
    if own.dtype is torch.bool or wanted.dtype is torch.bool:
        return _of_masks(own, wanted) if own.dtype == wanted.dtype and own.shape == wanted.shape else None
    is_whole = not own.is_floating_point() and not wanted.is_floating_point()
    if is_whole and own.shape == wanted.shape:
        return "indices", _of_indices(own, wanted)
    mine, target = own.detach().double(), wanted.detach().double()
    for text in _moved(mine, target):
        return "layout", text
    return _computed(mine, target) if own.shape == wanted.shape else None


def is_close(one: torch.Tensor, other: torch.Tensor, share: float = CLOSE) -> bool:
    """Whether two tensors hold the same numbers but for rounding; NaN and infinities must be in the same places.

    Args:
        one: of any dtype.
        other: likewise.
        share: of the largest value, what a difference may be.
    """
    if one.shape != other.shape:
        return False
    if not (one.is_floating_point() or other.is_floating_point()):
        return torch.equal(one, other)
    share = tolerance(one, other, share)
    if other.numel() > LARGE and _is_far(one, other, share):
        return False
    one, other = one.double(), other.double()
    finite = other[other.isfinite()]
    limit = share * finite.abs().max().item() if finite.numel() else 0.0
    return torch.allclose(one, other, rtol=0.0, atol=limit, equal_nan=True)


def tolerance(one: torch.Tensor, other: torch.Tensor, share: float = CLOSE) -> float:
    """Give what share of the largest value a difference may be: more in a coarse dtype, nothing for whole numbers."""
    units = [torch.finfo(part.dtype).eps for part in (one, other) if part.is_floating_point()]
    return max(share, *(4 * unit for unit in units)) if units else 0.0


def _is_far(one: torch.Tensor, other: torch.Tensor, share: float) -> bool:
    """Whether a few values, spread over both, are enough to tell them apart: most comparisons end here."""
    places = tuple(slice(None, None, max(1, length // 4)) for length in other.shape)
    gap = (one[places].double() - other[places].double()).abs()
    return bool((gap > 2 * share * other.abs().max()).any())


def laid_as(data: torch.Tensor, pattern: torch.Tensor) -> torch.Tensor:
    """Give a tensor in the shape of another of as many elements: the same values in another layout (channels last …).

    Args:
        data: what is laid out anew.
        pattern: gives the shape; its values choose among several ways to move the axes.
    """
    if data.shape == pattern.shape or data.numel() != pattern.numel():
        return data
    is_moved = data.squeeze().shape != pattern.squeeze().shape
    if is_moved and data.dim() == pattern.dim() <= RANK and not data.is_complex():
        turned = [data.permute(axes) for axes in itertools.permutations(range(data.dim()))]
        if fitting := [one for one in turned if one.shape == pattern.shape]:
            return min(fitting, key=lambda one: (one.double() - pattern.double()).abs().sum().item())
    return data.reshape(pattern.shape)


def _of_masks(own: torch.Tensor, wanted: torch.Tensor) -> tuple[str, str]:
    if torch.equal(own, ~wanted):
        return "mask", "it is torch's mask inverted"
    counts = [f"{int(one.sum())} of {one.numel()}" for one in (wanted, own)]
    text = f"torch's mask is true in {counts[0]} places, the Cell's in {counts[1]}; first unlike at"
    return "mask", f"{text} {_first_unlike(own, wanted)}"


def _of_indices(own: torch.Tensor, wanted: torch.Tensor) -> str:
    gap = (own.long() - wanted.long()).unique()
    if gap.numel() == 1:
        return f"it is torch's {'plus' if gap.item() > 0 else 'minus'} {abs(int(gap.item()))} everywhere"
    for text in _moved(own.double(), wanted.double()):
        return text
    if own.unique().numel() == 1:
        return f"it is {int(own.flatten()[0])} everywhere"
    place = _first_unlike(own, wanted)
    return f"at {place} it is {int(own[place])}, torch's is {int(wanted[place])}"


def _first_unlike(own: torch.Tensor, wanted: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(one) for one in (own != wanted).nonzero()[0])


def _moved(own: torch.Tensor, wanted: torch.Tensor) -> Iterator[str]:
    """Name the moves of data that make one tensor of the other."""
    if wanted.unique().numel() == 1:
        return
    if own.dim() == wanted.dim() <= RANK and sorted(own.shape) == sorted(wanted.shape):
        for axes in itertools.permutations(range(own.dim())):
            if list(axes) != sorted(axes) and is_close(own, wanted.permute(axes)):
                yield f"it is torch's with the axes in the order {axes}"
    if own.shape == wanted.shape:
        for axis, size in enumerate(own.shape):
            if size > 1 and is_close(own, wanted.flip(axis)):
                yield f"it is torch's reversed along axis {axis}"
            shifts = range(1, size) if size <= 8 else sorted({1, size // 3, size // 2, 2 * size // 3, size - 1})
            for shift in shifts:
                if is_close(own, wanted.roll(shift, axis)):
                    yield f"it is torch's rolled by {shift} along axis {axis}"
        for axis, size in enumerate(own.shape):
            for ahead in (1, -1) if size > 2 else ():
                mine, target = (0, 1) if ahead == 1 else (1, 0)
                if is_close(own.narrow(axis, mine, size - 1), wanted.narrow(axis, target, size - 1)):
                    yield f"it is torch's moved by {-ahead} along axis {axis}"
    unlike = [axis for axis, size in enumerate(own.shape) if own.dim() == wanted.dim() and size != wanted.shape[axis]]
    if len(unlike) == 1 and own.shape[unlike[0]] < wanted.shape[unlike[0]]:
        axis, size = unlike[0], own.shape[unlike[0]]
        for start in range(wanted.shape[axis] - size + 1):
            if is_close(own, wanted.narrow(axis, start, size)):
                yield f"it is torch's from {start} to {start + size} along axis {axis}"
                break
    if own.numel() == wanted.numel() and is_close(own.flatten().sort()[0], wanted.flatten().sort()[0], SAME_VALUES):
        yield "it holds torch's values in another order"


def _computed(own: torch.Tensor, wanted: torch.Tensor) -> tuple[str, str] | None:
    """Name the simple formula that makes one tensor of the other."""
    if own.unique().numel() == 1:
        return "constant", f"it is {own.flatten()[0].item():g} everywhere"
    if not (own.isfinite().all() and wanted.isfinite().all()):
        return None
    size = wanted.square().sum().item()
    factor = (own * wanted).sum().item() / size if size else 0.0
    if factor and not math.isclose(factor, 1.0, rel_tol=CLOSE) and is_close(own, factor * wanted):
        return "scale", f"it is torch's times {factor:.4g}"
    shift = (own - wanted).mean().item()
    if wanted.numel() > 1 and is_close(own, wanted + shift) and not is_close(own, wanted):
        return "constant", f"it is torch's plus {shift:.4g}"
    return None
