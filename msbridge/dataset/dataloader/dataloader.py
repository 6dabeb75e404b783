"""DataLoader: batches of a Python data set, read here or in other processes."""

import multiprocessing
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.context import BaseContext
from typing import Any, Generic, TypeVar

import numpy as np
import torch

from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.core.checks.no_effect_warnings import level_of_user
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import wrap
from msbridge.dataset.dataloader.collate import default_collate, default_convert
from msbridge.dataset.dataloader.dataset import IterableDataset
from msbridge.dataset.dataloader.sampler import SEEDS, BatchSampler, InfiniteSampler, RandomSampler, SequentialSampler
from msbridge.dataset.dataloader.worker import Batches, Failure, Stream, start

__all__ = ["DataLoader"]

Sample = TypeVar("Sample", covariant=True)
PREFETCH_BATCHES = 2  # batches that each process reads before they are asked for


class DataLoader(Generic[Sample]):
    """An iterator over batches of a data set, whose samples other processes may read.

    Args:
        dataset: returns samples by index, or is an IterableDataset.
        batch_size: samples of a batch; None: there are no batches.
        shuffle: whether the samples come in random order.
        sampler: yields the indices instead.
        batch_sampler: yields lists of indices instead.
        num_workers: how many processes read; 0: this one.
        collate_fn: makes a batch of a list of samples; None: `default_collate`, or without batches `default_convert`.
        pin_memory: whether the Tensors lie in memory that a GPU can read at once; without effect on a CPU.
        drop_last: whether the last batch is left out if it is shorter.
        timeout: seconds that a batch of another process is waited for; 0: for ever.
        worker_init_fn: is called in each process with its number.
        multiprocessing_context: how the processes are started: "fork", "spawn", "forkserver" or a context.
        generator: draws the order, and the seeds of the processes.
        prefetch_factor: batches that each process reads ahead; None: 2.
        persistent_workers: whether the processes stay for the next iteration.
        in_order: whether batches of several processes come in the order of their indices.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or excludes another one.
        NotImplementedError: `dataset` has no `__getitem__` and is not an IterableDataset.
        RuntimeError: while it is iterated over: another process failed, ended, or took longer than `timeout`.

    Follows: mindspore.dataset.dataloader.DataLoader (2.10).
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0.0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: BaseContext | str | None = None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        self.dataset = dataset
        self._is_stream = isinstance(dataset, IterableDataset)
        self.batch_size = None if batch_size is None else int_within(batch_size, "batch_size")
        self.num_workers = int_within(num_workers, "num_workers", 0)
        self.collate_fn, self.worker_init_fn = collate_fn, worker_init_fn
        self.pin_memory = require_type(pin_memory, "pin_memory", bool)
        self.drop_last = require_type(drop_last, "drop_last", bool)
        self.timeout = within(require_type(timeout, "timeout", (int, float)), "timeout", 0, float("inf"))
        self.generator = (
            require_type(generator, "generator", (np.random.Generator, type(None))) or np.random.default_rng()
        )
        self.persistent_workers = require_type(persistent_workers, "persistent_workers", bool)
        self.in_order = require_type(in_order, "in_order", bool)
        require_type(shuffle, "shuffle", (bool, type(None)))
        self._check_exclusive(shuffle, sampler, batch_sampler)
        self._check_processes(multiprocessing_context, prefetch_factor)
        own = multiprocessing_context
        self.multiprocessing_context = multiprocessing.get_context(own) if isinstance(own, str) else own
        self.prefetch_factor = prefetch_factor or (PREFETCH_BATCHES if num_workers else None)
        self.sampler = self._sampler(shuffle) if sampler is None else sampler
        if batch_sampler is not None:
            self.batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        self.index_sampler = self.sampler if batch_sampler is None else batch_sampler
        self._staying: torch.utils.data.DataLoader[Any] | None = None  # its processes stay

    def __iter__(self) -> Iterator[Sample]:
        batches = self._batches()
        if not self.num_workers:
            return iter(batches) if self._is_stream else map(batches.__getitem__, iter(self.index_sampler))
        loader = self._staying or self._in_processes(batches)
        if self.persistent_workers:
            self._staying = loader
        return map(_receive, loader)

    def __len__(self) -> int:
        if not self._is_stream:
            return len(self.index_sampler)  # type: ignore[arg-type]  # what is asked for its length has one
        size, batch = len(self.dataset), self.batch_size or 1
        return size // batch if self.drop_last and self.batch_size else -(-size // batch)

    def _batches(self) -> Any:
        is_batched = self.batch_sampler is not None
        gather = self.collate_fn or (default_collate if is_batched else default_convert)
        if self._is_stream:
            return Stream(self.dataset, gather, self.batch_size, self.drop_last)
        return Batches(self.dataset, gather, is_batched)

    def _in_processes(self, batches: Any) -> torch.utils.data.DataLoader[Any]:
        is_pinned = self.pin_memory and torch_device().type != "cpu"
        if self.pin_memory and not is_pinned:
            warnings.warn("pin_memory=True has no effect on a CPU.", stacklevel=level_of_user())
        base_seed = int(self.generator.integers(0, SEEDS, dtype=np.int64))
        return torch.utils.data.DataLoader(
            batches,
            batch_size=None,
            sampler=None if self._is_stream else self.index_sampler,
            num_workers=self.num_workers,
            collate_fn=_as_it_is,
            pin_memory=is_pinned,
            timeout=self.timeout,
            worker_init_fn=partial(start, base_seed, self.worker_init_fn),
            multiprocessing_context=self.multiprocessing_context,
            generator=torch.Generator(),  # torch's own numbers are not drawn from
            prefetch_factor=self.prefetch_factor,
            persistent_workers=self.persistent_workers,
            in_order=self.in_order,
        )

    def _sampler(self, shuffle: bool | None) -> Iterable[Any]:
        if self._is_stream:
            return InfiniteSampler()
        return RandomSampler(self.dataset, generator=self.generator) if shuffle else SequentialSampler(self.dataset)

    def _check_exclusive(self, shuffle: bool | None, sampler: object, batch_sampler: object) -> None:
        given = {"shuffle": shuffle, "sampler": sampler is not None, "batch_sampler": batch_sampler is not None}
        if self._is_stream and (names := [name for name, is_given in given.items() if is_given]):
            raise ValueError(f"{names[0]} cannot be specified when dataset is iterable style.")
        if not self._is_stream and not hasattr(self.dataset, "__getitem__"):
            name = type(self.dataset).__name__
            raise NotImplementedError(f"{name} should implement __getitem__ method if it is map style.")
        if sampler is not None and shuffle:
            raise ValueError("sampler cannot be specified with shuffle.")
        others = {"batch_size": self.batch_size != 1, "drop_last": self.drop_last} | given
        del others["batch_sampler"]
        if batch_sampler is not None and (names := [name for name, is_given in others.items() if is_given]):
            raise ValueError(f"{names[0]} cannot be specified with batch_sampler.")

    def _check_processes(self, context: object, prefetch_factor: object) -> None:
        given = {"multiprocessing_context": context, "prefetch_factor": prefetch_factor}
        for name, value in (given | {"persistent_workers": self.persistent_workers or None}).items():
            if value is not None and not self.num_workers:
                raise ValueError(f"{name} must only be specified when num_workers is greater than 0.")
        require_type(context, "multiprocessing_context", (str, BaseContext, type(None)))
        if prefetch_factor is not None:
            int_within(prefetch_factor, "prefetch_factor")


def _as_it_is(batch: Any) -> Any:
    return batch


def _receive(batch: Any) -> Any:
    """Return a batch of another process, on the context's device.

    Raises:
        RuntimeError: a failure came in its place.
    """
    if isinstance(batch, Failure):
        raise RuntimeError(batch.text)
    device = torch_device()
    return batch if device.type == "cpu" else map_tensors(lambda one: wrap(one._data.to(device)), batch)
