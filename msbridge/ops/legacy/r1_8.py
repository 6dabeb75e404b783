"""Operators of 1.8: they refuse the numbers of numpy; Bessel functions to the left of 0; attributes and results."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.releases.overrides import Part
from msbridge.ops import operations
from msbridge.ops.elementwise.special import bessel
from msbridge.ops.kernel_calls import families
from msbridge.ops.legacy.r2_0_arithmetic import refuse_numbers


class SGD(operations.SGD):  # type: ignore[misc]
    """Update as today's does; the parameters are given in a tuple.

    Follows: mindspore.ops.SGD (1.8).
    """

    def __call__(self, *inputs: Any) -> Any:
        return (super().__call__(*inputs),)


def _of_positive(
    data: torch.Tensor, value: Callable[..., Any], elsewhere: float, slope: Callable[..., Any]
) -> torch.Tensor:
    """Compute a Bessel function, which is NaN to the left of 0, as torch has it."""
    del elsewhere
    return bessel._differentiable(data, value, slope)


_BESSEL = Part(bessel, "_of_positive", _of_positive)
OVERRIDES: dict[str, Any] = {
    "Tensor.__add__": Part(families, "_operand", refuse_numbers(np.integer, np.bool_, np.float16, np.float32)),
    "ops.MatMul": operations.MatMul,
    "ops.SGD": SGD,
    **dict.fromkeys([f"ops.bessel_{name}" for name in ("k0", "k0e", "k1", "k1e", "y0", "y1")], _BESSEL),
}
