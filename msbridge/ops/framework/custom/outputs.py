"""The outputs of operators that scripts define: their shapes and types as declared, and arrays made to Tensors."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type

Declared = tuple[list[tuple[int, ...]], list[Type], bool]


def output_specs(out_shape: Any, out_dtype: Any, args: Sequence[Any]) -> Declared:
    """Return the shapes and types of the outputs, and whether there are several.

    Args:
        out_shape: a shape, a tuple of them, or a function of the inputs' shapes.
        out_dtype: a type, a tuple of them, or a function of the inputs' types.
        args: the inputs.

    Raises:
        TypeError: what is declared is neither.
    """
    shape = out_shape(*map(_shape_of, args)) if callable(out_shape) else out_shape
    dtype = out_dtype(*map(_dtype_of, args)) if callable(out_dtype) and not isinstance(out_dtype, Type) else out_dtype
    if not isinstance(shape, tuple | list):
        raise TypeError(f"For 'Custom', out_shape must be a tuple, a list or a function, got {type(shape).__name__}.")
    if not isinstance(dtype, Type | tuple | list):
        raise TypeError(
            f"For 'Custom', out_dtype must be a mindspore.dtype, a tuple or a function, got {type(dtype).__name__}."
        )
    several = isinstance(dtype, tuple | list)
    shapes = [tuple(one) for one in shape] if several else [tuple(shape)]
    return shapes, list(dtype) if several else [dtype], several  # type: ignore[arg-type, list-item]


def arrays_of(args: Sequence[Any], shapes: Sequence[Any] = ()) -> list[Any]:
    """Return the inputs with a numpy array of its own for each Tensor, a number for one without axes; numbers stay.

    Args:
        args: the inputs.
        shapes: what shapes the function is to see, where they are declared.

    Raises:
        RuntimeError: an input has not as many elements as its declared shape.
    """
    return [_array_of(value, *shapes[place : place + 1]) for place, value in enumerate(args)]


def _array_of(value: Any, shape: Sequence[int] | None = None) -> Any:
    if not isinstance(value, Tensor):
        return value
    array = np.array(value.asnumpy())
    if shape is not None:
        if array.size != math.prod(shape):
            raise RuntimeError(f"For 'PyFunc', an input of shape {array.shape} is declared to be of {tuple(shape)}.")
        array = array.reshape(tuple(shape))
    return array if array.ndim else array.item()


def tensors_of(result: Any, declared: Declared, number: tuple[int, ...] = (1,)) -> Any:
    """Convert the result of a function of arrays to Tensors: one, or a tuple.

    Args:
        result: what it returned.
        declared: its shapes and types.
        number: the shape of an output that is declared to have no axes.

    Raises:
        RuntimeError: the number, the size or the type is not what was declared.
    """
    shapes, dtypes, several = declared
    if not dtypes:
        return Tensor(np.zeros(1, np.int32))
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(dtypes):
        raise RuntimeError(f"For 'Custom', the function returned {len(results)} outputs, declared are {len(dtypes)}.")
    made = tuple(_tensor_of(*each, number) for each in zip(results, shapes, dtypes, strict=True))
    return made if several else made[0]


def empty(declared: Declared, device: torch.device) -> list[torch.Tensor]:
    """Return memory for the outputs."""
    shapes, dtypes, _ = declared
    return [
        torch.empty(shape, dtype=mstype.dtype_to_torch(dtype), device=device)
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]


def _tensor_of(value: Any, shape: tuple[int, ...], dtype: Type, number: tuple[int, ...]) -> Tensor:
    array = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
    if shape == () and array.size == 1:
        return Tensor(array.reshape(number), dtype)
    wanted = mstype.dtype_to_nptype(dtype)
    if array.dtype != wanted or array.size != int(np.prod(shape)):
        raise RuntimeError(
            f"For 'Custom', the function returned {array.dtype} of shape {array.shape}, "
            f"declared is {np.dtype(wanted)} of shape {shape}."
        )
    return Tensor(np.ascontiguousarray(array).reshape(shape))


def _shape_of(value: Any) -> list[int] | tuple[int, ...]:
    return value.shape if isinstance(value, Tensor) else ()


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Tensor) else mstype.get_py_obj_dtype(value)
