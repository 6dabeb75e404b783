"""Distributions as 2.0 had them: with Cells for the functions that they compute."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from msbridge.core.releases.overrides import Earlier
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.math import IGamma, LGamma
from msbridge.nn.probability.distribution.gumbel import Gumbel
from msbridge.nn.probability.distribution.poisson import Poisson
from msbridge.nn.probability.distribution.student_t import StudentT


def _with_cells(kind: type[Cell], **cells: type[Cell]) -> Callable[..., None]:
    today = kind.__init__

    @wraps(today)
    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        today(self, *args, **kwargs)
        for name, cell in cells.items():
            setattr(self, name, cell())

    return construct


ROWS = [
    Earlier(f"nn.probability.distribution.{place}.__init__", "2.3", init)
    for place, init in (
        ("gumbel.Gumbel", _with_cells(Gumbel, lgamma=LGamma)),
        ("poisson.Poisson", _with_cells(Poisson, lgamma=LGamma, igamma=IGamma)),
        ("student_t.StudentT", _with_cells(StudentT, lgamma=LGamma)),
    )
]
