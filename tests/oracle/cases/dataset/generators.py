"""GeneratorDataset over iterators, iterables, generators and lists."""

# ruff: noqa: E501, F401

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows


def G(src, names="a", n=None, **k):
    d = ds.GeneratorDataset(src, names, **{"shuffle": False, **k})
    return [d.get_dataset_size(), d.get_col_names(), str(d.output_shapes()), str(d.output_types()), rows(d)]


def GV(src, names="a", **k):
    return rows(ds.GeneratorDataset(src, names, **{"shuffle": False, **k}))


class It:
    made = 0
    nexts = 0

    def __init__(self, n=3):
        self.n = n

    def __iter__(self):
        It.made += 1

        def g():
            for i in range(self.n):
                It.nexts += 1
                yield (np.array(i),)

        return g()


class Nx:
    made = 0

    def __init__(self, n=3):
        self.n = n
        self.i = 0

    def __iter__(self):
        Nx.made += 1
        self.i = 0
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return (np.array(self.i),)


class ItL(It):
    def __len__(self):
        return self.n


class Ac:
    def __init__(self, rows):
        self.rows = rows
        self.asked = []

    def __getitem__(self, i):
        self.asked.append(int(i))
        return self.rows[i]

    def __len__(self):
        return len(self.rows)


class IndexKinds:
    def __getitem__(self, i):
        return (np.array(type(i).__name__),)

    def __len__(self):
        return 3


class NoLen:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return (np.array(i),)


def gen(n=3):
    for i in range(n):
        yield (np.array(i),)


calls = []


def genf():
    calls.append(1)
    yield (np.array(1),)
    yield (np.array(2),)


def mapped(*row):
    calls.append(2)
    return row


def counted(apply, source=gen):
    """The size of `gen` under map and `apply`, and how often the mapped function was called for it."""
    size = apply(ds.GeneratorDataset(source, "a", shuffle=False).map(mapped, "a")).get_dataset_size()
    return size, len(calls)


def scope():
    It.made = It.nexts = Nx.made = 0
    calls.clear()
    return {}


CASES = each(
    r"""
G(gen)
G(genf)
(G(genf), len(calls))
(GV(genf), len(calls))
(ds.GeneratorDataset(genf, "a").get_dataset_size(), len(calls))
counted(lambda d: d)
counted(lambda d: d.batch(2))
counted(lambda d: d.batch(2, True).map(mapped, "a"))
counted(lambda d: d.batch(2, per_batch_map=lambda a, info: (mapped(a)[0],), input_columns=["a"]))
counted(lambda d: d.repeat(2).skip(1))
counted(lambda d: d.shuffle(2).rename("a", "b").project("b"))
counted(lambda d: d.concat(ds.GeneratorDataset(gen, "a").map(mapped, "a")))
counted(lambda d: ds.zip((d, ds.GeneratorDataset(genf, "b"))))
counted(lambda d: d.filter(lambda a: a > 0, "a").batch(2))
counted(lambda d: d, It())
(ds.GeneratorDataset(genf, "a").output_shapes(), len(calls))
(ds.GeneratorDataset(genf, "a"), len(calls))[1]
G(It())
(GV(It()), It.made, It.nexts)
(G(It()), It.made, It.nexts)
(ds.GeneratorDataset(It(), "a").get_dataset_size(), It.made, It.nexts)
(ds.GeneratorDataset(It(), "a"), It.made, It.nexts)[1:]
(ds.GeneratorDataset(It(), "a").output_shapes(), It.made, It.nexts)
(ds.GeneratorDataset(It(), "a").get_col_names(), It.made, It.nexts)
(lambda d: [rows(d), rows(d), It.made, It.nexts])(ds.GeneratorDataset(It(), "a"))
(lambda it: [[len(list(it)) for _ in range(2)], It.made, It.nexts])(ds.GeneratorDataset(It(), "a").create_tuple_iterator(num_epochs=2))
(lambda d: [[len(list(d)) for _ in range(2)], It.made, It.nexts])(ds.GeneratorDataset(It(), "a"))
(lambda d: [len(list(d.create_dict_iterator(num_epochs=1))), It.made, It.nexts])(ds.GeneratorDataset(It(), "a").batch(2))
(lambda d: [len(list(d.create_dict_iterator(num_epochs=1))), It.made, It.nexts])(ds.GeneratorDataset(It(), "a").repeat(3))
(lambda d: [len(list(d.create_dict_iterator(num_epochs=1))), It.made, It.nexts])(ds.GeneratorDataset(It(9), "a", num_samples=2))
(lambda d: [len(list(d.create_dict_iterator(num_epochs=1))), It.made])(ds.GeneratorDataset(It(9), "a").shuffle(3))
(lambda d: [len(list(d.create_dict_iterator(num_epochs=1))), It.made])(ds.GeneratorDataset(It(9), "a").map(lambda x: x, "a"))
(lambda d: [d.get_dataset_size(), d.get_dataset_size(), It.made])(ds.GeneratorDataset(It(9), "a"))
(lambda d: [d.get_dataset_size(), rows(d), It.made])(ds.GeneratorDataset(It(2), "a"))
(lambda d: [d.output_shapes(), d.output_types(), rows(d), It.made])(ds.GeneratorDataset(It(2), "a"))
(lambda d: [rows(d), rows(d), It.made])(ds.GeneratorDataset(ItL(2), "a"))
(lambda d: [d.get_dataset_size(), It.made])(ds.GeneratorDataset(ItL(2), "a"))
(lambda d: [d.get_dataset_size(), d.source_len, It.made])(ds.GeneratorDataset(ItL(2), "a"))
G(Nx())
(GV(Nx()), Nx.made)
(lambda d: [rows(d), rows(d), Nx.made])(ds.GeneratorDataset(Nx(2), "a"))
(lambda d: [d.get_dataset_size(), rows(d), Nx.made])(ds.GeneratorDataset(Nx(2), "a"))
G(NoLen())
G([1, 2, 3])
G([(1,), (2,)])
G([(1, 2), (3, 4)], ["a", "b"])
G([[1, 2], [3, 4]], ["a", "b"])
G(((1, 2), (3, 4)), ["a", "b"])
G(range(3))
G(iter([1, 2, 3]))
G(np.arange(6).reshape(3, 2))
G(np.arange(6).reshape(3, 2), ["a", "b"])
G({"a": 1})
G({0: 5, 1: 6})
G("abc")
G(["x", "yz"])
G([b"x", b"yz"])
G([None])
G([1.5, 2])
G([True, False])
G([1, "x"])
G([np.float16(1)])
G([np.array([1, 2]), np.array([1])])
G([(np.array([1]), "x"), (np.array([2]), "yy")], ["a", "b"])
G([({"k": 1},), ({"k": 2},)])
G([{"k": 1}, {"k": 2}])
G([Tensor([1, 2]), Tensor([3, 4])])
G([(Tensor([1]), Tensor(2))], ["a", "b"])
G([(np.datetime64("2020-01-01"),)])
G([(1j,)])
G([(2**70,)])
G([(object(),)])
G([([1, [2]],)])
G([([1, 2],)])
G([((1, 2),)])
G([([[1, 2], [3, 4]],)])
G([([],)])
G([(np.array([]),)])
G([(np.array(["a", "b"]),)])
G([(np.array([b"a", b"b"]),)])
G([(["a", "bc"],)])
G([()])
G([])
G(lambda: iter([]))
G(lambda: 3)
G(lambda: [1, 2])
G(3)
G(None)
G([(1,)], [])
G([(1,)], "")
G([(1,)], [""])
G([(1, 2)], ["a", "a"])
G([(1, 2)], ["a"])
G([(1,)], ["a", "b"])
G([(1,)], None)
G([(1,)], ["a", 3])
G([(1,)], ("a",))
G([(1, 2)], "ab")
G([(1,), (1, 2)])
G([(1,), 2])
G([(1,), ("a",)])
G([(1, "x")], ["a", "b"], column_types=[ms.int32, ms.string])
G([(np.int32(1), "x")], ["a", "b"], column_types=[ms.int32, ms.string])
G([(np.int32(1), "x")], ["a", "b"], column_types=[ms.int32])
G([(np.int32(1), "x")], ["a", "b"], column_types=[ms.int32, ms.string, ms.int32])
G([(np.int32(1),)], column_types=[ms.int64])
G([(1,)], column_types=[ms.int64])
G([(1.5,)], column_types=[ms.float64])
G([(1.5,)], column_types=[ms.float32])
G([(np.float32(1.5),)], column_types=[ms.float32])
G([(np.float16(1.5),)], column_types=[ms.float16])
G([(True,)], column_types=[ms.bool_])
G([("x",)], column_types=[ms.string])
G([(b"x",)], column_types=[ms.string])
G([(np.array(["x"]),)], column_types=[ms.string])
G([(1,)], column_types=[ms.string])
G([("x",)], column_types=[ms.int32])
G([("x",)], column_types=[str])
G([("x",)], column_types=["string"])
G([("x",)], column_types=[np.str_])
G([(b"x",)], column_types=[np.bytes_])
G([(b"x",)], column_types=[bytes])
G([(1,)], column_types=ms.int32)
G([(1,)], column_types=(ms.int32,))
G([(1,)], column_types=[None])
G([(1,)], column_types=["x"])
G([(1,)], column_types=[])
G([({"k": 1},)], column_types=[dict])
G([(Tensor([1], ms.int32),)], column_types=[ms.int32])
G([(np.uint8(1),)], column_types=[ms.uint8])
G([(np.uint8(1),)], column_types=[ms.int8])
G(gen, column_types=[ms.int64])
G(gen, column_types=[ms.int32])
G(It(), column_types=[ms.int64])
(lambda d: [str(d.output_types()), str(d.output_shapes())])(ds.GeneratorDataset([(np.int32(1), "x")], ["a", "b"], column_types=[ms.int32, ms.string]))
(lambda d: [str(d.output_types()), str(d.output_shapes())])(ds.GeneratorDataset([(1,)], ["a"], column_types=[ms.float32]))
G(Ac([(1,), (2,), (3,)]), num_samples=2)
G(Ac([(1,), (2,), (3,)]), num_samples=5)
G(Ac([(1,), (2,), (3,)]), num_samples=0)
G(Ac([(1,), (2,), (3,)]), num_samples=-1)
G(Ac([(1,), (2,), (3,)]), num_shards=2, shard_id=1)
G(Ac([(1,), (2,), (3,)]), num_shards=2)
G(Ac([(1,), (2,), (3,)]), shard_id=1)
G(Ac([(1,), (2,), (3,)]), num_shards=2, shard_id=2)
G(Ac([(1,), (2,), (3,)]), num_shards=5, shard_id=4)
G(Ac([(1,), (2,), (3,)]), shuffle=None, sampler=[2, 0])
G(Ac([(1,), (2,), (3,)]), shuffle=None, sampler=[3])
G(Ac([(1,), (2,), (3,)]), shuffle=None, sampler=1)
G(Ac([(1,), (2,), (3,)]), shuffle=None, sampler=ds.SequentialSampler(1))
G(Ac([(1,), (2,), (3,)]), sampler=ds.SequentialSampler(1))
G(Ac([(1,), (2,), (3,)]), shuffle=None, sampler=ds.PKSampler(1))
G(Ac([(1,), (2,), (3,)]), shuffle="a")
G(Ac([(1,), (2,), (3,)]), shuffle=1)
G(gen, shuffle=True)
G(gen, shuffle=None, sampler=[1])
G(gen, num_samples=2)
G(gen, num_samples=0)
G(gen, num_shards=2, shard_id=0)
G(It(), num_samples=2)
G(Ac([(1,), (2,)]), num_parallel_workers=0)
G(Ac([(1,), (2,)]), num_parallel_workers="2")
G(Ac([(1,), (2,)]), python_multiprocessing=1)
G(Ac([(1,), (2,)]), max_rowsize=-2)
G(Ac([(1,), (2,)]), max_rowsize="1")
G(Ac([(1,), (2,)]), max_rowsize=None)
G(Ac([(1,), (2,)]), max_rowsize=[1, 2])
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[[0, 1], [2]])
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[[0, 1], [2]], num_samples=1)
G(Ac([(1,), (2,), (3,)]), batch_sampler=[[0, 1], [2]])
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[0, 1])
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=3)
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[[0, 1], [2]], collate_fn=lambda rows: (np.array(len(rows)),))
G(Ac([(1,), (2,), (3,)]), shuffle=None, collate_fn=lambda rows: rows)
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[[0, 1], [2]], sampler=[0])
G(Ac([(1,), (2,), (3,)]), shuffle=None, batch_sampler=[[0, 1], [2]], num_shards=2, shard_id=0)
GV(IndexKinds())
GV(IndexKinds(), sampler=[2, 0], shuffle=None)
GV(IndexKinds(), num_parallel_workers=2, python_multiprocessing=False)
GV(IndexKinds(), shuffle=None, batch_sampler=[[0, 1], [2]])
G(Ac([1, 2]), schema=ds.Schema())
G([(1,)], schema="nope.json")
G([(1,)], None, schema=3)
""",
    may_raise=True,
)
