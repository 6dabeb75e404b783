"""The loader of Python data sets: batches, orders, what each process reads, refusals."""

# ruff: noqa: F401  # the expressions use what is imported

import random
from collections import OrderedDict, namedtuple

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.dataset.dataloader import (
    BatchSampler,
    DataLoader,
    Dataset,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    TensorDataset,
    default_collate,
    default_convert,
    get_worker_info,
)

from tests.oracle.case import Case, each

Pair = namedtuple("Pair", "x y")


class Rows(Dataset):
    """Seven samples of all kinds."""

    def __getitem__(self, index):
        return np.float32(index), np.full((2,), index, np.int32), {"a": index, "t": f"w{index}"}, (index, float(index))

    def __len__(self):
        return 7


class Stream(IterableDataset):
    """Seven numbers, divided among the processes."""

    count = 7

    def __iter__(self):
        own = get_worker_info()
        return iter(range(self.count)) if own is None else iter(range(own.id, self.count, own.num_workers))

    def __len__(self):
        return self.count


class Drawn(Dataset):
    """Random numbers of Python and numpy, and what the process is."""

    def __getitem__(self, index):
        own = get_worker_info()
        return random.random(), np.random.rand(), own.id, own.num_workers, own.seed

    def __len__(self):
        return 4


class Broken(Dataset):
    """The third sample fails."""

    def __getitem__(self, index):
        if index == 2:
            raise KeyError(index)
        return index

    def __len__(self):
        return 4


def drawing():
    return np.random.default_rng(3)


def shorten(number):
    get_worker_info().dataset.count = number + 1


def fail(number):
    raise ValueError(number)


def epochs(loader):
    """Two iterations."""
    return [list(loader) for _ in range(2)]


def sampled(*arguments, epoch=0, **options):
    """The indices of each of several processes."""
    found = []
    for rank in range(arguments[1]):
        sampler = DistributedSampler(*arguments, rank, **options)
        sampler.set_epoch(epoch)
        found.append((list(sampler), len(sampler)))
    return found


def after_seed(size):
    np.random.seed(5)
    return list(RandomSampler(range(size)))


CASES = [
    *each("""
        list(DataLoader(Rows(), 3))
        list(DataLoader(Rows(), 3, drop_last=True))
        list(DataLoader(Rows(), None))
        epochs(DataLoader(Rows(), 2, shuffle=True, generator=drawing()))
        epochs(DataLoader(Rows(), 2, shuffle=True, generator=drawing(), num_workers=2))
        epochs(DataLoader(Rows(), 2, shuffle=True, generator=drawing(), num_workers=2, persistent_workers=True))
        list(DataLoader(Stream(), 3))
        list(DataLoader(Stream(), 3, drop_last=True))
        list(DataLoader(Stream(), None))
        list(DataLoader(Stream(), 3, num_workers=2))
        list(DataLoader(Stream(), 3, num_workers=2, drop_last=True))
        list(DataLoader(Stream(), 2, num_workers=2, worker_init_fn=shorten))
        list(DataLoader(Drawn(), 2, generator=drawing(), num_workers=2))
        list(DataLoader([1, 2, 3], 2))
        list(DataLoader(range(3), 2))
        list(DataLoader([1.5, 2, 3], 2))
        list(DataLoader(["a", "b"], 2))
        list(DataLoader([np.float16(1), np.float16(2)], 2))
        list(DataLoader([True, False], 2))
        list(DataLoader([np.array([1], np.int8)] * 2, None))
        list(DataLoader([Tensor([1, 2]), Tensor([3, 4])], 2))
        list(DataLoader([OrderedDict(a=1)] * 2, 2))
        list(DataLoader([[1, 2], [3, 4]], 2))
        list(DataLoader(Rows(), 2, collate_fn=len))
        list(DataLoader(Broken(), batch_sampler=[[0, 1], [3]]))
        list(DataLoader(Broken(), 2, sampler=[3, 1, 0]))
        len(DataLoader(Rows(), 3))
        len(DataLoader(Rows(), 3, drop_last=True))
        len(DataLoader(Rows(), None))
        len(DataLoader(Stream(), 3))
        len(DataLoader(Stream(), 3, drop_last=True))
        len(DataLoader(Stream(), None))
        DataLoader(Rows(), 2).prefetch_factor
        DataLoader(Rows(), 2, num_workers=2).prefetch_factor
        DataLoader(Rows(), batch_sampler=[[1]]).batch_size
        DataLoader(Rows(), None).batch_sampler
        [type(one).__name__ for one in (DataLoader(Rows()).sampler, DataLoader(Rows(), shuffle=True).sampler)]
        [type(one).__name__ for one in (DataLoader(Stream()).sampler, DataLoader(Stream()).batch_sampler)]
        list(RandomSampler(range(10), generator=drawing()))
        list(RandomSampler(range(10), True, 70, generator=drawing()))
        list(RandomSampler(range(4), False, 10, generator=drawing()))
        after_seed(10)
        list(SequentialSampler(range(3)))
        list(BatchSampler(range(5), 2, False))
        list(BatchSampler(range(5), 2, True))
        len(BatchSampler(range(5), 2, False)), len(BatchSampler(range(5), 2, True))
        sampled(range(10), 3)
        sampled(range(10), 3, epoch=2)
        sampled(range(10), 3, shuffle=False)
        sampled(range(10), 3, drop_last=True, seed=4)
        sampled(range(2), 5, shuffle=False)
        len(DistributedSampler(range(10)))
        TensorDataset(Tensor([1, 2]), Tensor([3, 4]))[1]
        len(TensorDataset(Tensor([1, 2]), Tensor([3, 4])))
        get_worker_info()
        default_convert({"a": np.arange(2), "b": (np.int8(1), "x", 2)})
        [type(one).__name__ for one in (default_convert(Pair(1, 2)), default_convert((1, 2)))]
        default_convert([np.array(["a"]), np.bool_(True)])[1]
        default_convert(range(2))
        default_collate([Pair(1, 2), Pair(3, 4)])[1]
        default_collate([np.uint8(1), np.uint8(2)])
        default_collate([np.bool_(1), np.bool_(0)])
    """),
    *each(
        """
        list(DataLoader([Tensor([1, 2]), Tensor([3])], 2))
        list(DataLoader([np.ones(2), np.ones(3)], 2))
        BatchSampler(range(5), 0, True)
        list(RandomSampler(range(10), False, 0))
        DistributedSampler(range(10), 3, 3)
        DistributedSampler(range(10), 0, 0)
        TensorDataset(Tensor([1, 2]), Tensor([3]))
        DataLoader(Rows(), 0)
        DataLoader(Rows(), shuffle=True, sampler=[1])
        DataLoader(Rows(), 2, batch_sampler=[[1]])
        DataLoader(Rows(), batch_sampler=[[1]], shuffle=True)
        DataLoader(Rows(), batch_sampler=[[1]], drop_last=True)
        DataLoader(Rows(), batch_sampler=[[1]], sampler=[1])
        DataLoader(Stream(), shuffle=True)
        DataLoader(Stream(), sampler=[1])
        DataLoader(Stream(), batch_sampler=[[1]])
        DataLoader(Rows(), num_workers=-1)
        DataLoader(Rows(), timeout=-1)
        DataLoader(Rows(), multiprocessing_context="fork")
        DataLoader(Rows(), multiprocessing_context="other", num_workers=1)
        DataLoader(Rows(), prefetch_factor=2)
        DataLoader(Rows(), prefetch_factor=0, num_workers=1)
        DataLoader(Rows(), persistent_workers=True)
        """,
        raises=ValueError,
    ),
    *each(
        """
        list(DataLoader([None, None], 2))
        list(DataLoader([np.array(["a"])] * 2, 2))
        BatchSampler(range(5), True, True)
        BatchSampler(range(5), 2, 1)
        RandomSampler(range(10), 1)
        RandomSampler(range(10), False, 1.5)
        RandomSampler(range(10), generator=1)
        DistributedSampler(range(10), "3", 0)
        DistributedSampler(range(10), 3, 0, shuffle=1)
        DistributedSampler(range(10), 3, 0, seed=1.5)
        DistributedSampler(range(10), 2, 0).set_epoch(2.5)
        DataLoader(Rows(), 1.5)
        DataLoader(Rows(), True)
        DataLoader(Rows(), shuffle=1)
        DataLoader(Rows(), num_workers=1.0)
        DataLoader(Rows(), pin_memory=1)
        DataLoader(Rows(), drop_last=1)
        DataLoader(Rows(), timeout="1")
        DataLoader(Rows(), multiprocessing_context=5, num_workers=1)
        DataLoader(Rows(), generator=5)
        DataLoader(Rows(), prefetch_factor=1.5, num_workers=1)
        DataLoader(Rows(), persistent_workers=1, num_workers=1)
        DataLoader(Rows(), in_order=1)
        """,
        raises=TypeError,
    ),
    Case("DataLoader(5)", raises=NotImplementedError),
    Case("Dataset()[0]", raises=NotImplementedError),
    Case("iter(IterableDataset())", raises=NotImplementedError),
    Case("default_collate([])", raises=IndexError),
    Case("list(DataLoader([(1, 2), (1,)], 2))", raises=RuntimeError),
    Case("list(DataLoader([{'a': 1}, {'b': 1}], 2))", raises=KeyError),
    Case("list(DataLoader(Broken(), 1))", raises=KeyError),
    Case("list(DataLoader(Broken(), 1, num_workers=1))", raises=RuntimeError, says="KeyError"),
    Case("list(DataLoader(Rows(), 1, num_workers=1, worker_init_fn=fail))", raises=RuntimeError),
]
