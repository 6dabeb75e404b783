"""Rows that are dicts."""

# ruff: noqa: F401

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor
from mindspore.dataset import transforms

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context
from tests.oracle.cases.dataset._sources import D, M, N, V, src

CASES = each(
    r"""
[ds.config.get_error_samples_mode(), [m.value for m in M], [m.name for m in M]]
V(D())
V(D().batch(2))
V(D().batch(3))
V(D().batch(3, True))
V(D().repeat(2))
V(D().map(lambda d: {**d, "n": 1}, "d"))
V(D().map(lambda d: d["k"], "d"))
V(D().map(lambda d: (d["k"], d["s"]), "d", ["k", "s"]))
V(D().map([lambda d: d["k"], lambda x: x + 1], "d"))
V(D().map(lambda d: d, "d").batch(2))
V(D().filter(lambda d: d["k"] > 1, "d"))
V(D().skip(1).take(2))
V(D().shuffle(1))
V(D().rename("d", "e"))
V(D().project(["d"]))
V(D().concat(D(1)))
V(D().batch(2, per_batch_map=lambda d, i: ([np.array(len(d))],)))
V(D().batch(2, per_batch_map=lambda d, i: (d,)))
V(D().batch(2, per_batch_map=lambda d, i: ([x["k"] for x in d],)))
V(D().batch(2, per_batch_map=lambda d, i: ([{"n": x["k"]} for x in d],)))
V(D().padded_batch(2, pad_info={}))
V(D().padded_batch(2, pad_info={"d": ([2], 0)}))
V(D().batch(2).unbatch() if hasattr(ds.Dataset, "unbatch") else D())
V(N().map(lambda x: {"v": x}, "a"))
V(N().map(lambda x: {"v": x, "w": np.ones(2)}, "a").batch(2))
V(N().map(lambda x: {"v": {"u": int(x)}}, "a").batch(2))
V(N().map(lambda x: ({"v": int(x)}, x), "a", ["d", "a"]).batch(2))
V(N().map(lambda x: {}, "a").batch(2))
V(N().map(lambda x: {1: "a", (2, 3): [4]}, "a"))
V(src([({"k": 1}, 2)], ["d", "x"]))
V(src([({"k": 1}, 2), ({"k": 2}, 3)], ["d", "x"]).batch(2))
V(src([({"k": 1}, 2), (3, 3)], ["d", "x"]))
V(src([({"k": 1}, 2), (3, 3)], ["d", "x"]).batch(2))
[{k: v for k, v in row.items()} for row in D().create_dict_iterator(num_epochs=1)]
[{k: v for k, v in row.items()} for row in D().create_dict_iterator(num_epochs=1, output_numpy=True)]
[row for row in D().batch(2).create_dict_iterator(num_epochs=1)]
V(D().map(transforms.TypeCast(ms.int32), "d"))
V(D().map(transforms.Duplicate(), "d", ["d", "e"]))
V(D().map(transforms.Unique(), "d", ["d", "e", "f"]))
V(D().map(lambda d: Tensor([d["k"]]), "d"))
V(D().map(lambda d: None, "d"))
V(D().map(lambda d: [d, d], "d"))
V(D().map(lambda d: (d, d), "d"))
""",
    may_raise=True,
)
