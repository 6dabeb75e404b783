"""Rows, sizes, columns, shapes and types of joined pipelines."""

# ruff: noqa: F401

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, tries


def N(n=5, name="a"):
    return ds.NumpySlicesDataset(np.arange(n), [name], shuffle=False)


def joined(join):
    def asked(question):
        return lambda: question(join(N()))

    return tries(
        asked(rows),
        asked(lambda d: d.get_dataset_size()),
        asked(lambda d: d.get_col_names()),
        asked(lambda d: str(d.output_shapes())),
        asked(lambda d: str(d.output_types())),
    )


CASES = each(
    r"""
joined(lambda q: q.zip(q))
joined(lambda q: ds.zip((q, q)))
joined(lambda q: q.zip(q.rename("a", "b")))
joined(lambda q: q.rename("a", "b").zip(q.rename("a", "c")))
joined(lambda q: q.concat(q))
joined(lambda q: q + q)
joined(lambda q: q + q.map(lambda x: x + 1, "a"))
joined(lambda q: q.concat([q, q]))
joined(lambda q: q.skip(1) + q.take(1))
joined(lambda q: (q.skip(1) + q.take(1)).batch(2))
joined(lambda q: ds.zip((q, N(5, "b"))))
joined(lambda q: ds.zip((q.batch(2), N(5, "b").zip(N(5, "c")))))
joined(lambda q: ds.zip((q, q.project("a").rename("a", "b"))).map(lambda x: x, "a"))
joined(lambda q: q.batch(2) + q.batch(2))
joined(lambda q: (lambda a, b: a + b)(*q.split([2, 3], False)))
joined(lambda q: (lambda a, b: a + b)(*q.map(lambda x: x + 1, "a").split([2, 3], False)))
joined(lambda q: (lambda a, b: ds.zip((a, b.rename("a", "b"))))(*q.map(lambda x: x + 1, "a").split([2, 3], False)))
""",
    may_raise=True,
)
