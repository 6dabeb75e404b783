"""Settings and printed Tensors of 1.10."""

import sys

from msbridge.core.context import context
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS, Key
from msbridge.core.jit import settings
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor import printing

_COMM_FUSION = Key((dict,), {"allreduce": {"mode": "auto", "config": 64}})


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


OVERRIDES = {
    "JitConfig": JitConfig,
    "Tensor.__repr__": Part(printing, "_MAX_ELEMENTS", sys.maxsize),
    "context.set_auto_parallel_context": Part(
        context, "AUTO_PARALLEL_KEYS", {**AUTO_PARALLEL_KEYS, "comm_fusion": _COMM_FUSION}
    ),
}
