"""Settings of parallel training of 1.5."""

from functools import wraps
from typing import Any

from msbridge.core.context import context
from msbridge.core.legacy import r1_6, r1_10
from msbridge.core.legacy.r2_0_parallel import refuse_settings

LATER_SETTINGS = r1_10.LATER_SETTINGS | {"comm_fusion", "parallel_optimizer_config", "search_mode"}


def refuse_later(unknown: set[str], settings: dict[str, Any]) -> None:
    """Refuse settings of later releases, and the search of strategies by propagation.

    Raises:
        ValueError: there is one.
    """
    refuse_settings(unknown, settings)
    if settings.get("auto_parallel_search_mode") == "sharding_propagation":
        raise ValueError("Strategy search mode does not support sharding_propagation.")


@wraps(context.set_auto_parallel_context)
def _set_auto_parallel_context(**settings: Any) -> None:
    refuse_later(LATER_SETTINGS, settings)
    r1_6.set_auto_parallel_context(**settings)


OVERRIDES = {"context.set_auto_parallel_context": _set_auto_parallel_context}
