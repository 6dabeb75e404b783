"""The indices of one of several processes."""

import math
from collections.abc import Iterator, Sized

import numpy as np

from msbridge import distributed
from msbridge.core.checks.arguments import require_type
from msbridge.dataset.dataloader.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """The share of one process of all indices: every process gets as many.

    Args:
        dataset: has a length.
        num_replicas: how many processes there are; None: as many as were started.
        rank: the number of this one; None: its own.
        shuffle: whether the indices are in an order that `seed` and `set_epoch` decide.
        seed: the same in all processes.
        drop_last: whether the last indices are left out where they do not go round; else the first come again.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `rank` is none of `num_replicas`, or `num_replicas` not positive.

    Follows: mindspore.dataset.dataloader.DistributedSampler (2.10).
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        self.dataset = dataset
        for value, name in ((num_replicas, "num_replicas"), (rank, "rank")):
            require_type(value, name, (int, type(None)))
        self.shuffle = require_type(shuffle, "shuffle", bool)
        self.seed = require_type(seed, "seed", int)
        self.drop_last = require_type(drop_last, "drop_last", bool)
        self.num_replicas = distributed.get_group_size() if num_replicas is None else num_replicas
        self.rank = distributed.get_rank() if rank is None else rank
        if self.num_replicas <= 0:
            raise ValueError(f"Invalid num_replicas: {self.num_replicas}, it must be greater than 0.")
        if not 0 <= self.rank < self.num_replicas:
            raise ValueError(f"Invalid rank: {self.rank}, it must be in the interval [0, {self.num_replicas - 1}].")
        self.epoch = 0
        share = len(dataset) / self.num_replicas
        self.num_samples = math.floor(share) if self.drop_last else math.ceil(share)
        self.total_samples = self.num_samples * self.num_replicas

    def __iter__(self) -> Iterator[int]:
        size = len(self.dataset)
        order = np.random.default_rng(self.seed + self.epoch).permutation(size) if self.shuffle else np.arange(size)
        return iter(np.resize(order, self.total_samples)[self.rank :: self.num_replicas].tolist())

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of an epoch.

        Raises:
            TypeError: `epoch` is not an int.
        """
        self.epoch = require_type(epoch, "epoch", int)
