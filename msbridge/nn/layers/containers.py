"""Cells that hold Cells in order or by name, and the dictionary of parameters."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, overload

from msbridge.core.checks.arguments import instance
from msbridge.nn.cell.cell import Cell

__all__ = ["CellDict", "CellList", "SequentialCell"]


class _Ordered(Cell):
    """Children in order; a child's name is its position unless it was given one."""

    _given: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return bool(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    @overload
    def __getitem__(self, index: int) -> Cell: ...

    @overload
    def __getitem__(self, index: slice) -> Any: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self._make_slice(list(self._cells.items())[index])
        return list(self._cells.values())[self._normalize_index(index)]

    def _make_slice(self, items: list[tuple[str, Cell]]) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: int, cell: Cell) -> None:
        _check_cell(type(self).__name__, cell)
        name = list(self._cells)[self._normalize_index(index)]
        self._add_cell(name, cell, prefix_of(self._cells))
        self._list_cells()

    def __delitem__(self, index: int | slice) -> None:
        names, prefix = list(self._cells), prefix_of(self._cells)
        for name in names[index] if isinstance(index, slice) else [names[self._normalize_index(index)]]:
            del self._cells[name]
        self._register_by_position(list(self._cells.values()), prefix, list(self._cells))
        self._list_cells()

    def append(self, cell: Cell) -> None:
        """Add a Cell at the end.

        Raises:
            TypeError: `cell` is not a Cell.
        """
        self._add_cell(str(len(self._cells)), _check_cell(type(self).__name__, cell), prefix_of(self._cells))
        self._list_cells()

    def _list_cells(self) -> None:
        """Take note that children were added, removed or replaced by position."""

    def set_grad(self, flag: bool = True) -> None:  # type: ignore[override]
        """Declare for each of the Cells that gradients will be asked for; nothing is returned, unlike by other Cells.

        Follows: mindspore.nn.CellList.set_grad (2.10).
        """
        for cell in self._cells.values():
            if isinstance(cell, _Ordered):
                cell.set_grad(flag)
            cell.requires_grad = flag
        super().set_grad(flag)

    def _add_cell(self, name: str, cell: Cell, prefix: str = "") -> None:
        self._prefix_parameters(cell, f"{prefix}{name}.")
        self._cells[name] = cell

    def _prefix_parameters(self, cell: Cell, prefix: str) -> None:
        """Put a prefix before the names of a child's parameters."""
        if self._auto_prefix:
            cell.update_parameters_name(prefix)

    def _register_by_position(self, cells: list[Cell], prefix: str, names: Sequence[str] = ()) -> None:
        """Take `cells` for children, each by its position; those of `names` that were given stay."""
        for name in list(self._cells):
            del self._cells[name]
        for position, (cell, name) in enumerate(zip_longest(cells, names)):
            self._add_cell(name if name in self._given else str(position), cell, prefix)

    def _normalize_index(self, index: int) -> int:
        length = len(self._cells)
        if not isinstance(index, int):
            raise TypeError(
                f"For '{type(self).__name__}', the type of 'index' must be int or slice, got {type(index).__name__}."
            )
        if not -length <= index < length:
            raise IndexError(
                f"For '{type(self).__name__}', the value of 'index' must be a number in range [{-length}, {length}), "
                f"but got {index}."
            )
        return index % length


class SequentialCell(_Ordered):
    """Calls its Cells in sequence, each on the output of the one before.

    The attribute `cell_list` lists the Cells that are called: those given, and what `append`, `seq[i] = cell` and
    `del seq[i]` make of them. A Cell that becomes a child as an attribute, or by `insert_child_to_cell`, is not called.

    Args:
        args: Cells, or one list of Cells, or one OrderedDict of names and Cells.

    Inputs:
        input_data: what the first Cell takes.

    Outputs:
        What the last Cell returns.

    Raises:
        KeyError: a name in the OrderedDict has a dot, or belongs to another attribute.
        TypeError: an argument is something else.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(2, 8), nn.ReLU(), nn.Dense(8, 1))
        >>> net(ops.ones((4, 2), ms.float32)).shape
        (4, 1)

    Follows: mindspore.nn.SequentialCell (2.10).
    """

    cell_list: list[Cell]

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            self._given = frozenset(args[0])
        for name, cell in _names_and_cells(args):
            self._check_child_name(name)
            self._add_cell(name, cell)
        self._list_cells()

    def construct(self, input_data: Any) -> Any:
        """Call the Cells in order."""
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data

    def _list_cells(self) -> None:
        self.__dict__["cell_list"] = list(self._cells.values())

    def _replace_child(self, name: str, cell: Cell) -> None:
        super()._replace_child(name, cell)
        self._list_cells()

    def _advise_cell_list(self, name: str, value: list | tuple) -> None:
        if name != "cell_list":
            super()._advise_cell_list(name, value)

    def _make_slice(self, items: list[tuple[str, Cell]]) -> "SequentialCell":
        return SequentialCell(OrderedDict(items))


class CellList(_Ordered):
    """A list of Cells whose parameters are registered; it is not called itself.

    Args:
        args: Cells, or one list of Cells.
        auto_prefix: name the parameters by position.

    Inputs:
        inputs: none are taken.

    Outputs:
        Nothing: a call raises NotImplementedError.

    Raises:
        TypeError: `args` is something else, or has a CellDict in it.

    Examples:
        >>> layers = nn.CellList([nn.Dense(2, 2) for _ in range(3)])
        >>> x = ops.ones((1, 2), ms.float32)
        >>> for layer in layers:
        ...     x = layer(x)
        >>> len(layers), x.shape
        (3, (1, 2))

    Follows: mindspore.nn.CellList (2.10).
    """

    def __init__(self, *args: Any, auto_prefix: bool = True) -> None:
        super().__init__(auto_prefix=auto_prefix)
        self.extend(args[0] if len(args) == 1 else list(args))

    def construct(self, *inputs: Any) -> Any:
        """Refuse: a list is not called.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("A CellList is not called itself; call the Cells in it.")

    def extend(self, cells: Iterable[Cell]) -> "CellList":
        """Add Cells at the end and return this list.

        Raises:
            TypeError: `cells` is not a list of Cells, or has a CellDict in it.
        """
        instance(cells, "cells", "CellList", list)
        prefix = prefix_of(self._cells)
        for cell in cells:
            self._add_cell(str(len(self._cells)), _check_cell("CellList", cell, (CellDict,)), prefix)
        return self

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before position `index`; all are named by position again.

        Raises:
            IndexError: `index` is out of range.
            TypeError: `cell` is not a Cell.
        """
        _check_cell("CellList", cell)
        cells = list(self._cells.values())
        position = len(cells) if index == len(cells) else self._normalize_index(index)
        self._register_by_position([*cells[:position], cell, *cells[position:]], prefix_of(self._cells))

    def __iadd__(self, cells: Iterable[Cell]) -> "CellList":
        self.extend(cells)
        return self

    def _make_slice(self, items: list[tuple[str, Cell]]) -> "CellList":
        return CellList([cell for _, cell in items])


class CellDict(Cell):
    """A dictionary of Cells whose parameters are registered; it is not called itself.

    Args:
        args: a mapping of names to Cells, or (name, Cell) pairs; or nothing.
        auto_prefix: name the parameters by the names of the Cells.

    Inputs:
        inputs: none are taken.

    Outputs:
        Nothing: a call raises NotImplementedError.

    Raises:
        KeyError: a name is empty, has a dot, or belongs to another attribute.
        TypeError: a Cell is not one, or itself a CellDict, CellList or SequentialCell.

    Follows: mindspore.nn.CellDict (2.10).
    """

    def __init__(self, *args: Any, auto_prefix: bool = True) -> None:
        if len(args) > 1:
            raise TypeError(f"For 'CellDict', at most one argument is taken, got {len(args)}.")
        super().__init__(auto_prefix=auto_prefix)
        if args:
            self.update(args[0])

    def __getitem__(self, key: str) -> Cell:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        instance(key, "key", "CellDict", str)
        if not key or "." in key:
            raise KeyError(f"For 'CellDict', a key must be a string without dots, got {key!r}.")
        if hasattr(self, key) and key not in self._cells:
            raise KeyError(f"For 'CellDict', the key {key!r} is an attribute of CellDict; choose another.")
        _check_cell("CellDict", cell, (CellDict, CellList, SequentialCell))
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix_of(self._cells)}{key}.")
        self._cells[key] = cell

    def __delitem__(self, key: str) -> None:
        del self._cells[key]

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def clear(self) -> None:
        """Take all Cells out."""
        for key in list(self._cells):
            del self._cells[key]

    def pop(self, key: str) -> Cell:
        """Take one Cell out and return it."""
        cell = self._cells[key]
        del self._cells[key]
        return cell

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._cells.keys()

    def values(self) -> Iterable[Cell]:
        """Return the Cells."""
        return self._cells.values()

    def items(self) -> Iterable[tuple[str, Cell]]:
        """Return (name, Cell) pairs."""
        return self._cells.items()

    def update(self, cells: Mapping[str, Cell] | Iterable[tuple[str, Cell]]) -> None:
        """Put Cells in, replacing those of the same name.

        Raises:
            TypeError: `cells` is neither a mapping nor made of pairs.
        """
        if not isinstance(cells, Iterable):
            raise TypeError(f"For 'CellDict', cells must be a mapping or pairs, got {type(cells).__name__}.")
        for key, cell in cells.items() if isinstance(cells, Mapping | CellDict) else cells:
            self[key] = cell

    def construct(self, *inputs: Any) -> Any:
        """Refuse: a dictionary is not called.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("A CellDict is not called itself; call the Cells in it.")


def prefix_of(cells: Mapping[str, Cell]) -> str:
    """Read from the children's parameters what their names begin with, for a child that comes late.

    The container's own path is not known to it. MindSpore takes the last place at which the first named parameter has
    the child's key, or the place at which the second child's has its key too. So a list of lists that grows one by one
    is named `0.0.weight`, `0.1.0.weight`, `0.2.0.weight`; files that were saved so have to be read.
    """
    named = ((key, next(cell.get_parameters(), None)) for key, cell in cells.items())
    found = ((key, parameter.name.split(".")) for key, parameter in named if parameter is not None)
    key, parts = next(found, ("", []))
    second_key, second = next(found, ("", []))
    prefix = ""
    for place, part in enumerate(parts):
        if part == key:
            prefix = "".join(f"{part}." for part in parts[:place])
            if second[place : place + 1] == [second_key]:
                break
    return prefix


def _names_and_cells(cells: tuple[Any, ...]) -> Iterator[tuple[str, Cell]]:
    """Yield names and Cells of what a SequentialCell is made from."""
    if len(cells) == 1 and isinstance(cells[0], OrderedDict):
        yield from ((name, _check_cell("SequentialCell", cell)) for name, cell in cells[0].items())
        return
    listed = cells[0] if len(cells) == 1 and isinstance(cells[0], list) else cells
    for position, cell in enumerate(listed):
        if not isinstance(cell, Cell):
            raise TypeError(
                f"For 'SequentialCell', the 'args[{position}]' must be Cell, list or orderedDict, "
                f"but got {type(cell).__name__}"
            )
        yield str(position), cell


def _check_cell(where: str, cell: Any, refused: tuple[type[Cell], ...] = ()) -> Cell:
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{where}', each element must be a Cell, but got {type(cell).__name__}.")
    if isinstance(cell, refused):
        raise TypeError(f"For '{where}', an element cannot be a {type(cell).__name__}.")
    return cell
