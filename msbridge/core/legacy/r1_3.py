"""Settings of parallel training and attributes of Parameters of 1.3."""

from functools import wraps
from typing import Any

from msbridge.core.context import context
from msbridge.core.legacy import r1_5
from msbridge.core.legacy.r2_0_tensors import FLOATS
from msbridge.core.parameter.parallel_attributes import attribute
from msbridge.core.types import dtype

LATER_SETTINGS = r1_5.LATER_SETTINGS | {"dataset_strategy", "enable_alltoall", "sharding_propagation"}
_today_set = context.set_auto_parallel_context


@wraps(_today_set)
def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads; in PyNative mode every parallel mode is taken.

    Raises:
        ValueError: a setting of later releases.
    """
    r1_5.refuse_later(LATER_SETTINGS, settings)
    _today_set(**settings)


OVERRIDES = {
    "Parameter.parallel_optimizer_comm_recompute": attribute("parallel_optimizer_comm_recompute", False),
    "context.set_auto_parallel_context": set_auto_parallel_context,
    "dtype.number_type": (*dtype.int_type, *dtype.uint_type, *FLOATS),
}
