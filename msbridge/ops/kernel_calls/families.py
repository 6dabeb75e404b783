"""The families of operators: each unwraps, calls torch once, wraps, and explains a failure.

A family has a fixed arity and checks nothing before the call. What differs from torch inside a family (promotion, what
an axis may be) is settled here, once.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.releases.rows import Default
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.types.promotion import promote, promote_weak
from msbridge.ops.kernel_calls.number_tensors import number_tensor
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype

Function = Callable[..., Any]
Number = int | float | bool | complex
Promotion = Callable[[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
Axis = int | tuple[int, ...] | list[int] | None


def times_logarithm(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return left·log(right): NaN for 0·log(0), where torch.xlogy returns 0."""
    return left * torch.log(right)


_SCALARS = frozenset({int, float, bool})
_OF_NUMBERS = """
    add sub mul div RealDiv true_divide floor_div floor_divide floor_mod remainder pow atan2 xlogy maximum minimum
    greater greater_equal less_equal not_equal
    """
OF_NUMBERS = frozenset(_OF_NUMBERS.split())
"""Operators that return a Tensor of two numbers, too, as MindSpore does since 2.3; the others ask for a Tensor."""
OF_BOOLS = frozenset(["logical_and", "logical_or", "logical_xor"])
"""Operators that return a Tensor of two bools."""
OF_LISTS = frozenset(["+", "-", "//", "**", "Tensor.add", "Tensor.sub"])
"""Operators and methods that take a list or tuple beside a Tensor; the functions of the same name do not."""
OF_FLOATS = frozenset([torch.true_divide, times_logarithm])
"""What makes floats of integers: a number beside a Tensor of small integers keeps its value there."""

_TWO_NUMBERS = Default("ops.add", "computed")  # an operator of two numbers


def unary(fn: Function, op: str, input: Tensor) -> Tensor:
    """Apply `fn` element by element."""
    try:
        return wrap(fn(input._data))
    except Exception as error:
        return retry_in_wider_dtype(error, op, unary, fn, op, input, input=input)


def unary_with(fn: Function, op: str, input: Tensor, *settings: Any) -> Tensor:
    """Apply `fn(data, *settings)`, with settings that are not tensors."""
    try:
        return wrap(fn(input._data, *settings))
    except Exception as error:
        return retry_in_wider_dtype(error, op, unary_with, fn, op, input, *settings, input=input, settings=settings)


def along_axis(fn: Function, op: str, input: Tensor, axis: int) -> Tensor:
    """Apply `fn` along one axis."""
    try:
        return wrap(fn(input._data, axis))
    except Exception as error:
        return retry_in_wider_dtype(error, op, along_axis, fn, op, input, axis, input=input, axis=axis)


def binary(fn: Function, op: str, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Apply `fn` to two tensors, or a tensor and a number, with implicit promotion; a 0-d tensor promotes in full."""
    try:
        left = input._data  # type: ignore[union-attr]
        if type(other) in _SCALARS:
            return wrap(fn(left, other))
        right = other._data  # type: ignore[union-attr]
        if left.dtype is not right.dtype:
            left, right = promote(left, right)
        return wrap(fn(left, right))
    except NotImplementedError as error:
        return retry_in_wider_dtype(error, op, binary, fn, op, input, other, input=input, other=other)
    except Exception as error:
        return _binary_of_any(fn, op, input, other, promote, error)


def binary_weak(fn: Function, op: str, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Apply `fn` as `binary` does, but a 0-d tensor does not widen the other's dtype (`*` and `/`)."""
    try:
        left = input._data  # type: ignore[union-attr]
        if type(other) in _SCALARS:
            return wrap(fn(left, other))
        right = other._data  # type: ignore[union-attr]
        if left.dtype is not right.dtype:
            left, right = promote_weak(left, right)
        return wrap(fn(left, right))
    except NotImplementedError as error:
        return retry_in_wider_dtype(error, op, binary_weak, fn, op, input, other, input=input, other=other)
    except Exception as error:
        return _binary_of_any(fn, op, input, other, promote_weak, error)


def number_first(fn: Function, op: str, input: Number, other: Tensor, family: Function = binary) -> Tensor:
    """Apply `fn` to a number and a tensor, as `family` does, which learns by a failure that the first is a number."""
    if type(input) in _SCALARS:
        try:
            right = other._data
            return wrap(fn(_scalar_tensor(input, right, fn), right))
        except Exception:
            return family(fn, op, input, other)  # type: ignore[no-any-return]
    return family(fn, op, input, other)  # type: ignore[no-any-return]


def binary_tensors(fn: Function, op: str, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Apply an `fn` that takes tensors only; a number becomes a tensor by the rules of promotion."""
    try:
        left, right = input._data, other._data  # type: ignore[union-attr]
        if left.dtype is not right.dtype:
            left, right = promote(left, right)
        return wrap(fn(left, right))
    except AttributeError as error:
        return _binary_of_any(fn, op, *_as_tensors(fn, op, input, other), promote, error)
    except Exception as error:
        return retry_in_wider_dtype(error, op, binary_tensors, fn, op, input, other, input=input, other=other)


def binary_same(fn: Function, op: str, input: Tensor, other: Tensor) -> Tensor:
    """Apply `fn` to two tensors without promotion."""
    try:
        return wrap(fn(input._data, other._data))
    except Exception as error:
        return retry_in_wider_dtype(error, op, binary_same, fn, op, input, other, input=input, other=other)


def reduction(fn: Function, op: str, input: Tensor, axis: Axis, keep_dims: bool) -> Tensor:
    """Reduce with `fn(data, axes, keep_dims)`; no axis means all of them."""
    try:
        data = input._data
        return wrap(fn(data, axes_to_reduce(axis, data.dim()), keep_dims))
    except Exception as error:
        return retry_in_wider_dtype(error, op, reduction, fn, op, input, axis, keep_dims, input=input, axis=axis)


def ternary(fn: Function, op: str, input: Tensor, second: Tensor, third: Tensor) -> Tensor:
    """Apply `fn` to three tensors without promotion."""
    try:
        return wrap(fn(input._data, second._data, third._data))
    except Exception as error:
        return retry_in_wider_dtype(
            error, op, ternary, fn, op, input, second, third, input=input, second=second, third=third
        )


def many(fn: Function, op: str, tensors: Sequence[Tensor], *settings: Any) -> Tensor:
    """Apply `fn` to a sequence of tensors."""
    try:
        if isinstance(tensors, Tensor):
            raise TypeError("a list or tuple of Tensors is wanted, not one Tensor.")
        return wrap(fn([tensor._data for tensor in tensors], *settings))
    except Exception as error:
        return retry_in_wider_dtype(error, op, many, fn, op, tensors, *settings, tensors=tensors, settings=settings)


def call_kernel(fn: Function, op: str, *inputs: Any) -> Any:
    """Apply `fn` to tensors and settings in order, and wrap the tensor or the tuple of tensors that it returns."""
    try:
        found = fn(*map(scalar_or_tensor, inputs))
        return wrap(found) if isinstance(found, torch.Tensor) else tuple(map(wrap, found))
    except Exception as error:
        return retry_in_wider_dtype(error, op, call_kernel, fn, op, *inputs, inputs=inputs)


def axes_to_reduce(axis: Any, rank: int) -> tuple[int, ...]:
    """Return the axes to reduce: None and () mean all; an int, a tuple, a list or a Tensor name some."""
    if type(axis) is int:
        return (axis,)
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, Tensor | np.integer):
        axis = axis.tolist()
        axis = [axis] if isinstance(axis, int) else axis
    if not isinstance(axis, tuple | list):
        raise TypeError(f"axis must be int or a tuple of ints, got {axis!r}.")
    return tuple(axis) if len(axis) else tuple(range(rank))


def axis_within(data: torch.Tensor, axis: int) -> int:
    """Return an axis counted from the first.

    Raises:
        ValueError: the tensor has no such axis.
    """
    rank = max(data.dim(), 1)
    if not -rank <= axis < rank:
        raise ValueError(f"axis must be in [-{rank}, {rank}), got {axis}.")
    return axis % rank


_INT = frozenset((int,))


def plain_shape(shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of ints, from ints, tuples, lists or Tensors.

    Raises:
        TypeError: a size is not an int, such as a float.
    """
    if type(shape) is tuple and _INT.issuperset(map(type, shape)):
        return shape
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    if isinstance(shape, int | np.integer):
        return (_length(shape),)
    return tuple(map(_length, shape))


def _length(size: Any) -> Any:
    """Return a length as an int; one that torch's exporter leaves free stays.

    Raises:
        TypeError: it is a bool, or no int.
    """
    if isinstance(size, bool):
        raise TypeError(f"a size or an axis must be int, got {size!r}.")
    return size if isinstance(size, torch.SymInt) else operator.index(size)


def scalar_or_tensor(value: Any) -> Any:
    """Return the torch tensor inside a Tensor; leave other values unchanged."""
    return value._data if isinstance(value, Tensor) else value


def _binary_of_any(
    fn: Function,
    op: str,
    input: Any,
    other: Any,
    promotion: Promotion,
    error: Exception,
) -> Tensor:
    """Handle what the fast path does not take: a number on the left, sparse and numpy operands, lists; else explain."""
    if isinstance(other, SparseBase) and isinstance(input, Tensor):
        return other.of_dense(op, input)  # type: ignore[no-any-return]
    if not isinstance(error, AttributeError) and not isinstance(other, np.generic | list | tuple):
        return retry_in_wider_dtype(error, op, _of_operands, fn, input, other, promotion, input=input, other=other)  # type: ignore[no-any-return]
    beside = next((value._data.dtype for value in (input, other) if isinstance(value, Tensor)), None)
    left, right = _operands(op, input, other, [_operand(value, op, beside) for value in (input, other)], error)
    try:
        return _of_operands(fn, left, right, promotion)
    except Exception as failure:
        return retry_in_wider_dtype(failure, op, _of_operands, fn, left, right, promotion, input=input, other=other)  # type: ignore[no-any-return]


def _of_operands(fn: Function, left: Any, right: Any, promotion: Promotion) -> Tensor:
    """Apply `fn` to two operands of which one is a tensor, the other a tensor or a number."""
    left, right = scalar_or_tensor(left), scalar_or_tensor(right)
    if not isinstance(left, torch.Tensor):
        return wrap(fn(_scalar_tensor(left, right, fn), right))
    if isinstance(right, torch.Tensor) and left.dtype is not right.dtype:
        left, right = promotion(left, right)
    return wrap(fn(left, right))


def _operands(op: str, input: Any, other: Any, operands: list[Any], error: Exception | None = None) -> list[Any]:
    """Return two operands of which one is a tensor: of two numbers, the first becomes one where MindSpore computes.

    Raises:
        TypeError: an operand is not one, or the operator wants a Tensor.
    """
    if any(value is None for value in operands):
        raise explain(TypeError("unsupported operand type"), op, input=input, other=other) from error
    if any(isinstance(value, torch.Tensor) for value in operands):
        return operands
    is_real = not any(isinstance(value, complex) for value in operands)
    if op in OF_BOOLS:
        is_real = all(isinstance(value, bool) for value in operands)
    if not is_real or op not in OF_NUMBERS | OF_BOOLS or _TWO_NUMBERS.value == "refused":
        raise explain(TypeError("unsupported operand type"), op, input=input, other=other) from error
    return [torch.tensor(value, device=torch_device()) for value in operands]


def _operand(value: Any, op: str, dtype: torch.dtype | None = None) -> Any:
    """Return a torch tensor or a Python number, or None for what is not an operand; a list gets this dtype."""
    if isinstance(value, Tensor):
        return value._data
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, complex) and dtype is torch.float16:
        return torch.tensor(value)  # torch would make complex numbers of two halves, which MindSpore has not
    if isinstance(value, bool | int | float | complex | torch.SymInt | torch.SymFloat):
        return value
    if op not in OF_LISTS or not isinstance(value, list | tuple):
        return None
    values = _stack_values(value, op)
    if dtype is torch.bool:
        raise TypeError(f"For '{op}', there must be no list beside a Tensor of Bool, got {value!r}.")
    return values.to(dtype)


def _stack_values(values: Sequence[Any], op: str) -> torch.Tensor:
    """Return a list as a tensor.

    Raises:
        TypeError: its Tensors are of several dtypes.
        ValueError: it is empty.
    """
    if len({value._data.dtype for value in values if isinstance(value, Tensor)}) > 1:
        raise TypeError(f"For '{op}', the Tensors of a list must be of one dtype.")
    if not values:
        raise ValueError(f"For '{op}', a list must not be empty.")
    return as_torch(values, None)


def _scalar_tensor(value: Number, beside: torch.Tensor, fn: Function) -> torch.Tensor:
    """Make a 0-d tensor of a number, of the dtype that it has beside a tensor; what that does not hold wraps."""
    if fn in OF_FLOATS and type(value) is int:
        value = float(value)
    dtype = _dtype_beside(value, beside.dtype)
    if fn is times_logarithm and dtype.itemsize < 4:  # there a number is a tensor of Float32
        dtype = torch.float32
    return number_tensor(value, dtype, beside.device)


def _dtype_beside(value: Number, dtype: torch.dtype) -> torch.dtype:
    """Do what torch.result_type does, which torch.compile (2.13) does not trace."""
    if dtype.is_complex:
        return dtype
    if isinstance(value, complex):
        return (dtype if dtype.is_floating_point else torch.get_default_dtype()).to_complex()
    if isinstance(value, float) and not dtype.is_floating_point:
        return torch.get_default_dtype()
    return torch.int64 if dtype is torch.bool and not isinstance(value, bool) and isinstance(value, int) else dtype


def _as_tensors(fn: Function, op: str, input: Any, other: Any) -> tuple[Any, Any]:
    operands = _operands(op, input, other, [_operand(value, op) for value in (input, other)])
    beside = next(value for value in operands if isinstance(value, torch.Tensor))
    left, right = (
        value if isinstance(value, torch.Tensor) else _scalar_tensor(value, beside, fn) for value in operands
    )
    return wrap(left), wrap(right)
