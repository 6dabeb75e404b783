"""Settings of parallel training and results of graphs of 1.2."""

from collections.abc import Sequence

from msbridge.core.context import context
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS, Key
from msbridge.core.jit import graph_results
from msbridge.core.legacy import r1_10
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part

_KEYS = {**AUTO_PARALLEL_KEYS, **r1_10.SETTINGS, "pipeline_stages": Key((int,), 1)}


def _apart(value: object, inputs: Sequence[object]) -> object:
    """Return the values of a graph's result: a Parameter is returned itself, in a container too."""
    return value if isinstance(value, Parameter) else _today_apart(value, inputs)


_today_apart = graph_results.apart
OVERRIDES = {
    "context.set_auto_parallel_context": Part(context, "AUTO_PARALLEL_KEYS", _KEYS),
    "Parameter": Part(graph_results, "apart", _apart),
}
