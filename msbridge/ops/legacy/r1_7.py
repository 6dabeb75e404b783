"""Operators of 1.7: what has no reflected form, and values that a kernel returned in 32 bits."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd import grad as gradients
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.ops import operations
from msbridge.ops.framework.custom.registration import RegOp
from msbridge.ops.legacy import r1_8, r1_10_registration

_WIDENED = {
    mstype.float16: mstype.float32,
    mstype.float64: mstype.float32,
    mstype.int16: mstype.int32,
}


class Unique(operations.Unique):  # type: ignore[misc]
    """Find the distinct elements as today's does; floats become Float32, Int16 becomes Int32.

    Follows: mindspore.ops.Unique (1.7).
    """

    def __call__(self, x: Tensor) -> Any:
        values, places = super().__call__(x)
        widened = _WIDENED.get(values.dtype)
        return (values.astype(widened) if widened else values), places


def grad(fn: Callable[..., Any], grad_position: Any = 0, sens_param: bool = False) -> Callable[..., Any]:
    """Return the gradient function, which takes the gradient of the output where `sens_param` is set.

    Follows: mindspore.ops.grad (1.7).
    """
    return gradients.grad(fn, grad_position, sens_param=sens_param)


def unique(x: Tensor) -> Any:
    """Find the distinct elements as the class does.

    Follows: mindspore.ops.unique (1.7).
    """
    return Unique()(x)


def get_op_info(self: RegOp) -> dict[str, Any]:
    """Return the description, as in 1.8 without what says where inputs come from."""
    return r1_10_registration.get_op_info(self, *r1_8.LATER_FIELDS, "input_to_attr_index", "real_input_index")


OVERRIDES: dict[str, Any] = {
    "Tensor.__rpow__": lambda self, other: NotImplemented,
    "ops.TBERegOp.get_op_info": Part(RegOp, "get_op_info", get_op_info),
    "ops.Unique": Unique,
    "ops.grad": grad,
    "ops.unique": unique,
}
