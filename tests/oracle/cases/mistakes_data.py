"""Mistakes with datasets, their operators and samplers: the class of the error."""

from collections.abc import Callable, Iterator

import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import transforms, vision  # noqa: F401  # the expressions name them

from tests.oracle.case import each

IMAGE = np.zeros((2, 2, 3), np.uint8)
A43 = np.random.default_rng(0).random((4, 3)).astype(np.float32)
ROWS = [(np.array([i, i]),) for i in range(4)]


class Src:
    """A source with random access; SrcStop ends too early."""

    def __getitem__(self, index: int) -> tuple:
        return (np.array([index]),)

    def __len__(self) -> int:
        return 4


class SrcStop(Src):
    def __getitem__(self, index: int) -> tuple:
        if index == 2:
            raise StopIteration
        return super().__getitem__(index)


class Chooser(ds.Sampler):
    def __init__(self, *indices: object) -> None:
        super().__init__()
        self.chosen = indices

    def __iter__(self) -> Iterator:
        for index in self.chosen:
            if isinstance(index, Exception):
                raise index
            yield index


def gen_raise() -> Iterator:
    yield (np.array(1),)
    raise ValueError("mine")


def gen_stop() -> Iterator:
    yield (np.array(1),)
    next(iter([]))


def gen_two() -> Iterator:
    yield np.array(1), np.array(1)


def gen_ragged() -> Iterator:
    yield (np.ones(2),)
    yield (np.ones(3),)


def gen_dtypes() -> Iterator:
    yield (np.ones(2),)
    yield (np.ones(2, np.int32),)


def raising(error: type[Exception]) -> Callable:
    def function(*arguments: object) -> None:
        raise error("mine")

    return function


bad_raise = bad_raise2 = bad_size = raising(ValueError)
bad_stop = bad_stop2 = raising(StopIteration)
bad_key, bad_zerodiv = raising(KeyError), raising(ZeroDivisionError)
bad_none = bad_none2 = bad_size_none = lambda *arguments: None
bad_two, bad_len2, bad_args = lambda a: (a, a), lambda a, info: (a, a), lambda a: (a,)
bad_zero, bad_two_args = lambda: 1, lambda a, b: a
bad_str, bad_dict, bad_object = lambda a: "abc", lambda a: {"a": 1}, lambda a: object()


def d(name: str = "a", **options: object) -> ds.Dataset:
    options = options or {"shuffle": False}
    return ds.GeneratorDataset(ROWS, [name], **options)


def go(dataset: ds.Dataset) -> int:
    """Read all rows."""
    return sum(1 for _ in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))


CASES = [
    *each(
        """
        ds.Shuffle.NOSUCH
    """,
        raises=AttributeError,
    ),
    *each(
        """
        ds.PKSampler(1, num_class='a')
        ds.PKSampler(1, num_class=1)
    """,
        raises=NotImplementedError,
    ),
    *each(
        """
        go(ds.GeneratorDataset([], ['a']))
        go(d(sampler=ds.SubsetSampler([0, 9])))
        go(d(sampler=ds.SubsetRandomSampler([0, 9])))
        d().split([0.1, 0.9])
        d().create_tuple_iterator(num_epochs=0)
        go(d().map(bad_raise, ['a']))
        go(d().map(bad_two, ['a']))
        go(d().map(bad_zero, ['a']))
        go(d().map(bad_object, ['a']))
        go(d().map(bad_key, ['a']))
        go(d().batch(2, per_batch_map=bad_raise2))
        go(d().batch(2, per_batch_map=bad_none2))
        go(d().batch(2, per_batch_map=bad_args))
        go(d().batch(2, per_batch_map=lambda a, i: (1,)))
        go(d().batch(bad_size_none))
        go(d().batch(lambda i: 'a'))
        go(d().filter(bad_stop, ['a']))
        go(d().filter(lambda: True, ['a']))
        go(ds.GeneratorDataset(gen_stop, ['a'], shuffle=False))
        go(ds.GeneratorDataset(gen_ragged, ['a'], shuffle=False).batch(2))
        go(ds.GeneratorDataset(ROWS, ['a'], sampler=[0, 9]))
        go(d().zip(d()))
        go(d().rename(['nosuch'], ['z']))
        go(d().map(lambda a: a, ['nosuch']))
        go(d().batch(2, input_columns=['nosuch'], per_batch_map=lambda a, i: (a,)))
        go(d().padded_batch(2, pad_info={'a': ([5, 5], 0)}))
        d().split([5, 5])
        go(d().bucket_batch_by_length(['a'], [2, 4], [1, 1, 1], bad_raise))
        go(d().bucket_batch_by_length(['a'], [2, 4], [1, 1, 1], bad_str))
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ds.GeneratorDataset(ROWS, ())
        ds.GeneratorDataset(ROWS, [1])
        ds.GeneratorDataset(1, ['a'])
        ds.GeneratorDataset(object(), ['a'])
        ds.GeneratorDataset(gen_two, ['a'], num_shards='a', shard_id=0)
        ds.GeneratorDataset(ROWS, ['a'], sampler='')
        ds.GeneratorDataset(ROWS, ['a'], sampler=['a'])
        ds.GeneratorDataset(ROWS, ['a'], sampler=A43)
        ds.GeneratorDataset(ROWS, ['a'], shuffle=False, sampler=1)
        ds.GeneratorDataset(ROWS, ['a'], shuffle=1)
        ds.GeneratorDataset(ROWS, ['a'], num_samples='a')
        ds.GeneratorDataset(ROWS, ['a'], num_samples=True)
        ds.GeneratorDataset(ROWS, ['a'], num_parallel_workers=1.5)
        ds.GeneratorDataset(ROWS, ['a'], num_shards='a')
        ds.GeneratorDataset(ROWS, ['a'], num_shards=2, shard_id='a')
        ds.GeneratorDataset(ROWS, ['a'], column_types='a')
        ds.GeneratorDataset(ROWS, ['a'], column_types={})
        ds.GeneratorDataset(ROWS, ['a'], python_multiprocessing=1)
        ds.GeneratorDataset(ROWS, ['a'], max_rowsize='a')
        ds.GeneratorDataset(ROWS, ['a'], max_rowsize=[1])
        ds.NumpySlicesDataset(A43, ('a',))
        ds.NumpySlicesDataset(A43, 1)
        ds.NumpySlicesDataset((1, 2), ['a', 'b'])
        ds.NumpySlicesDataset(None)
        ds.NumpySlicesDataset({'a': 1})
        ds.NumpySlicesDataset(A43, ['a'], shuffle=False, sampler=1)
        ds.NumpySlicesDataset(A43, ['a'], num_parallel_workers='a')
        ds.MnistDataset(1)
        ds.ImageFolderDataset(1)
        ds.MindDataset(None)
        ds.SequentialSampler(num_samples='a')
        ds.RandomSampler(replacement=1)
        ds.DistributedSampler('a', 0)
        ds.DistributedSampler(2, 0, shuffle='a')
        ds.DistributedSampler(2, 0, num_samples='a')
        ds.DistributedSampler(2)
        ds.SubsetSampler(['a'])
        ds.SubsetSampler([0], num_samples='a')
        ds.WeightedRandomSampler(['a'])
        ds.WeightedRandomSampler([1.0], replacement='a')
        ds.PKSampler(1, shuffle='a')
        ds.PKSampler(1, num_samples='a')
        d().batch(1.5)
        d().batch()
        d().batch(2, drop_remainder='a')
        d().batch(2, foo=1)
        d().batch(2, max_rowsize=[1])
        d().padded_batch(2, pad_info='a')
        d().padded_batch(2, pad_info={1: ([5], 0)})
        d().padded_batch(2, pad_info={'a': ('a', 0)})
        d().filter(1)
        d().shuffle('a')
        d().shuffle()
        d().repeat('a')
        d().skip('a')
        d().skip(None)
        d().take(1.5)
        d().concat(1)
        d().concat([1])
        d().zip(1)
        ds.zip(1)
        ds.zip([d(), d('b')])
        d().rename('a', 1)
        d().rename(('a',), ('b',))
        d().project([1])
        d().project(None)
        d().split('a')
        d().split([0.5, 0.5], randomize=1)
        d().create_tuple_iterator(num_epochs='a')
        d().create_tuple_iterator(num_epochs=True)
        d().create_tuple_iterator(output_numpy=1)
        d().create_dict_iterator(num_epochs='a')
        d().create_dict_iterator(foo=1)
        d().output_shapes(estimate=1)
        d().apply(lambda x: 1)
        d().use_sampler(1)
        d().use_sampler('a')
        d().bucket_batch_by_length(['a'], [2, 'a'], [1, 1, 1])
        d().bucket_batch_by_length(['a'], [2, 4], [1, 1, 1], 1)
        d().bucket_batch_by_length(['a'], [2, 4], [1, 1, 1], pad_to_bucket_boundary='a')
        d()['a']
        ds.config.set_seed(1.5)
        ds.config.set_num_parallel_workers('a')
        ds.config.set_num_parallel_workers(True)
        ds.config.set_prefetch_size(1.5)
        ds.config.set_monitor_sampling_interval('a')
        ds.config.set_enable_shared_mem('a')
        ds.config.set_fast_recovery('a')
        d().get_dataset_size(1)
    """,
        raises=TypeError,
    ),
    *each(
        """
        ds.GeneratorDataset(ROWS)
        ds.GeneratorDataset(ROWS, [])
        ds.GeneratorDataset(gen_two, ['a'], sampler=[0])
        ds.GeneratorDataset(ROWS, ['a'], num_samples=-1)
        ds.GeneratorDataset(ROWS, ['a'], num_parallel_workers=-1)
        ds.GeneratorDataset(ROWS, ['a'], num_shards=0, shard_id=0)
        ds.GeneratorDataset(ROWS, ['a'], num_shards=2, shard_id=2)
        ds.GeneratorDataset(ROWS, ['a'], num_shards=2, shard_id=0, sampler=ds.SequentialSampler())
        ds.GeneratorDataset(ROWS, ['a'], collate_fn=1)
        ds.NumpySlicesDataset([])
        ds.NumpySlicesDataset({'a': [1, 2], 'b': [1]})
        ds.SequentialSampler(num_samples=-1)
        ds.WeightedRandomSampler([1.0], num_samples=-1)
        d().batch(0)
        d().batch(2, input_columns=['a'])
        d().padded_batch(2, pad_info={'a': ([-1], 0)})
        d().map('a')
        d().map(ds.transforms.TypeCast, ['a'])
        d().shuffle(0)
        d().shuffle(-1)
        d().repeat(-2)
        d().take(0)
        ds.zip(())
        d().rename(['a'], ['b', 'c'])
        d().rename('a', '')
        d().project(['a', 'a'])
        d().split([1, 'a'])
        d().split([-1, 5])
        d().split([1.5])
        d().bucket_batch_by_length(['a'], [2, 4], [1, 1])
        d().bucket_batch_by_length(['a'], [2, 4], [1, 0, 1])
        d().bucket_batch_by_length(['a', 'b'], [2, 4], [1, 1, 1])
        ds.config.set_seed(2**32)
        ds.config.set_num_parallel_workers(-1)
        ds.config.set_prefetch_size(-1)
        ds.config.set_callback_timeout(0)
        go(ds.GeneratorDataset(ROWS, ['a', 'a']))
        go(d().rename(['a'], ['z', 'y']))
        go(d().map(lambda a: a, ['a', 'a']))
        d().split([0, 4])
    """,
        raises=ValueError,
    ),
    *each(
        """
        go(ds.GeneratorDataset(SrcStop(), ['a'], shuffle=False))
        go(d(sampler=Chooser(0, ValueError('mine'))))
        go(d(sampler=Chooser(None)))
        go(d(sampler=Chooser('a')))
        go(d(sampler=Chooser(1.5)))
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ds.MnistDataset(".", 3, num_shards=2)
        ds.MnistDataset(".", "abc", num_shards={})
        ds.MnistDataset(".", "train", num_shards=2, shard_id="a")
        ds.MnistDataset(".", "train", shard_id="a")
        ds.MnistDataset("nowhere", 3)
        ds.EMnistDataset("nowhere", 3)
        ds.Cifar10Dataset(".", [], num_samples=-1)
        ds.USPSDataset(".", "all", num_shards=2, shard_id="a", num_parallel_workers=-1)
        ds.USPSDataset(".", "all", num_parallel_workers="a", num_shards=2, shard_id=9)
        ds.LSUNDataset(".", "abc", num_shards="a")
        ds.Places365Dataset(".", {}, num_shards=2, shard_id=-1)
        ds.Places365Dataset(".", shuffle=[], num_shards=2)
        ds.PhotoTourDataset(".", "abc", num_shards=2)
        ds.LFWDataset(".", "abc", shard_id=2)
        ds.SUN397Dataset(".", num_shards="a")
        ds.SUN397Dataset(".", num_shards=2, shard_id=2)
        ds.SUN397Dataset(".", num_shards=0, shard_id=0)
        ds.ImageFolderDataset(".", num_shards=2, shard_id=5)
        ds.ImageFolderDataset(".", shuffle=3, num_shards=2)
        ds.FakeImageDataset(0, shuffle="a")
        ds.FakeImageDataset(3, ("a",), num_shards=2)
        ds.YelpReviewDataset(".", "all", num_shards=-1, shard_id=1, num_parallel_workers=True)
        ds.YelpReviewDataset(".", "all", shuffle="a", num_parallel_workers=0)
        vision.HWC2CHW()(IMAGE, "a")
        vision.HWC2CHW()(IMAGE, IMAGE)
        vision.Invert()()
        vision.ToPIL()()
        vision.ToPIL()(IMAGE, IMAGE)
        vision.UniformAugment([vision.RandomHorizontalFlip(0.0)], 1)()
        transforms.Unique()()
        transforms.Unique()(A43, A43)
        transforms.Duplicate()()
        transforms.Duplicate()(A43, A43)
        transforms.Compose([vision.HWC2CHW()])()
        transforms.Compose([vision.ToPIL(), vision.ToTensor()])()
        transforms.RandomApply([vision.HWC2CHW()], 0.0)()
        transforms.RandomApply([vision.HWC2CHW()], 1.0)()
        transforms.Mask(transforms.Relational.EQ, 2)(np.array([True, False]))
        transforms.Mask(transforms.Relational.LT, 2)(np.array([True, False]))
        transforms.Mask(transforms.Relational.EQ, 1.5)(np.array([1, 2, 3]))
        transforms.Mask(transforms.Relational.EQ, 257)(np.array([1, 2, 3], np.uint8))
        transforms.Mask(transforms.Relational.GT, -1)(np.array([255, 2, 3], np.uint8))
    """,
        may_raise=True,
    ),
]
