"""The layers of a network, inferred from where its nodes say that they were.

A node of `Default/block-Block/fc-Dense/MatMul-op3` was in the layer `block.fc`, of the class `Dense`. The nodes of one
call of a layer depend on each other, so calls are put together again: those of the innermost layers, of the layers
around them, and so on. What cannot be called as a whole, as something outside comes between, stays where it is.
"""

import heapq
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from msbridge.converters.mindir.records import Graph, Node
from msbridge.mindir.lowering import Lowering, cycles, has_effect, op_of

ROOT = "Default"  # what scopes begin with
PLACE = re.compile(r"([A-Za-z_0-9]{1,80})-([A-Za-z_]\w{0,80})", re.ASCII)
MAX_DEPTH = 12
HOLDERS = ("CellDict", "CellList")  # hold layers, and are not called themselves
MOVES = ("Cast", "ExpandDims", "Reshape", "Transpose")  # which the compiler computes once for several layers

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a layer."""

    path: Path  # of the layer
    kind: str  # the name of its class
    items: "Sequence[Node | Call]"  # what it does, in order
    inputs: Sequence[str]  # names of the values that it takes
    outputs: Sequence[str]  # names of those that others take from it


Item: TypeAlias = Node | Call


def places(scope: str) -> list[tuple[str, str]]:
    """Return (name, class) of the layers around a node, the outermost first."""
    first, *parts = scope.split("/", MAX_DEPTH + 2)
    around = []
    for part in parts[: min(len(parts) - 1, MAX_DEPTH)] if first == ROOT else ():
        if (match := PLACE.fullmatch(part)) is None:
            break
        around.append((match[1], match[2]))
    return around


class Layers:
    """The calls of layers in a model's graphs.

    Args:
        lowering: what is known of the graphs.
    """

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.kinds: dict[Path, str] = {}

    @cached_property
    def keeps_order(self) -> bool:
        """Whether a node writes to something, so that others may have to stay before or behind it."""
        return any(has_effect(node) for nodes in self.lowering.live.values() for node in nodes)

    def items(self, graph: Graph, inside: Path = ()) -> list[Item]:
        """Return the nodes of a graph that are written, in an order in which they can run, as calls of layers.

        Args:
            graph: the graph.
            inside: the layer that it is written in.
        """
        return _Grouping(self, graph, inside).items


class _Grouping:
    """Puts the nodes of one graph together."""

    def __init__(self, layers: Layers, graph: Graph, inside: Path) -> None:
        self.layers, self.graph, lowering = layers, graph, layers.lowering
        live = lowering.live[graph.name]
        self.names = [node.name for node in live]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.uses = [lowering.uses(graph, node) for node in live]
        self.before = [[self.numbers[name] for name in names if name in self.numbers] for names in self.uses]
        self.live = live
        self.wanted = Counter(lowering.resolve(graph, name) for name in graph.outputs)  # how many take a value
        self.wanted.update(name for names in self.uses for name in set(names))
        tail = lowering.tail_call(graph)
        self.paths = [() if node is tail else self._path(node) for node in live]
        self._correct()
        self.paths = [path if path[: len(inside)] == inside else inside for path in self.paths]
        rest = range(len(live) - (tail is not None))  # nothing comes behind the tail
        self.items = [*self._group_nodes(rest, len(inside)), *live[len(rest) :]]

    def _path(self, node: Node) -> Path:
        inside: Path = ()
        for name, kind in places(node.scope):
            inside = (*inside, name)
            self.layers.kinds.setdefault(inside, kind)
        return inside

    def _correct(self) -> None:
        """Distinguish layers that the compiler took for one, as they are alike: by the names of their parameters."""
        owners = [self._owner(number) for number in range(len(self.live))]
        self.owning = {owner[:depth] for owner in owners for depth in range(1, len(owner) + 1)}
        alike = {path for path, owner in zip(self.paths, owners, strict=True) if path and path == owner}
        said = list(self.paths)
        for number, (path, owner) in enumerate(zip(said, owners, strict=True)):
            if path in alike and len(owner) == len(path):
                self._move(number, owner)
        moved = {
            path[:depth]
            for path, own in zip(said, self.paths, strict=True)
            if path != own
            for depth in range(1, len(path) + 1)
        }
        behind: dict[int, list[int]] = defaultdict(list)
        for number, before in enumerate(self.before):
            for one in before:
                behind[one].append(number)
        for order, around in ((range(len(said)), self.before), (range(len(said) - 1, -1, -1), behind)):
            for number in order:
                if moved and not owners[number] and self.paths[number] == said[number]:
                    self._follow(number, said, sorted(around[number], reverse=True), moved)
        for number in range(len(said)):
            if not owners[number] and self.before[number]:
                self._stay(number, self.paths[max(self.before[number])], [owners[one] for one in behind[number]])
        for number, node in enumerate(self.live):
            if op_of(node) in MOVES and not owners[number]:
                self._leave(number, behind[number])

    def _owner(self, number: int) -> Path:
        """Return the layer that owns a parameter which a node takes; () where it takes none."""
        parameters = self.layers.lowering.parameters
        for name in self.uses[number]:
            if name in parameters:
                return tuple(parameters[name].split(".")[:-1])
        return ()

    def _move(self, number: int, path: Path) -> None:
        said = self.paths[number]
        for depth in range(1, len(path) + 1):
            self.layers.kinds.setdefault(path[:depth], self.layers.kinds[said[:depth]])
        self.paths[number] = path

    def _follow(self, number: int, said: Sequence[Path], neighbours: Iterable[int], moved: set[Path]) -> None:
        """Move a node without parameters to where its neighbours of the same layer have been moved."""
        path = said[number]
        neighbours = list(neighbours)[:8]
        for depth in range(len(path), 0, -1):
            if path[:depth] not in moved:
                continue
            for other in neighbours:
                if said[other][:depth] == path[:depth]:
                    if self.paths[other][:depth] != path[:depth]:
                        self._move(number, (*self.paths[other][:depth], *path[depth:]))
                    return

    def _stay(self, number: int, before: Path, behind: Sequence[Path]) -> None:
        """Move a node into this layer from a like one, which it continues from and passes nothing to."""
        for depth in range(1, min(len(self.paths[number]), len(before)) + 1):
            path = self.paths[number]
            layer, other, kinds = path[:depth], before[:depth], self.layers.kinds
            if layer == other:
                continue
            is_alike = kinds[layer] == kinds.get(other) and {layer, other} <= self.owning
            if not is_alike or any(owner[:depth] == layer for owner in behind):
                return
            self._move(number, (*other, *path[depth:]))

    def _leave(self, number: int, behind: Sequence[int]) -> None:
        """Take a node out of a layer that does nothing before it, where another layer takes the same: it is shared."""
        path = self.paths[number]
        while path and not any(self.paths[one][: len(path)] == path for one in self.before[number]):
            inside = [self.paths[one][: len(path)] == path for one in behind]
            if all(inside) or not any(inside):
                break
            self.paths[number] = path = path[:-1]

    def _group_nodes(self, numbers: Sequence[int], depth: int) -> list[Item]:
        """Return nodes as calls of the layers at a depth, and nodes that are in none of these."""
        items: list[Item] = []
        groups = self._runs(numbers, depth) if self.layers.keeps_order else self._schedule_groups(numbers, depth)
        for path, group in groups:
            items += [self.live[number] for number in group] if path is None else self._make_call(group, path)
        return items

    def _make_call(self, group: Sequence[int], path: Path) -> list[Item]:
        inside = {self.names[number] for number in group}
        taken: Counter[str] = Counter()
        inputs: dict[str, None] = {}
        for number in group:
            for name in dict.fromkeys(self.uses[number]):
                taken[name] += 1
                if name not in inside and (name in self.numbers or name in self.graph.inputs):
                    inputs[name] = None
        outputs = [name for name in map(self.names.__getitem__, group) if self.wanted[name] > taken[name]]
        items = self._group_nodes(group, len(path))
        is_part = path in self.owning and not any(self._owner(number)[: len(path)] == path for number in group)
        return [Call(path, self.layers.kinds[path], items, list(inputs), outputs)] if outputs and not is_part else items

    def _key(self, number: int, depth: int) -> Path | None:
        path = self.paths[number]
        while len(path) > depth and self.layers.kinds[path[: depth + 1]] in HOLDERS:
            depth += 1
        return path[: depth + 1] if len(path) > depth else None

    def _runs(self, numbers: Sequence[int], depth: int) -> Iterator[tuple[Path | None, list[int]]]:
        """Yield the nodes in their order, those of a layer that are adjacent together."""
        for key, group in itertools.groupby(numbers, lambda number: self._key(number, depth)):
            yield key, list(group)

    def _schedule_groups(self, numbers: Sequence[int], depth: int) -> Iterator[tuple[Path | None, list[int]]]:
        """Yield the nodes in an order in which they can run, those of a layer together that depend on each other."""
        depths = dict.fromkeys(numbers, depth)
        while True:
            whole = self._together(numbers, depths)
            cut = {name for group in cycles(self._edges(whole)) for name in group}
            if not cut:
                break
            sizes = Counter(whole.values())
            for number in numbers:  # layers that others come between: those in them may be whole
                depths[number] += whole[number] in cut and sizes[whole[number]] > 1
        groups: dict[int, list[int]] = defaultdict(list)
        for number in numbers:
            groups[whole[number]].append(number)
        for one in _sort(self._edges(whole), {one: group[0] for one, group in groups.items()}):
            yield self._key(one, depths[one]), groups[one]

    def _together(self, numbers: Sequence[int], depths: Mapping[int, int]) -> dict[int, int]:
        """Return the group of each node: a node of it represents those of one layer that depend on each other."""
        leader = {number: number for number in numbers}

        def find(number: int) -> int:
            while leader[number] != number:
                leader[number] = number = leader[leader[number]]
            return number

        keys = {number: self._key(number, depths[number]) for number in numbers}
        for number in numbers:
            for one in self.before[number] if keys[number] is not None else ():
                if keys.get(one) == keys[number]:
                    leader[find(number)] = find(one)
        return {number: find(number) for number in numbers}

    def _edges(self, whole: Mapping[int, int]) -> dict[int, list[int]]:
        """Return the groups that take something from each group."""
        edges: dict[int, dict[int, None]] = {one: {} for one in whole.values()}
        for number, own in whole.items():
            for one in self.before[number]:
                if (other := whole.get(one, own)) != own:
                    edges[other][own] = None
        return {one: list(ends) for one, ends in edges.items()}


def _sort(edges: Mapping[int, Sequence[int]], ranks: Mapping[int, int]) -> Iterator[int]:
    """Yield groups, each behind those that it takes something from; else as ranked."""
    waits = Counter(end for ends in edges.values() for end in ends)
    ready = [(ranks[one], one) for one in edges if not waits[one]]
    heapq.heapify(ready)
    while ready:
        one = heapq.heappop(ready)[1]
        yield one
        for end in edges[one]:
            waits[end] -= 1
            if not waits[end]:
                heapq.heappush(ready, (ranks[end], end))
