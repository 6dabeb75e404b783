"""Cells as torch modules, and torch modules as Cells; the weights are the same memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import torch

from msbridge.converters.axes import Axes
from msbridge.converters.layers import pairs_of_cell
from msbridge.core.parameter import Parameter
from msbridge.core.tensor import wrap
from msbridge.core.trees import unwrap_tree, wrap_tree
from msbridge.nn.cell import Cell

__all__ = ["CellModule", "TorchCell", "from_torch", "module_of"]

STATISTICS = ("running_mean", "running_var")  # what torch keeps as buffers


def module_of(cell: Cell) -> torch.nn.Module:
    """Give a Cell as a torch module that shares its weights.

    The module takes and gives torch tensors; its state dict has torch's names and axes, so it loads what the torch
    network of the same layers saves; gradients flow as in any module, and `train()` and `eval()` reach the Cell.

    Args:
        cell: any Cell. What torch's optimizers write into the module's parameters, the Cell has, as long as the module
            is not moved to another device or dtype.

    Raises:
        TypeError: `cell` is not a Cell.
        CheckpointError: two parameters would have the same name in torch.

    Example:
        >>> import torch, msbridge
        >>> from msbridge.nn.torch_bridge import module_of
        >>> module = module_of(msbridge.nn.SequentialCell(msbridge.nn.BatchNorm2d(3)))
        >>> [name for name, _ in module.named_parameters()]
        ['0.weight', '0.bias']
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'to_torch', the argument must be a Tensor or a Cell, but got {type(cell).__name__}.")
    return CellModule(cell)


def from_torch(module: torch.nn.Module) -> "TorchCell":
    """Give a torch module as a Cell that shares its weights, to be used and trained in a MindSpore script.

    Args:
        module: any torch module that takes and gives tensors, or nested tuples, lists and dicts of them.

    Returns:
        A Cell whose parameters have the module's names; its buffers are parameters that are not trained, so that
        checkpoints hold them. It starts in inference, as all Cells do.

    Raises:
        TypeError: `module` is not a torch module.

    Example:
        >>> import torch, msbridge
        >>> from msbridge.nn.torch_bridge import from_torch
        >>> cell = from_torch(torch.nn.Linear(3, 2))
        >>> cell(msbridge.Tensor([[1.0, 2.0, 3.0]])).shape
        (1, 2)
    """
    return TorchCell(module)


class TorchCell(Cell):
    """A torch module as a Cell; see `from_torch`.

    Attributes:
        module: the torch module.
    """

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        if not isinstance(module, torch.nn.Module):
            raise TypeError(
                f"For 'from_torch', the argument must be a torch.nn.Module, but got {type(module).__name__}."
            )
        self.module = module
        self._tensors: list[tuple[str, Parameter]] = []
        for name, data in [*module.named_parameters(), *module.named_buffers()]:
            trained = isinstance(data, torch.nn.Parameter) and data.requires_grad
            parameter = Parameter(wrap(data.detach()), name=name, requires_grad=trained)
            parameter._data = data.detach()  # a Parameter copies; this one shares
            self.insert_param_to_cell(name, parameter, check_name_contain_dot=False)
            self._tensors.append((name, parameter))
        module.train(False)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        state = {name: parameter._data for name, parameter in self._tensors}
        return wrap_tree(torch.func.functional_call(self.module, state, unwrap_tree(args), unwrap_tree(kwargs)))

    def set_train(self, mode: bool = True) -> Self:
        self.module.train(bool(mode))
        return super().set_train(mode)

    def extend_repr(self) -> str:
        return f"module={type(self.module).__name__}"


class CellModule(torch.nn.Module):
    """A Cell as a torch module; see `module_of`.

    Attributes:
        cell: the Cell.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell = cell
        self._slots: list[tuple[Parameter, torch.nn.Module, str, Axes | None]] = []
        pairs = pairs_of_cell(cell)
        named = [pair for pair in pairs if pair.mindspore is not None]
        for pair, (_, parameter) in zip(named, cell.parameters_and_names(), strict=True):
            back = pair.axes.inverse if pair.axes else None
            data = back.apply(parameter._data, pair.torch) if back else parameter._data
            path, _, leaf = pair.torch.rpartition(".")
            holder = _holder(self, path)
            if leaf in STATISTICS or not data.is_floating_point():
                holder.register_buffer(leaf, data)
            else:
                holder.register_parameter(leaf, torch.nn.Parameter(data, requires_grad=parameter.requires_grad))
            self._slots.append((parameter, holder, leaf, pair.axes))
        for pair in pairs:
            if pair.mindspore is None:  # torch's BatchNorm counts batches
                path, _, leaf = pair.torch.rpartition(".")
                _holder(self, path).register_buffer(leaf, torch.zeros((), dtype=torch.int64))
        self.train(cell.training)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Cell on torch tensors."""
        with self._weights_in_place():
            return unwrap_tree(self.cell(*wrap_tree(args), **wrap_tree(kwargs)))

    def train(self, mode: bool = True) -> Self:
        """Set the module and the Cell to training, or to inference."""
        self.cell.set_train(mode)
        return super().train(mode)

    @contextmanager
    def _weights_in_place(self) -> Iterator[None]:
        """Let the Cell see the module's tensors: those of a moved module, of functional_call, of a trace."""
        kept = [parameter._data for parameter, *_ in self._slots]
        try:
            for parameter, holder, leaf, axes in self._slots:
                data = getattr(holder, leaf)
                parameter._data = axes.apply(data, leaf) if axes else data
            yield
        finally:
            for (parameter, *_), data in zip(self._slots, kept, strict=True):
                parameter._data = data


def _holder(root: torch.nn.Module, path: str) -> torch.nn.Module:
    """Give the part of a module tree at a path; it grows where there is none."""
    for name in filter(None, path.split(".")):
        child = root._modules.get(name)
        if child is None:
            child = torch.nn.Module()
            root.add_module(name, child)
        root = child
    return root
