"""Sameness: whether two recorded tensors lie in the same memory, hold the same bits, or the same numbers."""

import itertools
import math

import torch

LARGE = 4096  # elements, beyond which a few are looked at first
RANK = 5  # permutations of more axes are not tried
CLOSE = 1e-4  # of the largest value
Both = tuple[torch.Tensor, torch.Tensor]  # the Cell's and torch's


def place_of(tensor: torch.Tensor) -> int:
    """Return a key that tensors in the same memory share."""
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):  # sparse and other tensors without one storage
        return id(tensor)


def same(first: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same dtype, shape and bits; the same memory is not read."""
    if first.dtype != other.dtype or first.shape != other.shape:
        return False
    is_alias = (
        first.data_ptr() == other.data_ptr() and first.stride() == other.stride() and first.device == other.device
    )
    return is_alias or (first.device == other.device and torch.equal(first, other))


def is_close(first: torch.Tensor, other: torch.Tensor, share: float = CLOSE) -> bool:
    """Whether two tensors hold the same numbers but for rounding; NaN and infinities must be in the same places.

    Args:
        first: of any dtype.
        other: likewise.
        share: of the largest value, what a difference may be.
    """
    if first.shape != other.shape:
        return False
    if not (first.is_floating_point() or other.is_floating_point()):
        return torch.equal(first, other)
    share = tolerance(first, other, share)
    if other.numel() > LARGE and _is_far(first, other, share):
        return False
    first, other = first.double(), other.double()
    finite = other[other.isfinite()]
    limit = share * finite.abs().max().item() if finite.numel() else 0.0
    return torch.allclose(first, other, rtol=0.0, atol=limit, equal_nan=True)


def tolerance(one: torch.Tensor, other: torch.Tensor, share: float = CLOSE) -> float:
    """Return the tolerance as a share of the largest value: more in a coarse dtype, nothing for whole numbers."""
    units = [torch.finfo(part.dtype).eps for part in (one, other) if part.is_floating_point()]
    return max(share, *(4 * unit for unit in units)) if units else 0.0


def _is_far(one: torch.Tensor, other: torch.Tensor, share: float) -> bool:
    """Whether a few values, spread over both, are enough to distinguish them: most comparisons end here."""
    places = tuple(slice(None, None, max(1, length // 4)) for length in other.shape)
    gap = (one[places].double() - other[places].double()).abs()
    return bool((gap > 2 * share * other.abs().max()).any())


def arrange_like(data: torch.Tensor, pattern: torch.Tensor) -> torch.Tensor:
    """Return a tensor in the shape of another of as many elements: the same values in another layout (channels last …).

    Args:
        data: what is laid out again.
        pattern: has the shape; its values choose among several ways to move the axes.
    """
    if data.shape == pattern.shape or data.numel() != pattern.numel():
        return data
    is_moved = data.squeeze().shape != pattern.squeeze().shape
    if is_moved and data.dim() == pattern.dim() <= RANK and not data.is_complex():
        turned = [data.permute(axes) for axes in itertools.permutations(range(data.dim()))]
        if fitting := [one for one in turned if one.shape == pattern.shape]:
            return min(fitting, key=lambda one: (one.double() - pattern.double()).abs().sum().item())
    return data.reshape(pattern.shape)


def align_shapes(ours: torch.Tensor, wanted: torch.Tensor) -> Both:
    """Return two tensors of as many elements in the same shape, and two masks in the same form."""
    if ours.dtype is torch.bool and wanted.is_floating_point() and set(wanted.unique().tolist()) <= {0.0, -math.inf}:
        wanted = wanted.isinf()
    return arrange_like(ours, wanted), wanted


def agree(first: object, other: object) -> bool:
    """Whether two settings or arguments are the same, floats up to their last digits."""
    if float in (type(first), type(other)) and isinstance(first, int | float) and isinstance(other, int | float):
        return math.isclose(first, other, rel_tol=1e-9)
    if isinstance(first, list | tuple) and isinstance(other, list | tuple):
        return list(first) == list(other)
    return bool(first == other)
