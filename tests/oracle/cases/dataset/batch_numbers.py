"""Batches and epochs that functions of `batch` are told, and sizes of joined pipelines."""

# ruff: noqa: F401

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context


def N(n=3):
    return ds.NumpySlicesDataset(list(range(n)), ["a"], shuffle=False)


def info(a, i):
    return ([np.array([i.get_epoch_num(), i.get_batch_num()])] * len(a),)


def told(d):
    return d.batch(2, per_batch_map=info, input_columns=["a"])


def epochs(d, count=2):
    it = d.create_tuple_iterator(output_numpy=True, num_epochs=count)
    return [[x[0].tolist() for x in it] for _ in range(count)]


def counts(d):
    return [d.get_batch_size(), d.get_repeat_count()]


CASES = each(
    r"""
epochs(told(N()).repeat(2))
epochs(told(N().repeat(2)))
epochs(told(N()))
epochs(told(N()).repeat(2).skip(1).repeat(2))
epochs(told(N()) + told(N(5)))
epochs((told(N()) + told(N(5))).repeat(2))
epochs(told(N(6)).take(2).repeat(2))
epochs(told(told(N(6)).map(lambda x: x[0, 0], "a")).repeat(2))
epochs(N(6).batch(lambda i: i.get_epoch_num() + 1).map(lambda x: np.array(len(x)), "a").repeat(2))
epochs(N(9).batch(lambda i: i.get_batch_num() + 1).map(lambda x: np.array(len(x)), "a").repeat(2))
counts(ds.zip((N().batch(2), N().rename("a", "b").batch(3))))
counts(ds.zip((N().repeat(2), N().rename("a", "b").repeat(3))))
counts(N().batch(2) + N().batch(2))
counts(N().repeat(2) + N().repeat(2))
counts(N().repeat(2).flat_map(lambda x: N(2)))
counts(N().batch(2).flat_map(lambda x: N(2).batch(5)))
counts(ds.zip((N(), N().rename("a", "b"))).batch(2).map(lambda x: x, "a"))
counts((N().batch(2) + N().batch(2)).take(1))
counts(N().padded_batch(3, pad_info={}))
counts(N().batch(2).batch(4))
counts(N().batch(2).split([1, 1])[0])
counts(N().repeat(2).split([3, 3])[0])
counts(ds.GeneratorDataset([(np.arange(2),)] * 3, ["a"]).bucket_batch_by_length(["a"], [3], [2, 2]))
counts(N().repeat(2).repeat(3))
counts(N().repeat(2).take(3))
counts(N().repeat(-1))
counts(N().repeat(2).batch(2))
counts(N().batch(2).filter(lambda x: True))
counts(N().repeat(2).shuffle(2))
counts(N().batch(2, drop_remainder=True).skip(1))
counts(N().batch(lambda i: 2))
""",
    may_raise=True,
)
