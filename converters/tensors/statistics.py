"""Numbers about tensors, and about the difference of two, taken piece by piece."""

import math
from collections.abc import Iterator
from typing import Any

import torch

from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.lazy_bytes import InFile

PIECE = 1 << 21  # elements looked at at a time


def statistics(entry: Entry) -> dict[str, Any]:
    """Return minimum, maximum, mean and standard deviation of the finite elements, and count zeros, NaN and Inf."""
    totals: dict[str, Any] = {"min": None, "max": None, "mean": None, "std": None, "zeros": 0, "nan": 0, "inf": 0}
    mean = squares = 0.0  # of what was seen: the mean, and the sum of squared distances from it
    count = 0
    for raw in _pieces(entry):
        piece = _comparable(raw)
        totals["zeros"] += int((piece == 0).sum())
        if piece.is_complex():
            piece = piece.abs()
        totals["nan"] += int(piece.isnan().sum())
        totals["inf"] += int(piece.isinf().sum())
        finite = piece[piece.isfinite()] if piece.is_floating_point() else piece
        if not finite.numel():
            continue
        low, high = finite.min().item() + 0, finite.max().item() + 0  # of minus zero, too
        totals["min"] = low if totals["min"] is None else min(totals["min"], low)
        totals["max"] = high if totals["max"] is None else max(totals["max"], high)
        wide = finite.double()
        middle, number = float(wide.mean()), len(wide)
        gap = middle - mean
        squares += float((wide - middle).square().sum()) + gap * gap * count * number / (count + number)
        mean += gap * number / (count + number)
        count += number
    if count:
        totals["mean"], totals["std"] = _finite(mean), _finite((squares / count) ** 0.5)
    return totals


def difference(first: Entry | None, other: Entry | None) -> dict[str, Any]:
    """Compare two entries of one name: "equal" (bit for bit), "values", "type", "shape", or which side has it."""
    if first is None or other is None:
        there = first or other
        return {"status": "only in the second" if first is None else "only in the first", _side(first): _kind(there)}
    both = {"first": _kind(first), "second": _kind(other)}
    if first.is_text or other.is_text:
        same = first.is_text and other.is_text and first.text() == other.text()
        return {"status": "equal" if same else "values"} | both
    if first.shape != other.shape:
        return {"status": "shape"} | both
    is_equal, elements, greatest, total, count = first.type == other.type, 0, 0.0, 0.0, 0
    for left, right in zip(_pieces(first), _pieces(other), strict=True):
        if first.type == other.type and torch.equal(_raw(left), _raw(right)):
            count += left.numel()
            continue
        is_equal = False
        left, right = _comparable(left), _comparable(right)
        wide = torch.complex128 if left.is_complex() or right.is_complex() else torch.float64
        gap = (left.to(wide) - right.to(wide)).abs()
        gap[left.eq(right)] = 0.0  # of equal infinities, too
        gap[left.isnan() & right.isnan()] = 0.0
        elements += int((gap != 0).sum())
        finite = gap[gap.isfinite()]
        if finite.numel():
            greatest = max(greatest, float(finite.max()))
            total, count = total + float(finite.sum()), count + len(finite)
    if is_equal:
        return {"status": "equal"}
    numbers = {"elements": elements, "max_abs": greatest, "mean_abs": _finite(total / count) if count else 0.0}
    return {"status": "values" if first.type == other.type else "type"} | both | numbers


def _pieces(entry: Entry) -> Iterator[torch.Tensor]:
    """Yield the elements piece by piece; of a tensor in a file, only the piece is read."""
    content, dtype = entry.content, entry.element.dtype
    if isinstance(content, InFile):
        step = PIECE * dtype.itemsize
        for start in range(0, content.nbytes, step):
            yield content.part(start, start + step).tensor(dtype, copy=True)
        return
    flat = entry.tensor().reshape(-1)
    for start in range(0, flat.numel(), PIECE):
        yield flat[start : start + PIECE]


def _comparable(piece: torch.Tensor) -> torch.Tensor:
    """Return the elements as a type that torch can compare."""
    if piece.dtype.itemsize == 1 and piece.is_floating_point():
        return piece.float()
    if piece.dtype == torch.uint64:
        return piece.double()
    return piece.to(torch.int64) if piece.dtype in (torch.bool, torch.uint16, torch.uint32) else piece


def _raw(piece: torch.Tensor) -> torch.Tensor:
    return piece.contiguous().view(torch.uint8)


def _finite(number: float) -> float | None:
    """Return a number as JSON can hold it."""
    return number if math.isfinite(number) else None


def _side(one: Entry | None) -> str:
    return "second" if one is None else "first"


def _kind(entry: Entry | None) -> str:
    return "-" if entry is None else f"{entry.type}{list(entry.shape)}"
