"""Cuts: layers that one network holds whole and the other in parts, such as the projection to q, k and v."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from msbridge.converters.operations import merge, split
from msbridge.converters.steps import Step

Shape = tuple[int, ...]
Leaf = tuple[str, Shape | None]
Layer = tuple[str, Set[Leaf]]  # its path, and the names and shapes of its tensors
REASON = "by order, cut along the first axis"


@dataclass(frozen=True, slots=True)
class Cut:
    """Tensors that answer to each other together; on one side there is one.

    Attributes:
        torch: their names in the state dict.
        mindspore: their names in the Cell.
        sizes: the lengths of the parts along the first axis.
    """

    torch: tuple[str, ...]
    mindspore: tuple[str, ...]
    sizes: tuple[int, ...]

    def step(self, sources: tuple[str, ...], targets: tuple[str, ...]) -> Step:
        """Give the step that makes one side of the other."""
        operation = split(0, self.sizes, len(self.sizes)) if len(sources) == 1 else merge(0)
        return Step(sources, targets, operation=operation, reason=REASON, guessed=True)


def reaches(wholes: Sequence[Layer], parts: Sequence[Layer]) -> Iterator[tuple[int, int, int]]:
    """Find layers whose tensors are, along the first axis, as long as those of several neighbours together.

    Yields:
        The number of the whole, the number of its first part, and how many parts there are.
    """
    for number, (_, leaves) in enumerate(wholes):
        whole = dict(leaves)
        for first in range(len(parts)):
            total: dict[str, int] = dict.fromkeys(whole, 0)
            for last in range(first, len(parts)):
                part = dict(parts[last][1])
                if _above(parts[last][0]) != _above(parts[first][0]) or not _is_part(part, whole):
                    break
                total = {leaf: length + (part[leaf] or (0,))[0] for leaf, length in total.items()}
                lengths = {leaf: (shape or (0,))[0] for leaf, shape in whole.items()}
                if total == lengths and last > first:
                    yield number, first, last - first + 1
                if any(total[leaf] >= lengths[leaf] for leaf in total):
                    break


def _above(path: str) -> str:
    return path.rpartition(".")[0]


def _is_part(part: Mapping[str, Shape | None], whole: Mapping[str, Shape | None]) -> bool:
    if part.keys() != whole.keys():
        return False
    return all(
        shape and (other := part[leaf]) and other[1:] == shape[1:] and other[0] < shape[0]
        for leaf, shape in whole.items()
    )
