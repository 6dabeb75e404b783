"""What the operators of torch are as primitives: one rule for each, by topic."""

from typing import Any

from msbridge.train.exporting.operators import (
    elementwise,
    indexing,
    normalization,
    products,
    reductions,
    shapes,
    windows,
)

__all__ = ["RULES"]

RULES: dict[Any, Any] = {
    **elementwise.RULES,
    **indexing.RULES,
    **normalization.RULES,
    **products.RULES,
    **reductions.RULES,
    **shapes.RULES,
    **windows.RULES,
}
