"""Distributions as 2.0 had them: with Cells for the functions that they compute."""

from collections.abc import Callable
from functools import wraps
from typing import Any

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


_DISTRIBUTIONS = "nn.probability.distribution"
OVERRIDES = {
    f"{_DISTRIBUTIONS}.Gumbel.__init__": _with_cells(Gumbel, lgamma=LGamma),
    f"{_DISTRIBUTIONS}.Poisson.__init__": _with_cells(Poisson, lgamma=LGamma, igamma=IGamma),
    f"{_DISTRIBUTIONS}.StudentT.__init__": _with_cells(StudentT, lgamma=LGamma),
}
