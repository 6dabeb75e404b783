"""Arguments: what both networks are given, from tensors and arrays of any library."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.verify.record.networks import Network


@dataclass(frozen=True, slots=True)
class Input:
    """An input in short."""

    dtype: str  # its dtype
    shape: tuple[int, ...]  # its shape
    low: float | None = None  # its least value; None where it has none, or complex ones
    high: float | None = None  # its greatest value; likewise

    def __str__(self) -> str:
        values = "" if self.low is None else f", {self.low:.4g} … {self.high:.4g}"
        return f"{self.dtype} {self.shape}{values}"


class Arguments:
    """The arguments of both networks, made again for every run.

    Attributes:
        data: the tensors.
        names: the names of torch's arguments, where they go by name.
    """

    def __init__(self, inputs: Any, device: torch.device) -> None:
        self.names = tuple(inputs) if isinstance(inputs, Mapping) else ()
        values = inputs.values() if isinstance(inputs, Mapping) else inputs
        values = values if self.names or isinstance(values, tuple | list) else (values,)
        self.data = [as_torch(one).to(device) for one in values]

    @property
    def described(self) -> tuple[Input, ...]:
        """The inputs, in short."""
        return tuple(map(_describe, self.data))

    def of(self, network: Network, is_wide: bool = False) -> tuple[list[Any], dict[str, Any]]:
        """Return the positional and the keyword arguments of a network, floating ones in float64 if asked for."""
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


def _describe(tensor: torch.Tensor) -> Input:
    kind, shape = str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape)
    if not tensor.numel() or tensor.is_complex():
        return Input(kind, shape)
    wide = tensor.double()
    return Input(kind, shape, wide.min().item(), wide.max().item())


def as_torch(value: Any) -> torch.Tensor:
    """Return an input as a torch tensor of its own memory.

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
