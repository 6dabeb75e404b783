"""A torch module as a Cell."""

import copy
import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.context.grad_state import running
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.fork_safe_lock import Turn
from msbridge.core.tensor.memory import fix_memory
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.torch_private import tree_map
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.traversal import join_path

__all__ = ["TorchCell", "unwrap_nested", "wrap_nested"]


class TorchCell(Cell):
    """A torch module as a Cell; `from_torch` makes it.

    The module's parameters, and the buffers of its state dict, are Parameters of this Cell (buffers untrainable ones),
    named by their paths and on the same memory: optimizers train them, checkpoints hold them. Other buffers stay with
    the module only. The module's own `requires_grad` flags are read once and stay as they are. When the module was
    moved, cast or given other tensors, the Cell has them with its next call outside a gradient function.

    `set_train` switches the module; where a Cell above was switched, the module follows with the next call. Random
    numbers are torch's. Under `to_float`, layers that keep moving statistics compute with parameters as they are.
    Threads that call the Cell take turns.

    Attributes:
        module: the torch module.
    """

    _casts_parameters = False  # `_Place.lend_tensor` does
    _has_operators = False

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module.eval()
        self._turn = Turn()  # the module itself holds the tensors of one call
        self._bind_parameters()

    def _bind_parameters(self) -> None:
        """Pair the tensors of the module with Parameters on their memory; make those that are missing."""
        self._places: list[_Place] = []
        known: dict[int, Parameter] = {}
        for path, owner in self.module.named_modules():
            for entries, leaf, tensor in _state_dict_tensors(owner):
                name = join_path(path, leaf)
                if id(tensor) not in known:
                    if name not in self._params:
                        parameter = Parameter(Tensor(0), name, tensor.requires_grad)
                        self.insert_param_to_cell(name, parameter, check_name_contain_dot=False)
                    known[id(tensor)] = self._params[name]
                    self._params[name]._data = tensor.detach()
                    fix_memory(self._params[name])
                is_cast = not isinstance(owner, torch_private.NormBase)
                self._places.append(_Place(entries, leaf, known[id(tensor)], tensor, is_cast))

    def set_train(self, mode: bool = True) -> "TorchCell":
        super().set_train(mode)
        self.module.train(bool(mode))
        return self

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = tree_map(unwrap_nested, (args, kwargs))
        special = self._special
        with self._turn:
            if self.module.training != bool(self.training):
                self.module.train(bool(self.training))
            if not all(place.is_current() for place in self._places):
                self._bind_again()
            with _lend_parameters(self._places, None if special is None else special.precision):
                return tree_map(wrap_nested, self.module(*args, **kwargs))

    def _bind_again(self) -> None:
        if running():
            raise RuntimeError(
                f"The tensors of {type(self.module).__name__} were replaced since the Cell was made of it, or called: "
                "call the Cell once before gradients are taken."
            )
        self._bind_parameters()

    def extend_repr(self) -> str:
        return repr(self.module)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        del state["attributes"]["_places"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._bind_parameters()


@dataclass(slots=True, eq=False)
class _Place:
    """The slot in which a module keeps a tensor."""

    entries: dict[str, torch.Tensor | None]  # the parameters or buffers of a layer
    name: str  # the tensor's name there
    parameter: Parameter  # the Cell's
    known: torch.Tensor  # what the module had there
    is_cast: bool  # whether the module gets it in the precision of the Cell

    def is_current(self) -> bool:
        """Whether the module still has the same tensor, of the Parameter's dtype and device."""
        own, data = self.entries[self.name], self.parameter._data
        return own is self.known and own.dtype is data.dtype and own.device == data.device

    def lend_tensor(self, precision: torch.dtype | None) -> torch.Tensor:
        """Return the tensor that the module shall work with."""
        data = self.parameter._data
        return data if precision is None or not self.is_cast or not data.is_floating_point() else data.to(precision)

    def take_back(self, original: torch.Tensor, lent: torch.Tensor) -> None:
        """Put the module's own tensor back; what it assigned meanwhile is kept in both."""
        current = self.entries[self.name]
        self.entries[self.name] = original
        if current is lent and (lent is self.parameter._data or not lent._version):
            return
        if current is not None and current.shape == original.shape:
            with torch.no_grad():
                self.parameter._data.copy_(current)
            return
        self.entries[self.name] = current
        if current is not None:
            self.known = current
            self.parameter._data = current.detach()


@contextmanager
def _lend_parameters(places: list[_Place], precision: torch.dtype | None) -> Iterator[None]:
    """Let the module work with the tensors of the Parameters: gradient functions differentiate those."""
    originals = [place.entries[place.name] for place in places]
    lent = [place.lend_tensor(precision) for place in places]
    for place, data in zip(places, lent, strict=True):
        place.entries[place.name] = data
    try:
        yield
    finally:
        for place, original, data in zip(places, originals, lent, strict=True):
            place.take_back(original, data)  # type: ignore[arg-type]


def _state_dict_tensors(owner: torch.nn.Module) -> Iterator[tuple[dict[str, Any], str, torch.Tensor]]:
    """Yield (entries, name, tensor) of what a layer has in its state dict."""
    for name, parameter in owner._parameters.items():
        if parameter is not None:
            yield owner._parameters, name, parameter
    for name, buffer in owner._buffers.items():
        if buffer is not None and name not in owner._non_persistent_buffers_set:
            yield owner._buffers, name, buffer


def wrap_nested(value: Any) -> Any:
    """Wrap a torch tensor, or those in the fields of a dataclass; return other values as they are."""
    return wrap(value) if isinstance(value, torch.Tensor) else _in_fields(wrap_nested, value)


def unwrap_nested(value: Any) -> Any:
    """Unwrap a Tensor, or those in the fields of a dataclass; return other values as they are."""
    return value._data if isinstance(value, Tensor) else _in_fields(unwrap_nested, value)


def _in_fields(convert: Callable[[Any], Any], value: Any) -> Any:
    """Return a copy of a dataclass with every field converted; return other values as they are."""
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    converted = copy.copy(value)
    for one in dataclasses.fields(value):
        object.__setattr__(converted, one.name, tree_map(convert, getattr(value, one.name)))
    return converted
