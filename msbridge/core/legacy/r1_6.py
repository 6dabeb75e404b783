"""Parameters of 1.6, of a class of their own behind Parameter, and its parallel modes."""

from collections.abc import Iterable
from functools import wraps
from typing import Any

from msbridge.core.context import context
from msbridge.core.context.settings import ParallelMode
from msbridge.core.legacy import r1_0, r1_10
from msbridge.core.legacy.parameter_class import construct
from msbridge.core.parameter.parameter import Parameter, ParameterTuple


@wraps(context.set_auto_parallel_context)
def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads, as 1.10 does; "auto_parallel" needs a graph, too.

    Raises:
        ValueError: it is chosen in PyNative mode.
    """
    if (
        settings.get("parallel_mode") == ParallelMode.AUTO_PARALLEL
        and context.get_context("mode") == context.PYNATIVE_MODE
    ):
        raise ValueError("PyNative mode takes the parallel modes 'stand_alone' and 'data_parallel'.")
    r1_10.set_auto_parallel_context(**settings)


def _parameters(cls: type[ParameterTuple], iterable: Iterable[Parameter]) -> ParameterTuple:
    """Return a tuple of Parameters; those that share a name are numbered."""
    items = r1_0.share_names(cls, iterable)
    by_name: dict[str, list[Parameter]] = {}
    for item in {id(item): item for item in items}.values():
        by_name.setdefault(item.name, []).append(item)
    for name, namesakes in by_name.items():
        for number, item in enumerate(namesakes if len(namesakes) > 1 else ()):
            item.name = f"{name}_{number}"
    return items


OVERRIDES = {
    "Parameter.__init__": construct,
    "ParameterTuple.__new__": _parameters,
    "context.set_auto_parallel_context": set_auto_parallel_context,
}
