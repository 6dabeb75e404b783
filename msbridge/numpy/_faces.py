"""The faces of all functions here: numbers and lists become tensors, `dtype` casts the result."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from textwrap import dedent
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import in_range
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import describe, refuse
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.types.promotion import promote
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.kernel_calls.row_sections import Sections, parse
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype

Array = Tensor | bool | int | float | list[Any] | tuple[Any, ...]
"""What is accepted as a tensor: ints become Int32, floats Float32."""
Axis = int | tuple[int, ...] | list[int] | None
Data = torch.Tensor
Function = Callable[..., Any]

WIDE_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
NARROW = {torch.int64: torch.int32, torch.float64: torch.float32}
_HALF = frozenset({torch.bool, torch.int8, torch.uint8})


def data_of(value: Any, op: str, name: str = "input") -> Data:
    """Return the torch tensor that an argument represents.

    Raises:
        TypeError: it is not a Tensor, number, list or tuple.
        ValueError: a list is ragged.
    """
    if isinstance(value, Tensor):
        return value._data
    if isinstance(value, list | tuple):
        return _of_list(value, op)
    if isinstance(value, bool | int | float):
        dtype = torch.bool if isinstance(value, bool) else torch.int32 if isinstance(value, int) else torch.float32
        return torch.tensor(_in_64_bits(value), device=torch_device()).to(dtype)  # what Int32 does not hold wraps
    raise TypeError(f"For '{op}', {name} must be a Tensor, int, float, bool, list or tuple, got {describe(value)}.")


def _in_64_bits(value: bool | int | float) -> bool | int | float:
    """Return a number, an int of 64 bits without sign as the int of the same bits with one.

    Raises:
        RuntimeError: the int has more bits.
    """
    if not isinstance(value, int) or -(2**63) <= value < 2**63:
        return value
    if not 0 < value < 2**64:
        raise RuntimeError(f"An int must fit in 64 bits, got {value}.")
    return value - 2**64


def tensor_of(value: Any, op: str, name: str = "input") -> Tensor:
    """Return the Tensor that an argument represents; a Tensor is itself."""
    return value if isinstance(value, Tensor) else wrap(data_of(value, op, name))


def tensors_of(values: Any, op: str, name: str = "arrays") -> list[Tensor]:
    """Return the Tensors of a sequence, or the slices of one Tensor.

    Raises:
        TypeError: it is not a sequence.
    """
    if isinstance(values, Tensor):
        return [wrap(data) for data in values._data]
    if not isinstance(values, list | tuple):
        raise TypeError(f"For '{op}', {name} must be a Tensor, or a tuple or list of them, got {describe(values)}.")
    return [tensor_of(value, op, name) for value in values]


def common(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Cast tensors to the one dtype in which all of them go."""
    widest = reduce(common_dtype, (tensor._data.dtype for tensor in tensors))
    return [wrap(tensor._data.to(widest)) for tensor in tensors]


def common_dtype(first: torch.dtype, second: torch.dtype) -> torch.dtype:
    """Return the dtype in which two go: numpy's for wide unsigned integers beside other integers, else torch's."""
    if {first, second} == {torch.float64, torch.uint16}:
        return torch.float32  # as MindSpore's table has it
    if first is second or not WIDE_UNSIGNED & {first, second} or first.is_floating_point or second.is_floating_point:
        return torch.promote_types(first, second)
    known = [np.dtype(str(dtype).removeprefix("torch.")) for dtype in (first, second)]
    found: torch.dtype = getattr(torch, np.promote_types(*known).name)
    return found


def cast(result: Tensor, dtype: DType | None) -> Tensor:
    """Cast a result to the dtype that was asked for, if any."""
    return result if dtype is None else wrap(result._data.to(type_of(dtype).torch))


def one(fn: Callable[[Tensor], Tensor], op: str, x: Array, dtype: DType | None = None) -> Tensor:
    """Apply an op to one tensor."""
    return cast(fn(tensor_of(x, op, "x")), dtype)


def one_floating(fn: Callable[[Tensor], Tensor], op: str, x: Array, dtype: DType | None = None) -> Tensor:
    """Apply an op to one tensor in floats: 8-bit integers and bools in Float16, other integers in Float32."""
    return cast(fn(wrap(floating(data_of(x, op, "x")))), dtype)


def two(fn: Callable[[Tensor, Tensor], Tensor], op: str, x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Apply an op to two tensors; a number is a tensor of no axes."""
    return cast(fn(tensor_of(x1, op, "x1"), tensor_of(x2, op, "x2")), dtype)


DOCUMENTED: dict[str, Sections] = {}
"""What faces take and return, by numpy name."""


def faces(
    family: Function, functions: Mapping[str, Function], dtypes: Mapping[str, str] | None = None
) -> dict[str, Function]:
    """Return a face for each function, by its numpy name.

    Args:
        family: `one`, `one_floating` or `two`: what a face does with its arguments.
        functions: numpy name → the function of ops.
        dtypes: what faces take and return, as `row_sections.py` says → their numpy names, separated by spaces.
    """
    make = _face_of_two if family is two else _face_of_one
    said = {name: parse(of_both) for of_both, names in (dtypes or {}).items() for name in names.split()}
    DOCUMENTED.update(said)
    return {name: _name_face(make(family, fn, name), fn, name, said.get(name)) for name, fn in functions.items()}


def _face_of_one(family: Function, fn: Function, name: str) -> Function:
    def face(x: Array, dtype: DType | None = None) -> Tensor:
        result: Tensor = family(fn, name, x, dtype)
        return result

    return face


def _face_of_two(family: Function, fn: Function, name: str) -> Function:
    def face(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
        result: Tensor = family(fn, name, x1, x2, dtype)
        return result

    return face


def _name_face(face: Function, fn: Function, name: str, said: Sections | None) -> Function:
    names = ("x1", "x2") if face.__code__.co_argcount > 2 else ("x",)
    summary = _with_names(
        (fn.__doc__ or "").partition("\n")[0], dict(zip(fn.__code__.co_varnames, names, strict=False))
    )
    if said:
        summary = f"{summary}\n\n{dedent(_sections(said, names))}"
    face.__name__ = face.__qualname__ = name
    face.__module__ = "msbridge.numpy"
    face.__doc__ = f"{summary}\n\nFollows: mindspore.numpy.{name} (2.10)."
    return face


def described(name: str, summary: str, dtypes: str, *names: str, casts: bool = True) -> str:
    """Return the docstring of a row of `define`, but for what it follows.

    Args:
        name: of the function.
        summary: its sentence.
        dtypes: what it takes and returns, as `row_sections.py` says.
        names: what it calls its inputs.
        casts: whether it has an argument `dtype`.
    """
    DOCUMENTED[name] = said = parse(dtypes)
    return f"{summary}\n\n{_sections(said, names, casts)}"


def _sections(said: Sections, names: Sequence[str], casts: bool = True) -> str:
    settings = ["dtype: that of the result; None for the one below."] * casts
    return said.text(names, "a Tensor, number, list or tuple", "an argument is none of these", "", *settings)


def _with_names(summary: str, names: Mapping[str, str]) -> str:
    """Return a sentence with the parameters' other names in its formulas, and without the factor `alpha`."""
    formula = re.compile(r"`[^`]*`")
    word = re.compile(rf"\b({'|'.join(names)})\b")
    return formula.sub(lambda found: word.sub(lambda name: names[name[0]], found[0]).replace("alpha * ", ""), summary)


def compute(fn: Callable[..., Data], op: str, *arguments: Any, **settings: Any) -> Tensor:
    """Compute on the torch tensors of `arguments` what no operator does, and explain a failure."""
    datas = [data_of(argument, op) for argument in arguments]
    try:
        return wrap(fn(*datas, **settings))
    except Exception as error:
        named = dict(zip(("input", "other", "third"), map(wrap, datas), strict=False))
        return retry_in_wider_dtype(error, op, partial(compute, fn, op, *arguments, **settings), **named)  # type: ignore[no-any-return]


def floating(data: Data) -> Data:
    """Cast integers to floats as numpy does, with 32 bits at most."""
    if data.is_floating_point() or data.is_complex():
        return data
    return data.to(torch.float16 if data.dtype in _HALF else torch.float32)


def float32_or_64(data: Data) -> Data:
    """Cast everything but Float64 to Float32."""
    return data if data.dtype is torch.float64 else data.float()


def promote_pair(first: Data, second: Data) -> tuple[Data, Data]:
    """Cast two torch tensors to one dtype."""
    return (first, second) if first.dtype is second.dtype else promote(first, second)


def value_error(message: str) -> Exception:
    """Return the error about a value: a complaint about the type of the array, the first argument, comes before."""
    return refuse(ValueError(message), 1)


def axis_in(axis: int, rank: int, op: str) -> int:
    """Return an axis counted from the front.

    Raises:
        TypeError: it is not an int.
        ValueError: there is no such axis.
    """
    if not isinstance(axis, int):
        raise TypeError(f"For '{op}', axis must be an int, got {describe(axis)}.")
    try:
        in_range(axis, "axis", op, -rank, rank)
    except ValueError as error:
        raise value_error(str(error)) from error
    return axis % rank


def axes_in(axes: Any, rank: int, op: str) -> tuple[int, ...]:
    """Return axes counted from the front; None means all.

    Raises:
        TypeError: there is something else than ints.
        ValueError: an axis does not exist or is named twice.
    """
    if axes is None:
        return tuple(range(rank))
    found = tuple(axis_in(axis, rank, op) for axis in (axes if isinstance(axes, tuple | list) else (axes,)))
    if len(set(found)) != len(found):
        raise value_error(f"For '{op}', axis names one axis twice: {axes!r}.")
    return found


def shape_of(op: str, shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of ints.

    Raises:
        TypeError: it holds something else.
        ValueError: a size is negative.
    """
    sizes = shape.tolist() if isinstance(shape, Tensor) else shape
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    if not isinstance(sizes, list | tuple) or not all(isinstance(size, int) for size in sizes):
        raise TypeError(f"For '{op}', shape must be an int, or a tuple, list or Tensor of ints, got {describe(shape)}.")
    if any(size < 0 for size in sizes):
        raise ValueError(f"For '{op}', the sizes in shape must not be negative, got {sizes!r}.")
    return tuple(sizes)


def _of_list(values: Sequence[Any], op: str) -> Data:
    if any(isinstance(value, Tensor) for value in values):
        return _stack(values, op)
    if any(isinstance(value, list | tuple) and _holds_tensors(value) for value in values):
        return _stack([wrap(_of_list(value, op)) if isinstance(value, list | tuple) else value for value in values], op)
    try:
        data = as_torch(values, None)
    except TypeError as error:
        kind = ValueError if _is_ragged(values) else TypeError
        raise kind(f"For '{op}', the list cannot become a tensor: {error}") from error
    return data.to(NARROW.get(data.dtype, data.dtype))


def _stack(values: Sequence[Any], op: str) -> Data:
    tensors = common([tensor_of(value, op) for value in values])
    if len({tensor.shape for tensor in tensors}) > 1:
        raise ValueError(f"For '{op}', the items of the list differ in shape: {[tensor.shape for tensor in tensors]}.")
    return torch.stack([tensor._data for tensor in tensors])


def _holds_tensors(values: Sequence[Any]) -> bool:
    return any(isinstance(item, Tensor) or (isinstance(item, list | tuple) and _holds_tensors(item)) for item in values)


def _is_ragged(values: Sequence[Any]) -> bool:
    """Return whether the items of a list, at any depth, differ in length."""
    nested = [value for value in values if isinstance(value, list | tuple)]
    if nested and (len(nested) < len(values) or len({len(value) for value in nested}) > 1):
        return True
    return any(_is_ragged(value) for value in nested)
