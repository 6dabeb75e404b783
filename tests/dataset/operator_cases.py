"""Expressions about pipelines, evaluated here and by MindSpore: what the rows are, or which error there is."""

import itertools
from typing import Any

import numpy as np


class Access:
    """A source with random access to rows of several columns."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows

    def __getitem__(self, index: int) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)


def raising(*_: Any) -> Any:
    raise ValueError("mine")


def names(ds: Any) -> dict[str, Any]:
    """What the expressions speak of, for one of the two sides."""

    def count(rows: int = 6, name: str = "a", **options: Any) -> Any:
        return ds.NumpySlicesDataset(list(range(rows)), [name], shuffle=False, **options)

    def two(rows: int = 4) -> Any:
        values = {"a": list(range(rows)), "b": [[i * 1.5, i] for i in range(rows)]}
        return ds.NumpySlicesDataset(values, shuffle=False)

    def ragged(*sizes: int, dtype: Any = np.int64) -> Any:
        return ds.GeneratorDataset(Access(*[(np.arange(size, dtype=dtype),) for size in sizes]), ["a"], shuffle=False)

    def sampled(sampler: Any, rows: int = 6) -> Any:
        return ds.NumpySlicesDataset(list(range(rows)), ["a"], sampler=sampler)

    def chained(*samplers: Any) -> Any:
        for inner, outer in itertools.pairwise(samplers):
            outer.add_child(inner)
        return sampled(samplers[-1])

    def twice(data: Any) -> list[Any]:
        iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        return [[[value.tolist() for value in row] for row in iterator] for _ in range(2)]

    class Own(ds.Sampler):
        def __init__(self, *chosen: Any, num_samples: int | None = None) -> None:
            super().__init__(num_samples)
            self.chosen = chosen

        def __iter__(self) -> Any:
            yield from self.chosen

    return {
        "ds": ds,
        "np": np,
        "count": count,
        "two": two,
        "ragged": ragged,
        "sampled": sampled,
        "chained": chained,
        "twice": twice,
        "Own": Own,
        "Access": Access,
        "raising": raising,
        "T": ds.transforms,
        "V": ds.vision,
    }


def plain(value: Any) -> Any:
    """A value as JSON holds it, with its dtype."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return [str(value.dtype), (value.astype(str) if value.dtype.kind == "S" else value).tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (np.dtype, type)):
        return str(np.dtype(value))
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def outcome(expression: str, known: dict[str, Any]) -> Any:
    """The rows of a pipeline, or a value, or the class of the error."""
    try:
        value = eval(expression, known)
        if hasattr(value, "create_dict_iterator"):
            value = [plain(row) for row in value.create_dict_iterator(num_epochs=1, output_numpy=True)]
        return plain(value)
    except Exception as error:
        return {"raises": type(error).__name__}


CASES = """
# batch
count(5).batch(2)
count(5).batch(2, True)
count(5).batch(2, drop_remainder=True).get_dataset_size()
count(5).batch(7, True)
two().batch(3)
count(6).batch(lambda info: info.get_batch_num() + 1)
twice(count(6).batch(lambda info: info.get_epoch_num() + 2))
count(6).batch(lambda info: 0)
count(6).batch(lambda info: 2.0)
count(6).batch(lambda info: "x")
count(6).batch(raising)
count(6).batch(lambda: 1)
count(6).batch(lambda info: 4, True)
count(6).batch(0)
count(6).batch("x")
count(6).batch(2.0)
count(6).batch(True)
count(6).batch(None)
count(6).batch(2, "x")
count(6).batch(2, drop_remainder=1)
count(6).batch(2, num_parallel_workers=0)
count(6).batch(2, num_parallel_workers="x")
count(6).batch(2, num_parallel_workers=1)
ragged(2, 3).batch(2)
ragged(2, 2).batch(2)
ds.GeneratorDataset(Access((np.int32(1),), (np.int64(1),)), ["a"], shuffle=False).batch(2)
ds.NumpySlicesDataset(["x", "yyy"], ["s"], shuffle=False).batch(2)
count(2).map(lambda a: {"k": a, "l": np.ones(2)}).batch(2)
# per_batch_map
two().batch(2, per_batch_map=lambda a, b, info: (a, b))
two().batch(2, per_batch_map=lambda a, b, info: ([x + 1 for x in a], b))
two().batch(2, per_batch_map=lambda a, info: ([x * 2 for x in a],), input_columns=["a"])
two().batch(2, per_batch_map=lambda a, info: [x * 2 for x in a], input_columns=["a"])
two().batch(2, per_batch_map=lambda a, info: ([x * 2 for x in a],), input_columns="a")
two().batch(2, per_batch_map=lambda b, info: (np.stack(b) + 1,), input_columns=["b"])
two().batch(2, per_batch_map=lambda b, info: np.stack(b) + 1, input_columns=["b"])
two().batch(2, per_batch_map=lambda a, b, info: (a, b, a), output_columns=["p", "q", "r"])
two().batch(2, per_batch_map=lambda a, b, info: (b,), output_columns=["p"])
two().batch(2, per_batch_map=lambda a, info: (a, a), input_columns=["a"], output_columns=["p", "q"])
two().batch(2, per_batch_map=lambda b, info: (b,), input_columns=["b"], output_columns=["p"])
two().batch(2, per_batch_map=lambda b, a, info: (b, a), input_columns=["b", "a"], output_columns=["p", "q"])
two().batch(2, per_batch_map=lambda a, b, info: (a, b, a))
two().batch(2, per_batch_map=lambda a, b, info: (a,))
two().batch(2, per_batch_map=lambda a, b, info: 3)
two().batch(2, per_batch_map=lambda a, b, info: None)
two().batch(2, per_batch_map=lambda a, b, info: (3, 4))
two().batch(2, per_batch_map=lambda a, b, info: ("x", "y"))
two().batch(2, per_batch_map=lambda a: (a,), input_columns=["a"])
two().batch(2, per_batch_map=raising)
two().batch(2, per_batch_map=5)
two().batch(2, input_columns=["a"])
two().batch(2, output_columns=["a"])
two().batch(2, per_batch_map=lambda a, info: (a,), input_columns=["z"])
two().batch(2, per_batch_map=lambda a, info: (a,), input_columns=[1])
two().batch(2, per_batch_map=lambda a, info: (a,), input_columns=["a", "a"])
twice(count(4).batch(2, per_batch_map=lambda a, i: ([np.array([x, i.get_batch_num(), i.get_epoch_num()]) for x in a],)))
count(4).batch(2, per_batch_map=lambda a, info: ([],))
count(4).batch(2, per_batch_map=lambda a, info: ([1, 2.5],))
count(4).batch(2, per_batch_map=lambda a, info: ([1, 2],))
count(4).batch(2, per_batch_map=lambda a, info: ([np.float32(1), np.float32(2)],))
count(4).batch(2, per_batch_map=lambda a, info: ([[1, 2], [3, 4]],))
count(4).batch(2, per_batch_map=lambda a, info: ([[1, 2], [3]],))
count(4).batch(2, per_batch_map=lambda a, info: (["x", "yy"],))
count(4).batch(2, per_batch_map=lambda a, info: (np.array([1, 2]),))
count(4).batch(2, per_batch_map=lambda a, info: (np.ones((3, 2)),))
count(4).batch(2, per_batch_map=lambda a, info: (np.array(7),))
count(4).batch(2, per_batch_map=lambda a, info: ([{"k": 1}, {"k": 2}],))
count(4).batch(2, per_batch_map=lambda a, info: ({"k": 1},))
count(4).batch(2, per_batch_map=lambda a, info: (tuple(a),))
count(4).batch(2, per_batch_map=lambda a, info: (a,), num_parallel_workers=1, python_multiprocessing=False)
count(4).batch(2, per_batch_map=lambda a, info: (a,), max_rowsize=-2)
count(4).batch(2, per_batch_map=lambda a, info: (a,), max_rowsize="x")
count(4).batch(2, per_batch_map=lambda a, info: (a,), max_rowsize=[1, 2, 3])
count(4).batch(2, max_rowsize=[6, 6])
count(4).batch(2, python_multiprocessing="x")
two().batch(2, per_batch_map=lambda a, b, info: (a, b, a), output_columns=["p", "q", "r"]).get_col_names()
two().batch(2, per_batch_map=lambda a, info: (a, a), input_columns=["a"], output_columns=["p", "q"]).get_col_names()
two().batch(2, per_batch_map=lambda b, info: (b,), input_columns=["b"], output_columns=["p"]).get_col_names()
# padded_batch
ragged(1, 3, 2).padded_batch(2)
ragged(1, 3, 2).padded_batch(2, pad_info={})
ragged(2, 2).padded_batch(2)
ragged(1, 3, 2).padded_batch(2, pad_info={"a": None})
ragged(1, 3, 2).padded_batch(2, pad_info={"a": ([4], -1)})
ragged(1, 3, 2).padded_batch(2, pad_info={"a": ([None], 7)})
ragged(1, 3, 2).padded_batch(2, pad_info={"a": (None, 7)})
ragged(1, 3, 2).padded_batch(2, pad_info={"a": ([2], 0)})
ragged(1, 3, 2).padded_batch(2, pad_info={"a": ([4], None)})
ragged(1, 3, dtype=np.float32).padded_batch(2, pad_info={"a": ([4], 0.5)})
ragged(1, 3, dtype=np.int32).padded_batch(2, pad_info={"a": ([4], 1.7)})
ragged(1, 3, dtype=np.bool_).padded_batch(2, pad_info={"a": ([4], 1)})
ragged(1, 3).padded_batch(2, True, pad_info={"a": ([4, 4], 0)})
ragged(1, 3).padded_batch(2, pad_info={"z": ([4], 0)})
ragged(1, 3).padded_batch(2, pad_info={"a": ([0], 0)})
ragged(1, 3).padded_batch(2, pad_info={"a": ([-1], 0)})
ragged(1, 3).padded_batch(2, pad_info={"a": 4})
ragged(1, 3).padded_batch(2, pad_info={"a": ([4],)})
ragged(1, 3).padded_batch(2, pad_info={"a": ((4,), 0)})
ragged(1, 3).padded_batch(2, pad_info={"a": ([4], "x")})
ragged(1, 3).padded_batch(2, pad_info={1: ([4], 0)})
ragged(1, 3).padded_batch(2, pad_info=3)
ragged(1, 3).padded_batch(0)
ragged(1, 3).padded_batch("x")
ragged(1, 3, 2).padded_batch(lambda info: info.get_batch_num() + 1, pad_info={"a": None})
ds.NumpySlicesDataset(["x", "yyy"], ["s"], shuffle=False).padded_batch(2, pad_info={"s": ([], "")})
ds.GeneratorDataset(Access((np.array(["x"]),), (np.array(["y", "z"]),)), ["s"], shuffle=False).padded_batch(2, pad_info={"s": ([3], "pad")})
ds.GeneratorDataset(Access((np.array(["x"]),), (np.array(["y", "z"]),)), ["s"], shuffle=False).padded_batch(2, pad_info={"s": None})
# bucket_batch_by_length
ragged(1, 5, 2, 6, 3).bucket_batch_by_length(["a"], [3], [2, 2])
ragged(1, 5, 2, 6, 3).bucket_batch_by_length(["a"], [3, 5], [2, 2, 2], drop_remainder=True)
ragged(1, 5, 2, 6, 3).bucket_batch_by_length(["a"], [3], [2, 2], lambda a: len(a))
ragged(1, 5, 2).bucket_batch_by_length(["a"], [3], [2, 2], pad_info={"a": ([7], 9)})
ragged(1, 5, 2).bucket_batch_by_length(["a"], [3, 6], [2, 2, 2], pad_info={"a": ([None], 9)}, pad_to_bucket_boundary=True)
ragged(1, 5, 2).bucket_batch_by_length(["a"], [3, 6], [2, 2, 2], pad_to_bucket_boundary=True)
ragged(1, 9).bucket_batch_by_length(["a"], [3, 6], [2, 2, 2], pad_to_bucket_boundary=True)
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: int(a))
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: a)
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: float(a))
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: "x")
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: -1)
two().bucket_batch_by_length(["a", "b"], [2], [2, 2], lambda a, b: int(b[1]))
two().bucket_batch_by_length(["a", "b"], [2], [2, 2])
two().bucket_batch_by_length(["z"], [2], [2, 2])
two().bucket_batch_by_length("a", [2], [2, 2], lambda a: 1)
two().bucket_batch_by_length([], [2], [2, 2], lambda: 1)
two().bucket_batch_by_length(["a"], [], [2], lambda a: 1)
two().bucket_batch_by_length(["a"], [3, 2], [2, 2, 2], lambda a: 1)
two().bucket_batch_by_length(["a"], [0], [2, 2], lambda a: 1)
two().bucket_batch_by_length(["a"], ["x"], [2, 2], lambda a: 1)
two().bucket_batch_by_length(["a"], [2.0], [2, 2], lambda a: 1)
two().bucket_batch_by_length(["a"], [2], [2], lambda a: 1)
two().bucket_batch_by_length(["a"], [2], [2, 0], lambda a: 1)
two().bucket_batch_by_length(["a"], [2], ["x", 2], lambda a: 1)
two().bucket_batch_by_length(["a"], 2, [2, 2], lambda a: 1)
two().bucket_batch_by_length(["a"], [2], 2, lambda a: 1)
two().bucket_batch_by_length(["a"], [2], [2, 2], 5)
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: 1, pad_info=5)
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: 1, pad_to_bucket_boundary="x")
two().bucket_batch_by_length(["a"], [2], [2, 2], lambda a: 1, drop_remainder="x")
two().bucket_batch_by_length(["a"], [2], [2, 2], raising)
ragged(1, 5, 2).bucket_batch_by_length(["a"], [3], [2, 2]).get_dataset_size()
# map
count(3).map(lambda a: a + 1)
count(3).map(lambda a: int(a))
count(3).map(lambda a: float(a))
count(3).map(lambda a: bool(a))
count(3).map(lambda a: str(int(a)))
count(3).map(lambda a: str(int(a)).encode())
count(3).map(lambda a: [1, 2])
count(3).map(lambda a: [1, 2.5])
count(3).map(lambda a: (a, a), "a", ["p", "q"])
count(3).map(lambda a: [a, a], "a", ["p", "q"])
count(3).map(lambda a: (a,))
count(3).map(lambda a: None)
count(3).map(lambda a: object())
count(3).map(lambda a: {"k": a})
count(3).map(lambda a: {"k": a, "s": "x", "f": 1.5, "n": {"m": [1, 2]}})
count(3).map(lambda a: {"k": None})
count(3).map(lambda a: {"k": a}).map(lambda d: d["k"] + 1)
count(3).map(lambda a: np.float16(1))
count(3).map(lambda a: np.array([1, 2], np.uint16))
count(3).map(lambda a: np.array([[1], [2, 3]], object))
count(3).map(lambda a: np.array(1 + 2j))
count(3).map(lambda a: np.datetime64("2020-01-01"))
count(3).map(lambda a, b: a)
count(3).map(lambda: 1)
count(3).map(raising)
count(3).map(lambda a: a, "z")
count(3).map(lambda a: (a, a))
count(3).map(lambda a: (a, a), "a", ["p"])
count(3).map(lambda a: a, "a", ["p", "q"])
count(3).map(lambda a: a, ["a", "a"])
count(3).map(lambda a: (a, a), "a", ["p", "p"])
two().map(lambda a, b: (b, a), ["a", "b"])
two().map(lambda a, b: (b, a), ["b", "a"], ["a", "b"])
two().map(lambda a, b: a, ["a", "b"], ["p"])
two().map(lambda b: (b, b), ["b"], ["p", "q"])
two().map(lambda a: (a, a), ["a"], ["a", "c"])
two().map(lambda b: b, ["b"], ["a"])
two().map(lambda a: a, ["a"], ["b"])
two().map(lambda a: a)
two().map([lambda a: (a, a), lambda a, b: a + b])
two().map([lambda a: (a, a)], "a", ["p", "q"]).get_col_names()
two().map([], "a")
two().map(None)
two().map(5)
two().map("x")
two().map([5])
two().map(T.TypeCast)
two().map(lambda a: a, 5)
two().map(lambda a: a, [5])
two().map(lambda a: a, "a", 5)
two().map(lambda a: a, "a", num_parallel_workers=0)
two().map(lambda a: a, "a", num_parallel_workers="x")
two().map(lambda a: a, "a", python_multiprocessing="x")
two().map(lambda a: a, "a", cache=5)
two().map(lambda a: a, "a", callbacks=5)
two().map(lambda a: a, "a", max_rowsize="x")
two().map(lambda a: a, "a", max_rowsize=-2)
two().map(lambda a: a, "a", max_rowsize=[1])
two().map(lambda a: a, "a", offload="x")
two().map(lambda a: a, "a", offload=True)
two().map(lambda a: a, "")
two().map(lambda a: a, [])
two().map(T.TypeCast("int32"), ["a", "b"])
two().map(T.TypeCast("int32"), "b", ["p", "q"])
# filter, take, skip, repeat, shuffle
count(6).filter(lambda a: a % 2 == 0)
count(6).filter(lambda a: np.array(a % 2 == 0))
count(6).filter(lambda a: int(a) % 2)
count(6).filter(lambda a: None)
count(6).filter(lambda a: "x")
count(6).filter(lambda a: [a > 2])
count(6).filter(lambda a: np.array([True, False]))
count(6).filter(lambda a: False)
two().filter(lambda a, b: a > 1)
two().filter(lambda b: b[0] > 1, "b")
two().filter(lambda b: b[0] > 1, ["z"])
two().filter(raising)
two().filter(5)
two().filter(lambda a: True, 5)
two().filter(lambda a, b: a > 1, num_parallel_workers=0)
two().filter(lambda a, b: a > 1).get_dataset_size()
count(6).take(2)
count(6).take(-1)
count(6).take()
count(6).take(9)
count(6).take(0)
count(6).take(-2)
count(6).take("x")
count(6).take(2.0)
count(6).take(True)
count(6).skip(4)
count(6).skip(0)
count(6).skip(9)
count(6).skip(9).get_dataset_size()
count(6).skip(-1)
count(6).skip("x")
count(2).repeat(2)
count(2).repeat(0)
count(2).repeat(-2)
count(2).repeat("x")
count(2).repeat(1.5)
count(2).repeat().get_dataset_size()
count(3).repeat(2).batch(2)
count(3).batch(2).repeat(2)
count(3).repeat(2).get_repeat_count()
count(3).repeat(2).repeat(3).get_repeat_count()
count(3).repeat(2).repeat(3).get_dataset_size()
count(3).repeat().get_repeat_count()
count(3).shuffle(1)
count(3).shuffle(0)
count(3).shuffle("x")
count(3).shuffle(2.0)
count(3).shuffle(None)
count(3).shuffle(2).is_shuffled()
count(3).is_shuffled()
count(3).is_sharded()
# project, rename
two().project("b")
two().project(["b", "a"])
two().project(["b", "b"])
two().project(["z"])
two().project([])
two().project("")
two().project(5)
two().project([5])
two().rename("a", "c")
two().rename(["a", "b"], ["b", "a"])
two().rename("a", "b")
two().rename("z", "b")
two().rename(["a"], ["c", "d"])
two().rename("a", "")
two().rename("a", 5)
two().rename([], [])
# zip, concat, flat_map, apply
ds.zip((count(3), count(2, "b")))
ds.zip((count(3), count(3)))
ds.zip((count(3),))
ds.zip(())
ds.zip([count(3), count(2, "b")])
ds.zip(5)
ds.zip((count(3), 5))
count(3).zip(count(2, "b"))
count(3).zip((count(2, "b"), count(2, "c")))
count(3).zip([count(2, "b")])
count(3).zip(5)
count(3).zip(count(3))
ds.zip((count(3), count(2, "b"))).get_dataset_size()
ds.zip((count(3), count(2, "b"))).get_col_names()
count(3).concat(count(2))
count(3) + count(2)
count(3) + [count(2)]
count(3).concat([count(2), count(1)])
count(3).concat((count(2),))
count(3).concat(count(2, "b"))
count(3).concat(5)
count(3).concat([5])
count(3).concat([])
count(3) + 5
count(3).concat(ds.NumpySlicesDataset([1.5], ["a"]))
count(3).concat(ds.NumpySlicesDataset([[1, 2]], ["a"]))
count(3).concat(count(2)).get_dataset_size()
count(3).concat(ds.PaddedDataset([{"a": np.array(8)}, {"a": np.array(9)}]))
[data := count(3).concat(count(2)), data.use_sampler(ds.DistributedSampler(2, 0, False)), [r["a"].tolist() for r in data.create_dict_iterator(1, True)]][2]
[data := count(3).concat(count(2)), data.use_sampler(ds.DistributedSampler(2, 1, False)), [r["a"].tolist() for r in data.create_dict_iterator(1, True)]][2]
[data := count(7).concat(count(4)), data.use_sampler(ds.DistributedSampler(3, 1, False)), [r["a"].tolist() for r in data.create_dict_iterator(1, True)]][2]
[data := count(7).concat(count(4)), data.use_sampler(ds.DistributedSampler(3, 2, False)), data.get_dataset_size()][2]
[data := count(3).concat(count(2)), data.use_sampler(ds.RandomSampler()), sorted(r["a"].tolist() for r in data.create_dict_iterator(1, True))][2]
count(3).concat(count(2)).use_sampler(ds.DistributedSampler(2, 0, True))
count(3).concat(count(2)).use_sampler(ds.DistributedSampler(2, 0, False, 3))
count(3).concat(count(2)).use_sampler(ds.SequentialSampler())
count(3).concat(count(2)).use_sampler(None)
count(3).batch(2).concat(count(2).batch(2)).use_sampler(ds.DistributedSampler(2, 0, False))
count(3).flat_map(lambda a: ds.NumpySlicesDataset(np.arange(int(a) + 1), ["x"], shuffle=False))
count(3).flat_map(lambda a: 5)
count(3).flat_map(5)
count(3).flat_map(raising)
count(3).skip(3).flat_map(lambda a: count(2))
count(3).filter(lambda a: False).flat_map(lambda a: count(2))
count(3).filter(lambda a: False).flat_map(lambda a: count(2)).get_dataset_size()
count(3).filter(lambda a: a > 1).flat_map(lambda a: count(2))
count(3).apply(lambda data: data.batch(2))
count(3).apply(5)
count(3).apply(lambda data: 5)
# split
[[r["a"].tolist() for r in part.create_dict_iterator(1, True)] for part in count(6).split([4, 2], randomize=False)]
[[r["a"].tolist() for r in part.create_dict_iterator(1, True)] for part in count(6).split([0.5, 0.5], randomize=False)]
[[r["a"].tolist() for r in part.create_dict_iterator(1, True)] for part in count(7).split([0.34, 0.33, 0.33], randomize=False)]
[part.get_dataset_size() for part in count(10).split([0.55, 0.45])]
[part.get_dataset_size() for part in count(5).map(lambda a: a).split([3, 2])]
count(6).split([4, 3])
count(6).split([4, 1])
count(6).split([0.5, 0.4])
count(6).split([0.5, 0.6])
count(6).split([0.05, 0.95])
count(6).split([0, 6])
count(6).split([-1, 7])
count(6).split([])
count(6).split(5)
count(6).split([0.5, 3])
count(6).split(["x"])
count(6).split([4, 2], "x")
# samplers
sampled(ds.SequentialSampler())
sampled(ds.SequentialSampler(2))
sampled(ds.SequentialSampler(2, 3))
sampled(ds.SequentialSampler(num_samples=4))
sampled(ds.SequentialSampler(6))
sampled(ds.SequentialSampler(-1))
sampled(ds.SequentialSampler(num_samples=9))
ds.SequentialSampler("x")
ds.SequentialSampler(num_samples="x")
ds.SequentialSampler(num_samples=-1)
ds.SequentialSampler(1.5)
sampled(ds.SubsetSampler([3, 1, 1]))
sampled(ds.SubsetSampler(2))
sampled(ds.SubsetSampler([3, 1, 2], 2))
sampled(ds.SubsetSampler([6]))
sampled(ds.SubsetSampler([-1]))
sampled(ds.SubsetSampler(["x"]))
sampled(ds.SubsetSampler([1.5]))
sampled(ds.SubsetSampler("12"))
sampled(ds.SubsetSampler(np.array([1, 2])))
sampled(ds.SubsetSampler((1, 2)))
sampled(ds.SubsetSampler(range(3)))
sorted(r["a"].tolist() for r in sampled(ds.SubsetRandomSampler([3, 1, 1])).create_dict_iterator(1, True))
sampled([2, 0])
sampled((2, 0))
sampled(np.array([2, 0]))
sampled([2.5])
sampled(5)
sampled("x")
sampled(iter([1, 2]))
sampled(range(2, 4))
sampled(Own(3, 1))
sampled(Own(3, 1, 2, num_samples=2))
sampled(Own(6))
sampled(Own("x"))
sampled(Own(np.int64(2)))
sampled(ds.DistributedSampler(2, 0, False))
sampled(ds.DistributedSampler(2, 1, False))
sampled(ds.DistributedSampler(4, 3, False))
sampled(ds.DistributedSampler(4, 1, False, 1))
sampled(ds.DistributedSampler(4, 0, False, offset=1))
sampled(ds.DistributedSampler(4, 1, False, offset=1))
sampled(ds.DistributedSampler(4, 3, False, offset=3))
sampled(ds.DistributedSampler(4, 0, False, offset=5))
sampled(ds.DistributedSampler(8, 7, False))
sampled(ds.DistributedSampler(2, 2, False))
sampled(ds.DistributedSampler(0, 0, False))
sampled(ds.DistributedSampler(2, -1, False))
ds.DistributedSampler("x", 0)
ds.DistributedSampler(2, "x")
ds.DistributedSampler(2, 0, "x")
ds.DistributedSampler(2, 0, num_samples=-1)
ds.DistributedSampler(2, 0, offset="x")
sorted(r["a"].tolist() for i in range(2) for r in sampled(ds.DistributedSampler(2, i)).create_dict_iterator(1, True))
sorted(r["a"].tolist() for r in sampled(ds.RandomSampler()).create_dict_iterator(1, True))
len(list(sampled(ds.RandomSampler(True, 9)).create_dict_iterator(1, True)))
len(list(sampled(ds.RandomSampler(False, 9)).create_dict_iterator(1, True)))
len(list(sampled(ds.RandomSampler(False, 4)).create_dict_iterator(1, True)))
ds.RandomSampler("x")
ds.RandomSampler(num_samples=-1)
len(list(sampled(ds.WeightedRandomSampler([1.0, 2, 0, 0, 0, 0], 4)).create_dict_iterator(1, True)))
sorted(r["a"].tolist() for r in sampled(ds.WeightedRandomSampler([1.0, 2, 3], 3, False)).create_dict_iterator(1, True))
sampled(ds.WeightedRandomSampler([0.0, 1, 0], 2))
sampled(ds.WeightedRandomSampler([0.0, 0], 2))
sampled(ds.WeightedRandomSampler([-1.0, 2], 2))
sampled(ds.WeightedRandomSampler([], 2))
sampled(ds.WeightedRandomSampler([1.0] * 7, 2))
sampled(ds.WeightedRandomSampler([1.0, 1.0], 3, False))
ds.WeightedRandomSampler(["x"])
ds.WeightedRandomSampler([1.0], "x")
ds.WeightedRandomSampler([1.0], 1, "x")
ds.PKSampler("x")
ds.PKSampler(1, num_class=3)
ds.PKSampler(1, shuffle="x")
ds.PKSampler(1, class_column=3)
sampled(ds.PKSampler(2))
chained(ds.SequentialSampler(2), ds.SubsetSampler([0, 2]))
chained(ds.SubsetSampler([5, 4, 3, 2]), ds.DistributedSampler(2, 1, False))
chained(ds.SubsetSampler([5, 4]), ds.SubsetSampler([3]))
chained(ds.DistributedSampler(2, 1, False), ds.DistributedSampler(2, 0, False))
chained(ds.DistributedSampler(2, 1, False), ds.DistributedSampler(2, 0, False, 1))
chained(ds.DistributedSampler(2, 1, False, 2), ds.DistributedSampler(2, 0, False))
chained(ds.DistributedSampler(2, 1, False), ds.SequentialSampler())
chained(ds.DistributedSampler(2, 1, False), ds.SequentialSampler(0, 2))
chained(ds.DistributedSampler(2, 1, False, 3), ds.SequentialSampler())
chained(ds.DistributedSampler(2, 1, False), ds.SubsetSampler([1, 0]))
chained(ds.DistributedSampler(2, 1, False), ds.SubsetSampler([1, 0]), ds.SequentialSampler())
sampled(iter([2, 4]))
[data := sampled(iter([2, 4])), data.get_dataset_size(), [[int(r["a"]) for r in data.create_dict_iterator(1, True)] for _ in range(2)]][1:]
[data := sampled(map(int, "24")), [[int(r["a"]) for r in data.create_dict_iterator(1, True)] for _ in range(2)]][1:]
sampled(int(i) for i in "24")
sampled(iter([]))
count(4).sync_wait("x").batch(lambda info: 2)
chained(ds.SequentialSampler(num_samples=4), ds.SequentialSampler(1), ds.SequentialSampler(num_samples=2))
chained(ds.SubsetSampler([5, 4, 3]), Own(2, 0))
chained(Own(5, 3, 1), ds.SequentialSampler(1))
ds.SequentialSampler().add_child(5)
[s := ds.SequentialSampler(), s.add_child(ds.SequentialSampler()), s.add_child(ds.SequentialSampler())]
ds.SequentialSampler().get_num_samples()
ds.SequentialSampler(num_samples=3).get_num_samples()
ds.SubsetSampler([1, 2]).get_num_samples()
ds.SubsetSampler([1, 2], 1).get_num_samples()
ds.SubsetSampler([1, 2], 9).get_num_samples()
[s := ds.SequentialSampler(num_samples=5), s.add_child(ds.SequentialSampler(num_samples=3)), s.get_num_samples()][2]
[s := ds.RandomSampler(), s.add_child(ds.SubsetSampler([1, 2])), s.get_num_samples()][2]
[s := ds.RandomSampler(num_samples=1), s.add_child(ds.SubsetSampler([1, 2])), s.get_num_samples()][2]
ds.RandomSampler().is_shuffled()
ds.SequentialSampler().is_shuffled()
ds.SubsetSampler([1]).is_shuffled()
ds.SubsetRandomSampler([1]).is_shuffled()
ds.DistributedSampler(2, 0, False).is_shuffled()
ds.DistributedSampler(2, 0).is_shuffled()
ds.WeightedRandomSampler([1.0]).is_shuffled()
ds.PKSampler(1).is_shuffled()
ds.PKSampler(1, shuffle=True).is_shuffled()
ds.DistributedSampler(2, 0).is_sharded()
ds.DistributedSampler(1, 0).is_sharded()
ds.SequentialSampler().is_sharded()
[s := ds.SequentialSampler(), s.add_child(ds.DistributedSampler(2, 0)), s.is_sharded(), s.is_shuffled()][2:]
[s := ds.DistributedSampler(4, 0, False), s.set_offset(1), s.offset][2]
[s := ds.SequentialSampler(), s.add_child(ds.RandomSampler()), type(s.get_child()).__name__][2]
ds.SequentialSampler().get_child()
count(6, num_samples=4)
count(6, num_samples=0)
count(6, num_samples=-1)
count(6, num_samples="x")
count(6, num_shards=2, shard_id=1)
count(6, num_shards=4, shard_id=3)
count(6, num_shards=2)
count(6, shard_id=1)
count(6, num_shards=2, shard_id=2)
count(6, num_shards=0, shard_id=0)
count(6, num_shards="x", shard_id=0)
count(6, num_shards=2, shard_id=1, num_samples=2)
count(6, num_shards=2, shard_id=1).get_dataset_size()
ds.NumpySlicesDataset([1, 2], ["a"], shuffle=True, sampler=ds.SequentialSampler())
ds.NumpySlicesDataset([1, 2], ["a"], num_shards=2, shard_id=0, sampler=ds.SequentialSampler())
ds.NumpySlicesDataset([1, 2], ["a"], num_samples=1, sampler=ds.SequentialSampler())
ds.NumpySlicesDataset([1, 2, 3], ["a"], num_samples=1, sampler=[2, 1])
[data := count(6), data.use_sampler(ds.SubsetSampler([3, 1])), data][2]
[data := count(6), data.use_sampler(5)]
[data := count(6), data.use_sampler(None)]
[data := count(6), data.use_sampler([1])]
[data := count(6), data.add_sampler(ds.SubsetSampler([3, 1])), data][2]
[data := ds.NumpySlicesDataset(list(range(6)), ["a"], sampler=ds.SubsetSampler([5, 3, 1])), data.add_sampler(ds.SequentialSampler(1)), data][2]
count(6).batch(2).use_sampler(ds.SequentialSampler())
# what a dataset tells
count(6).get_dataset_size()
two().get_col_names()
two().output_shapes()
two().output_types()
two().batch(3).output_shapes()
two().batch(3).output_shapes(True)
two().batch(2).output_shapes(True)
two().output_shapes("x")
ragged(1, 2).output_shapes()
ragged(1, 2).output_shapes(True)
ds.NumpySlicesDataset(["x", "yy"], ["s"], shuffle=False).output_types()
ds.NumpySlicesDataset(["x", "yy"], ["s"], shuffle=False).output_shapes()
count(6).batch(4).get_batch_size()
count(6).batch(4).map(lambda a: a).get_batch_size()
count(6).batch(lambda info: 2).get_batch_size()
count(6).get_batch_size()
count(6).get_repeat_count()
count(6).get_class_indexing()
count(6).num_classes()
count(6).batch(2).num_classes()
count(6).reset()
count(6).dataset_size
count(6).batch(2).dataset_size
[data := count(6), setattr(data, "input_indexs", 3), data.input_indexs][2]
len(count(6).batch(4))
count(6).batch(2).num_parallel_workers
count(6).batch(2, num_parallel_workers=1).num_parallel_workers
count(6).map(lambda a: a).num_parallel_workers
count(6).num_parallel_workers
[type(child).__name__ for child in count(6).batch(2).children]
count(6).batch(2).parent
[type(data.parent[0]()).__name__ for data in (kept := count(6).batch(2)).children]
count(6).batch(2).cache
count(6).get_init_step()
count(6).close_pool()
count(6).notify_watchdog()
count(6).create_dict_iterator(num_epochs=0)
count(6).create_dict_iterator(num_epochs=-2)
count(6).create_dict_iterator(num_epochs="x")
count(6).create_dict_iterator(output_numpy="x")
count(6).create_tuple_iterator(columns="z")
count(6).create_tuple_iterator(columns=5)
count(6).create_tuple_iterator(columns=["a", 5])
count(6).create_tuple_iterator(num_epochs=1, do_copy="x")
[next(two().create_tuple_iterator(["b"], 1, True))[0].tolist()]
[data := count(2).create_dict_iterator(num_epochs=1, output_numpy=True), list(data), list(data)]
[data := count(2).create_dict_iterator(num_epochs=2, output_numpy=True), list(data), list(data)][1:]
len(list(count(2)))
count(6).sync_wait("p").batch(2).is_sync()
# sources
ds.PaddedDataset([{"x": np.array(1), "y": np.array([2.0])}, {"y": np.array([5.0]), "x": np.array(4)}])
ds.PaddedDataset([{"x": np.array(1)}]).get_dataset_size()
ds.PaddedDataset([])
ds.PaddedDataset(None)
ds.PaddedDataset([1])
ds.PaddedDataset({"a": 1})
ds.PaddedDataset([{"a": np.array(1)}, {"b": np.array(1)}])
ds.PaddedDataset([{"a": 1}, {"a": 2}])
ds.RandomDataset(4).get_dataset_size()
ds.RandomDataset(10, num_samples=7).get_dataset_size()
ds.RandomDataset(num_samples=7).get_dataset_size()
ds.RandomDataset(10, num_shards=3, shard_id=0).get_dataset_size()
ds.RandomDataset("x")
ds.RandomDataset(4, num_shards=3)
ds.RandomDataset(4, shard_id=0)
ds.RandomDataset(4, columns_list="a")
ds.RandomDataset(4, num_samples=-1)
ds.RandomDataset(4, shuffle="x")
ds.RandomDataset(4, schema="/nowhere/at/all.json")
# cache
ds.DatasetCache(0)
ds.DatasetCache(-1)
ds.DatasetCache("x")
ds.DatasetCache(1, -1)
ds.DatasetCache(1, "x")
ds.DatasetCache(1, 0, "x")
ds.DatasetCache(1, hostname=5)
ds.DatasetCache(1, port=80)
ds.DatasetCache(1, port="x")
ds.DatasetCache(1, port=70000)
ds.DatasetCache(1, num_connections=0)
ds.DatasetCache(1, prefetch_size=0)
# plans
ds.serialize(count(6))
ds.serialize(count(6).batch(2, True))
ds.serialize(count(6).map(T.TypeCast("float32"), "a").shuffle(4).repeat(2).skip(1).take(3).rename("a", "b").project("b"))
ds.serialize(ds.zip((count(3), count(3, "b"))))
ds.serialize(count(3) + count(2))
ds.serialize(count(3).filter(lambda a: True))
ds.serialize(count(3).map(lambda a: a, "a"))
ds.serialize(count(3).padded_batch(2, pad_info={"a": ([2], 0)}))
ds.serialize(count(3).bucket_batch_by_length(["a"], [1], [1, 1], lambda a: 1))
ds.serialize(ds.RandomDataset(3))
ds.serialize(count(3).map([V.Decode(), V.Resize((3, 4)), V.RandomCrop(3), V.Normalize([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]), V.HWC2CHW()]))
ds.serialize(count(3).map([T.OneHot(3), T.Fill(2), T.Mask(T.Relational.EQ, 2), T.PadEnd([3], 0), T.Unique(), T.Duplicate()]))
ds.serialize(count(3).map([V.RandomHorizontalFlip(0.5), V.CenterCrop(2), V.Rescale(2.0, 0.5), V.Pad(1), V.RandomVerticalFlip(), V.RandomResizedCrop(3)]))
ds.serialize(5)
ds.serialize(count(3), "/nowhere/at/all.json")
ds.compare(count(3), count(3))
ds.compare(count(3), count(3).batch(2))
ds.compare(count(3), 5)
ds.show(count(3))
ds.show(5)
ds.deserialize()
ds.deserialize(json_filepath="/nowhere/at/all.json").get_dataset_size()
ds.deserialize({"op_type": "Nothing"}).get_dataset_size()
count(3).save(5)
count(3).save("")
count(3).save("/nowhere/at/all")
count(3).save("x", 0)
count(3).save("x", 1001)
count(3).save("x", "y")
count(3).save("x", 1, "csv")
count(3).save("x", 1, "tfrecord")
count(3).to_json()
""".strip().splitlines()  # noqa: E501

CASES = [case for case in CASES if not case.startswith("#")]
