"""The bridge between Cells and torch modules: each appears as the other, on the same memory."""

from typing import overload

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.bridge.building import module_of
from msbridge.nn.bridge.cell_module import CellModule
from msbridge.nn.bridge.torch_cell import TorchCell
from msbridge.nn.cell.cell import Cell

__all__ = ["CellModule", "TorchCell", "from_torch", "to_torch", "to_torch_module"]


@overload
def to_torch(x: Cell) -> torch.nn.Module: ...
@overload
def to_torch(x: Tensor) -> torch.Tensor: ...
def to_torch(x: Cell | Tensor) -> torch.nn.Module | torch.Tensor:
    """Return the torch counterpart of a Tensor or a Cell, on the same memory.

    Args:
        x: a Tensor yields the torch tensor inside; a Cell yields a module, see `to_torch_module`.

    Raises:
        TypeError: `x` is something else.
    """
    if isinstance(x, Cell):
        return to_torch_module(x)
    if isinstance(x, Tensor):
        return x._data
    raise TypeError(f"For 'to_torch', the argument must be a Tensor or a Cell, but got {type(x).__name__}.")


def to_torch_module(cell: Cell) -> torch.nn.Module:
    """Return a torch module that computes what the Cell does, on its memory: training one trains the other.

    Args:
        cell: any Cell. Its structure, its `to_float`, and the `requires_grad` of its parameters are read once, now.

    Returns:
        A CellModule, with torch's names in its state dict, and torch's own layers below it where they compute exactly
        what the Cells do; for a Cell that came from `from_torch`, the module inside.

    Raises:
        TypeError: `cell` is not a Cell.

    Examples:
        >>> import torch
        >>> from msbridge import nn
        >>> from msbridge.nn.bridge.conversion import to_torch_module
        >>> module = to_torch_module(nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4)))
        >>> list(module.state_dict())
        ['0.weight', '0.bias', '1.weight', '1.bias', '1.running_mean', '1.running_var', '1.num_batches_tracked']
        >>> module(torch.zeros(2, 3)).shape
        torch.Size([2, 4])
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'to_torch_module', the argument must be a Cell, but got {type(cell).__name__}.")
    return cell.module if isinstance(cell, TorchCell) else module_of(cell)


def from_torch(module: torch.nn.Module) -> Cell:
    """Return a Cell that computes what a torch module does, on its memory: training one trains the other.

    Args:
        module: any module with all its tensors, so not a lazy one before its first call. It is switched to inference,
            in which every Cell is until `set_train()`.

    Returns:
        A TorchCell; for a module that came from `to_torch_module`, the Cell inside.

    Raises:
        TypeError: `module` is not a torch module.

    Examples:
        >>> import torch
        >>> from msbridge.nn.bridge.conversion import from_torch
        >>> cell = from_torch(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()))
        >>> [parameter.name for parameter in cell.trainable_params()]
        ['0.weight', '0.bias']
    """
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"For 'from_torch', the argument must be a torch.nn.Module, but got {type(module).__name__}.")
    return module._cell if isinstance(module, CellModule) else TorchCell(module)
