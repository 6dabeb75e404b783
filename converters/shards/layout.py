"""Slice layouts of a tensor over devices: each device holds a box of it.

The devices are an array, whose axes cut axes of the tensor, one or several an axis, the first of them into the largest
pieces. Devices that an axis of the array separates without cutting hold the same piece; the optimizer's cut divides
that piece further among them, along the first axis of the tensor.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

MAX_DEVICES = 1 << 20
MAX_AXES = 64

Box = tuple[tuple[int, int], ...]  # for each axis of a tensor, where a piece begins and ends


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the axes of the array of devices that cuts a tensor."""

    axis: int  # the axis of the tensor
    pieces_before: int  # into how many pieces larger parts have cut it
    stride: int  # how far apart the ranks are that it separates
    count: int  # into how many pieces it cuts


@dataclass(frozen=True)
class SliceLayout:
    """The slice layout of one parameter.

    Attributes:
        devices: the lengths of the axes of the array of devices.
        axes: for each axis of the tensor, which axes of the array cut it, counted from the last one.
        optimizer_step: how far apart the ranks are that share the optimizer's cut; 0 for no such cut.
        optimizer_pieces: into how many pieces the optimizer cuts.
        lengths: the lengths of pieces along the first axis where they are not equal.
        field: the number of fields of an embedding whose pieces lie one after the other in columns; 0 for none.
        stages: the pipeline stages that have the parameter.
    """

    devices: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]
    optimizer_step: int = 0
    optimizer_pieces: int = 0
    lengths: tuple[int, ...] = ()
    field: int = 0
    stages: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        if not self.devices or len(self.devices) > MAX_AXES or len(self.axes) > MAX_AXES:
            raise ValueError(f"an array of devices has 1 to {MAX_AXES} axes, and so has a tensor; got {self.devices}")
        if min(self.devices) < 1 or self.device_count > MAX_DEVICES:
            raise ValueError(f"an array of 1 to {MAX_DEVICES} devices is expected, got {self.devices}")
        used = [one for axes in self.axes for one in axes]
        if any(not 0 <= one < len(self.devices) for one in used) or len(set(used)) < len(used):
            raise ValueError(
                f"each axis of the array of devices {self.devices} cuts one axis of a tensor at most, got {self.axes}"
            )

    @property
    def device_count(self) -> int:
        """The number of devices, of one pipeline stage."""
        return math.prod(self.devices)

    @functools.cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts that cut the tensor, for each of its axes the largest pieces first.

        Raises:
            ValueError: the optimizer's cut does not fit the array of devices.
        """
        cuts = []
        for axis, used in enumerate(self.axes):
            pieces = 1
            for one in used:
                count = self.devices[-1 - one]
                if count > 1:
                    cuts.append(Part(axis, pieces, self._stride(one), count))
                pieces *= count
            if axis == 0:
                cuts += self._optimizer_parts(pieces)
        return tuple(cuts)

    def _stride(self, axis: int) -> int:
        return math.prod(self.devices[len(self.devices) - axis :])

    def _optimizer_parts(self, pieces: int) -> list[Part]:
        if not self.optimizer_step or not self.optimizer_pieces:
            return []
        used = {one for axes in self.axes for one in axes}
        free = [one for one in range(len(self.devices)) if one not in used and self.devices[-1 - one] > 1]
        if not free:
            raise ValueError(f"The device_matrix {self.devices} leaves no devices for the optimizer's cut, {self.axes}")
        if len(free) == 1 and self._stride(free[0]) != self.optimizer_step:
            raise ValueError(
                f"The optimizer sharding step {self.optimizer_step} is not equal to the model parallel sharding size "
                f"{self._stride(free[0])}."
            )
        left = self.optimizer_pieces
        if left < 0:
            left = math.prod(self.devices[-1 - one] for one in free)
        taken: list[tuple[int, int]] = []  # (axis of the array, how much of its length), the fastest axis first
        for axis in free:
            count = math.gcd(left, self.devices[-1 - axis])
            if count not in (left, self.devices[-1 - axis]):
                break
            taken.append((axis, count))
            left //= count
        if left > 1:
            raise ValueError(
                f"the optimizer's cut into {self.optimizer_pieces} does not fit the devices {self.devices}, of which "
                f"{self.axes} are used"
            )
        parts = []
        for axis, count in reversed(taken):
            if count > 1:
                parts.append(Part(0, pieces, self._stride(axis), count))
            pieces *= count
        return parts

    def numbers(self, rank: int) -> tuple[int, ...]:
        """Return the number of the piece along each axis that a device holds."""
        found = [0] * len(self.axes)
        for part in self.parts:
            found[part.axis] = found[part.axis] * part.count + rank // part.stride % part.count
        return tuple(found)

    def pieces(self) -> tuple[int, ...]:
        """Return into how many pieces each axis of the tensor is cut."""
        counts = [1] * len(self.axes)
        for part in self.parts:
            counts[part.axis] *= part.count
        return tuple(counts)

    def whole_shape(self, piece: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of the tensor of which a device has a piece of this shape.

        Raises:
            ValueError: the number of axes is another one.
        """
        if len(piece) != len(self.axes):
            raise ValueError(f"a tensor of shape {tuple(piece)} has not the {len(self.axes)} axes of its layout")
        return tuple(length * count for length, count in zip(piece, self.pieces(), strict=True))

    def box(self, rank: int, shape: Sequence[int]) -> Box:
        """Return the box of a tensor that a device holds.

        Raises:
            ValueError: an axis cannot be cut evenly.
        """
        if len(shape) != len(self.axes):
            raise ValueError(f"a tensor of shape {tuple(shape)} has not the {len(self.axes)} axes of its layout")
        numbers, counts = self.numbers(rank), self.pieces()
        for length, count in zip(shape, counts, strict=True):
            if length % count:
                raise ValueError(f"a tensor of shape {tuple(shape)} cannot be cut into {counts} equal pieces")
        return tuple(
            (length // count * number, length // count * (number + 1))
            for length, count, number in zip(shape, counts, numbers, strict=True)
        )


def uncut(dimensions: int) -> SliceLayout:
    """Return the layout of a tensor that one device holds."""
    return SliceLayout((1,), ((),) * dimensions)


def source_ranks(source: SliceLayout, target: SliceLayout, rank: int) -> list[int]:
    """Return whose pieces are assembled to make the piece of one device.

    They are those that differ from it in what has to be joined: a part that cuts the same in both layouts is left as it
    is. So there may be more of them than those whose pieces overlap.

    Args:
        source: how the tensor is cut.
        target: how it is to be cut.
        rank: the device, counted in the target.

    Returns:
        Ranks of the source, in order.

    Raises:
        ValueError: the numbers of devices are not multiples of each other.

    Follows: mindspore.rank_list_for_transform (2.10).
    """
    total = check_counts(source, target)
    theirs = set(_refine_parts(target, source))
    ranks = {rank % total}
    for part in _refine_parts(source, target):
        if part not in theirs:
            ranks = {
                one + (digit - one // part.stride % part.count) * part.stride
                for one in ranks
                for digit in range(part.count)
            }
    return sorted({one % source.device_count for one in ranks})


def check_counts(source: SliceLayout, target: SliceLayout) -> int:
    """Return the larger number of devices; ValueError unless it is a multiple of the other one."""
    few, many = sorted((source.device_count, target.device_count))
    if many % few:
        raise ValueError(f"Cannot transform device_num from {source.device_count} to {target.device_count}")
    return many


def _refine_parts(layout: SliceLayout, other: SliceLayout) -> list[Part]:
    """Return the parts of a layout, cut where those of another one begin or end; whole where that is not possible."""
    bounds = set()
    for cut in (layout, other):
        bounds |= {math.prod(cut.devices[axis:]) for axis in range(len(cut.devices) + 1)}
        bounds |= {bound for part in cut.parts for bound in (part.stride, part.stride * part.count)}
    ordered = sorted(bounds)
    if any(high % low for low, high in itertools.pairwise(ordered)):
        return list(layout.parts)
    refined = []
    for part in layout.parts:
        inside = [one for one in ordered if part.stride <= one <= part.stride * part.count]
        pieces = part.pieces_before
        for low, high in reversed(list(itertools.pairwise(inside))):
            refined.append(Part(part.axis, pieces, low, high // low))
            pieces *= high // low
    return refined
