"""Rows that fail, returned, skipped or replaced."""

# ruff: noqa: F401

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context
from tests.oracle.cases.dataset._sources import E, M, N, bad, em, src

CASES = each(
    r"""
em(M.RETURN, N().map(bad(), "a"))
em(M.RETURN, N().map(bad(2), "a"))
em(M.SKIP, N().map(bad(2), "a"))
em(M.REPLACE, N().map(bad(2), "a"))
em(M.REPLACE, N().map(bad(0), "a"))
em(M.REPLACE, N().map(bad(5), "a"))
em(M.REPLACE, N().map(bad(0, 1, 2), "a"))
em(M.REPLACE, N().map(bad(3, 4, 5), "a"))
em(M.REPLACE, N().map(bad(0, 1, 2, 3, 4, 5), "a"))
em(M.SKIP, N().map(bad(0, 1, 2, 3, 4, 5), "a"))
em(M.SKIP, N().map(bad(0, 5), "a"))
em(M.SKIP, N().map(bad(1, 2, 3, 4), "a"))
em(M.REPLACE, N().map(bad(1, 3), "a").batch(2))
em(M.SKIP, N().map(bad(1, 3), "a").batch(2))
em(M.SKIP, N().map(bad(1, 3), "a").batch(3, True))
em(M.SKIP, N().map(bad(1), "a").repeat(2))
em(M.REPLACE, N().repeat(2).map(bad(1), "a"))
em(M.REPLACE, N().map(bad(1), "a").map(bad(), "a"))
em(M.REPLACE, N().map(bad(1), "a").map(bad(102), "a"))
em(M.SKIP, N().map(bad(1), "a").map(bad(102), "a"))
em(M.REPLACE, N().map(bad(1), "a").take(3))
em(M.SKIP, N().map(bad(1), "a").take(3))
em(M.SKIP, N().map(bad(1), "a").skip(2))
em(M.REPLACE, N().map(bad(1), "a").skip(2))
em(M.REPLACE, N().map([lambda x: x + 1, bad(3)], "a"))
em(M.SKIP, N().map([lambda x: x + 1, bad(3)], "a"))
em(M.RETURN, src(E(5, [2]), "a"))
em(M.SKIP, src(E(5, [2]), "a"))
em(M.REPLACE, src(E(5, [2]), "a"))
em(M.REPLACE, src(E(5, [0]), "a"))
em(M.SKIP, src(E(5, [0, 4]), "a"))
em(M.SKIP, src(E(5, [0, 1, 2, 3, 4]), "a"))
em(M.SKIP, N().batch(2, per_batch_map=lambda a, i: ([x + 1 / (0 if i.get_batch_num() == 1 else 1) for x in a],)))
em(M.REPLACE, N().batch(2, per_batch_map=lambda a, i: (a if i.get_batch_num() != 1 else 1 / 0,)))
em(M.SKIP, N().filter(lambda x: 1 / (x - 2) > 0, "a"))
em(M.REPLACE, ds.zip((N().map(bad(2), "a"), N().rename("a", "b"))))
em(M.SKIP, ds.zip((N().map(bad(2), "a"), N().rename("a", "b"))))
em(M.REPLACE, N().map(bad(2), "a").concat(N()))
em(M.SKIP, N().map(bad(2), "a") + N())
em(M.REPLACE, N().map(lambda x: (x, x), "a", ["a", "b"]).map(bad(2), "a"))
em(M.REPLACE, src([(np.array([1]),), (np.array([1, 2]),)], "a").batch(2))
em(M.SKIP, src([(np.array([1]),), (np.array([1, 2]),), (np.array([3]),)], "a").batch(2))
em(M.REPLACE, N().map(lambda x: np.array([1] * int(x == 2) + [2]), "a").batch(2))
""",
    may_raise=True,
)
