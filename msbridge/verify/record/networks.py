"""Networks: the parts of a torch module or of a Cell, and which of them are single steps."""

import contextlib
import itertools
from collections.abc import Iterator

import torch

from msbridge import nn
from msbridge.core.context.context import torch_device
from msbridge.core.runtime import accelerators
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.graph_cell import GraphLayer

Network = torch.nn.Module | Cell

# Layers that hold others and compute nothing themselves: their children are the steps.
CONTAINERS = (
    "GraphCell",
    "Sequential",
    "SequentialCell",
    "ModuleList",
    "CellList",
    "ModuleDict",
    "CellDict",
    "Transformer",
)


def paths(network: Network) -> Iterator[tuple[str, Network]]:
    """Yield (path, layer) of all parts of a network, each once."""
    yield from network.named_modules() if isinstance(network, torch.nn.Module) else network.cells_and_names()


def is_step(layer: Network) -> bool:
    """Whether a call of the layer is one step: it has no children, or is a layer that the library brings whole."""
    children = layer.children() if isinstance(layer, torch.nn.Module) else layer.cells()
    if not any(True for _ in children):
        return True
    kind = getattr(nn, type(layer).__name__, None) if isinstance(layer, GraphLayer) else type(layer)
    is_ours = defining_module(kind).startswith(("torch.nn.modules.", "msbridge.nn.", "msbridge.mint."))
    return is_ours and not type(layer).__name__.startswith(CONTAINERS)


def class_name(network: Network) -> str:
    """Return the qualified name of a network's class."""
    return f"{type(network).__module__}.{type(network).__qualname__}"


def device_of(network: Network) -> torch.device:
    """Return the device of a network's weights; without any, a Cell's is the context's, and a module's the CPU."""
    if isinstance(network, torch.nn.Module):
        data = next(itertools.chain(network.parameters(), network.buffers()), None)
        return torch.device("cpu") if data is None else data.device
    weight = next(iter(network.get_parameters()), None)
    return torch_device() if weight is None else weight._data.device


@contextlib.contextmanager
def modes_kept(*networks: Network) -> Iterator[None]:
    """Leave every part of some networks in the mode, training or inference, that it had, and the random numbers too."""
    before = [(part, part.training) for network in networks for _, part in paths(network)]
    kind = accelerators.available_kind()
    with torch.random.fork_rng(range(accelerators.device_count(kind)), device_type=kind):
        try:
            yield
        finally:
            for part, mode in before:
                part.training = mode
