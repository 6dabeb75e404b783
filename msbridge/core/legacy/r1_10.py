"""Settings, results of graphs and printed Tensors of 1.10."""

import sys
from collections.abc import Sequence
from functools import wraps
from typing import Any

from msbridge.core.autograd import backward, differentiation
from msbridge.core.context import context, parallel_settings
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS, Key
from msbridge.core.jit import graph_results, graph_runs, settings
from msbridge.core.jit.mutable import mutable
from msbridge.core.legacy import r2_0_parallel
from msbridge.core.legacy.r2_0_parallel import check_optimizer, refuse_settings
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.arguments import override_arguments
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor import printing
from msbridge.core.tensor.tensor import Tensor, wrap

_FUSION: dict[str, Any] = {"mode": "auto", "config": 64}
SETTINGS = {"comm_fusion": Key((dict,), {"allreduce": _FUSION}), **r2_0_parallel.SETTINGS}
LATER_SETTINGS = {*r2_0_parallel.LATER_SETTINGS, "strategy_ckpt_config"}


class JitConfig(settings.JitConfig):
    """The settings of compilation.

    Args:
        jit_level: "O0", "O1" or "O2".
        task_sink: whether rows come through a queue; kept.
        kwargs: further settings, kept.

    Raises:
        TypeError: `task_sink` is not a bool.
        ValueError: another `jit_level`.

    Follows: mindspore.JitConfig (1.10).
    """

    def __init__(self, jit_level: str = "O1", task_sink: bool = True, **kwargs: object) -> None:
        super().__init__(jit_level)
        if not isinstance(task_sink, bool):
            raise TypeError(f"For 'JitConfig', 'task_sink' must be bool, but got {type(task_sink).__name__}.")
        self.jit_config_dict = {"jit_level": jit_level, "task_sink": str(int(task_sink)), **kwargs}


@wraps(context.set_auto_parallel_context)
def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads; settings of later releases are unknown.

    Raises:
        ValueError: an unknown key, or a mode that needs a graph, without one.
    """
    refuse_settings(LATER_SETTINGS, settings)
    r2_0_parallel.set_auto_parallel_context(**settings)


def _check_fusion(config: dict[str, Any]) -> None:
    if "openstate" in config:
        raise KeyError("comm_fusion has no 'openstate': it has allreduce, allgather and reducescatter.")
    _today_checks["comm_fusion"](config)


def _link_settings(settings: dict[str, Any], known: Any) -> dict[str, Any]:
    """Return settings with what they mean for others; of `comm_fusion`, one kind's is kept as that of `allreduce`."""
    linked = _today_link(settings, known)
    if "comm_fusion" in settings:
        kept = dict(known("comm_fusion")["allreduce"])
        for kind, fusion in settings["comm_fusion"].items():
            if kind == "allreduce":
                kept = {"config": 64, **({"mode": "auto"} if fusion["mode"] == "auto" else fusion)}
            else:
                kept["mode"] = fusion["mode"]
        linked["comm_fusion"] = {"allreduce": {"mode": kept["mode"], "config": kept["config"]}}
    return linked


def _graph_result(value: Any, inputs: Sequence[Any], effects: int) -> Any:
    """Return the value of a graph's result for its caller: a tuple instead of a list or dict."""
    return _today_result(_as_tuples(value)[0], inputs, effects)


def _as_tuples(value: Any) -> tuple[Any, bool]:
    """Return a value with tuples for lists and dicts, and whether it is computed: that has no None in its places."""
    if not isinstance(value, list | tuple | dict):
        return value, isinstance(value, Tensor)
    found = [_as_tuples(one) for one in (value.values() if isinstance(value, dict) else value)]
    is_computed = any(computed for _, computed in found)
    made = tuple(one for one, _ in found if one is not None or not is_computed)
    is_same = type(value) is tuple and len(made) == len(value) and all(map(_is, made, value))
    return value if is_same else made, is_computed


def _is(one: Any, other: Any) -> bool:
    return one is other


def _copy(self: Parameter) -> Tensor:
    """Return a Tensor of the same values in memory of its own."""
    return wrap(self._data.detach().clone())


def _may_broadcast(sens: Tensor | float) -> bool:
    """Return whether the gradient of an output may have a shape that broadcasts: without axes in PyNative mode, too."""
    return is_graph() or (isinstance(sens, Tensor) and not sens.ndim)


_today_link, _today_result = parallel_settings.link_settings, graph_results.graph_result
_today_checks = parallel_settings._CHECKS
_CHECKS = {**_today_checks, "comm_fusion": _check_fusion, "parallel_optimizer_config": check_optimizer}
OVERRIDES = {
    "JitConfig": JitConfig,
    "Parameter.copy": Part(Parameter, "copy", _copy),
    "Tensor.__repr__": Part(printing, "_MAX_ELEMENTS", sys.maxsize),
    "context.set_auto_parallel_context": [
        set_auto_parallel_context,
        Part(context, "AUTO_PARALLEL_KEYS", {**AUTO_PARALLEL_KEYS, **SETTINGS}),
        Part(context, "link_settings", _link_settings),
        Part(parallel_settings, "_CHECKS", _CHECKS),
    ],
    "mutable": override_arguments(mutable, "input_data", {}),
    "jit": Part(graph_runs, "graph_result", _graph_result),
    "ops.GradOperation": [
        Part(backward, "_may_broadcast", _may_broadcast),
        Part(differentiation, "_COUNTS_FROZEN", True),
    ],
}
