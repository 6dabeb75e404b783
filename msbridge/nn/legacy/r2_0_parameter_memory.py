"""Steps of optimizers as they were in 2.0: what was computed from a Parameter or from state keeps its values."""

from collections.abc import Sequence

from msbridge.core.legacy.parameter_memory import leave_views
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.engine import Engine

_update_all = Engine._update_all


def _leave_and_update(self: Engine, parameters: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
    for tensors in (parameters, *(getattr(self, name) for name in self._slots)):
        for tensor in tensors:
            leave_views(tensor)
    _update_all(self, parameters, gradients)


OVERRIDES = {"nn.Optimizer": Part(Engine, "_update_all", _leave_and_update)}
