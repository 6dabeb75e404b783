"""One run of a pipeline: the seed, and what the nodes derive from it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from msbridge.dataset.draws import combine, mix_all

if TYPE_CHECKING:
    from msbridge.dataset.engine.dataset import Dataset

ORDER_SEED_OF_SHARDS = 0  # shards must agree on one order although nobody set a seed


@dataclass(frozen=True, slots=True)
class Run:
    """The settings that one iterator hands to every node.

    Attributes:
        seed: of the whole run.
        salts: a number for each node, by identity, so that nodes draw different numbers.
        keyed: some transform draws random numbers, so rows need keys.
        order_seed: where set, orders come from it and are the same in each epoch (both parts of a split must agree).
    """

    seed: int
    salts: dict[int, int]
    keyed: bool
    order_seed: int | None = None

    def generator(self, node: "Dataset", epoch: int) -> np.random.Generator:
        """Give the generator from which `node` takes its order in this epoch."""
        if self.order_seed is not None:
            return np.random.default_rng(combine(self.order_seed, self.salts[id(node)]))
        return np.random.default_rng(combine(self.seed, self.salts[id(node)], epoch))

    def keys(self, node: "Dataset", epoch: int, indices: np.ndarray) -> np.ndarray | None:
        """Give the keys of a source's rows, which are numbered by `indices` within this epoch."""
        if not self.keyed:
            return None
        return mix_all(np.uint64(combine(self.seed, self.salts[id(node)], epoch)) ^ indices.astype(np.uint64))

    def with_fixed_order(self, order_seed: int) -> "Run":
        """Give a run whose nodes keep one order in all epochs."""
        return replace(self, order_seed=order_seed)


def plan(root: "Dataset", seed: int) -> Run:
    """Number the nodes of a pipeline and look whether its rows need keys."""
    salts: dict[int, int] = {}
    keyed = False
    for node in walk(root):
        salts.setdefault(id(node), len(salts) + 1)
        keyed = keyed or node.is_random()
    return Run(seed, salts, keyed)


def walk(root: "Dataset") -> Iterator["Dataset"]:
    """Visit a pipeline's nodes from the sources to the end, so that nodes put behind change no earlier numbers."""
    for child in root.children:
        yield from walk(child)
    yield root
