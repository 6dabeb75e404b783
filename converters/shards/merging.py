"""Pieces of a tensor assembled from pieces that are cut otherwise; nothing is read before a piece is written."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.shards.layout import Box, SliceLayout, check_counts, source_ranks
from msbridge.converters.tensors.entry import Entry, make_lazy_entry


class Piece(NamedTuple):
    """A piece of a tensor that lies in a file, and what of the tensor it is."""

    entry: Entry
    box: Box


def assemble_piece(name: str, held: Mapping[int, Entry], source: SliceLayout, target: SliceLayout, rank: int) -> Entry:
    """Return the piece of one device, to be read when it is written.

    Args:
        name: the parameter's name.
        held: the pieces that are there: rank in the source → entry.
        source: how they are cut.
        target: how they are to be cut.
        rank: the device, counted in the target.

    Raises:
        CheckpointError: pieces are missing, do not fit each other, or cannot be cut so.
    """
    first = next(iter(held.values()))
    odd = next((one for one in held.values() if (one.type, one.shape) != (first.type, first.shape)), None)
    if odd is not None:
        raise CheckpointError(
            f"the pieces of {name!r} differ: {first.type} of shape {first.shape}, and {odd.type} of shape {odd.shape}."
        )
    try:
        check_counts(source, target)
        shape = source.whole_shape(first.shape)
        wanted = target.box(rank, shape)
        order = dict.fromkeys([*source_ranks(source, target, rank), *held])
        pieces = _overlapping(held, order, source, shape, wanted)
    except ValueError as error:
        raise CheckpointError(f"{name!r} cannot be resharded: {error}.") from error
    if sum(_size(_overlap(one.box, wanted)) for one in pieces) < _size(wanted):
        missing = [one for one in order if one not in held]
        raise CheckpointError(
            f"pieces of {name!r} for rank {rank} are missing: The checkpoint of rank {missing[:20]} is missing."
        )
    return pieces[0].entry if len(pieces) == 1 and pieces[0].box == wanted else _assemble(name, pieces, wanted)


def _overlapping(
    held: Mapping[int, Entry], order: Iterable[int], source: SliceLayout, shape: tuple[int, ...], wanted: Box
) -> list[Piece]:
    """Return the pieces that a box takes something from, each once; of copies the first in order."""
    overlapping: dict[Box, Piece] = {}
    for rank in order:
        if rank in held:
            box = source.box(rank, shape)
            if box not in overlapping and _size(_overlap(box, wanted)):
                overlapping[box] = Piece(held[rank], box)
    if not overlapping and not math.prod(shape):
        return [Piece(next(iter(held.values())), wanted)]
    return list(overlapping.values())


def _overlap(one: Box, other: Box) -> Box:
    return tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))


def _size(box: Box) -> int:
    return math.prod(max(0, stop - start) for start, stop in box)


def _assemble(name: str, pieces: list[Piece], wanted: Box) -> Entry:
    first = pieces[0].entry
    shape = tuple(stop - start for start, stop in wanted)

    def make() -> torch.Tensor:
        target = torch.empty(shape, dtype=first.element.dtype)
        for entry, box in pieces:
            common = _overlap(box, wanted)
            rows, rest = _within(common, box)[:1], _within(common, box)[1:]
            target[_within(common, wanted)] = _rows(entry, *rows)[(slice(None), *rest)] if rows else entry.tensor()
        return target

    return make_lazy_entry(name, first.type, shape, make)


def _rows(entry: Entry, rows: slice) -> torch.Tensor:
    """Read some rows of a tensor; the pages of a mapped file would stay in memory."""
    shape = (rows.stop - rows.start, *entry.shape[1:])
    step = entry.nbytes // entry.shape[0]
    data = entry.content.part_in_memory(rows.start * step, rows.stop * step)
    return torch.frombuffer(data, dtype=entry.element.dtype).reshape(shape)


def _within(box: Box, around: Box) -> tuple[slice, ...]:
    return tuple(slice(start - base, stop - base) for (start, stop), (base, _) in zip(box, around, strict=True))
