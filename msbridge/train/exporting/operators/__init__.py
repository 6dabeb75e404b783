"""Rules of torch's operators as primitives: one for each, by topic."""

from typing import Any

from msbridge.train.exporting.operators import (
    boxes,
    complex_numbers,
    elementwise,
    indexing,
    linear_algebra,
    normalization,
    products,
    recurrent,
    reductions,
    shapes,
    windows,
)

__all__ = ["RULES"]

RULES: dict[Any, Any] = {
    **boxes.RULES,
    **complex_numbers.RULES,
    **elementwise.RULES,
    **indexing.RULES,
    **linear_algebra.RULES,
    **normalization.RULES,
    **products.RULES,
    **recurrent.RULES,
    **reductions.RULES,
    **shapes.RULES,
    **windows.RULES,
}
