"""Constant folding of MindSpore's compiler: the result of an operator on values that are known, or None.

An input of None is not known. Follows: mindspore.ops.operations.manually_defined.ops_def (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.type_metaclass import type_id_to_type

Axis = int | Sequence[int] | None

_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "All": np.all,
    "Any": np.any,
    "Max": np.max,
    "Mean": np.mean,
    "Min": np.min,
    "Prod": np.prod,
}
_TYPED: dict[str, Callable[..., Any]] = {"Mean": np.mean, "Prod": np.prod, "Sum": np.sum}


def _axes(axis: Axis, ndim: int) -> int | tuple[int, ...]:
    if isinstance(axis, int):
        return axis
    return tuple(set(axis)) if axis else tuple(range(ndim))


def _wide(tensor: Tensor) -> np.ndarray:
    found: np.ndarray = tensor.asnumpy()
    return found


def _reducing(name: str) -> Callable[..., Tensor | None]:
    def infer(input_x: Tensor | None, axis: Axis, keep_dims: bool) -> Tensor | None:
        if input_x is None or axis is None:
            return None
        data = _wide(input_x)
        return Tensor(np.array(_REDUCTIONS[name](data, _axes(axis, data.ndim), keepdims=keep_dims)))

    infer.__doc__ = f"Reduce over axes as `Reduce{name}` does; over all of them where there are none."
    return infer


def _reducing_typed(name: str) -> Callable[..., Tensor | None]:
    def infer(input_x: Tensor | None, axis: Axis, keep_dims: bool, dtype: int | None) -> Tensor | None:
        if input_x is None:
            return None
        data = _wide(input_x)
        kind = None if dtype is None else mstype.dtype_to_nptype(type_id_to_type(dtype))
        return Tensor(np.array(_TYPED[name](data, _axes(axis, data.ndim), dtype=kind, keepdims=keep_dims)))

    infer.__doc__ = f"Reduce over axes as `{name}Ext` does, in the dtype of that number."
    return infer


def _choosing(choose: Callable[..., Any]) -> Callable[..., Tensor | None]:
    def infer(input_x: Tensor | None) -> Tensor | None:
        return None if input_x is None else Tensor(np.array(choose(_wide(input_x))))

    infer.__doc__ = "Return the extreme of all elements."
    return infer


def infer_value_for_ReduceSum(input_x: Tensor | None, axis: Axis, keep_dims: bool, skip_mode: bool) -> Tensor | None:
    """Sum over axes; without axes over all, or under `skip_mode` over none."""
    if input_x is None or axis is None:
        return None
    if not isinstance(axis, int) and not axis and skip_mode:
        return input_x
    data = _wide(input_x)
    return Tensor(np.array(np.sum(data, _axes(axis, data.ndim), keepdims=keep_dims)))


def infer_value_for_Arange(start: Any, end: Any, step: Any, dtype: int | None = None) -> Tensor | None:
    """Return the numbers from `start` to `end`, as Int64, as Float32 where one is a float, or as the dtype says."""
    if start is None or end is None or step is None:
        return None
    if dtype is not None:
        kind = mstype.dtype_to_nptype(type_id_to_type(dtype))
    else:
        kind = np.float32 if any(isinstance(one, float) for one in (start, end, step)) else np.int64
    return Tensor(np.arange(start, end, step, dtype=kind))


def infer_value_for_BroadcastTo(x: Tensor | None, shape: Any) -> Tensor | None:
    """Repeat along axes of length 1, to a tuple or Tensor of lengths, of which -1 keeps that of `x`."""
    wanted = _shape(shape, "BroadcastTo")
    if wanted is None or x is None:
        return None
    own = x.shape
    behind = len(wanted) - len(own)
    lengths = [own[at - behind] if one == -1 and at >= behind else one for at, one in enumerate(wanted)]
    return Tensor(np.array(np.broadcast_to(_wide(x), lengths)))


def infer_value_for_Reshape(x: Tensor | None, shape: Any) -> Tensor | None:
    """Return the elements in another shape, one of whose lengths may be -1.

    Raises:
        ValueError: the elements do not fit, or there are several of -1.
    """
    wanted = _shape(shape, "Reshape")
    if wanted is None or x is None:
        return None
    try:
        return Tensor(_wide(x).reshape(wanted))
    except ValueError as error:
        raise ValueError(f"For 'Reshape', a Tensor of shape {x.shape} does not fit into {tuple(wanted)}.") from error


def _shape(shape: Any, name: str) -> list[int] | None:
    if isinstance(shape, Tensor):
        if shape.dtype not in (mstype.int32, mstype.int64):
            raise TypeError(f"For '{name}', shape must be of int32 or int64, got {shape.dtype}.")
        return list(_wide(shape).tolist())
    if shape is None or (isinstance(shape, tuple | list) and None in shape):
        return None
    return [instance(one, "shape", name, int) for one in instance(shape, "shape", name, tuple)]


def infer_value_for_Cast(x: Any, dst_type_enum: int | None = None) -> Tensor | None:
    """Return a Tensor or number in the dtype of that number."""
    if x is None or dst_type_enum is None:
        return None
    kind = type_id_to_type(dst_type_enum)
    data = np.array(x) if isinstance(x, int | float) else _wide(instance(x, "input_x", "Cast", Tensor))
    return Tensor(data.astype(mstype.dtype_to_nptype(kind)), dtype=kind)


def infer_value_for_Concat(tensors: Sequence[Tensor | None] | None, axis: int | None) -> Tensor | None:
    """Join Tensors along an axis."""
    if not tensors or axis is None or any(one is None for one in tensors):
        return None
    known = [one for one in tensors if one is not None]
    joined = np.concatenate([_wide(one) for one in known], axis)
    if joined.dtype == np.float32 and all(one.dtype == mstype.bfloat16 for one in known):
        return Tensor(joined, dtype=mstype.bfloat16)
    return Tensor(joined)


def infer_value_for_Diag(input_x: Tensor | None) -> Tensor | None:
    """Return the matrix of a diagonal; of more axes it is not computed."""
    return None if input_x is None or len(input_x.shape) != 1 else Tensor(np.diag(_wide(input_x)))


def infer_value_for_Div(input_x: Tensor | None, other_x: Tensor | None) -> Tensor | None:
    """Divide; BFloat16 is not computed."""
    if input_x is None or other_x is None or mstype.bfloat16 in (input_x.dtype, other_x.dtype):
        return None
    return Tensor(np.true_divide(_wide(input_x), _wide(other_x)))


def infer_value_for_Divs(input_x: Tensor | None, other_x: Any) -> Tensor | None:
    """Divide by a number; BFloat16 is not computed."""
    if input_x is None or other_x is None or input_x.dtype == mstype.bfloat16:
        return None
    quotient = np.true_divide(_wide(input_x), other_x)
    if input_x.shape:
        return Tensor(quotient)
    is_whole = np.issubdtype(_wide(input_x).dtype, np.integer)
    return Tensor(quotient, dtype=mstype.float32 if is_whole else input_x.dtype)


def infer_value_for_DivMod(input_x: Tensor | None, other_x: Tensor | None, rounding_mode: int) -> Tensor | None:
    """Divide and cut (1) or round down (2); anything else, and BFloat16, is not computed."""
    if other_x is None or other_x.dtype == mstype.bfloat16:
        return None
    return infer_value_for_DivMods(input_x, _wide(other_x), rounding_mode)


def infer_value_for_DivMods(input_x: Tensor | None, other_x: Any, rounding_mode: int) -> Tensor | None:
    """Divide by a number and cut (1) or round down (2); anything else, and BFloat16, is not computed."""
    if input_x is None or other_x is None or input_x.dtype == mstype.bfloat16:
        return None
    if rounding_mode == 1:
        return Tensor(np.trunc(np.true_divide(_wide(input_x), other_x)))
    return Tensor(np.floor_divide(_wide(input_x), other_x)) if rounding_mode == 2 else None


def infer_value_for_EqualExt(x: Tensor | None, y: Tensor | None) -> Tensor | None:
    """Return whether all elements are equal."""
    return None if x is None or y is None else Tensor(bool(np.equal(_wide(x), _wide(y)).all()))


def infer_value_for_GatherD(input: Tensor | None, dim: int | None, index: Tensor | None) -> Tensor | None:
    """Pick elements along an axis."""
    if input is None or dim is None or index is None:
        return None
    picked = _wide(index)
    places: list[np.ndarray] = list(np.indices(picked.shape))
    places[dim] = picked
    return Tensor(_wide(input)[tuple(places)], dtype=input.dtype)


def infer_value_for_LinalgVectorNorm(
    input_x: Tensor | None, ord: float | None, dim: Axis, keepdim: bool, dtype: int | None
) -> Tensor | None:
    """Return the norm of that order along axes; of order 0 the number of elements that are not 0."""
    if input_x is None or ord is None:
        return None
    axes, data = tuple(dim) if isinstance(dim, list) else dim, _wide(input_x)
    if ord == 0:
        found = np.sum(data != 0, axis=axes, keepdims=keepdim)
    else:
        found = np.power(np.sum(np.power(np.abs(data), ord), axis=axes, keepdims=keepdim), 1 / ord)
    return Tensor(found) if dtype is None else Tensor(found, dtype=type_id_to_type(dtype))


def infer_value_for_LpNormV2(
    input_x: Tensor | None, p: float = 2, dim: Axis = None, keepdim: bool = False, eps: float = 1e-12
) -> Tensor | None:
    """Return numpy's norm of that order; `eps` is not looked at."""
    axes: Any = tuple(dim) if isinstance(dim, list) else dim
    return None if input_x is None else Tensor(np.linalg.norm(_wide(input_x), p, axes, keepdim))


def infer_value_for_Softmax(input: Tensor | None, axis: Any) -> Tensor | None:
    """Return the exponentials, scaled to sum to one along axes."""
    if input is None or axis is None:
        return None
    powers = np.exp(_wide(input))
    return Tensor(powers / np.sum(powers, axis=axis, keepdims=True), dtype=input.dtype)


def infer_value_for_Svd(input_x: Tensor | None, full_matrices: bool, compute_uv: bool) -> Any:
    """Return the singular values and both matrices; zeros for these without `compute_uv`."""
    if input_x is None:
        return None
    data = _wide(input_x)
    if not compute_uv:
        return Tensor(np.linalg.svd(data, full_matrices, compute_uv=False)), np.zeros(1), np.zeros(1)
    left, values, right = np.linalg.svd(data, full_matrices)
    return Tensor(values), Tensor(left), Tensor(right)


def infer_value_for_Tile(input: Tensor | None, dims: Sequence[int | None] | None) -> Tensor | None:
    """Repeat along each axis so many times."""
    if input is None or dims is None or None in dims:
        return None
    return Tensor(np.tile(_wide(input), dims), dtype=input.dtype)  # type: ignore[arg-type]


infer_value_for_Max, infer_value_for_Min = _choosing(np.max), _choosing(np.min)
infer_value_for_ReduceAll, infer_value_for_ReduceAny = _reducing("All"), _reducing("Any")
infer_value_for_ReduceMax, infer_value_for_ReduceMin = _reducing("Max"), _reducing("Min")
infer_value_for_ReduceMean, infer_value_for_ReduceProd = _reducing("Mean"), _reducing("Prod")
infer_value_for_MeanExt, infer_value_for_ProdExt = _reducing_typed("Mean"), _reducing_typed("Prod")
infer_value_for_SumExt = _reducing_typed("Sum")
