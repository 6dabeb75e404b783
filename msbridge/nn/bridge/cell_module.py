"""A Cell as a torch module."""

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from msbridge.core.context.grad_state import recording
from msbridge.core.runtime.fork_safe_lock import Turn
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.tensor.thread_local_data import put_back, put_in_place
from msbridge.core.torch_private import tree_map
from msbridge.nn.bridge.torch_cell import unwrap_nested, wrap_nested
from msbridge.nn.cell.call_settings import CallSettings
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList, SequentialCell

__all__ = ["CellModule", "Link", "Loan", "Place", "module_class"]


class CellModule(torch.nn.Module):
    """A Cell as a torch module; `to_torch_module` makes it.

    Below it, every Cell has a module in turn: torch's own layer where that computes exactly what the Cell does, the
    module inside where the Cell came from `from_torch`, and else a CellModule. When a Cell calls another, it calls the
    module that is in its place then: hooks of modules run, and what was put in place of a module is called.

    Moving statistics, and the Cell's buffers, are buffers; all else is a parameter. `train()` and `eval()` are the
    Cell's `set_train`, and the module begins in the mode of the Cell; a torch layer that is switched by itself, and its
    Cell, agree with the next call.

    Gradients are recorded as by any module. Cells that ask for `recompute` are computed again in the backward pass.
    The module lends its tensors to the Cell for the time of a call: threads that call it take turns.
    """

    def __init__(self, cell: Cell, loan: "Loan") -> None:
        super().__init__()
        self._cell = cell
        self._loan = loan
        self._place: Place | None = None
        self._links: list[Link] = []
        self._places: list[Place] = []
        self.register_load_state_dict_post_hook(share)

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
        """Call the Cell with torch tensors; return torch tensors."""
        with nullcontext() if torch.compiler.is_compiling() else self._loan.turn:
            return self._forward_in_turn(args, kwargs)

    def _forward_in_turn(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        compute: Callable[..., Any] = self._cell
        if self._place is not None and self._loan.is_running:  # a call of the Cell has led here
            compute = self._place.construct
        if self._loan.recomputes(self._cell) and torch.is_grad_enabled():
            return checkpoint(self._compute, compute, args, kwargs, use_reentrant=False)
        return self._compute(compute, args, kwargs)

    def _compute(self, compute: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
        args, kwargs = tree_map(wrap_nested, (args, kwargs))
        if self._loan.is_running:
            return tree_map(unwrap_nested, compute(*args, **kwargs))
        with _lend_tensors(self):
            return tree_map(unwrap_nested, compute(*args, **kwargs))

    def _get_name(self) -> str:
        return self._cell.cls_name

    def _apply(self, fn: Any, recurse: bool = True) -> "CellModule":
        """Move or cast the tensors, as `to`, `cuda` and `half` do; the Cell's go along."""
        super()._apply(fn, recurse)
        share(self)
        return self

    def __reduce__(self) -> tuple:
        return _empty_module, (type(self._cell),), self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        share(self)


class _Sequence(CellModule):
    """A Cell that holds others in order, as a module that does."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[torch.nn.Module | None]:
        return iter(self._modules.values())

    def __getitem__(self, index: int) -> torch.nn.Module | None:
        return list(self._modules.values())[index]


@functools.cache
def module_class(kind: type[Cell]) -> type[CellModule]:
    """Construct the module class for a class of Cells: `forward` has the arguments of `construct`."""

    def forward(self: CellModule, *args: Any, **kwargs: Any) -> Any:
        return self._forward(args, kwargs)

    forward.__doc__ = CellModule._forward.__doc__
    forward.__signature__ = inspect.signature(kind.construct)  # type: ignore[attr-defined]
    base = _Sequence if issubclass(kind, CellList | SequentialCell) else CellModule
    return type(kind.__name__, (base,), {"forward": forward, "__module__": __name__, "__doc__": kind.__doc__})


def _empty_module(kind: type[Cell]) -> CellModule:
    """Return an empty module, for a copy."""
    module = module_class(kind)
    return module.__new__(module)


class Loan:
    """Whether some module of a tree has lent its tensors to the Cells.

    Attributes:
        is_running: it has.
        recomputed: the settings of Cells that ask for recomputation, which is the modules' affair meanwhile.
        turn: one thread's call at a time.
    """

    def __init__(self) -> None:
        self.turn = Turn()
        self.is_running = False
        self.recomputed: list[CallSettings] = []

    def recomputes(self, cell: Cell) -> bool:
        """Whether a Cell's results are computed again in the backward pass."""
        settings = cell._special
        if settings is None:
            return False
        return settings.recomputing is not None or any(one is settings for one in self.recomputed)


@dataclass(slots=True, eq=False)
class Place:
    """The location of a Cell's module."""

    cell: Cell  # the Cell
    above: torch.nn.Module  # the module that has the Cell's
    name: str  # its name there
    training: bool  # the mode in which the Cell and its module were last
    construct: Callable[..., Any] = field(init=False)  # what the Cell itself computes, while calls of it lead here

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module that is here now, in place of the Cell's `construct`."""
        module = self.above._modules[self.name]
        if kwargs and not isinstance(module, CellModule):  # torch's layers have other names of arguments
            bound = inspect.signature(self.construct).bind(*args, **kwargs)
            args, kwargs = bound.args, bound.kwargs
        args, kwargs = tree_map(unwrap_nested, (args, kwargs))
        return tree_map(wrap_nested, module(*args, **kwargs))  # type: ignore[misc]

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
class Link:
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
        """Copy what the Cell assigned again into the module's memory."""
        current = self.holder.__dict__[self.attribute]
        if current is not self.tensor:  # a buffer is another Tensor then
            self.holder.__dict__[self.attribute] = self.tensor
        if current._data is not unchanged:
            with torch.no_grad():
                lent.copy_(current._data)


@contextmanager
def _lend_tensors(module: CellModule) -> Iterator[None]:
    """Let the Cell work with the module's tensors, and the Cells below it through their modules."""
    links, lent = module._links, [link.inside() for link in module._links]
    for link, data in zip(links, lent, strict=True):
        link.keep(data, link.tensor._data)
    tensors = [link.tensor for link in links]
    before = put_in_place(tensors, lent)
    loan = module._loan
    loan.is_running = True
    try:
        with _redirect_calls(module), recording() if torch.is_grad_enabled() else nullcontext():
            yield
    finally:
        loan.is_running = False
        for link, data in zip(links, lent, strict=True):
            link.keep(data, data)
        put_back(tensors, before)


@contextmanager
def _redirect_calls(module: CellModule) -> Iterator[None]:
    """Lead the calls of the Cells below a module to their modules."""
    for place in module._places:
        place.agree()
    constructs = [place.cell.__dict__.get("construct") for place in module._places]
    settings = [cell._special for cell in (module._cell, *(place.cell for place in module._places))]
    asking = [(one, one.recomputing) for one in settings if one is not None and one.recomputing is not None]
    module._loan.recomputed = [one for one, _ in asking]
    for setting, _ in asking:
        setting.recomputing = None
    for place in module._places:
        place.construct = place.cell.construct
        place.cell.__dict__["construct"] = place
    try:
        yield
    finally:
        for place, construct in zip(module._places, constructs, strict=True):
            if construct is None:
                place.cell.__dict__.pop("construct")
            else:
                place.cell.__dict__["construct"] = construct
        for setting, recomputing in asking:
            setting.recomputing = recomputing
        module._loan.recomputed = []


def share(module: CellModule, *_: Any) -> None:
    """Let the Cell have the module's memory, after the module got other."""
    for link in module._links:
        link.tensor._data = link.inside().detach()
