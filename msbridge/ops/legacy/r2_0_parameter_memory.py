"""Writes to Parameters as they were in 2.0: results of operators keep their values."""

from typing import Any

from msbridge.core.legacy.parameter_memory import leaving_views
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor import tensor
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import wrap
from msbridge.ops.framework.control import functions as control
from msbridge.ops.kernel_calls import data_movement
from msbridge.ops.shape.scatter_elements import functions as scattering
from msbridge.ops.training.optimizer_updates import caches, factored, kernels

_WRITERS: Any = (data_movement, scattering, caches, factored, kernels, tensor)
_writable = leaving_views(writable)


def _wrap_copy(data: Any) -> Any:
    return wrap(data.clone())


OVERRIDES = {
    "ops.assign": [
        Part(control, "overwrite", leaving_views(overwrite)),
        *(Part(writer, "writable", _writable) for writer in _WRITERS),
    ],
    "ops.assign_add": Part(control, "wrap", _wrap_copy),
}
