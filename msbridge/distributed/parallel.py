"""What scripts of all releases ask MindSpore's private `parallel._utils` about the parallel setting.

Follows: mindspore.parallel._utils (2.0 to 2.10).
"""

from msbridge.core import context
from msbridge.core.context import ParallelMode
from msbridge.distributed.group import get_group_size, get_rank

_AUTOMATIC = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _get_device_num() -> int:
    """Return the number of devices: what the parallel context says, else the size of the world."""
    number = context.get_auto_parallel_context("device_num")
    return number if number > 1 else get_group_size()


def _get_global_rank() -> int:
    """Return the rank: what the parallel context says, else that of the world."""
    return context.get_auto_parallel_context("global_rank") or get_rank()


def _get_gradients_mean() -> bool:
    """Whether gradients are averaged over the processes, instead of summed."""
    return bool(context.get_auto_parallel_context("gradients_mean"))


def _get_parallel_mode() -> str:
    """Return the parallel mode's name."""
    return str(context.get_auto_parallel_context("parallel_mode"))


def _get_pipeline_stages() -> int:
    """Return the number of pipeline stages."""
    return int(context.get_auto_parallel_context("pipeline_stages"))


def _get_stage_device_num() -> int:
    """Return the number of devices of one pipeline stage."""
    return _get_device_num() // _get_pipeline_stages()


def _get_full_batch() -> bool:
    """Whether every process loads the whole batch."""
    return bool(context.get_auto_parallel_context("full_batch"))


def _get_parameter_broadcast() -> bool:
    """Whether the first process's parameters are given to all before training."""
    return bool(context.get_auto_parallel_context("parameter_broadcast"))


def _get_enable_parallel_optimizer() -> bool:
    """Whether optimizer state is divided among the processes."""
    return bool(context.get_auto_parallel_context("enable_parallel_optimizer"))


def _is_pynative_parallel() -> bool:
    """Whether PyNative mode runs an automatic parallel mode."""
    return context.get_context("mode") == context.PYNATIVE_MODE and _get_parallel_mode() in _AUTOMATIC


def _is_in_auto_parallel_mode() -> bool:
    """Whether the parallel mode is an automatic one."""
    return _get_parallel_mode() in _AUTOMATIC


def _is_in_data_parallel_mode() -> bool:
    """Whether the parallel mode is data parallel."""
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode() -> bool:
    """Whether the parallel mode is hybrid parallel."""
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _need_to_full() -> bool:
    """Whether inputs are to be made whole before the step; automatic modes are not carried out here."""
    return _is_in_auto_parallel_mode() and _get_full_batch()
