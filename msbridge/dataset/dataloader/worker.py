"""Worker processes of a DataLoader: a batch is read there, or errors are passed on."""

import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np
import torch
from torch.utils.data import IterableDataset
from torch.utils.data import get_worker_info as torch_worker_info

from msbridge.core.context.context import DeviceCtx
from msbridge.core.random.generators import manual_seed
from msbridge.core.random.seeds import set_seed
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["get_worker_info"]

MASK = 2**32 - 1
_own: list["WorkerInfo"] = []  # of this process, if it is one of a DataLoader's


class WorkerInfo:
    """A process of a DataLoader: its number, how many there are, its seed, and the data set in it.

    Follows: the result of mindspore.dataset.dataloader.get_worker_info (2.10).
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any

    def __init__(self, id: int, num_workers: int, seed: int, dataset: Any) -> None:
        vars(self).update(id=id, num_workers=num_workers, seed=seed, dataset=dataset)

    def __setattr__(self, name: str, value: object) -> None:
        raise RuntimeError("Cannot modify the attributes of WorkerInfo object after initialization.")

    def __repr__(self) -> str:
        return f"WorkerInfo: {{{', '.join(f'{name}: {value}' for name, value in vars(self).items())}}}"


def get_worker_info() -> WorkerInfo | None:
    """Return the description of this process as a DataLoader's worker; None where it is none of its processes.

    Follows: mindspore.dataset.dataloader.get_worker_info (2.10).
    """
    return _own[0] if _own else None


@dataclass(frozen=True, slots=True)
class Failure:
    """Comes in place of a batch that could not be read in another process."""

    text: str  # the process, the class of the error, and the traceback there


@dataclass(frozen=True, slots=True)
class Batches:
    """Batches by their indices."""

    dataset: Any  # yields samples by index
    gather: Callable[[Any], Any]  # makes a batch of samples, or something of a single one
    is_batched: bool  # whether several indices are asked for at once

    def __getitem__(self, indices: Any) -> Any:
        try:
            found = [self.dataset[index] for index in indices] if self.is_batched else self.dataset[indices]
            return self.gather(found)
        except Exception:
            return _failure()


class Stream(IterableDataset[Any]):
    """Batches in sequence.

    Args:
        dataset: yields samples when it is iterated over.
        gather: makes a batch of samples, or something of a single one.
        batch_size: how many make a batch; None: there are no batches.
        drop_last: whether the last batch is left out if it is shorter.
    """

    def __init__(self, dataset: Any, gather: Callable[[Any], Any], batch_size: int | None, drop_last: bool) -> None:
        self.dataset, self.gather, self.batch_size, self.drop_last = dataset, gather, batch_size, drop_last

    def __iter__(self) -> Iterator[Any]:
        try:
            samples = iter(self.dataset)
            if self.batch_size is None:
                yield from map(self.gather, samples)
                return
            while batch := list(islice(samples, self.batch_size)):
                if self.drop_last and len(batch) < self.batch_size:
                    return
                yield self.gather(batch)
        except Exception:
            yield _failure()


def start(base_seed: int, then: Callable[[int], None] | None, number: int) -> None:
    """Prepare a process: its random numbers, its device, and what the script wants done.

    Args:
        base_seed: that of all processes; each adds its number.
        then: is called with the number of the process.
        number: of the process.

    Raises:
        RuntimeError: `then` failed.
    """
    info = torch_worker_info()
    assert info is not None
    DeviceCtx("CPU").__enter__()  # for as long as the process lasts
    seed = base_seed + number
    random.seed(seed)
    set_seed(seed & MASK)
    manual_seed(seed)
    np.random.seed(np.random.SeedSequence([number, base_seed & MASK, base_seed >> 32, 0]).generate_state(4))
    read: Any = info.dataset
    _own[:] = [WorkerInfo(number, info.num_workers, seed, read.dataset)]
    try:
        if then is not None:
            then(number)
    except Exception:
        raise RuntimeError(_failure().text) from None


def _failure() -> Failure:
    """Return the current exception as a Failure of this worker; outside of a worker, raise it."""
    if not _own:
        raise
    kind = type(sys.exception()).__name__
    beginning = f"DataLoader worker {_own[0].id} (pid: {os.getpid()}) caught {kind} with message:\n"
    return Failure(beginning + traceback.format_exc())


def _reduce_shared(tensor: Tensor) -> tuple[Callable[..., Tensor], tuple[torch.Tensor]]:
    """Let a Tensor go to another process in memory that both have."""
    return wrap, (tensor._data.detach(),)


ForkingPickler.register(Tensor, _reduce_shared)
