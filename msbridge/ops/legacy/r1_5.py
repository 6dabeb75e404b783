"""Functions of 1.5: a product of a dtype, and gradients of the first argument or all."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.grad import GradOperation
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.legacy import r1_10_products


def grad(fn: Callable[..., Any], grad_first_param: bool = False) -> Callable[..., Any]:
    """Return the gradient function of the first argument, or of all.

    Follows: mindspore.ops.grad (1.5).
    """
    return GradOperation(get_all=not grad_first_param)(fn)


def matmul(x1: Tensor, x2: Tensor, dtype: Type | None = None) -> Tensor:
    """Multiply matrices; the product has the dtype asked for.

    Follows: mindspore.ops.matmul (1.5).
    """
    product: Tensor = r1_10_products.matmul(x1, x2)
    return product if dtype is None else product.astype(dtype)


OVERRIDES = {"ops.grad": grad, "ops.matmul": matmul}
