"""The edges of a graph by the nodes that they leave, and what is drawn from them. Nodes are positions, -1 is none."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(eq=False)
class Neighbours:
    """Those neighbours of every node that are of one type."""

    starts: np.ndarray  # where the neighbours of each node begin, and behind the last one where they end
    nodes: np.ndarray  # the neighbours, node by node, in the order of the edges
    weights: np.ndarray  # of the edges to them

    def counts(self, nodes: np.ndarray) -> np.ndarray:
        """Return the number of neighbours of each of `nodes`; none where it is -1."""
        return np.where(nodes < 0, 0, self.starts[nodes + 1] - self.starts[nodes])

    def of(self, node: int) -> np.ndarray:
        """Return the neighbours of one node."""
        return self.nodes[self.starts[node] : self.starts[node + 1]]

    def flat(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the neighbours of `nodes` in sequence, and how many each has."""
        counts = self.counts(nodes)
        ends = np.cumsum(counts)
        within = np.arange(counts.sum()) - np.repeat(ends - counts, counts)
        return self.nodes[np.repeat(self.starts[nodes], counts) + within], counts

    def draw(self, nodes: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
        """Draw `count` neighbours of each node, all of them once before one comes again; -1 where there are none."""
        neighbours = np.full((len(nodes), count), -1, np.int64)
        counts = self.counts(nodes)
        for size in np.unique(counts[counts > 0]):
            rows = np.flatnonzero(counts == size)
            rounds = -(-count // size)
            order = random.random((len(rows), rounds, size)).argsort(-1).reshape(len(rows), -1)[:, :count]
            neighbours[rows] = self.nodes[self.starts[nodes[rows], None] + order]
        return neighbours

    def draw_by_weight(self, nodes: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
        """Draw `count` neighbours of each node, in proportion to the weights of the edges to them."""
        neighbours = np.full((len(nodes), count), -1, np.int64)
        rows = np.flatnonzero(self.counts(nodes))
        before = np.concatenate([[0.0], np.cumsum(self.weights)])
        first, last = self.starts[nodes[rows]], self.starts[nodes[rows] + 1]
        low, high = before[first, None], before[last, None]
        places = np.searchsorted(before, low + random.random((len(rows), count)) * (high - low), side="right") - 1
        neighbours[rows] = self.nodes[np.clip(places, first[:, None], last[:, None] - 1)]
        return neighbours


@dataclass(eq=False)
class Adjacency:
    """Directed edges between typed nodes."""

    node_types: np.ndarray  # of each node
    sources: np.ndarray  # the node that each edge leaves
    targets: np.ndarray  # the node that it leads to
    weights: np.ndarray  # of each edge

    def __post_init__(self) -> None:
        self._by_type: dict[int, Neighbours] = {}

    def neighbours(self, kind: int) -> Neighbours:
        """Return the neighbours of type `kind`."""
        if kind not in self._by_type:
            edges = np.flatnonzero(self.node_types[self.targets] == kind)
            edges = edges[np.argsort(self.sources[edges], kind="stable")]
            starts = np.searchsorted(self.sources[edges], np.arange(len(self.node_types) + 1))
            self._by_type[kind] = Neighbours(starts, self.targets[edges], self.weights[edges])
        return self._by_type[kind]

    @cached_property
    def edge_of(self) -> dict[tuple[int, int], int]:
        """Map (source, target) to the first edge between them."""
        pairs = zip(self.sources.tolist(), self.targets.tolist(), strict=True)
        return {pair: len(self.sources) - 1 - place for place, pair in enumerate(reversed(list(pairs)))}

    def strangers(self, nodes: np.ndarray, kind: int, count: int, random: np.random.Generator) -> np.ndarray:
        """Draw `count` nodes of type `kind` that are not neighbours of each node, nor the node itself."""
        everybody, known = np.flatnonzero(self.node_types == kind), self.neighbours(kind)
        sampled = np.full((len(nodes), count), -1, np.int64)
        for row, node in enumerate(nodes.tolist()):
            excluded = np.append(known.of(node), node)
            enough = min(len(everybody), count + len(excluded))  # so many different ones hold `count` strangers
            drawn = everybody[random.choice(len(everybody), enough, replace=False)]
            strange = drawn[~np.isin(drawn, excluded)]
            if len(strange):
                sampled[row] = np.resize(strange, count)
        return sampled

    def walk(
        self, nodes: np.ndarray, path: list[int], home: float, away: float, random: np.random.Generator
    ) -> np.ndarray:
        """Walk from each node along neighbours of the types in `path`; -1 from a dead end on.

        Args:
            nodes: where the walks begin.
            path: the type of each step's neighbour.
            home: the larger, the rarer a step back to where the last one came from.
            away: the larger, the rarer a step to a node that is not a neighbour of the one before.
            random: draws.
        """
        steps = [nodes]
        for number, kind in enumerate(path):
            known = self.neighbours(kind)
            if number == 0 or home == away == 1.0:
                steps.append(known.draw(steps[-1], 1, random)[:, 0])
                continue
            before = self.neighbours(path[number - 1])
            pairs = zip(steps[-2].tolist(), steps[-1].tolist(), strict=True)
            taken = [_step(before, known, last, node, home, away, random) for last, node in pairs]
            steps.append(np.array(taken, np.int64))
        return np.stack(steps, 1)


def _step(
    before: Neighbours, known: Neighbours, last: int, node: int, home: float, away: float, random: np.random.Generator
) -> int:
    if node < 0 or not len(choices := known.of(node)):
        return -1
    chances = np.where(choices == last, 1 / home, np.where(np.isin(choices, before.of(last)), 1.0, 1 / away))
    return int(random.choice(choices, p=chances / chances.sum()))
