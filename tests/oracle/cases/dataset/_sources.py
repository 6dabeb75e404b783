"""Sources with rows of several lengths, of dicts, and with rows that fail."""

from typing import Any

import mindspore.dataset as ds
import numpy as np

from tests.oracle.cases.dataset._files import rows

M = ds.config.ErrorSamplesMode


def src(rows: Any, names: Any, **k: Any) -> Any:
    return ds.GeneratorDataset(rows, names, **{"shuffle": False, **k})


def V(d: Any) -> list:
    return [rows(d)]


def ab(n: int = 6) -> Any:
    return src([(np.arange(i % 3 + 1), np.arange(i % 2 + 1) * 1.0) for i in range(n)], ["a", "b"])


def L(n: int = 5) -> Any:
    return src([(np.arange(i + 1),) for i in range(n)], ["a"])


def N(n: int = 6) -> Any:
    return ds.NumpySlicesDataset(list(range(n)), ["a"], shuffle=False)


def D(n: int = 4) -> Any:
    return src([({"k": i, "s": f"x{i}"},) for i in range(n)], ["d"])


class E:
    def __init__(self, n: int, bad: Any) -> None:
        self.n, self.bad = n, bad

    def __getitem__(self, i: int) -> Any:
        if i in self.bad:
            raise RuntimeError(f"bad {i}")
        return (np.array(i),)

    def __len__(self) -> int:
        return self.n


def mode(m: Any) -> None:
    ds.config.set_error_samples_mode(m)


def bad(*xs: int) -> Any:
    def f(x: Any) -> Any:
        if int(x) in xs:
            raise ValueError("bad")
        return x + 100

    return f


def em(m: Any, d: Any) -> list:
    mode(m)
    return rows(d)
