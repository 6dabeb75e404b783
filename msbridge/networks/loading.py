"""Networks and inputs by the words of a command line."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.factories import factory
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn import Cell, GraphCell
from msbridge.verify.record import inputs
from msbridge.verify.request import load_mindir

__all__ = ["load_network", "make_inputs"]


def load_network(spec: str) -> Cell | torch.nn.Module:
    """Return the network of a `.mindir` file, or what `package.module:factory` makes.

    Raises:
        CheckpointError: the file is damaged, or there is no such factory.
        TypeError: the factory returns something else.
    """
    if spec.endswith(".mindir"):
        return load_mindir(spec)
    try:
        network = factory(spec)
    except CheckpointError:
        raise
    except Exception as error:
        error.add_note(f"{spec} fails")
        raise
    if not isinstance(network, Cell | torch.nn.Module):
        raise TypeError(f"{spec} returns {type(network).__name__}, neither a Cell nor a torch.nn.Module.")
    return network


def make_inputs(network: Cell | torch.nn.Module, specs: Sequence[str], seed: int = 0) -> list[Any]:
    """Return inputs for a network, in its kind of tensors; without `specs` those that a `.mindir` file describes.

    Raises:
        ValueError: a text is no input.
    """
    texts = inputs.specs_of(network.graph) if not specs and isinstance(network, GraphCell) else specs
    made = inputs.make(texts, seed)
    return [Tensor(data) for data in made] if isinstance(network, Cell) else list(made)
