"""The bridge between Cells and torch modules: each appears as the other, on the same memory."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, overload

import torch
from torch.utils._pytree import tree_map

from msbridge.converters.axes import Axes
from msbridge.converters.layers import layers, pairs_of_cell
from msbridge.core import autograd, trees
from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell

__all__ = ["CellModule", "TorchCell", "from_torch", "to_torch", "to_torch_module"]

# Untrainable parameters that torch has as buffers; under MindSpore's names where the Cell is the user's own.
STATISTICS = frozenset(["running_mean", "running_var", "moving_mean", "moving_variance"])


@overload
def to_torch(x: Cell) -> torch.nn.Module: ...
@overload
def to_torch(x: Tensor) -> torch.Tensor: ...
def to_torch(x: Cell | Tensor) -> torch.nn.Module | torch.Tensor:
    """Give the torch side of a Tensor or a Cell, on the same memory.

    Args:
        x: a Tensor gives the torch tensor inside; a Cell gives a module, see `to_torch_module`.

    Raises:
        TypeError: `x` is something else.
    """
    if isinstance(x, Cell):
        return to_torch_module(x)
    if isinstance(x, Tensor):
        return x._data
    raise TypeError(f"For 'to_torch', the argument must be a Tensor or a Cell, but got {type(x).__name__}.")


def to_torch_module(cell: Cell) -> torch.nn.Module:
    """Make a torch module that computes what the Cell does, on its memory: training one trains the other.

    Args:
        cell: any Cell. Its structure, and the `requires_grad` of its parameters, are read once, now.

    Returns:
        A CellModule, with torch's names in its state dict; for a Cell that came from `from_torch`, the module inside.

    Raises:
        TypeError: `cell` is not a Cell.

    Example:
        >>> import torch
        >>> from msbridge import nn
        >>> from msbridge.nn.torch_bridge import to_torch_module
        >>> module = to_torch_module(nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4)))
        >>> list(module.state_dict())
        ['0.weight', '0.bias', '1.weight', '1.bias', '1.running_mean', '1.running_var']
        >>> module(torch.zeros(2, 3)).shape
        torch.Size([2, 4])
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'to_torch_module', the argument must be a Cell, but got {type(cell).__name__}.")
    return cell.module if isinstance(cell, TorchCell) else _Builder(cell).root


def from_torch(module: torch.nn.Module) -> Cell:
    """Make a Cell that computes what a torch module does, on its memory: training one trains the other.

    Args:
        module: any module, where it shall be: move or cast it before. It is switched to inference, in which every Cell
            is until `set_train()`.

    Returns:
        A TorchCell; for a module that came from `to_torch_module`, the Cell inside.

    Raises:
        TypeError: `module` is not a torch module.

    Example:
        >>> import torch
        >>> from msbridge.nn.torch_bridge import from_torch
        >>> cell = from_torch(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()))
        >>> [parameter.name for parameter in cell.trainable_params()]
        ['0.weight', '0.bias']
    """
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"For 'from_torch', the argument must be a torch.nn.Module, but got {type(module).__name__}.")
    return module._cell if isinstance(module, CellModule) else TorchCell(module)


# -- a Cell as a module ------------------------------------------------------------------------------------------------


class CellModule(torch.nn.Module):
    """A Cell as a torch module; `to_torch_module` makes it.

    There is a module for every Cell that has parameters. Each can be called and switched by itself, but which Cell
    calls which is the Cell's affair: a module put in the place of another is not called. Moving statistics, and the
    Cell's buffers, are buffers; all else is a parameter. `train()` and `eval()` are the Cell's `set_train`, and the
    module begins in the mode of the Cell.

    Gradients are recorded as by any module. Cells that ask for `recompute` keep their results here. The module lends
    its tensors to the Cell for the time of a call, so one thread may call it at a time.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self._cell = cell
        self._cells = tuple(inner for _, inner in cell.cells_and_names())
        self._links: list[_Link] = []
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
        self._cell.set_train(mode)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the Cell with torch tensors; give torch tensors."""
        args, kwargs = tree_map(_wrapped, (args, kwargs))
        with _lent(self._links):
            if not torch.is_grad_enabled():
                return trees.unwrap_tree(self._cell(*args, **kwargs))
            with autograd.recording(), _without_recomputation(self._cells):
                return trees.unwrap_tree(self._cell(*args, **kwargs))

    def extra_repr(self) -> str:
        return self._cell.cls_name

    def _apply(self, fn: Any, recurse: bool = True) -> "CellModule":
        """Move or cast the tensors, as `to`, `cuda` and `half` do; the Cell's go along."""
        super()._apply(fn, recurse)
        _share(self)
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        _share(self)


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
    """One tensor: where the module has it, and where the Cell.

    Attributes:
        owner: the module that has it.
        name: its name there.
        holder: the Cell that has it.
        attribute: its name there.
        tensor: the Cell's Parameter or buffer.
        axes: what makes the Cell's tensor of the module's; None when nothing has to.
    """

    owner: torch.nn.Module
    name: str
    holder: Cell
    attribute: str
    tensor: Tensor
    axes: Axes | None

    def inside(self) -> torch.Tensor:
        """Give the module's tensor as the Cell wants it: itself, or a view."""
        data = getattr(self.owner, self.name)
        return data if self.axes is None else self.axes.apply(data, self.name)

    def keep(self, lent: torch.Tensor, unchanged: torch.Tensor) -> None:
        """Copy what the Cell assigned anew into the module's memory."""
        current = self.holder.__dict__[self.attribute]
        if current is not self.tensor:  # a buffer is another Tensor then
            self.holder.__dict__[self.attribute] = self.tensor
        if current._data is not unchanged:
            with torch.no_grad():
                lent.copy_(current._data)


@contextmanager
def _lent(links: list[_Link]) -> Iterator[None]:
    """Let the Cell work with the module's tensors."""
    turns = [(link, link.tensor, link.tensor._data, link.inside()) for link in links]
    for link, tensor, own, lent in turns:
        link.keep(lent, own)
        tensor._data = lent
    try:
        yield
    finally:
        for link, tensor, own, lent in turns:
            link.keep(lent, lent)
            tensor._data = own


@contextmanager
def _without_recomputation(cells: Iterable[Cell]) -> Iterator[None]:
    """Keep intermediate results: when torch computes them again, the module's tensors are no longer lent."""
    settings = [cell._special for cell in cells if cell._special is not None and cell._special.is_recomputed]
    for one in settings:
        one.is_recomputed = False
    try:
        yield
    finally:
        for one in settings:
            one.is_recomputed = True


def _share(module: CellModule, *_: Any) -> None:
    """Let the Cell have the module's memory, after the module got other."""
    for link in module._links:
        link.tensor._data = link.inside().detach()


class _Builder:
    """Makes the tree of modules for a Cell.

    It also is what `pairs_of_cell` reads of a Cell; unlike a Cell, it gives a shared parameter under each of its paths,
    as a state dict does, and only layers of ours: a user's own `Conv1d` is another.
    """

    def __init__(self, cell: Cell) -> None:
        self._walked = list(_walk(cell, ""))
        self._states = [
            (_joined(path, name), holder, name, tensor)
            for path, holder in self._walked
            for name, tensor in (*holder._params.items(), *holder.named_buffers(recurse=False))
            if tensor is not None
        ]
        self.root = CellModule(cell)
        self._modules = {cell: self.root}
        self._tensors: dict[int, torch.Tensor] = {}
        self._linked: set[tuple[int, int]] = set()
        pairs = pairs_of_cell(self)
        for (path, holder, attribute, tensor), pair in zip(self._states, pairs, strict=False):
            above = self._chain(path, pair.torch)
            link = _Link(above[-1], pair.torch.rpartition(".")[2], holder, attribute, tensor, pair.axes)
            self._register(link)
            self._note(link, above)
        made = dict(self.root.named_modules())
        for pair in pairs[len(self._states) :]:
            path, _, name = pair.torch.rpartition(".")
            if path in made:
                made[path].register_load_state_dict_pre_hook(partial(_leave_out, name))

    def cells_and_names(self) -> Iterator[tuple[str, Cell]]:
        known = {row.cell.rpartition(".")[2] for row in layers().values()}
        for path, cell in self._walked:
            kinds = [kind.__name__ for kind in type(cell).__mro__ if kind.__module__.startswith("msbridge.nn.")]
            if known.intersection(kinds):
                yield path, cell

    def parameters_and_names(self) -> Iterator[tuple[str, Any]]:
        for path, _, _, tensor in self._states:
            yield path, SimpleNamespace(name=path, shape=tensor.shape)

    def _chain(self, path: str, torch_name: str) -> list[torch.nn.Module]:
        """Give the modules from the root down to the one that has a tensor; those that are missing are made."""
        chain: list[torch.nn.Module] = [self.root]
        for part, name in zip(torch_name.split(".")[:-1], path.split("."), strict=False):
            above = chain[-1]
            if part not in above._modules:
                cell = above._cell._cells.get(name) if isinstance(above, CellModule) else None
                above.add_module(part, torch.nn.Module() if cell is None else self._module_of(cell))
            chain.append(above.get_submodule(part))
        return chain

    def _module_of(self, cell: Cell) -> CellModule:
        return self._modules.setdefault(cell, CellModule(cell))

    def _register(self, link: _Link) -> None:
        """Put a tensor into its module: the same one for a Parameter that is met again."""
        owner, name, tensor = link.owner, link.name, link.tensor
        if name in owner._parameters or name in owner._buffers:  # a shared Cell that is met again
            return
        data = tensor._data if link.axes is None else link.axes.inverse.apply(tensor._data, name)
        if not isinstance(tensor, Parameter):
            owner.register_buffer(name, data, persistent=link.holder._buffers[link.attribute])
        elif not tensor.requires_grad and (name in STATISTICS or not data.is_floating_point()):
            owner.register_buffer(name, data)
        else:
            is_trained = tensor.requires_grad and (data.is_floating_point() or data.is_complex())
            known = self._tensors.setdefault(id(tensor), torch.nn.Parameter(data, is_trained))
            owner.register_parameter(name, known)  # type: ignore[arg-type]

    def _note(self, link: _Link, modules: list[torch.nn.Module]) -> None:
        """Tell all modules that may be called of a tensor, once."""
        for module in modules:
            key = (id(module), id(link.tensor))
            if isinstance(module, CellModule) and key not in self._linked:
                self._linked.add(key)
                module._links.append(link)


def _walk(cell: Cell, path: str) -> Iterator[tuple[str, Cell]]:
    """Give (path, Cell) of a Cell and all below it, of a shared one under each of its paths."""
    yield path, cell
    for name, child in cell._cells.items():
        if child is not None:
            yield from _walk(child, _joined(path, name))


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _leave_out(name: str, _: torch.nn.Module, state_dict: dict[str, Any], prefix: str, *__: Any) -> None:
    """Take out of a state dict, before it is loaded, what torch's layer has and the Cell has not."""
    state_dict.pop(prefix + name, None)


def _wrapped(value: Any) -> Any:
    return wrap(value) if isinstance(value, torch.Tensor) else value


# -- a module as a Cell ------------------------------------------------------------------------------------------------


class TorchCell(Cell):
    """A torch module as a Cell; `from_torch` makes it.

    The module's parameters, and the buffers of its state dict, are Parameters of this Cell (buffers untrainable ones),
    named by their paths and on the same memory: optimizers train them, checkpoints hold them. Other buffers stay with
    the module alone. The module's own `requires_grad` flags are read once and stay as they are.

    `set_train` switches the module; where a Cell above was switched, the module follows with the next call. Random
    numbers are torch's.

    Attributes:
        module: the torch module.
    """

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module.eval()
        self._bind()

    def _bind(self) -> None:
        """Pair the tensors of the module with Parameters on their memory; make those that are missing."""
        self._places: list[_Place] = []
        known: dict[int, Parameter] = {}
        for path, owner in self.module.named_modules():
            for entries, leaf, tensor in _saved_tensors(owner):
                name = _joined(path, leaf)
                if id(tensor) not in known:
                    if name not in self._params:
                        parameter = Parameter(Tensor(0), name, tensor.requires_grad)
                        self.insert_param_to_cell(name, parameter, check_name_contain_dot=False)
                    known[id(tensor)] = self._params[name]
                    self._params[name]._data = tensor.detach()
                self._places.append(_Place(entries, leaf, known[id(tensor)]))

    def set_train(self, mode: bool = True) -> "TorchCell":
        super().set_train(mode)
        self.module.train(bool(mode))
        return self

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        if self.module.training != bool(self.training):
            self.module.train(bool(self.training))
        args, kwargs = tree_map(autograd.data_of, (args, kwargs))
        with _put_in(self._places):
            return tree_map(_wrapped, self.module(*args, **kwargs))

    def extend_repr(self) -> str:
        return repr(self.module)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        del state["attributes"]["_places"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._bind()


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a module keeps a tensor.

    Attributes:
        entries: the parameters or buffers of a layer.
        name: the tensor's name there.
        parameter: the Cell's.
    """

    entries: dict[str, torch.Tensor | None]
    name: str
    parameter: Parameter

    def take_back(self, own: torch.Tensor, lent: torch.Tensor) -> None:
        """Give the module its own tensor again; what it assigned anew meanwhile is kept in both."""
        current = self.entries[self.name]
        self.entries[self.name] = own
        if current is lent:
            return
        if current is not None and current.shape == own.shape:
            with torch.no_grad():
                lent.copy_(current)
            return
        self.entries[self.name] = current
        if current is not None:
            self.parameter._data = current.detach()


@contextmanager
def _put_in(places: list[_Place]) -> Iterator[None]:
    """Let the module work with the tensors of the Parameters: gradient functions differentiate those."""
    own = [place.entries[place.name] for place in places]
    lent = [place.parameter._data for place in places]
    for place, data in zip(places, lent, strict=True):
        place.entries[place.name] = data
    try:
        yield
    finally:
        for place, original, data in zip(places, own, lent, strict=True):
            place.take_back(original, data)  # type: ignore[arg-type]


def _saved_tensors(owner: torch.nn.Module) -> Iterator[tuple[dict[str, Any], str, torch.Tensor]]:
    """Give the tensors of a layer that its state dict holds, and where it keeps them."""
    for name, parameter in owner._parameters.items():
        if parameter is not None:
            yield owner._parameters, name, parameter
    for name, buffer in owner._buffers.items():
        if buffer is not None and name not in owner._non_persistent_buffers_set:
            yield owner._buffers, name, buffer
