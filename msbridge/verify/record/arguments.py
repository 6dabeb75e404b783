"""Arguments: what both networks are given, from tensors and arrays of any library."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell
from msbridge.verify.record.trace import Network


class Arguments:
    """The arguments of both networks, made anew for every run.

    Attributes:
        data: the tensors.
        names: the names of torch's arguments, where they go by name.
    """

    def __init__(self, inputs: Any) -> None:
        self.names = tuple(inputs) if isinstance(inputs, Mapping) else ()
        values = inputs.values() if isinstance(inputs, Mapping) else inputs
        self.data = [as_torch(one) for one in (values if self.names or isinstance(values, tuple | list) else (values,))]

    def of(self, network: Network, is_wide: bool = False) -> tuple[list[Any], dict[str, Any]]:
        """Give the positional and the keyword arguments of a network, floating ones in float64 if asked for."""
        data: list[Any] = [one.double() if is_wide and one.is_floating_point() else one.clone() for one in self.data]
        if isinstance(network, Cell):
            data = [Tensor(one) for one in data]
            known = inspect.signature(network.construct).parameters
            return (
                ([], dict(zip(self.names, data, strict=True)))
                if self.names and known.keys() >= {*self.names}
                else (data, {})
            )
        return ([], dict(zip(self.names, data, strict=True))) if self.names else (data, {})


def as_torch(value: Any) -> torch.Tensor:
    """Give an input as a torch tensor of its own memory.

    Raises:
        TypeError: it is neither tensor nor array nor number.
    """
    if isinstance(value, Tensor):
        value = value._data
    if isinstance(value, np.ndarray | np.generic | int | float | bool | list):
        value = torch.as_tensor(np.asarray(value))
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"For 'compare', an input must be a tensor or an array, got {type(value).__name__}.")
    return value.detach().clone()


def described(one: torch.Tensor) -> str:
    """Describe an input in a line."""
    text = f"{str(one.dtype).removeprefix('torch.')} {tuple(one.shape)}"
    if one.numel() and not one.is_complex():
        wide = one.double()
        text += f", {wide.min().item():.4g} … {wide.max().item():.4g}"
    return text
