"""Primitives that write to rows or slices: in place, or into a copy."""

import re
from collections.abc import Callable
from inspect import cleandoc

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.shape.scatter_rows import functions, kernels


def _with_lock(name: str, function: Callable[[Tensor, Tensor, Tensor], Tensor], use_locking: bool) -> type[Derived]:
    """Make a primitive with the attribute `use_locking`, which changes nothing: no update is ever lost here."""

    def scatter(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
        return function(input_x, indices, updates)

    scatter.__name__, scatter.__module__ = function.__name__, function.__module__
    lock = "    updates: {}\n    use_locking: without effect."
    scatter.__doc__ = re.sub("    updates: (.*)", lambda found: lock.format(found[1]), cleandoc(function.__doc__ or ""))
    return derive(name, scatter, "use_locking", use_locking=use_locking)


DERIVED = (
    _with_lock("ScatterAdd", functions.scatter_add, False),
    _with_lock("ScatterDiv", functions.scatter_div, False),
    _with_lock("ScatterMax", functions.scatter_max, False),
    _with_lock("ScatterMin", functions.scatter_min, False),
    _with_lock("ScatterMul", functions.scatter_mul, False),
    _with_lock("ScatterSub", functions.scatter_sub, False),
    _with_lock("ScatterUpdate", functions.scatter_update, True),
    derive("ScatterNd", functions.scatter_nd),
    derive("ScatterNdAdd", functions.scatter_nd_add, "use_locking"),
    derive("ScatterNdDiv", functions.scatter_nd_div, "use_locking"),
    derive("ScatterNdMax", functions.scatter_nd_max, "use_locking"),
    derive("ScatterNdMin", functions.scatter_nd_min, "use_locking"),
    derive("ScatterNdMul", functions.scatter_nd_mul, "use_locking"),
    derive("ScatterNdSub", functions.scatter_nd_sub, "use_locking"),
    derive("ScatterNdUpdate", functions.scatter_nd_update, "use_locking"),
    derive("ScatterNonAliasingAdd", functions.scatter_nd_add),
    derive("SparseToDense", kernels.sparse_to_dense),
    derive("TensorScatterAdd", functions.tensor_scatter_add),
    derive("TensorScatterDiv", functions.tensor_scatter_div),
    derive("TensorScatterMax", functions.tensor_scatter_max),
    derive("TensorScatterMin", functions.tensor_scatter_min),
    derive("TensorScatterMul", functions.tensor_scatter_mul),
    derive("TensorScatterSub", functions.tensor_scatter_sub),
    derive("TensorScatterUpdate", functions.tensor_scatter_update),
)
