"""Exact name mapping from the layer types of a Cell."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from msbridge.converters.names.parameter_table import Layer, Pair, Slot, layers, require_unique
from msbridge.converters.names.paths import join_path
from msbridge.converters.tensors.axes import axes
from msbridge.core.runtime.defining_modules import defining_module


def pairs_of_cell(cell: Any) -> list[Pair]:
    """Return both names of every parameter of a Cell, in its order.

    A parameter that the Cell holds under a second path (tied weights, a shared layer) has a second name in torch only.

    Raises:
        CheckpointError: two parameters would get the same name.
    """
    by_cell = {row.cell.rpartition(".")[2]: row for row in reversed(list(layers().values()))}
    cells, held = _walk_cell(cell)
    kinds = {path: [one.__name__ for one in type(inner).__mro__] for path, inner in cells.items()}
    rows = {path: next((by_cell[name] for name in names if name in by_cell), None) for path, names in kinds.items()}
    rows |= dict.fromkeys(_with_torch_names(cells), None)
    pairs: list[Pair] = []
    first: dict[int, Pair] = {}
    for key, parameter in held:
        torch_name, row = _torch_name(key, rows)
        if known := first.get(id(parameter)):
            pairs.append(replace(known, torch=torch_name, mindspore=None, optional=True, same_as=known.torch))
            continue
        leaf = torch_name.rpartition(".")[2]
        moved = axes(row.reshape[leaf]) if row and leaf in row.reshape else None
        shape = tuple(parameter.shape)
        shape = moved.inverse.shape(shape, key) if moved else shape
        may_lack = row is not None and leaf in row.untracked
        pairs.append(Pair(torch_name, parameter.name, moved, shape, row.cell if row else "", may_lack))
        first[id(parameter)] = pairs[-1]
    dropped = [
        (join_path(path, leaf), row.cell)
        for path, row in rows.items()
        if row and not _is_inside(path, rows)
        for leaf in row.drop
    ]
    pairs += [Pair(_torch_name(name, rows)[0], None, layer=cell) for name, cell in dropped]
    return require_unique(pairs)


def slots_of(cell: Any) -> list[Slot]:
    """Return the parameters of a Cell, in its order."""
    return [Slot(key, tuple(one.shape), one.requires_grad, one.name) for key, one in cell.parameters_and_names()]


def _walk_cell(cell: Any) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Return all Cells of a Cell and all parameters by their paths, a shared one under each of them."""
    if not hasattr(cell, "_cells"):  # what only looks like a Cell knows best what it holds
        return dict(cell.cells_and_names()), list(cell.parameters_and_names())
    cells = dict(_everywhere(cell))
    held = [(join_path(path, name), one) for path, inner in cells.items() for name, one in inner._params.items()]
    return cells, [(path, one) for path, one in held if one is not None]


def _everywhere(cell: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, cell
    for name, inner in cell._cells.items():
        if inner is not None:
            yield from _everywhere(inner, join_path(path, name))


def find_mint_names(cell: Any) -> tuple[dict[str, str], set[str]]:
    """Return path and name of the parameters of mint's layers, and the names of the classes of all other Cells."""
    cells = dict(cell.cells_and_names())
    held = _with_torch_names(cells)
    kinds = {type(one) for path, one in cells.items() if path not in held}
    others = {kind.__name__ for one in kinds for kind in one.__mro__}
    if not held:
        return {}, others
    return {key: one.name for key, one in cell.parameters_and_names() if key.rpartition(".")[0] in held}, others


def _with_torch_names(cells: Mapping[str, Any]) -> set[str]:
    """Return the paths of the Cells of mint, or derived from one, whose parameters are called and shaped as torch's."""
    kinds = {
        kind
        for kind in set(map(type, cells.values()))
        if any(".mint." in defining_module(one) or one.__name__.endswith("Ext") for one in kind.__mro__)
    }
    return {path for path, cell in cells.items() if type(cell) in kinds}


def _is_inside(path: str, rows: Mapping[str, Layer | None]) -> bool:
    """Whether a Cell is only how the Cell around it is made: "bn2d" in a BatchNorm3d."""
    above, _, name = path.rpartition(".")
    row = rows.get(above) if path else None
    return row is not None and any(new.startswith(f"{name}.") for new in row.rename.values())


def _torch_name(key: str, rows: Mapping[str, Layer | None]) -> tuple[str, Layer | None]:
    """Translate a parameter's path back; return its torch name and the row of the layer that owns it."""
    parts = key.split(".")
    names: list[str] = []
    start = 0
    while start < len(parts):
        row = rows.get(".".join(parts[:start]))
        back = {new: old for old, new in row.rename.items()} if row else {}
        rest = ".".join(parts[start:])
        if row and rest in back:  # the end of the name, perhaps of several parts ("bn2d.gamma")
            return ".".join([*names, back[rest]]), row
        if start == len(parts) - 1:
            return ".".join([*names, rest]), row
        names.append(back.get(parts[start], parts[start]))
        start += 1
    return ".".join(names), None
