"""Memory shared with Parameters, as it was up to 1.5: the host's buffer, and what `set_data` took."""

from collections.abc import Sequence

import torch

from msbridge.core.jit import graph_results
from msbridge.core.legacy import parameter_memory
from msbridge.core.legacy.parameter_memory import count_views, host_of
from msbridge.core.parameter import parameter
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.memory import renew
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.twins import join

_today_apart = graph_results.apart


def _is_shared(parameter: Tensor) -> bool:
    """Whether there are views of a Parameter: other Tensors of its torch tensor and the host's buffer show writes."""
    return count_views(parameter) > (host_of(parameter) is not None)


def _renew(of: Tensor, value: torch.Tensor) -> None:
    """Replace the memory of a Parameter by that of a Tensor of its dtype, or by a cast."""
    renew(of, value)
    if of._data.data_ptr() != value.data_ptr() or value.requires_grad:
        return
    if value._is_view():
        value.data = value.clone()
    of._data = value


def _apart(value: object, inputs: Sequence[object]) -> object:
    """Return the values of a graph's result: of a Parameter a Tensor that is always as that is."""
    if not isinstance(value, Parameter):
        return _today_apart(value, inputs)
    other = wrap(value._data)
    join(value, other)
    return other


OVERRIDES = {
    "Parameter.asnumpy": Part(parameter_memory, "is_shared", _is_shared),
    "Parameter.set_data": Part(parameter, "renew", _renew),
    "Parameter": Part(graph_results, "apart", _apart),
    "Tensor.__init__": Part(parameter_memory, "of_host", lambda of: of._data),
}
