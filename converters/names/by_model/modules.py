"""Exact name mapping from the layer types of a torch module."""

from collections.abc import Mapping
from typing import Any

import torch

from msbridge.converters.names.by_model.cells import find_mint_names
from msbridge.converters.names.parameter_table import Layer, Pair, layers, require_unique
from msbridge.converters.names.paths import join_path
from msbridge.converters.tensors.axes import axes
from msbridge.converters.tensors.parametrizations import find_folded_weights


def pairs_of_module(module: torch.nn.Module, cell: Any = None) -> list[Pair]:
    """Return both names of every tensor in the state dict of a torch module, in its order.

    A tensor of a layer that the table does not have keeps its name.

    Args:
        module: the torch module.
        cell: the Cell that is meant, if there is one: where it has layers of mint, the tensors keep torch's names.

    Raises:
        CheckpointError: two tensors would get the same name.
    """
    rows = {path: _row(one) for path, one in module.named_modules(remove_duplicate=False)}
    types = {path: type(one).__name__ for path, one in module.named_modules(remove_duplicate=False)}
    pairs = []
    seen: dict[int, str] = {}
    state = {name: one for name, one in module.state_dict(keep_vars=True).items() if isinstance(one, torch.Tensor)}
    whole = find_folded_weights(
        {name: tuple(one.shape) for name, one in state.items()},
        is_transposed=lambda path: "ConvTranspose" in types.get(path, ""),
    )
    weights = {one.weight: name for name, one in whole.items()}
    parts = {source for one in whole.values() for source in one.sources}
    kept, others = ({}, set()) if cell is None else find_mint_names(cell)
    for name, tensor in state.items():
        if name in parts and name not in weights:
            continue
        called = weights.get(name, name)
        path, _, leaf = called.rpartition(".")
        row = rows.get(path)
        target: str | None = None
        if leaf != "_extra_state" and (row is None or leaf not in row.drop):
            target = _mindspore_name(path, leaf, rows)
        is_moved = row and leaf in row.reshape and (not kept or row.cell.rpartition(".")[2] in others)
        moved = axes(row.reshape[leaf]) if row and is_moved else None
        if called in kept:
            target, moved = kept[called], None
        kind, first = types.get(path, ""), seen.setdefault(id(tensor), name)
        shape, known = tuple(tensor.shape), first if first != name else ""
        pairs.append(Pair(name, target, moved, shape, kind, bool(known), whole.get(called), known))
    return require_unique(pairs)


def pair_untracked(module: torch.nn.Module) -> list[Pair]:
    """Return the parameters that only the Cells of a torch module's layers have, as these are built without them."""
    modules = dict(module.named_modules(remove_duplicate=False))
    rows = {path: _row(one) for path, one in modules.items()}
    return [
        Pair(join_path(path, leaf), _mindspore_name(path, leaf, rows), layer=type(one).__name__, optional=True,
             is_untracked=True)
        for path, one in modules.items() if (row := rows[path]) is not None
        for leaf in row.untracked if getattr(one, leaf, None) is None
    ]  # fmt: skip


def _row(module: torch.nn.Module) -> Layer | None:
    """Find the row of a module by its class, or of the nearest class it inherits."""
    for kind in type(module).__mro__:
        path = kind.__module__.split(".")
        if path[:2] == ["torch", "nn"] and (row := layers().get(f"torch.nn.{kind.__name__}")):
            return row
    return None


def _mindspore_name(path: str, leaf: str, rows: Mapping[str, Layer | None]) -> str:
    """Translate every part of a name by the row of the layer that it belongs to."""
    parts, walked = [], ""
    for part in filter(None, path.split(".")):
        row = rows.get(walked)
        parts.append(row.rename.get(part, part) if row else part)
        walked = f"{walked}.{part}" if walked else part
    row = rows.get(path)
    name = row.rename.get(leaf, leaf) if row else leaf
    if row and not path:
        name = row.bare.get(name, name)
    return ".".join([*parts, name])
