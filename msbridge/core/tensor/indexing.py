"""Reading and writing parts of a Tensor: numpy's rules as MindSpore follows them.

What numpy and torch agree on goes straight to torch; what torch refuses, and the rest (negative steps, ints beside
lists), is translated first.
"""

import builtins
import re
from types import EllipsisType
from typing import Any

import numpy as np
import torch

from msbridge.core.context.graph_mode import is_graph
from msbridge.core.errors.explain import dtype_name, is_own

REVERSED = tuple(tuple(reversed(range(rank))) for rank in range(65))  # the axes from last to first; torch has 64

_BOUNDS = re.compile(r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)")
_BASIC = frozenset({int, slice, type(None)})
_PLAIN = _BASIC | {type(Ellipsis)}
_INDEX_DTYPES = frozenset({torch.int32, torch.int64, torch.bool})
_WHOLE = frozenset({int, bool})
_NUMBERS = frozenset({int, bool, float})
_OTHER = object()  # an index that is to be translated


def get(data: torch.Tensor, index: Any) -> torch.Tensor:
    """Read `data[index]`; basic indices return a view.

    Raises:
        IndexError: the index is out of range, or of a type that cannot index.
        RuntimeError: a Tensor of indices is out of range, or a bound of a slice is not an integer.
        TypeError: a tuple holds a float or an array.
        ValueError: a slice has step zero, or Tensors of indices do not broadcast.
    """
    try:
        direct = index if type(index) in _PLAIN else _direct(index)
        if direct is not _OTHER:
            return data[direct]
    except Exception:  # what torch refuses is translated, or explained
        pass
    try:
        return _get(data, index)
    except IndexError as error:
        raise _explain(error, data, index) from error


def put(data: torch.Tensor, index: Any, value: Any) -> None:
    """Write `value` to `data[index]` in place; the value is cast to the dtype of `data`.

    Raises:
        IndexError: the index is out of range, or of a type that cannot index; `value` is neither real number, Tensor,
            list nor tuple.
        RuntimeError: a Tensor of indices is out of range below zero, or a bound of a slice is not an integer.
        TypeError: `value` is None, a slice, an ellipsis or an array of numpy, or a list of something else than numbers;
            a tuple of indices holds a float or an array.
        ValueError: a Tensor of indices is out of range, or a value that does not broadcast.
    """
    try:
        direct = index if type(index) in _PLAIN else _direct(index)
        kind = type(value)
        if kind in _WHOLE or (kind is float and data.dtype.is_floating_point):
            source = value
        else:
            source = value._data
            if source.dtype is not data.dtype or source.device != data.device:
                direct = _OTHER
        if direct is not _OTHER:
            data[direct] = source if kind in _NUMBERS else _apart(source, data)
            return
    except Exception:  # what torch refuses is translated, or explained
        pass
    _put(data, index, value)


def _direct(index: Any) -> Any:
    """Return an index as torch takes it where the two agree on its meaning, else _OTHER."""
    kind = type(index)
    if kind is list:
        return index if {*map(type, index)} == {int} else _OTHER
    if kind is not tuple:
        data = getattr(index, "_data", None)
        return data if data is not None and data.dtype in _INDEX_DTYPES else _OTHER
    has_ellipsis = False
    for item in index:
        if type(item) not in _BASIC:
            if item is not Ellipsis or has_ellipsis:
                return _direct_parts(index)
            has_ellipsis = True
    return index


def _direct_parts(index: tuple[Any, ...]) -> Any:
    parts: list[Any] = []
    ellipses = ints = tensors = 0
    for item in index:
        kind = type(item)
        if kind in _BASIC:
            ints += kind is int
            parts.append(item)
        elif item is Ellipsis:
            ellipses += 1
            parts.append(item)
        else:
            data = getattr(item, "_data", None)
            if data is None or data.dtype not in _INDEX_DTYPES:
                return _OTHER
            tensors += 1
            parts.append(data)
    return _OTHER if ellipses > 1 or (ints and tensors) else tuple(parts)


def _get(data: torch.Tensor, index: Any) -> torch.Tensor:
    parts, flips = _translate(data, index)
    for axis, places in flips:
        data = data.index_select(axis, places)
    is_true = len(parts) == 1 and parts[0] is True  # torch copies with it
    return data[None] if is_true else data[parts]


def _put(data: torch.Tensor, index: Any, value: Any) -> None:
    source = getattr(value, "_data", value)
    if isinstance(source, list | tuple):
        source = _convert_list(source, data.device)
    elif not _is_value(source, data):
        raise (TypeError if isinstance(source, np.ndarray | slice | EllipsisType | None) else IndexError)(
            f"only support numbers, Tensor, tuple, list as value, but got {value!r} with type {type(value)}."
        )
    if isinstance(source, torch.Tensor) and source.device != data.device:
        source = source.to(data.device)
    if any(item is False or (data.dim() and isinstance(item, list) and item in ([], [[]])) for item in _items(index)):
        return  # False and an empty list choose nothing; to read with one is an error
    parts, flips = _translate(data, index, is_written=True)
    try:
        if isinstance(source, int | float) and not (data.is_floating_point() or data.is_complex()):
            source = torch.tensor(source).to(data.dtype).item()  # 300 is 44 in Int8; torch refuses it
        source = _apart(source.to(data.dtype), data) if isinstance(source, torch.Tensor) else source
        _write(data, parts, flips, source)
    except IndexError as error:
        raise _explain(error, data, index, is_written=True) from error
    except RuntimeError as error:
        if not _get(data, index).numel():
            return  # nothing is written, for any shape of the value
        shape = tuple(getattr(source, "shape", ()))
        raise ValueError(f"A value of shape {shape} does not broadcast to tensor[{index!r}].") from error


def _is_value(source: Any, data: torch.Tensor) -> bool:
    if isinstance(source, np.generic):  # which a Python float may be, too
        return is_graph()
    return isinstance(source, torch.Tensor | bool | int | float) or (isinstance(source, complex) and data.is_complex())


def _convert_list(values: Any, device: torch.device) -> torch.Tensor:
    """Return a list that is assigned as a tensor.

    Raises:
        TypeError: it holds something else than numbers.
        ValueError: it is ragged.
    """
    try:
        return torch.as_tensor(plain_list(values), device=device)
    except (RuntimeError, ValueError) as error:
        if "length" in str(error):
            raise ValueError(f"the list of values is ragged: {values!r}.") from error
        raise TypeError(f"only numbers and Tensors can be in a list of values, got {values!r}.") from error


def _write(data: torch.Tensor, parts: tuple[Any, ...], flips: list[tuple[int, torch.Tensor]], source: Any) -> None:
    """Write `source` to `data[parts]`; axes with a negative step are reversed before, and back after."""
    if not flips:
        data[parts] = source
        return
    (axis, places), *rest = flips
    turned = data.index_select(axis, places)
    _write(turned, parts, rest, source)
    data.index_copy_(axis, places, turned)


def _apart(source: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    """Return `source`, copied if its memory is that of `data`: torch would read what it has just written."""
    if torch.compiler.is_compiling():  # compiled code copies
        return source
    try:
        shares = source.untyped_storage()._cdata == data.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):  # tensors of torch.func have no memory of their own
        return source
    return source.clone() if shares else source


def _is_part(item: Any) -> bool:
    return item is None or item is Ellipsis or isinstance(item, list | tuple | slice) or hasattr(item, "_data")


def _is_sequence(item: Any) -> bool:
    return isinstance(item, list | tuple)


def _items(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _translate(
    data: torch.Tensor, index: Any, is_written: bool = False
) -> tuple[tuple[Any, ...], list[tuple[int, torch.Tensor]]]:
    """Turn an index into one that torch takes, and (axis, places) pairs for slices with a negative step.

    The axis is to be reversed before: its slice has become a plain one.
    """
    if data.dim() == 0:
        _check_scalar(index, is_written)
    if isinstance(index, list) and any(map(_is_part, index)):  # a list of parts represents a tuple of them
        # truths count as 0 and 1 in a list of lists
        are_numbers = is_written and not is_graph() and all(map(_is_sequence, index))
        index = tuple([int(n) if type(n) is bool else n for n in part] if are_numbers else part for part in index)
    items = tuple(part for item in _items(index) for part in _parts(item, isinstance(index, tuple)))
    used = sum(_count_axes(item) for item in items)
    if used > data.dim():
        raise IndexError(f"too many indices for tensor of dimension {data.dim()}: got {used}")
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can have one ellipsis ('...') only")
    parts: list[Any] = []
    flips: list[tuple[int, torch.Tensor]] = []
    axis = 0
    advanced = False
    for item in items:
        if item is Ellipsis:
            axis += data.dim() - used
        elif isinstance(item, slice):
            if item.step is not None and item.step < 0:
                places = [*range(*item.indices(data.shape[axis]))]
                flips.append((axis, torch.tensor(places, dtype=torch.long, device=data.device)))
                item = slice(None)
            axis += 1
        elif item is not None:
            advanced = advanced or (not isinstance(item, int) and (item.dim() > 0 or item.dtype == torch.bool))
            axis += _count_axes(item)
        parts.append(item)
    if advanced:  # numpy counts an int beside a list as an index of the same kind; torch does not
        parts = [torch.tensor([item], device=data.device) if type(item) is int else item for item in parts]
    return tuple(parts), flips


def _check_scalar(index: Any, is_written: bool) -> None:
    """Refuse what cannot index a Tensor without axes.

    Raises:
        TypeError: an int, or anything with axes that is written.
        ValueError: what is read has axes, or a mask is written.
    """
    data = getattr(index, "_data", None)
    if data is None and type(index) not in (int, slice, list):
        return
    mask = data if data is not None and data.dtype == torch.bool else None
    if mask is not None and not mask.dim():
        return
    is_value = mask is not None if is_written else type(index) is not int
    raise (ValueError if is_value else TypeError)("Cannot iterate over or index a scalar Tensor.")


def _parts(item: Any, in_tuple: bool) -> tuple[Any, ...]:
    """Return a part of an index as what torch takes; a mask beside others yields the places where it is True."""
    if in_tuple and isinstance(item, float | np.ndarray):
        raise TypeError(
            f"a tuple of indices holds ints, bools, slices, None, Ellipsis, Tensors and lists, got {item!r}."
        )
    found = _item(item)
    is_mask = in_tuple and hasattr(item, "_data") and found.dtype == torch.bool
    return torch.atleast_1d(found).nonzero(as_tuple=True) if is_mask else (found,)


def _item(item: Any) -> Any:
    kind = type(item)
    if kind is slice:
        return slice(_read_bound(item.start), _read_bound(item.stop), _step(item.step))
    if item is False:
        raise IndexError("False cannot index a tensor.")
    if kind in _PLAIN or kind is bool:
        return item
    data = getattr(item, "_data", None)
    if isinstance(data, torch.Tensor):
        if data.dtype == torch.bool:
            return data
        if data.is_floating_point() or data.is_complex():
            raise IndexError(f"The tensor index must be int or bool type, got {dtype_name(data.dtype)}.")
        return data.long()
    if isinstance(item, np.integer | int):
        return int(item)
    if isinstance(item, list | tuple) and item:
        plain = plain_list(item)
        if isinstance(plain[0], float):
            raise TypeError(f"a list of indices holds ints or bools, got {item!r}.")
        try:
            return torch.as_tensor(plain)
        except (TypeError, ValueError, RuntimeError) as error:
            raise IndexError(f"The index {item!r} has elements that cannot index.") from error
    raise IndexError(
        f"The index must be an int, bool, slice, None, Ellipsis, Tensor, or a list of these, got {item!r} "
        f"({kind.__name__})."
    )


def _count_axes(item: Any) -> int:
    if item is None or item is Ellipsis or isinstance(item, builtins.bool):
        return 0
    if isinstance(item, torch.Tensor) and item.dtype == torch.bool:
        return item.dim()
    return 1


def _step(step: Any) -> Any:
    step = _read_bound(step, ValueError)
    if step == 0:
        raise ValueError("A slice step cannot be 0.")
    return step


def _read_bound(bound: Any, kind: type[Exception] = RuntimeError) -> int | None:
    data = getattr(bound, "_data", bound)
    if data is None or type(data) is int:
        return data
    if isinstance(data, torch.Tensor):
        if data.dim() == 0:
            return int(data.item())
        kind = TypeError
    elif isinstance(data, int | np.integer):
        return int(data)
    if is_graph():  # the compiler looks at types first
        kind = TypeError
    raise kind(f"A slice bound must be an int, a Tensor of one int without axes, or None, got {bound!r}.")


def plain_list(values: Any) -> Any:
    """Replace the Tensors inside nested lists by their values."""
    if isinstance(values, list | tuple):
        return [plain_list(value) for value in values]
    data = getattr(values, "_data", values)
    return data.tolist() if isinstance(data, torch.Tensor | np.generic | np.ndarray) else data


def _explain(error: Exception, data: torch.Tensor, index: Any, is_written: bool = False) -> Exception:
    """Return the error for an index that torch refuses; its class depends on who looks at the index in MindSpore."""
    reason = str(error)
    kind: type[Exception] = IndexError
    if found := _BOUNDS.match(reason):
        if any(hasattr(item, "_data") for item in _items(index)):  # the operator's kernel looks, not the indexing
            kind = ValueError if is_written and int(found[1]) >= 0 else RuntimeError
        return kind("index {} is out of bounds for axis {} with size {}".format(*found.groups()))
    if "broadcast" in reason or ("shape of the mask" in reason and hasattr(index, "_data")):
        kind = ValueError
    reason = reason if is_own(error) else "the index does not fit"
    return kind(f"{reason} (tensor of shape {tuple(data.shape)}, index {index!r})")
