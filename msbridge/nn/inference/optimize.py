"""`msbridge.optimize`: inference of a Cell that is prepared once and faster afterwards."""

from typing import Any, TypeVar

from msbridge.nn.cell.cell import Cell
from msbridge.nn.inference.prepared import Preparation, PreparedCalls

__all__ = ["Preparation", "optimize", "preparations"]

Network = TypeVar("Network", bound=Cell)


def optimize(cell: Network, *inputs: Any, enable: bool = True) -> Network:
    """Prepare the inference of a Cell: the first call for inputs of some shapes is slow, the later ones are faster.

    BatchNorm is folded into convolutions, activations and additions are computed with the product before them, weights
    are packed for the processor, and `construct` is not run as Python any more. Results are within 1e-5 of it, and what
    is not faster stays as it was. Training is not touched: after `set_train()`, in gradient functions, with hooks and
    on what cannot be traced `construct` runs. New weights and attributes of Cells are noticed; the elements of a list
    that is an attribute, and what is written into a weight through numpy, are not.

    Args:
        cell: the network.
        inputs: Tensors for which it is prepared at once; without, the first calls do it.
        enable: False undoes it.

    Returns:
        The Cell itself.

    Raises:
        TypeError: `cell` is not a Cell.
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'optimize', the network must be a Cell, but got {type(cell).__name__}.")
    settings = cell._call_settings()
    settings.prepared = PreparedCalls(cell) if enable else None
    cell._refresh_call()
    if enable and inputs:
        cell(*inputs)
    return cell


def preparations(cell: Cell) -> tuple[Preparation, ...]:
    """Return the preparations of an optimized Cell, one for each kind of inputs it was called with; () for others."""
    settings = cell._special
    calls = () if settings is None else (settings.prepared, *settings.in_graph.values())
    return tuple(found for one in calls if isinstance(one, PreparedCalls) for found in one.preparations.values())
