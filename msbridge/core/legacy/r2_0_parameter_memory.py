"""Memory shared with Parameters, as it was in 2.0."""

import weakref
from typing import Any

import torch

from msbridge.core.legacy import parameter_memory
from msbridge.core.legacy.parameter_memory import alias_of, host_array
from msbridge.core.parameter import parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor import tensor
from msbridge.core.tensor.memory import renew
from msbridge.core.tensor.tensor import Tensor, as_torch


def _as_torch(value: Any, dtype: torch.dtype | None, device: torch.device | None = None) -> torch.Tensor:
    """Return the torch tensor of a new Tensor: of a Parameter's values in the host's buffer."""
    data = as_torch(value, dtype, device)
    is_same = isinstance(value, parameter.Parameter) and data is value._data
    return parameter_memory.of_host(value) if is_same and not data.requires_grad else data


def _renew(of: Tensor, value: torch.Tensor) -> None:
    """Replace the memory of a Parameter; the host's buffer is that of the Tensor whose values it takes."""
    renew(of, value)
    if value.is_cpu and of._data.data_ptr() == value.data_ptr():
        of.__dict__["_host"] = of._data, weakref.ref(value)


OVERRIDES = {
    "Parameter.asnumpy": [
        Part(parameter.Parameter, "asnumpy", host_array),
        Part(parameter, "_OF_ONE", parameter._OF_ONE | {"_aliases", "_host"}),
    ],
    "Parameter.set_data": Part(parameter, "renew", _renew),
    "Parameter.value": alias_of,
    "Tensor.__init__": Part(tensor, "as_torch", _as_torch),
}
