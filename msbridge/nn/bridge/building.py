"""The construction of the tree of modules for a Cell."""

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import torch

from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.parameter_table import layers
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.core.tensor.memory import fix_memory
from msbridge.nn.bridge.cell_module import CellModule, Link, Loan, Place, module_class
from msbridge.nn.bridge.torch_cell import TorchCell
from msbridge.nn.bridge.torch_layers import torch_layer
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.traversal import join_path

__all__ = ["module_of"]

# Untrainable parameters that torch has as buffers; under MindSpore's names where the Cell is the user's own.
STATISTICS = frozenset(["running_mean", "running_var", "moving_mean", "moving_variance"])

_RECURRENT = re.compile(r"(?:weight|bias)_(?:ih|hh|hr)_l(\d+)(_reverse)?")


def module_of(cell: Cell) -> torch.nn.Module:
    """Construct the modules of a Cell and of all below it."""
    return _Builder(cell).root


class _Builder:
    """The construction of the tree of modules for one Cell.

    It also is what `pairs_of_cell` reads of a Cell; unlike a Cell, it lists a shared parameter under each of its paths,
    as a state dict does, and only layers of ours: a user's own `Conv1d` is another.
    """

    def __init__(self, cell: Cell) -> None:
        self._walked = list(_cells_by_path(cell, ""))
        self._states = [
            (path, holder, name, tensor)
            for path, holder in self._walked
            for name, tensor in (
                *sorted(holder._params.items(), key=_recurrent_layer_key),
                *holder.named_buffers(recurse=False),
            )
            if tensor is not None
        ]
        pairs = [replace(pair, torch=_torch_tensor_name(pair.torch)) for pair in pairs_of_cell(self)]
        self._loan = Loan()
        self.root = self._wrap_torch_cell(cell)
        self._modules: dict[Cell, torch.nn.Module] = {cell: self.root}
        self._tensors: dict[int, torch.nn.Parameter] = {}
        self._placed: set[tuple[int, str]] = set()
        self._linked: set[tuple[int, int]] = set()
        of_states = pairs[: len(self._states)]
        at = self._modules_at(_torch_parts(zip((state[0] for state in self._states), of_states, strict=True)))
        for (path, holder, attribute, tensor), pair in zip(self._states, of_states, strict=True):
            owner, name = self._module_of_tensor(pair.torch)
            shape = None if pair.axes is None else tuple(tensor.shape)
            link = Link(owner, name, holder, attribute, tensor, shape)
            if not isinstance(holder, TorchCell) or at[path] is not holder.module:
                self._register_tensor(link, pair.shape)
            self._announce_tensor(link, [at[above] for above in _path_and_parents(path) if above in at])
        modules = dict(self.root.named_modules())
        for pair in pairs[len(of_states) :]:
            path, _, name = pair.torch.rpartition(".")
            if isinstance(modules.get(path), CellModule):
                modules[path].register_load_state_dict_pre_hook(functools.partial(_leave_out, name))

    def cells_and_names(self) -> Iterator[tuple[str, Cell]]:
        known = {row.cell.rpartition(".")[2] for row in layers().values()}
        for path, cell in self._walked:
            kinds = [kind.__name__ for kind in type(cell).__mro__ if defining_module(kind).startswith("msbridge.nn.")]
            if known.intersection(kinds):
                yield path, cell

    def parameters_and_names(self) -> Iterator[tuple[str, Any]]:
        for path, _, name, tensor in self._states:
            yield join_path(path, name), SimpleNamespace(name=join_path(path, name), shape=tensor.shape)

    def _wrap_torch_cell(self, cell: Cell) -> CellModule:
        return module_class(type(cell))(cell, self._loan)

    def _modules_at(self, torch_parts: dict[str, str]) -> dict[str, torch.nn.Module]:
        """Construct a module for every Cell, in the Cells' order; return them by the Cells' paths."""
        at: dict[str, torch.nn.Module] = {"": self.root}
        for path, cell in self._walked[1:]:
            above, _, name = path.rpartition(".")
            if not isinstance(at.get(above), CellModule):  # torch's layers have no Cells below
                continue
            is_known = cell in self._modules
            if not is_known:
                module = cell.module if isinstance(cell, TorchCell) and not _is_cast(cell) else torch_layer(cell)
                self._modules[cell] = self._wrap_torch_cell(cell) if module is None else module.train(cell.training)
            at[path] = self._modules[cell]
            torch_name = torch_parts.get(path, _torch_layer_name(name))
            at[above].add_module(torch_name, at[path])
            if not is_known:
                self._announce_place(Place(cell, at[above], torch_name, cell.training), path, at)
        return at

    def _announce_place(self, place: Place, path: str, at: dict[str, torch.nn.Module]) -> None:
        """Record in the modules above, which may be called, where a module is."""
        if isinstance(at[path], CellModule):
            at[path]._place = place  # type: ignore[assignment]
        for above in _path_and_parents(path)[1:]:
            at[above]._places.append(place)  # type: ignore[union-attr, operator]

    def _module_of_tensor(self, torch_name: str) -> tuple[torch.nn.Module, str]:
        """Return the module that has a tensor, and the tensor's name there; missing modules are added."""
        owner: torch.nn.Module = self.root
        *parts, name = torch_name.split(".")
        for part in parts:
            if part not in owner._modules:
                owner.add_module(part, torch.nn.Module())
            owner = owner.get_submodule(part)
        return owner, name

    def _register_tensor(self, link: Link, shape: tuple[int, ...] | None) -> None:
        """Put a tensor into its module: the same one for a Parameter that is met again."""
        owner, name, tensor = link.owner, link.name, link.tensor
        if (id(owner), name) in self._placed:  # a shared Cell that is met again
            return
        self._placed.add((id(owner), name))
        fix_memory(tensor)
        data = tensor._data if link.shape is None or shape is None else tensor._data.reshape(shape)
        if not isinstance(tensor, Parameter):
            is_kept = link.attribute not in link.holder._non_persistent_buffers_set
            owner.register_buffer(name, data, persistent=is_kept)
        elif name in owner._buffers:
            owner._buffers[name] = data
        elif not tensor.requires_grad and (name in STATISTICS or not data.is_floating_point()):
            owner.register_buffer(name, data)
        else:
            is_trained = tensor.requires_grad and (data.is_floating_point() or data.is_complex())
            known = self._tensors.setdefault(id(tensor), torch.nn.Parameter(data, is_trained))
            owner.register_parameter(name, known)

    def _announce_tensor(self, link: Link, modules: list[torch.nn.Module]) -> None:
        """Record a tensor in all modules that may be called, once."""
        for module in modules:
            key = (id(module), id(link.tensor))
            if isinstance(module, CellModule) and key not in self._linked:
                self._linked.add(key)
                module._links.append(link)


def _recurrent_layer_key(named: tuple[str, Any]) -> tuple[int, bool]:
    """Return the layer and direction of a recurrent network's parameter: torch sorts by them."""
    found = _RECURRENT.fullmatch(named[0])
    return (int(found[1]), found[2] is not None) if found else (-1, False)


def _path_and_parents(path: str) -> list[str]:
    """Return a path, then those above it, the root's empty path last."""
    parts = path.split(".") if path else []
    return [".".join(parts[:count]) for count in range(len(parts), -1, -1)]


def _torch_tensor_name(torch_name: str) -> str:
    """Return a tensor's name whose layers are called as torch allows it."""
    path, dot, name = torch_name.rpartition(".")
    return ".".join(map(_torch_layer_name, path.split("."))) + dot + name


def _torch_layer_name(name: str) -> str:
    """Return the name of a layer in torch, which has no layers with the names of its methods, such as "forward"."""
    return f"{name}_" if name and hasattr(torch.nn.Module, name) else name


def _torch_parts(named: Any) -> dict[str, str]:
    """Return the last part of each Cell's path in torch, by the Cell's path, from (path, pair) of all tensors."""
    torch_names = {}
    for path, pair in named:
        parts = path.split(".") if path else []
        for count, (_, part) in enumerate(zip(parts, pair.torch.split(".")[:-1], strict=False), 1):
            torch_names[".".join(parts[:count])] = part
    return torch_names


def _cells_by_path(cell: Cell, path: str) -> Iterator[tuple[str, Cell]]:
    """Yield (path, Cell) of a Cell and all below it, of a shared one under each of its paths."""
    yield path, cell
    for name, child in cell._cells.items():
        if child is not None:
            yield from _cells_by_path(child, join_path(path, name))


def _is_cast(cell: Cell) -> bool:
    return cell._special is not None and cell._special.precision is not None


def _leave_out(name: str, _: torch.nn.Module, state_dict: dict[str, Any], prefix: str, *__: Any) -> None:
    """Take out of a state dict, before it is loaded, what torch's layer has and the Cell has not."""
    state_dict.pop(prefix + name, None)
