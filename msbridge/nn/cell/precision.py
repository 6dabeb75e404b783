"""The types that Cells compute in: MindSpore's numbers of them, and calls that are cast at the door of the Cell.

In PyNative mode `to_float` holds for every operator that runs within the Cell (`msbridge.ops.precision`); the compiler
of graph mode casts what enters the Cell.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import torch

from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.checks.stack_frames import is_ours
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.jit.compiler import is_compiling
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import put_back, put_in_place
from msbridge.nn.cast_operands import cast_elements, operands_cast
from msbridge.nn.cell.call_settings import CallSettings

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell

__all__ = ["MixedPrecisionType", "is_cast_at_door", "with_casts"]


class MixedPrecisionType(IntEnum):
    """The type that a Cell casts its inputs and parameters to.

    Follows: mindspore._c_expression.MixedPrecisionType (2.10).
    """

    NOTSET, FP16, FP32, BF16 = range(4)

    def __str__(self) -> str:
        return f"MixedPrecisionType.{self.name}"

    def dtype(self) -> torch.dtype | None:
        """Return the torch dtype; None for NOTSET."""
        return _DTYPES[self]

    @classmethod
    def of(cls, dtype: torch.dtype | None) -> "MixedPrecisionType":
        """Return the type of a torch dtype."""
        return cls(_DTYPES.index(dtype))


_DTYPES = (None, torch.float16, torch.float32, torch.bfloat16)


def is_cast_at_door(cell: "Cell", settings: CallSettings, compiled: Callable[..., Any] | None) -> bool:
    """Whether `to_float` casts what enters this call of a Cell, instead of what enters each operator within it."""
    is_compiled = compiled is not None or settings.compiled is not None or is_compiling()
    return is_compiled or is_graph() or not cell._has_operators


def with_casts(
    cell: "Cell", precision: torch.dtype, run: Callable[..., Any], args: tuple, kwargs: dict[str, Any]
) -> Any:
    """Run a Cell's `construct` with inputs, own constants and own parameters cast, as graph mode does."""

    def cast(tensor: Tensor) -> Tensor:
        data = tensor._data
        return wrap(data.to(precision)) if data.is_floating_point() and data.dtype is not precision else tensor

    attributes = cell.__dict__
    constants = {name: value for name, value in attributes.items() if type(value) is Tensor}
    narrow = {name: cast(value) for name, value in constants.items()}
    attributes.update(narrow)
    try:
        with _own_cast(cell, precision, run):
            return cast_elements(run(*map_tensors(cast, args), **map_tensors(cast, kwargs)))
    finally:
        for name, value in narrow.items():
            if attributes.get(name) is value:
                attributes[name] = constants[name]


def _own_cast(cell: "Cell", precision: torch.dtype, run: Callable[..., Any]) -> AbstractContextManager[None]:
    """Return a block within which Parameters are cast: where they are operands, in the `construct` of a script."""
    code = getattr(getattr(run, "__func__", None), "__code__", None)
    is_of_script = code is not None and not is_ours(code.co_filename) and not torch.compiler.is_compiling()
    return (operands_cast if is_of_script else _cast_everywhere)(_parameters_to_cast(cell, precision), precision)


@contextmanager
def _cast_everywhere(parameters: Sequence[Parameter], precision: torch.dtype) -> Iterator[None]:
    casts = [parameter._data.to(precision) for parameter in parameters]
    versions = [data._version for data in casts]
    before = put_in_place(parameters, casts)
    try:
        yield
    finally:
        written = zip(parameters, casts, versions, put_back(parameters, before), strict=True)
        for parameter, data, version, current in written:  # what was written meanwhile is kept
            if current is not data or current._version != version:
                with torch.no_grad():
                    parameter._data.copy_(current)


def _parameters_to_cast(cell: "Cell", precision: torch.dtype) -> list[Parameter]:
    """Return the Parameters of a Cell, and of those directly below it that compute in the same type."""
    below = (one for one in cell._cells.values() if one is not None and one._special is not None)
    by_id: dict[int, Parameter] = {}
    for one in (cell, *(one for one in below if one._special.precision is precision)):
        if one._casts_parameters:
            by_id |= {id(parameter): parameter for parameter in one._params.values() if parameter is not None}
    return [one for one in by_id.values() if one._data.is_floating_point() and one._data.dtype is not precision]
