"""MindSpore's private `parallel._utils`: the parallel setting, as scripts of all releases ask for it.

Follows: mindspore.parallel._utils (2.0 to 2.10).
"""

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.no_effect_warnings import is_first, level_of_user
from msbridge.core.context import context
from msbridge.core.context.context import ParallelMode
from msbridge.core.runtime.call_wrappers import CELL_CALLS, GRADIENT_CALLS, Layer
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import float32
from msbridge.distributed.groups.group import communicator, get_group_size, get_rank
from msbridge.distributed.sharding.strategies import degrees_of

__all__ = [
    "_get_device_num",
    "_get_enable_parallel_optimizer",
    "_get_full_batch",
    "_get_global_rank",
    "_get_gradients_mean",
    "_get_parallel_mode",
    "_get_parameter_broadcast",
    "_get_pipeline_stages",
    "_get_stage_device_num",
    "_is_in_auto_parallel_mode",
    "_is_in_data_parallel_mode",
    "_is_in_hybrid_parallel_mode",
    "_is_pynative_parallel",
    "_need_to_full",
]

_AUTOMATIC = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _get_device_num() -> int:
    """Return the number of devices: 1 in stand-alone mode, else that of the parallel context, else of the world."""
    if _get_parallel_mode() == ParallelMode.STAND_ALONE:
        return 1
    return int(context.get_auto_parallel_context("device_num")) if context.is_set("device_num") else get_group_size()


def _get_global_rank() -> int:
    """Return the rank: 0 in stand-alone mode, else what the parallel context says, else that of the world."""
    if _get_parallel_mode() == ParallelMode.STAND_ALONE:
        return 0
    return int(context.get_auto_parallel_context("global_rank")) if context.is_set("global_rank") else get_rank()


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
    """Whether what a process gets of a batch is a part, so that shapes are to be made those of the whole."""
    if not _is_in_auto_parallel_mode():
        return False
    return _has_own_strategy() or not _get_full_batch()


def _has_own_strategy() -> bool:
    return context.get_auto_parallel_context("dataset_strategy") not in ((), "data_parallel", "full_batch")


def _is_parallel_mode() -> bool:
    """Whether a network predicts on several processes without a parallel mode."""
    is_predicting = os.environ.get("RUN_MODE") == "predict" and get_group_size() > 1
    return is_predicting and _get_parallel_mode() == ParallelMode.STAND_ALONE


def _check_full_batch() -> None:
    """Require an automatic parallel mode for `full_batch`.

    Raises:
        RuntimeError: the mode is another.
    """
    if _get_full_batch() and not _is_in_auto_parallel_mode():
        raise RuntimeError("full_batch is for semi_auto_parallel and auto_parallel only.")


def _get_grad_accumulation_shard() -> bool:
    """Whether accumulated gradients are divided among the processes."""
    config = context.get_auto_parallel_context("parallel_optimizer_config")
    return bool(config.get("gradient_accumulation_shard") or config.get("optimizer_level") == "level2")


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """Require one device where nothing is parallel.

    Raises:
        ValueError: there are more.
    """
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(f"If parallel_mode is stand_alone, device_number must be 1, but got {device_number}.")


def _parameter_broadcast_check(parallel_mode: str, parameter_broadcast: bool) -> None:
    """Require a mode in which parameters can be broadcast.

    Raises:
        ValueError: the mode is another.
    """
    if parameter_broadcast is True and parallel_mode in (ParallelMode.STAND_ALONE, *_AUTOMATIC):
        raise ValueError(f"Parameters are not broadcast in the parallel mode {parallel_mode!r}.")


def _parts_of(count: int) -> Any:
    """Return the division of each input's axes: tuples of numbers, None where it is the first axis.

    Raises:
        ValueError: there are other numbers of inputs.
    """
    if not _has_own_strategy():
        return [None] * count
    strategy = context.get_auto_parallel_context("dataset_strategy")
    if len(strategy) != count:
        raise ValueError(f"dataset_strategy is for {len(strategy)} inputs, but there are {count}.")
    return [one if isinstance(one, tuple) else degrees_of(one) for one in strategy]


def _scale_shape(shape: Sequence[int], parts: Sequence[int] | None, devices: int, up: bool) -> list[int]:
    parts = [devices, *[1] * (len(shape) - 1)][: len(shape)] if parts is None else parts
    if len(parts) != len(shape):
        raise ValueError(f"dataset_strategy {tuple(parts)} is for {len(parts)} axes, but a shape is {tuple(shape)}.")
    pairs = zip(shape, parts, strict=True)
    return [length if length <= 0 else length * number if up else length // number for length, number in pairs]


def _to_full_shapes(shapes: Sequence[Sequence[int]], device_num: int) -> list[list[int]]:
    """Return the shapes of whole inputs from those of a process's parts.

    Raises:
        ValueError: `dataset_strategy` does not fit them.
    """
    every = _parts_of(len(shapes))
    return [_scale_shape(shape, parts, device_num, up=True) for shape, parts in zip(shapes, every, strict=True)]


def _origin_shapes(shapes: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """Return the shapes of a process's parts from those of whole inputs, where a process gets parts.

    Raises:
        ValueError: `dataset_strategy` does not fit them.
    """
    if not _need_to_full():
        return shapes
    every, devices = _parts_of(len(shapes)), _get_stage_device_num()
    return [_scale_shape(shape, parts, devices, up=False) for shape, parts in zip(shapes, every, strict=True)]


def _to_full_tensor(
    elem: Any, global_device_num: int, global_rank: int, scaling_sens: float | None = None
) -> tuple[Tensor, ...]:
    """Return whole inputs that are 0 where other processes' parts are.

    Args:
        elem: a Tensor or array, or several: this process's parts.
        global_device_num: the number of devices.
        global_rank: this one's.
        scaling_sens: a number to add behind them.

    Raises:
        ValueError: something is not a Tensor, or `dataset_strategy` does not fit.
    """
    values = list(elem) if isinstance(elem, tuple | list) else [elem]
    devices = global_device_num // _get_pipeline_stages()
    rank, full = global_rank % devices, []
    for value, parts in zip(values, _parts_of(len(values)), strict=True):
        if not isinstance(value, Tensor | np.ndarray):
            raise ValueError(f"The elements must be Tensors, but got {type(value).__name__}.")
        part = np.asarray(value)
        whole = np.zeros(_scale_shape(part.shape, parts, devices, up=True), part.dtype)
        numbers = parts or [devices, *[1] * (part.ndim - 1)][: part.ndim]
        starts = [rank % number * length for number, length in zip(numbers, part.shape, strict=True)]
        whole[tuple(slice(start, start + length) for start, length in zip(starts, part.shape, strict=True))] = part
        full.append(Tensor(whole))
    return tuple(full) if scaling_sens is None or not scaling_sens else (*full, Tensor(scaling_sens, float32))


def _follow_context() -> None:
    """Run Cells and gradient functions divided over the processes while the parallel mode is an automatic one."""
    wanted = (_get_pipeline_stages() > 1) + 1 if _is_in_auto_parallel_mode() and communicator().size > 1 else 0
    if wanted == _divides.by:
        return
    _divides.by = wanted
    if not wanted:
        CELL_CALLS.unwrap(Layer.SHARDED)
        GRADIENT_CALLS.unwrap(Layer.SHARDED)
        return
    if wanted == _STAGES:
        from msbridge.distributed.pipeline import calls as stages

        CELL_CALLS.wrap(Layer.SHARDED, stages.over_stages)
        GRADIENT_CALLS.wrap(Layer.SHARDED, stages.with_staged_gradients)
        return
    from msbridge.distributed.sharding import calls  # torch's DTensor takes a second to load

    CELL_CALLS.wrap(Layer.SHARDED, calls.over_processes)
    GRADIENT_CALLS.wrap(Layer.SHARDED, calls.with_divided_gradients)
    if _get_parallel_mode() == ParallelMode.AUTO_PARALLEL:
        _say_what_is_searched()


def _say_what_is_searched() -> None:
    if is_first("auto_parallel"):
        warnings.warn(
            "set_auto_parallel_context: no strategies are searched for in 'auto_parallel'; it picks data parallel: the "
            "batch is divided, and operators as `shard` says.",
            stacklevel=level_of_user(),
        )


_OPERATORS, _STAGES = 1, 2


class _Divides:
    by = 0


_divides = _Divides()
context.on_change(_follow_context)
