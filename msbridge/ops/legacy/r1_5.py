"""Functions of 1.5: parts that are copies, a product of a dtype, gradients of the first argument or all."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.grad import GradOperation
from msbridge.core.legacy.parameter_memory import leave_memory, leave_views
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.item_assignment import is_at_rows
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops import operations
from msbridge.ops.legacy import r1_10_products
from msbridge.ops.legacy.r1_10_indexing import mask_within
from msbridge.ops.legacy.without_kernel import without_kernel
from msbridge.ops.primitive.primitive import Primitive, derive

_SPARSE_PARTS = {
    "sparse_tensor_get_dense_shape": derive("SparseTensorGetDenseShape", lambda x: x.shape),
    "sparse_tensor_get_indices": derive("SparseTensorGetIndices", lambda x: x.indices),
    "sparse_tensor_get_values": derive("SparseTensorGetValues", lambda x: x.values),
}
_ALL_SWAP = without_kernel("AllSwap", "group='hccl_world_group'")


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


def set_item(self: Tensor, index: Any, value: Any) -> None:
    """Write only a part of this Tensor: what it was read from, and what was made from it, stays as it is.

    Follows: mindspore.Tensor.__setitem__ (1.5).
    """
    if not isinstance(self, Parameter):
        self._data = self._data.clone()
    else:
        is_in_place = is_at_rows(index[-1] if isinstance(index, tuple) and index else index)
        (leave_views if is_in_place else leave_memory)(self)
    _put(self, mask_within(index), value)


def _shard(self: Primitive, strategy: Any) -> Primitive:
    """Keep how the operator is divided.

    Raises:
        TypeError: `strategy` is not a tuple of tuples, nor None.
    """
    if strategy is not None and not isinstance(strategy, tuple):
        raise TypeError(f"strategy must be tuple type, but got:{type(strategy)}")
    for element in strategy or ():
        if not isinstance(element, tuple):
            raise TypeError(f"The element of strategy must be tuple type, but got:{type(element)}")
    return self.add_prim_attr("strategy", strategy)


_put = Tensor.__setitem__
OVERRIDES: dict[str, Any] = {
    "Tensor.__setitem__": set_item,
    "ops.Primitive.shard": _shard,
    "ops.AllSwap": [_ALL_SWAP, Part(operations, "AllSwap", _ALL_SWAP)],
    "ops.grad": grad,
    "ops.grad_all_parameters": GradOperation(get_all=True),
    "ops.grad_first_parameter": GradOperation(),
    "ops.matmul": matmul,
    **{f"ops.{name}": kind() for name, kind in _SPARSE_PARTS.items()},
    **{f"ops.{name}": without_kernel(name)() for name in ("env_add", "env_getitem", "env_setitem")},
}
