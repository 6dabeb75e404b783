"""Operators of 1.8: they refuse the numbers of numpy; Bessel functions to the left of 0; attributes and results."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations
from msbridge.ops.elementwise.special import bessel
from msbridge.ops.framework.custom.registration import RegOp
from msbridge.ops.kernel_calls import families
from msbridge.ops.legacy import r1_10_registration
from msbridge.ops.legacy.r2_0_arithmetic import refuse_numbers
from msbridge.ops.legacy.r2_0_attributes import without_input_names
from msbridge.ops.primitive.primitive import derive


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


def _print(*input_x: Any) -> None:
    """Print each value on a line of its own, as `print` does."""
    for value in input_x:
        print_now(str(wrap(value._data) if isinstance(value, Tensor) else value))


def _get_op_info(self: RegOp) -> dict[str, Any]:
    """Return the description, as in 1.10 without what unknown shapes need."""
    return r1_10_registration.get_op_info(self, *LATER_FIELDS)


LATER_FIELDS = ("dynamic_rank_support", "unknown_shape_formats")
_BESSEL = Part(bessel, "_of_positive", _of_positive)
OVERRIDES: dict[str, Any] = {
    "Tensor.__add__": Part(families, "_operand", refuse_numbers(np.integer, np.bool_, np.float16, np.float32)),
    "ops.Print": derive("Print", _print),
    "ops.MatMul": without_input_names(operations.MatMul),
    "ops.SGD": SGD,
    "ops.TBERegOp.get_op_info": Part(RegOp, "get_op_info", _get_op_info),
    **dict.fromkeys([f"ops.bessel_{name}" for name in ("k0", "k0e", "k1", "k1e", "y0", "y1")], _BESSEL),
}
