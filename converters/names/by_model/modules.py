"""Exact name mapping from the layer types of a torch module."""

from collections.abc import Container, Mapping
from typing import Any

import torch

from msbridge.converters.names.by_model.cells import kept_names
from msbridge.converters.names.pairs import Layer, Pair, checked_unique, layers
from msbridge.converters.names.paths import joined
from msbridge.converters.tensors import spectral_norm
from msbridge.converters.tensors.axes import axes


def pairs_of_module(module: torch.nn.Module, cell: Any = None) -> list[Pair]:
    """Give both names of every tensor in the state dict of a torch module, in its order.

    A tensor of a layer that the table does not have keeps its name.

    Args:
        module: the torch module.
        cell: the Cell that is meant, if there is one: where it has layers of mint, the tensors keep torch's names.

    Raises:
        CheckpointError: two tensors would get the same name.
    """
    rows = {path: _row(one) for path, one in module.named_modules(remove_duplicate=False)}
    types = {path: type(one).__name__ for path, one in module.named_modules(remove_duplicate=False)}
    found = []
    seen: dict[int, str] = {}
    state = {name: one for name, one in module.state_dict(keep_vars=True).items() if isinstance(one, torch.Tensor)}
    vectors_of_all: set[str] = set()
    kept, others = ({}, set()) if cell is None else kept_names(cell)
    for name, tensor in state.items():
        normalised, magnitude = _weight_norm(name, state)
        if name == magnitude or name in vectors_of_all:
            continue
        weight, vectors, axis = _spectral_norm(name, state, types)
        vectors_of_all.update(vectors)
        normalised = weight if vectors else normalised
        path, _, leaf = normalised.rpartition(".")
        row = rows.get(path)
        target: str | None = None
        if leaf != "_extra_state" and (row is None or leaf not in row.drop):
            target = _mindspore_name(path, leaf, rows)
        is_moved = row and leaf in row.reshape and (not kept or row.cell.rpartition(".")[2] in others)
        moved = axes(row.reshape[leaf]) if row and is_moved else None
        if normalised in kept:
            target, moved = kept[normalised], None
        size = tuple(state[magnitude].shape) if magnitude else None
        kind, first = types.get(path, ""), seen.setdefault(id(tensor), name)
        shape, known = tuple(tensor.shape), first if first != name else ""
        found.append(Pair(name, target, moved, shape, kind, bool(known), magnitude, size, vectors, axis, known))
    return checked_unique(found)


def untracked_pairs(module: torch.nn.Module) -> list[Pair]:
    """Give what the Cells of a torch module's layers have although these layers are built without it."""
    modules = dict(module.named_modules(remove_duplicate=False))
    rows = {path: _row(one) for path, one in modules.items()}
    return [
        Pair(joined(path, leaf), _mindspore_name(path, leaf, rows), layer=type(one).__name__, optional=True,
             is_untracked=True)
        for path, one in modules.items() if (row := rows[path]) is not None
        for leaf in row.untracked if getattr(one, leaf, None) is None
    ]  # fmt: skip


def _weight_norm(name: str, names: Container[str]) -> tuple[str, str | None]:
    """Give the name of the weight that a part of a weight-normalised weight stands for, and that of its magnitude."""
    path, _, leaf = name.rpartition(".")
    for magnitude, direction, beside in (
        ("original0", "original1", ".parametrizations.weight"),
        ("weight_g", "weight_v", ""),
    ):
        other = {magnitude: direction, direction: magnitude}.get(leaf)
        dotted = f".{path}"
        if other and dotted.endswith(beside) and f"{path}.{other}".removeprefix(".") in names:
            above = dotted.removesuffix(beside).removeprefix(".")
            return joined(above, "weight"), joined(path, magnitude)
    return name, None


def _spectral_norm(
    name: str, state: Mapping[str, torch.Tensor], types: Mapping[str, str]
) -> tuple[str, tuple[str, ...], int]:
    """Give the weight that the original of a spectrally normalised one stands for, both vectors, and their axis."""
    path, _, leaf = name.rpartition(".")
    for original, first, second, beside in (
        ("weight_orig", "weight_u", "weight_v", ""),
        ("original", "0._u", "0._v", ".parametrizations.weight"),
    ):
        dotted, vectors = f".{path}", (joined(path, first), joined(path, second))
        if leaf == original and dotted.endswith(beside) and all(one in state for one in vectors):
            above = dotted.removesuffix(beside).removeprefix(".")
            left, right = (tuple(state[one].shape) for one in vectors)
            likely = 1 if "ConvTranspose" in types.get(above, "") else 0
            axis = spectral_norm.axis_of(tuple(state[name].shape), left, right, likely)
            if axis is not None:
                return joined(above, "weight"), vectors, axis
    return name, (), 0


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
