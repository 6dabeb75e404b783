"""vmap: a function applied along an axis of its inputs, all at once.

torch.vmap does it; its rules for axes are not MindSpore's, so it gets flat rows of tensors here, all mapped along
axis 0. What it cannot do at once (an operator without a rule for batches, a write of mapped values into a tensor that
is not mapped) is done one after the other, and so are ensembles of Cells.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.autograd.grad import copy_name
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import is_batchedtensor, maybe_get_level, peek_interpreter_stack

__all__ = ["vmap"]

_warn_of_loops = torch_private.set_vmap_fallback_warning_enabled
_TORCH_REFUSES = (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError)
_OF_VALUES = (".item()", "dynamic shape")  # what torch says where the code or a shape depends on mapped values


def vmap(fn: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Return the function that applies `fn` along an axis of its inputs, all at once.

    Args:
        fn: a function or Cell; or a CellList of Cells that are alike, an ensemble: each gets its part of the inputs
            that `in_axes` names, and the whole of the others.
        in_axes: the axis of each input, None where all get the same; an int for all of them, or a tuple or list,
            nested as the inputs are.
        out_axes: where the mapped axis goes in the outputs; likewise.

    Returns:
        A function of positional inputs. A list that `fn` returns becomes a tuple.
        Numbers that `fn` returns become Tensors, one for each; None stays where
        `out_axes` has None for it. Random numbers are the
        same for all.

    Raises:
        RuntimeError: (when called) `fn` cannot be called; an axis is neither int nor None, out of range, or None for
            all inputs; axes are not nested as inputs or outputs are; mapped axes are not of one length.
        ValueError: (when called) an ensemble's Cells have unequally many parameters; there are more or fewer than the
            mapped axis is long; control flow or a shape depends on mapped values.

    Follows: mindspore.vmap (2.10).
    """

    def call_mapped(*args: Any, **kwargs: Any) -> Any:
        _check_out_axes(out_axes, fn)
        try:
            return call_counted(*args, **kwargs)
        except (RuntimeError, TypeError) as error:
            is_of_count = not kwargs and isinstance(in_axes, int | tuple | list)
            raise (is_of_count and _wrong_count(fn, in_axes, args)) or error from error.__cause__

    def call_counted(*args: Any, **kwargs: Any) -> Any:
        members = _members(fn)
        if kwargs:
            raise RuntimeError(f"For 'vmap', inputs are given in order, but got {next(iter(kwargs))!r} by name.")
        if not args:
            fn()
        mapped: list[_Mapped] = []
        arguments = _with_slots(args, in_axes, mapped)
        sizes = {each.size for each in mapped}
        if len(sizes) > 1:
            raise RuntimeError(f"For 'vmap', the mapped axes must be of one length, but got {sorted(sizes)}.")
        size = sizes.pop() if sizes else 0
        try:
            if members is not None:
                if mapped and size != len(members):
                    raise ValueError(f"For 'vmap', there are {len(members)} Cells, but the mapped axis is {size} long.")
                return _one_by_one(members, arguments, mapped, out_axes)
            if not mapped:
                raise RuntimeError(f"For 'vmap', in_axes must name an axis of an input, but got {in_axes}.")
            return _at_once_or_not(fn, arguments, mapped, out_axes)
        except _AxisError as error:
            raise RuntimeError(f"For 'vmap', {error}") from None

    return copy_name(call_mapped, fn)


@dataclass(frozen=True, slots=True)
class _Mapped:
    """An input to map: its torch tensor, and the axis."""

    data: torch.Tensor
    axis: int

    @property
    def size(self) -> int:
        return self.data.shape[self.axis]


@dataclass(frozen=True, slots=True)
class _Slot:
    """Stands where a tensor of a row goes."""

    index: int


@dataclass(frozen=True, slots=True)
class _Output:
    """An output to map: its torch tensor for one of the mapped values, and the axis where they go."""

    data: torch.Tensor
    axis: int


class _AxisError(RuntimeError):
    """Axes that do not fit the outputs."""


def _members(fn: Any) -> list[Callable[..., Any]] | None:
    """Return the Cells of an ensemble; None for one function or Cell."""
    is_list = isinstance(fn, list | tuple) or (hasattr(fn, "_cells") and hasattr(fn, "insert"))
    if not is_list:
        if not callable(fn):
            raise RuntimeError(f"For 'vmap', fn must be a function, a Cell or a CellList, but got {fn!r}.")
        return None
    if len(fn) < 2:
        raise RuntimeError(f"For 'vmap', a CellList must have two Cells or more, but got {len(fn)}.")
    counts = {len(list(cell.get_parameters())) for cell in fn if hasattr(cell, "get_parameters")}
    if len(counts) > 1:
        raise ValueError(f"For 'vmap', the Cells must have equally many parameters, but have {sorted(counts)}.")
    return list(fn)


def _wrong_count(fn: Any, in_axes: Any, args: tuple[Any, ...]) -> Exception | None:
    """Return the complaint about more or fewer inputs than the function takes, which comes before that about axes."""
    if all(axis is None for axis in _flat(in_axes)):
        return None
    try:
        signature = inspect.signature(getattr(fn, "construct", fn))
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*args)
    except TypeError as error:
        count = len(signature.parameters)
        if isinstance(in_axes, tuple | list) and len(in_axes) != count:
            return RuntimeError(f"For 'vmap', in_axes must name an axis of all {count} inputs, but got {in_axes}.")
        return TypeError(f"For 'vmap', {error}: fn takes {count} inputs, but got {len(args)}.")
    return None


def _with_slots(value: Any, axes: Any, mapped: list[_Mapped]) -> Any:
    """Put slots in place of what is mapped, and add that to `mapped`."""
    if isinstance(axes, tuple | list):
        if not isinstance(value, tuple | list) or len(value) != len(axes):
            raise RuntimeError(f"For 'vmap', in_axes must be nested as the inputs are, but got {axes}.")
        return type(value)([_with_slots(*pair, mapped) for pair in zip(value, axes, strict=True)])
    if axes is None:
        return value
    if type(axes) is not int:
        raise RuntimeError(f"For 'vmap', an axis must be an int or None, but got {axes!r}.")
    if isinstance(value, tuple | list):
        return type(value)([_with_slots(item, axes, mapped) for item in value])
    if not isinstance(value, Tensor):
        raise RuntimeError(f"For 'vmap', a Tensor is mapped, but got {value!r}; in_axes can leave it out with None.")
    dim = value._data.dim()
    if not -dim <= axes < dim:
        raise RuntimeError(f"For 'vmap', an axis of in_axes must be in [{-dim}, {dim}), but got {axes}.")
    mapped.append(_Mapped(value._data, axes))
    return _Slot(len(mapped) - 1)


def _check_out_axes(axes: Any, fn: Any) -> None:
    flat = list(_flat(axes))
    if any(axis is not None and type(axis) is not int for axis in flat):
        raise RuntimeError(f"For 'vmap', an axis must be an int or None, but got out_axes={axes!r}.")
    if callable(fn) and not hasattr(fn, "insert") and all(axis is None for axis in flat):
        raise RuntimeError(f"For 'vmap', out_axes must name an axis, but got {axes}.")


def _flat(axes: Any) -> Iterator[Any]:
    if isinstance(axes, tuple | list):
        for axis in axes:
            yield from _flat(axis)
    else:
        yield axes


def _at_once_or_not(fn: Callable[..., Any], arguments: Any, mapped: list[_Mapped], out_axes: Any) -> Any:
    try:
        return _at_once(fn, arguments, mapped, out_axes)
    except _TORCH_REFUSES as error:
        if any(words in str(each) for each in _causes(error) for words in _OF_VALUES):
            raise ValueError(
                "For 'vmap', neither control flow nor shapes may depend on mapped values: each would go its own way."
            ) from error
        if not mapped[0].size or isinstance(error, _AxisError):
            raise
        return _one_by_one([fn] * mapped[0].size, arguments, mapped, out_axes)


def _at_once(fn: Callable[..., Any], arguments: Any, mapped: list[_Mapped], out_axes: Any) -> Any:
    structure: list[Any] = []
    outputs: list[_Output] = []

    def over_torch(*datas: torch.Tensor) -> tuple[torch.Tensor, ...]:
        output = fn(*_fill_slots(arguments, datas))
        level = peek_interpreter_stack().level()

        def is_mapped(data: torch.Tensor) -> bool:
            return is_batchedtensor(data) and maybe_get_level(data) == level

        structure.append(_with_outputs(output, out_axes, outputs, is_mapped))
        if isinstance(output, Tensor) and outputs and not is_mapped(output._data):
            outputs[0] = _Output(output._data, 0)  # of a single output that is not mapped, out_axes is only checked
        return tuple(output.data for output in outputs)

    in_dims = tuple(each.axis for each in mapped)
    _warn_of_loops(False)  # that an operator takes its batches one by one is nothing a user can change
    try:
        results = torch.vmap(over_torch, in_dims, randomness="same")(*(each.data for each in mapped))
    finally:
        _warn_of_loops(True)  # torch's default; it cannot be read (2.13)
    return _fill_slots(
        structure[0], [_move_axis(result, each.axis) for result, each in zip(results, outputs, strict=True)]
    )


def _one_by_one(fns: Sequence[Callable[..., Any]], arguments: Any, mapped: list[_Mapped], out_axes: Any) -> Any:
    structure: Any = None
    columns: list[list[_Output]] = []
    for index, fn in enumerate(fns):
        outputs: list[_Output] = []
        output = fn(*_fill_slots(arguments, [each.data.select(each.axis, index) for each in mapped]))
        structure = _with_outputs(output, out_axes, outputs, lambda _: True)
        columns.append(outputs)
    rows = []
    for row in zip(*columns, strict=True):
        datas = [output.data for output in row]
        shapes = [tuple(data.shape) for data in datas]
        if len(set(shapes)) > 1:
            raise ValueError(f"For 'vmap', the outputs must be of one shape, but got {shapes}.")
        rows.append(_move_axis(torch.stack(datas), row[0].axis))
    return _fill_slots(structure, rows)


def _with_outputs(value: Any, axes: Any, outputs: list[_Output], is_mapped: Callable[[torch.Tensor], bool]) -> Any:
    """Put slots in place of what has a mapped axis in the end, and add that to `outputs`."""
    if isinstance(axes, tuple | list):
        values = value if isinstance(value, tuple | list) else (value,)
        if len(values) != len(axes):
            raise _AxisError(f"out_axes must be nested as the outputs are, but got {axes}.")
        parts = tuple(_with_outputs(*pair, outputs, is_mapped) for pair in zip(values, axes, strict=True))
        return parts if isinstance(value, tuple | list) else parts[0]
    if isinstance(value, tuple | list):
        return tuple(_with_outputs(item, axes, outputs, is_mapped) for item in value)
    if isinstance(value, dict):
        return {key: _with_outputs(item, axes, outputs, is_mapped) for key, item in value.items()}
    if isinstance(value, bool | int | float):
        if axes is None:
            return value
        value = wrap(torch.tensor(value, device=torch_device()))
    if value is None and axes is None:
        return None
    if not isinstance(value, Tensor):
        raise _AxisError(f"the outputs must be Tensors or numbers, but got {value!r}.")
    data = value._data
    if axes is None:
        if is_mapped(data):
            raise _AxisError("an output that is mapped needs an axis, but out_axes has None for it.")
        return value
    dim = data.dim() + 1
    if not -dim <= axes < dim:
        raise _AxisError(f"an axis of out_axes must be in [{-dim}, {dim}), but got {axes}.")
    outputs.append(_Output(data, axes))
    return _Slot(len(outputs) - 1)


def _fill_slots(value: Any, datas: Sequence[torch.Tensor]) -> Any:
    """Put tensors in place of slots."""
    if isinstance(value, _Slot):
        return wrap(datas[value.index])
    if isinstance(value, tuple | list):
        return type(value)([_fill_slots(item, datas) for item in value])
    if isinstance(value, dict):
        return {key: _fill_slots(item, datas) for key, item in value.items()}
    return value


def _move_axis(data: torch.Tensor, axis: int) -> torch.Tensor:
    return data.movedim(0, axis) if axis else data


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
