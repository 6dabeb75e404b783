"""Cuts: layers that one network holds whole and the other in parts, such as the projection to q, k and v."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from msbridge.converters.names.by_order.alignment import Jumps
from msbridge.converters.names.paths import parent
from msbridge.converters.tensors.operations import merge, split
from msbridge.converters.tensors.steps import ConversionStep

Shape = tuple[int, ...]
Leaf = tuple[str, Shape | None]
Layer = tuple[str, Set[Leaf]]  # its path, and the names and shapes of its tensors
Together = tuple[tuple[tuple[str, Shape], ...], tuple[int, ...]]  # names and other axes of tensors, and their lengths
Start = tuple[int, tuple[int, int]]
REASON = "by order, cut along the first axis"


@dataclass(frozen=True, slots=True)
class Cut:
    """Tensors that answer to each other together; on one side there is one."""

    torch: tuple[str, ...]  # their names in the state dict
    mindspore: tuple[str, ...]  # their names in the Cell
    sizes: tuple[int, ...]  # the lengths of the parts along the first axis

    def step(self, sources: tuple[str, ...], targets: tuple[str, ...]) -> ConversionStep:
        """Return the step that makes one side of the other."""
        operation = split(0, self.sizes, len(self.sizes)) if len(sources) == 1 else merge(0)
        return ConversionStep(sources, targets, operation=operation, reason=REASON, guessed=True)


def jumps_of(ours: Sequence[Layer], theirs: Sequence[Layer]) -> Jumps:
    """Find layers whose tensors are, along the first axis, as long as those of several neighbours together."""
    sides = [[_together(leaves) for _, leaves in layers] for layers in (ours, theirs)]
    starts: dict[int, list[Start]] = {}
    ends = _places(_windows(theirs, sides[1], sides[0]))
    for number, whole in enumerate(sides[0]):
        if whole in ends:
            starts[number] = [(first, (1, count)) for first, count in ends[whole]]
    reach = [0, sum(max(by[1] for _, by in more) - 1 for more in starts.values())]
    wholes = _places((whole, number, 0) for number, whole in enumerate(sides[1]))
    for whole, begins in _places(_windows(ours, sides[0], sides[1])).items():
        reach[0] += len(wholes[whole]) * (max(count for _, count in begins) - 1)
        for first, count in begins:
            more = [(number, (count, 1)) for number, _ in wholes[whole]]
            starts[first] = sorted([*starts.get(first, ()), *more])
    return Jumps(starts, (reach[0], reach[1]))


def _together(leaves: Set[Leaf]) -> Together | None:
    """Return the parts of a layer's tensors along the first axis; None where they cannot be cut."""
    names = sorted((name, shape) for name, shape in leaves if shape)
    if not names or len(names) < len(leaves) or len({name for name, _ in names}) < len(names):
        return None
    return tuple((name, shape[1:]) for name, shape in names), tuple(shape[0] for _, shape in names)


def _places(found: Iterable[tuple[Together | None, int, int]]) -> dict[Together, list[tuple[int, int]]]:
    places: dict[Together, list[tuple[int, int]]] = {}
    for whole, number, count in found:
        if whole is not None:
            places.setdefault(whole, []).append((number, count))
    return places


def _windows(
    layers: Sequence[Layer], parts: Sequence[Together | None], wholes: Iterable[Together | None]
) -> Iterator[tuple[Together, int, int]]:
    """Yield, for neighbours as long as some whole, what they are together, the first, and how many they are."""
    wanted = {whole for whole in wholes if whole is not None}
    longest: dict[tuple[tuple[str, Shape], ...], tuple[int, ...]] = {}
    for kind, lengths in wanted:
        longest[kind] = tuple(map(max, lengths, longest.get(kind, lengths)))
    for first, part in enumerate(parts):
        if part is None or part[0] not in longest:
            continue
        kind, total = part
        for last in range(first + 1, len(parts)):
            following = parts[last]
            if following is None or following[0] != kind or parent(layers[last][0]) != parent(layers[first][0]):
                break
            total = tuple(map(int.__add__, total, following[1]))
            if any(map(int.__gt__, total, longest[kind])):
                break
            if (kind, total) in wanted:
                yield (kind, total), first, last - first + 1
