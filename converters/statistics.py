"""Numbers about tensors, and about the difference of two, taken piece by piece."""

from collections.abc import Iterator
from typing import Any

import torch

from msbridge.converters.content import Entry, as_bytes

PIECE = 1 << 22  # elements looked at at a time


def statistics(entry: Entry) -> dict[str, Any]:
    """Give least, greatest, mean and standard deviation of the finite elements, and the count of zeros, NaN and Inf."""
    found: dict[str, Any] = {"min": None, "max": None, "mean": None, "std": None, "zeros": 0, "nan": 0, "inf": 0}
    total = squares = 0.0
    count = 0
    for piece in _pieces(entry):
        found["zeros"] += int((piece == 0).sum())
        if piece.is_complex():
            piece = piece.abs()
        found["nan"] += int(piece.isnan().sum())
        found["inf"] += int(piece.isinf().sum())
        finite = piece[piece.isfinite()].double()
        if not finite.numel():
            continue
        low, high = float(finite.min()), float(finite.max())
        found["min"] = low if found["min"] is None else min(found["min"], low)
        found["max"] = high if found["max"] is None else max(found["max"], high)
        total, squares, count = total + float(finite.sum()), squares + float(finite.square().sum()), count + len(finite)
    if count:
        found["mean"] = total / count
        found["std"] = max(squares / count - found["mean"] ** 2, 0.0) ** 0.5
    return found


def difference(one: Entry | None, other: Entry | None) -> dict[str, Any]:
    """Say how two entries of the same name differ: "equal" (bit for bit), "values", "type", "shape", or where it is."""
    if one is None or other is None:
        there = one or other
        return {"status": "only in the second" if one is None else "only in the first", _side(one): _kind(there)}
    both = {"first": _kind(one), "second": _kind(other)}
    if one.is_text or other.is_text:
        same = one.is_text and other.is_text and one.text() == other.text()
        return {"status": "equal" if same else "values"} | both
    if one.shape != other.shape:
        return {"status": "shape"} | both
    if one.type == other.type and as_bytes(one.tensor()) == as_bytes(other.tensor()):
        return {"status": "equal"}
    elements, greatest, total, count = 0, 0.0, 0.0, 0
    for left, right in zip(_pieces(one), _pieces(other), strict=True):
        gap = (left.to(torch.complex128) - right.to(torch.complex128)).abs()
        gap[left.eq(right)] = 0.0  # of equal infinities, too
        gap[left.isnan() & right.isnan()] = 0.0
        elements += int((gap != 0).sum())
        finite = gap[gap.isfinite()]
        if finite.numel():
            greatest = max(greatest, float(finite.max()))
            total, count = total + float(finite.sum()), count + len(finite)
    numbers = {"elements": elements, "max_abs": greatest, "mean_abs": total / count if count else 0.0}
    return {"status": "values" if one.type == other.type else "type"} | both | numbers


def _pieces(entry: Entry) -> Iterator[torch.Tensor]:
    flat = entry.tensor().reshape(-1)
    if flat.dtype.itemsize == 1 and flat.is_floating_point():
        flat = flat.float()
    for start in range(0, flat.numel(), PIECE):
        piece = flat[start : start + PIECE]
        yield piece.to(torch.int64) if piece.dtype in (torch.uint16, torch.uint32, torch.uint64) else piece


def _side(one: Entry | None) -> str:
    return "second" if one is None else "first"


def _kind(entry: Entry | None) -> str:
    return "-" if entry is None else f"{entry.type}{list(entry.shape)}"
