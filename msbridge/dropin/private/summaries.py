"""Summaries of a network's last runs, which scripts read without a SummaryRecord."""

from msbridge.core.context.graph_mode import is_graph
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.framework.summaries import kernels as summaries

_values: dict[str, Tensor] = {}


def get_summary_tensor_data() -> dict[str, Tensor]:
    """Return the last value of each summary operator that ran in graph mode since the last call.

    Returns:
        Tensors by name and kind: "conv1[:Tensor]", "loss[:Scalar]".

    Follows: mindspore.train.summary.summary_record._get_summary_tensor_data (2.10).
    """
    values = dict(sorted(_values.items()))
    _values.clear()
    return values


def _keep(kind: str, name: str, value: Tensor) -> None:
    if is_graph():
        _values[f"{name}[:{kind.capitalize()}]"] = wrap(value._data.detach())


# Values are kept from the first import of the name on: no other script has a use for them.
summaries.add_recorder(_keep)
