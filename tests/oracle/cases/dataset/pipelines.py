"""Sizes, shapes, types and columns of pipelines."""

# ruff: noqa: E501, F401

import json
import os

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, tries


def N(n=6):
    return ds.NumpySlicesDataset(list(range(n)), ["a"], shuffle=False)


def two(n=4):
    return ds.NumpySlicesDataset({"a": list(range(n)), "b": [[i, i + 0.5] for i in range(n)]}, shuffle=False)


def V(d):
    return [
        rows(d),
        d.get_dataset_size(),
        d.get_repeat_count(),
        d.get_batch_size(),
        str(d.output_shapes()),
        str(d.output_types()),
        d.get_col_names(),
    ]


CASES = each(
    r"""
V(N().batch(4).repeat(2))
V(N().repeat(2).batch(4))
V(N().skip(2).take(3).repeat(2))
V(N().take(-1))
V(N().take(0))
V(N().take(100))
V(N().skip(6))
V(N().skip(100))
V(N().skip(-1))
V(N().repeat(0))
V(N() + N(2))
V(N().concat([N(1), N(2)]))
V(N().concat(N(2).rename("a", "b")))
V(N().concat(two()))
V(ds.zip((N(), N(4).rename("a", "b"))))
V(ds.zip((N(), N(4))))
V(N().zip(N(3).rename("a", "c")))
V(N().batch(4, True))
V(N().batch(7, True))
V(N().batch(0))
V(N().batch("2"))
V(N().batch(2.0))
V(two().project(["b"]))
V(two().project(["b", "a"]))
V(two().project("b"))
V(two().project(["z"]))
V(two().project([]))
V(two().project(["a", "a"]))
V(two().rename("a", "z"))
V(two().rename(["a", "b"], ["b", "a"]))
V(two().rename("a", "b"))
V(two().rename("z", "b"))
V(two().rename(["a"], ["x", "y"]))
V(two().filter(lambda a: a > 1, "a"))
V(two().filter(lambda a, b: bool(b[0] > 1), ["a", "b"]))
V(two().filter(lambda a: 1, "a"))
V(two().filter(lambda a: None, "a"))
V(two().filter(lambda a: False, "a"))
V(two().flat_map(lambda x: N(2)))
V(N(3).flat_map(lambda x: ds.NumpySlicesDataset([int(x)] * 2, ["q"], shuffle=False)))
V(N().apply(lambda d: d.batch(2)))
V(N().apply(3))
V(N().apply(lambda d: 3))
[d.get_dataset_size() for d in N(10).split([0.5, 0.5])]
[d.get_dataset_size() for d in N(10).split([3, 7])]
[d.get_dataset_size() for d in N(10).split([3, 3])]
[d.get_dataset_size() for d in N(10).split([0.33, 0.33, 0.34])]
[[rows(x) for x in d] for d in [N(4).split([2, 2], randomize=False)]]
N(4).split([])
N(4).split([0.5, 0.2])
N(4).split([0, 4])
N(4).split(2)
[len(list(N(4).create_tuple_iterator(num_epochs=2))), 1]
(lambda it: [len(list(it)), len(list(it)), tries(lambda: len(list(it)))])(N(4).create_tuple_iterator(num_epochs=2, output_numpy=True))
(lambda it: [len(list(it)), tries(lambda: len(list(it)))])(N(4).create_tuple_iterator(num_epochs=1, output_numpy=True))
(lambda it: [next(it), next(it), next(it), tries(lambda: next(it)), tries(lambda: next(it))])(N(3).create_tuple_iterator(num_epochs=1, output_numpy=True))
N().create_tuple_iterator(num_epochs=0)
N().create_tuple_iterator(num_epochs="1")
N().create_dict_iterator(num_epochs=-2)
[type(x[0]).__name__ for x in N(1).create_tuple_iterator(num_epochs=1)]
[list(r) for r in two(2).create_tuple_iterator(["b"], num_epochs=1, output_numpy=True)]
two(2).create_tuple_iterator(["z"], num_epochs=1)
[dict(r) for r in two(2).create_dict_iterator(num_epochs=1, output_numpy=True, do_copy=False)]
two().save("x.mindrecord") or rows(ds.MindDataset("x.mindrecord", shuffle=False))
two().save("x.mindrecord", 2) or sorted(os.listdir("."))
two().save("x", 1, "tfrecord")
two().save("x", 0)
two().save(3)
two().batch(2).save("x.mindrecord") or rows(ds.MindDataset("x.mindrecord", shuffle=False))
ds.NumpySlicesDataset({"s": ["a", "bc"]}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
ds.NumpySlicesDataset({"s": [True, False]}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
ds.NumpySlicesDataset({"s": np.array([1, 2], "u1")}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
ds.NumpySlicesDataset({"s": np.array([1, 2], "f2")}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
ds.NumpySlicesDataset({"s": np.array([1, 2], "u4")}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
ds.NumpySlicesDataset({"s": np.array([1, 2], "u8")}, shuffle=False).save("x") or rows(ds.MindDataset("x", shuffle=False))
json.loads(ds.Schema().to_json())
ds.serialize(N().batch(2))["op_type"]
rows(ds.deserialize(ds.serialize(N().batch(2))))
two().get_class_indexing()
two().num_classes()
two().reset()
[two().dataset_size, two().get_dataset_size()]
V(two().padded_batch(2, pad_info={"b": ([3], -1)}))
V(two().padded_batch(3, True, pad_info={"b": ([3], -1)}))
V(two().padded_batch(2, pad_info={"z": ([3], -1)}))
V(two().padded_batch(2, pad_info={"b": ([1], -1)}))
V(two().batch(2, input_columns=["b"], output_columns=["c"], per_batch_map=lambda b, i: (b,)))
V(two().batch(2, input_columns=["b"], output_columns=["c", "d"], per_batch_map=lambda b, i: (b, b)))
V(two().batch(2, per_batch_map=lambda a, b, i: (a, b)))
V(two().batch(2, per_batch_map=lambda a, b: (a, b)))
V(two().batch(lambda i: i.get_batch_num() + 1))
V(two().batch(lambda i: 0))
V(two().batch(lambda i: "a"))
V(two().batch(2, num_parallel_workers=0))
""",
    may_raise=True,
)
