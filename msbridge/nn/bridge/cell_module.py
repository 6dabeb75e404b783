"""A Cell as a torch module."""

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch
from torch.utils._pytree import tree_map
from torch.utils.checkpoint import checkpoint

from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.pairs import layers
from msbridge.core.parameter import Parameter
from msbridge.core.recording import recording
from msbridge.core.tensor import Tensor
from msbridge.nn.bridge.torch_cell import TorchCell, unwrapped, wrapped
from msbridge.nn.bridge.torch_layers import torch_layer
from msbridge.nn.calling import CallSettings
from msbridge.nn.cell import Cell
from msbridge.nn.layers.containers import CellList, SequentialCell

__all__ = ["CellModule", "module_of"]

# Untrainable parameters that torch has as buffers; under MindSpore's names where the Cell is the user's own.
STATISTICS = frozenset(["running_mean", "running_var", "moving_mean", "moving_variance"])

_RECURRENT = re.compile(r"(?:weight|bias)_(?:ih|hh|hr)_l(\d+)(_reverse)?")


class CellModule(torch.nn.Module):
    """A Cell as a torch module; `to_torch_module` makes it.

    Below it, every Cell has a module in turn: torch's own layer where that computes exactly what the Cell does, the
    module inside where the Cell came from `from_torch`, and else a CellModule. When a Cell calls another, it calls the
    module that stands in its place then: hooks of modules run, and what was put in the place of a module is called.

    Moving statistics, and the Cell's buffers, are buffers; all else is a parameter. `train()` and `eval()` are the
    Cell's `set_train`, and the module begins in the mode of the Cell; a torch layer that is switched by itself, and its
    Cell, agree with the next call.

    Gradients are recorded as by any module. Cells that ask for `recompute` are computed again in the backward pass.
    The module lends its tensors to the Cell for the time of a call, so one thread may call it at a time.
    """

    def __init__(self, cell: Cell, loan: "_Loan") -> None:
        super().__init__()
        self._cell = cell
        self._loan = loan
        self._place: _Place | None = None
        self._links: list[_Link] = []
        self._places: list[_Place] = []
        self.register_load_state_dict_post_hook(_share)

    @property
    def training(self) -> bool:  # type: ignore[override]
        """Whether the Cell is in training mode."""
        return self._cell.training

    @training.setter
    def training(self, mode: bool) -> None:
        if "_cell" in self.__dict__:  # torch sets it before there is a Cell
            self._cell.training = mode

    def train(self, mode: bool = True) -> "CellModule":
        """Switch training on or off, for the Cell and all below it."""
        super().train(mode)
        self._cell.set_train(mode)
        for place in self._places:
            place.training = mode
        return self

    def _forward(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call the Cell with torch tensors; give torch tensors."""
        compute: Callable[..., Any] = self._cell
        if self._place is not None and self._loan.is_running:  # a call of the Cell has led here
            compute = self._place.construct
        if self._loan.recomputes(self._cell) and torch.is_grad_enabled():
            return checkpoint(self._compute, compute, args, kwargs, use_reentrant=False)
        return self._compute(compute, args, kwargs)

    def _compute(self, compute: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
        args, kwargs = tree_map(wrapped, (args, kwargs))
        if self._loan.is_running:
            return tree_map(unwrapped, compute(*args, **kwargs))
        with _lent(self):
            return tree_map(unwrapped, compute(*args, **kwargs))

    def _get_name(self) -> str:
        return self._cell.cls_name

    def _apply(self, fn: Any, recurse: bool = True) -> "CellModule":
        """Move or cast the tensors, as `to`, `cuda` and `half` do; the Cell's go along."""
        super()._apply(fn, recurse)
        _share(self)
        return self

    def __reduce__(self) -> tuple:
        return _empty, (type(self._cell),), self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        _share(self)


class _Sequence(CellModule):
    """A Cell that holds others in order, as a module that does."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[torch.nn.Module | None]:
        return iter(self._modules.values())

    def __getitem__(self, index: int) -> torch.nn.Module | None:
        return list(self._modules.values())[index]


@functools.cache
def _module_class(kind: type[Cell]) -> type[CellModule]:
    """Construct the module class for a class of Cells: `forward` has the arguments of `construct`."""

    def forward(self: CellModule, *args: Any, **kwargs: Any) -> Any:
        return self._forward(args, kwargs)

    forward.__doc__ = CellModule._forward.__doc__
    forward.__signature__ = inspect.signature(kind.construct)  # type: ignore[attr-defined]
    base = _Sequence if issubclass(kind, CellList | SequentialCell) else CellModule
    return type(kind.__name__, (base,), {"forward": forward, "__module__": __name__, "__doc__": kind.__doc__})


def _empty(kind: type[Cell]) -> CellModule:
    """Return an empty module, for a copy."""
    made = _module_class(kind)
    return made.__new__(made)


# -- while a module is called ------------------------------------------------------------------------------------------


class _Loan:
    """Whether some module of a tree has lent its tensors to the Cells.

    Attributes:
        is_running: it has.
        recomputed: the settings of Cells that ask for recomputation, which is the modules' affair meanwhile.
    """

    def __init__(self) -> None:
        self.is_running = False
        self.recomputed: list[CallSettings] = []

    def recomputes(self, cell: Cell) -> bool:
        """Whether a Cell's results are computed again in the backward pass."""
        settings = cell._special
        if settings is None:
            return False
        return settings.is_recomputed or any(one is settings for one in self.recomputed)


@dataclass(slots=True, eq=False)
class _Place:
    """Where the module of a Cell stands.

    Attributes:
        cell: the Cell.
        above: the module that has the Cell's.
        name: its name there.
        training: the mode in which the Cell and its module were last.
        construct: what the Cell itself computes, while calls of it lead here.
    """

    cell: Cell
    above: torch.nn.Module
    name: str
    training: bool
    construct: Callable[..., Any] = field(init=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module that stands here now, in place of the Cell's `construct`."""
        module = self.above._modules[self.name]
        if kwargs and not isinstance(module, CellModule):  # torch's layers have other names of arguments
            bound = inspect.signature(self.construct).bind(*args, **kwargs)
            args, kwargs = bound.args, bound.kwargs
        args, kwargs = tree_map(unwrapped, (args, kwargs))
        return tree_map(wrapped, module(*args, **kwargs))  # type: ignore[misc]

    def agree(self) -> None:
        """Bring a Cell and its module into one mode: that of the one that was switched last."""
        module, cell = self.above._modules[self.name], self.cell
        if isinstance(module, CellModule) or module is None:
            return
        if module.training != self.training:
            cell.set_train(module.training)
        elif cell.training != self.training:
            module.train(cell.training)
        self.training = module.training


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
    """One tensor: where the module has it, and where the Cell.

    Attributes:
        owner: the module that has it.
        name: its name there.
        holder: the Cell that has it.
        attribute: its name there.
        tensor: the Cell's Parameter or buffer.
        shape: the Cell's, where the module's is another: the layers' patterns only put in axes of length one.
    """

    owner: torch.nn.Module
    name: str
    holder: Cell
    attribute: str
    tensor: Tensor
    shape: tuple[int, ...] | None

    def inside(self) -> torch.Tensor:
        """Return the module's tensor as the Cell wants it: itself, or a view."""
        data = getattr(self.owner, self.name)
        return data if self.shape is None else data.reshape(self.shape)

    def keep(self, lent: torch.Tensor, unchanged: torch.Tensor) -> None:
        """Copy what the Cell assigned anew into the module's memory."""
        current = self.holder.__dict__[self.attribute]
        if current is not self.tensor:  # a buffer is another Tensor then
            self.holder.__dict__[self.attribute] = self.tensor
        if current._data is not unchanged:
            with torch.no_grad():
                lent.copy_(current._data)


@contextmanager
def _lent(module: CellModule) -> Iterator[None]:
    """Let the Cell work with the module's tensors, and the Cells below it through their modules."""
    turns = [(link, link.tensor, link.tensor._data, link.inside()) for link in module._links]
    for link, tensor, own, lent in turns:
        link.keep(lent, own)
        tensor._data = lent
    loan = module._loan
    loan.is_running = True
    try:
        with _led(module), recording() if torch.is_grad_enabled() else nullcontext():
            yield
    finally:
        loan.is_running = False
        for link, tensor, own, lent in turns:
            link.keep(lent, lent)
            tensor._data = own


@contextmanager
def _led(module: CellModule) -> Iterator[None]:
    """Lead the calls of the Cells below a module to their modules."""
    for place in module._places:
        place.agree()
    own = [place.cell.__dict__.get("construct") for place in module._places]
    settings = [cell._special for cell in (module._cell, *(place.cell for place in module._places))]
    asking = [one for one in settings if one is not None and one.is_recomputed]
    module._loan.recomputed = asking
    for one in asking:
        one.is_recomputed = False
    for place in module._places:
        place.construct = place.cell.construct
        place.cell.__dict__["construct"] = place
    try:
        yield
    finally:
        for place, construct in zip(module._places, own, strict=True):
            if construct is None:
                place.cell.__dict__.pop("construct")
            else:
                place.cell.__dict__["construct"] = construct
        for one in asking:
            one.is_recomputed = True
        module._loan.recomputed = []


def _share(module: CellModule, *_: Any) -> None:
    """Let the Cell have the module's memory, after the module got other."""
    for link in module._links:
        link.tensor._data = link.inside().detach()


# -- making the modules ------------------------------------------------------------------------------------------------


def module_of(cell: Cell) -> torch.nn.Module:
    """Construct the modules of a Cell and of all below it."""
    return _Builder(cell).root


class _Builder:
    """Makes the tree of modules for a Cell.

    It also is what `pairs_of_cell` reads of a Cell; unlike a Cell, it gives a shared parameter under each of its paths,
    as a state dict does, and only layers of ours: a user's own `Conv1d` is another.
    """

    def __init__(self, cell: Cell) -> None:
        self._walked = list(_walk(cell, ""))
        self._states = [
            (path, holder, name, tensor)
            for path, holder in self._walked
            for name, tensor in (*sorted(holder._params.items(), key=_layer), *holder.named_buffers(recurse=False))
            if tensor is not None
        ]
        pairs = pairs_of_cell(self)
        self._loan = _Loan()
        self.root = self._wrapped(cell)
        self._made: dict[Cell, torch.nn.Module] = {cell: self.root}
        self._tensors: dict[int, torch.nn.Parameter] = {}
        self._placed: set[tuple[int, str]] = set()
        self._linked: set[tuple[int, int]] = set()
        own = pairs[: len(self._states)]
        at = self._modules_at(_torch_parts(zip((state[0] for state in self._states), own, strict=True)))
        for (path, holder, attribute, tensor), pair in zip(self._states, own, strict=True):
            owner, name = self._owner(pair.torch)
            shape = None if pair.axes is None else tuple(tensor.shape)
            link = _Link(owner, name, holder, attribute, tensor, shape)
            if not isinstance(holder, TorchCell) or at[path] is not holder.module:
                self._register(link, pair.shape)
            self._note(link, [at[above] for above in _upwards(path) if above in at])
        made = dict(self.root.named_modules())
        for pair in pairs[len(own) :]:
            path, _, name = pair.torch.rpartition(".")
            if isinstance(made.get(path), CellModule):
                made[path].register_load_state_dict_pre_hook(functools.partial(_leave_out, name))

    def cells_and_names(self) -> Iterator[tuple[str, Cell]]:
        known = {row.cell.rpartition(".")[2] for row in layers().values()}
        for path, cell in self._walked:
            kinds = [kind.__name__ for kind in type(cell).__mro__ if kind.__module__.startswith("msbridge.nn.")]
            if known.intersection(kinds):
                yield path, cell

    def parameters_and_names(self) -> Iterator[tuple[str, Any]]:
        for path, _, name, tensor in self._states:
            yield _joined(path, name), SimpleNamespace(name=_joined(path, name), shape=tensor.shape)

    def _wrapped(self, cell: Cell) -> CellModule:
        return _module_class(type(cell))(cell, self._loan)

    def _modules_at(self, torch_parts: dict[str, str]) -> dict[str, torch.nn.Module]:
        """Construct a module for every Cell, in the Cells' order; return them by the Cells' paths."""
        at: dict[str, torch.nn.Module] = {"": self.root}
        for path, cell in self._walked[1:]:
            above, _, name = path.rpartition(".")
            if not isinstance(at.get(above), CellModule):  # torch's layers have no Cells below
                continue
            is_known = cell in self._made
            if not is_known:
                module = cell.module if isinstance(cell, TorchCell) and not _is_cast(cell) else torch_layer(cell)
                self._made[cell] = self._wrapped(cell) if module is None else module.train(cell.training)
            at[path] = self._made[cell]
            torch_name = torch_parts.get(path, name)
            at[above].add_module(torch_name, at[path])
            if not is_known:
                self._place(_Place(cell, at[above], torch_name, cell.training), path, at)
        return at

    def _place(self, place: _Place, path: str, at: dict[str, torch.nn.Module]) -> None:
        """Tell the modules above, which may be called, where a module stands."""
        if isinstance(at[path], CellModule):
            at[path]._place = place  # type: ignore[assignment]
        for above in _upwards(path)[1:]:
            at[above]._places.append(place)  # type: ignore[union-attr, operator]

    def _owner(self, torch_name: str) -> tuple[torch.nn.Module, str]:
        """Return the module that has a tensor, and the tensor's name there; modules that are missing are made."""
        owner: torch.nn.Module = self.root
        *parts, name = torch_name.split(".")
        for part in parts:
            if part not in owner._modules:
                owner.add_module(part, torch.nn.Module())
            owner = owner.get_submodule(part)
        return owner, name

    def _register(self, link: _Link, shape: tuple[int, ...] | None) -> None:
        """Put a tensor into its module: the same one for a Parameter that is met again."""
        owner, name, tensor = link.owner, link.name, link.tensor
        if (id(owner), name) in self._placed:  # a shared Cell that is met again
            return
        self._placed.add((id(owner), name))
        data = tensor._data if link.shape is None or shape is None else tensor._data.reshape(shape)
        if not isinstance(tensor, Parameter):
            owner.register_buffer(name, data, persistent=link.holder._buffers[link.attribute])
        elif name in owner._buffers:
            owner._buffers[name] = data
        elif not tensor.requires_grad and (name in STATISTICS or not data.is_floating_point()):
            owner.register_buffer(name, data)
        else:
            is_trained = tensor.requires_grad and (data.is_floating_point() or data.is_complex())
            known = self._tensors.setdefault(id(tensor), torch.nn.Parameter(data, is_trained))
            owner.register_parameter(name, known)

    def _note(self, link: _Link, modules: list[torch.nn.Module]) -> None:
        """Tell all modules that may be called of a tensor, once."""
        for module in modules:
            key = (id(module), id(link.tensor))
            if isinstance(module, CellModule) and key not in self._linked:
                self._linked.add(key)
                module._links.append(link)


def _layer(named: tuple[str, Any]) -> tuple[int, bool]:
    """Return the layer and direction of a recurrent network's parameter: torch sorts by them."""
    found = _RECURRENT.fullmatch(named[0])
    return (int(found[1]), found[2] is not None) if found else (-1, False)


def _upwards(path: str) -> list[str]:
    """Return a path, then those above it, the root's empty path last."""
    parts = path.split(".") if path else []
    return [".".join(parts[:count]) for count in range(len(parts), -1, -1)]


def _torch_parts(named: Any) -> dict[str, str]:
    """Return the last part of each Cell's path in torch, by the Cell's path, from (path, pair) of all tensors."""
    found = {}
    for path, pair in named:
        parts = path.split(".") if path else []
        for count, (_, part) in enumerate(zip(parts, pair.torch.split(".")[:-1], strict=False), 1):
            found[".".join(parts[:count])] = part
    return found


def _walk(cell: Cell, path: str) -> Iterator[tuple[str, Cell]]:
    """Yield (path, Cell) of a Cell and all below it, of a shared one under each of its paths."""
    yield path, cell
    for name, child in cell._cells.items():
        if child is not None:
            yield from _walk(child, _joined(path, name))


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_cast(cell: Cell) -> bool:
    return cell._special is not None and cell._special.precision is not None


def _leave_out(name: str, _: torch.nn.Module, state_dict: dict[str, Any], prefix: str, *__: Any) -> None:
    """Take out of a state dict, before it is loaded, what torch's layer has and the Cell has not."""
    state_dict.pop(prefix + name, None)
