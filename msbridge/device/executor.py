"""Settings of MindSpore's runtime: threads, groups of kernels, cores. Most of it has nothing to act on in torch.

Follows: mindspore.runtime (2.10).
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msbridge.core.checks.arguments import boolean, instance, non_negative_int, positive_int
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import device_id, torch_device
from msbridge.device.streams import Stream

__all__ = [
    "StreamLimitCtx",
    "dispatch_threads_num",
    "get_device_limit",
    "get_stream_limit",
    "launch_blocking",
    "reset_stream_limit",
    "set_cpu_affinity",
    "set_device_limit",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_stream_limit",
]

_BLOCKING = {"cuda": "CUDA_LAUNCH_BLOCKING", "npu": "ASCEND_LAUNCH_BLOCKING"}
_UNLIMITED = {"cube_core_num": -1, "vector_core_num": -1}


def launch_blocking() -> None:
    """Let the host wait for each operator, so that an error is raised at its line; call it before the first operator.

    The drivers of CUDA and of an NPU read a variable when they begin, which is set. MPS and the CPU have none; the CPU
    waits anyway.

    Follows: mindspore.runtime.launch_blocking (2.10).
    """
    variable = _BLOCKING.get(torch_device().type)
    if variable is not None:
        os.environ[variable] = "1"


def dispatch_threads_num(threads_num: int) -> None:
    """Set the number of threads that launch operators; without effect here, which is said once.

    Args:
        threads_num: how many, > 0.

    Raises:
        TypeError: `threads_num` is not an int.
        ValueError: it is not positive.

    Follows: mindspore.runtime.dispatch_threads_num (2.10).
    """
    without_effect(
        "mindspore.runtime.dispatch_threads_num.threads_num",
        positive_int(threads_num, "threads_num", "dispatch_threads_num"),
    )


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """Launch kernels in groups from several threads; without effect here, which is said once.

    Args:
        thread_num: how many threads, > 0.
        kernel_group_num: how many groups, > 0.

    Raises:
        TypeError: an argument is not an int.
        ValueError: one is not positive.

    Follows: mindspore.runtime.set_kernel_launch_group (2.10).
    """
    positive_int(kernel_group_num, "kernel_group_num", "set_kernel_launch_group")
    without_effect(
        "mindspore.runtime.set_kernel_launch_group.thread_num",
        positive_int(thread_num, "thread_num", "set_kernel_launch_group"),
    )


def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: list[str] | None = None) -> None:
    """Record the launches of inference and repeat them; without effect here, which is said once.

    Args:
        enable_capture_graph: whether to record.
        op_capture_skip: the names of operators that are not recorded; None for none.

    Raises:
        TypeError: `enable_capture_graph` is not a bool, or `op_capture_skip` is not a list.

    Follows: mindspore.runtime.set_kernel_launch_capture (2.10).
    """
    instance(op_capture_skip, "op_capture_skip", "set_kernel_launch_capture", (list, type(None)))
    if boolean(enable_capture_graph, "enable_capture_graph", "set_kernel_launch_capture"):
        without_effect("mindspore.runtime.set_kernel_launch_capture.enable_capture_graph", True)


def set_cpu_affinity(
    enable_affinity: bool,
    affinity_cpu_list: Mapping[str, Sequence[str]] | Sequence[str] | None = None,
    module_to_cpu_dict: Mapping[str, Any] | None = None,
    bind_file: str | None = None,
) -> None:
    """Keep this process on some of the machine's cores, where the system can.

    Args:
        enable_affinity: False changes nothing.
        affinity_cpu_list: ranges of cores, as ["0-7", "16-23"], or one list for each device, as {"device0": …}. None
            leaves the choice to the system.
        module_to_cpu_dict: cores for MindSpore's parts; torch has no such parts, which is said once.
        bind_file: a JSON file with ranges of cores for each device.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a range is not one.

    Follows: mindspore.runtime.set_cpu_affinity (2.10).
    """
    kinds = {"affinity_cpu_list": (Mapping, list, type(None)), "module_to_cpu_dict": (Mapping, type(None))}
    instance(affinity_cpu_list, "affinity_cpu_list", "set_cpu_affinity", kinds["affinity_cpu_list"])
    instance(module_to_cpu_dict, "module_to_cpu_dict", "set_cpu_affinity", kinds["module_to_cpu_dict"])
    if not enable_affinity:
        return
    if module_to_cpu_dict:
        without_effect("mindspore.runtime.set_cpu_affinity.module_to_cpu_dict", module_to_cpu_dict)
    ranges: Any = affinity_cpu_list
    if bind_file is not None:
        ranges = json.loads(Path(bind_file).read_text(encoding="utf-8"))
    if isinstance(ranges, Mapping):
        ranges = ranges.get(f"device{device_id()}")
    cores = {core for one in ranges or () for core in _cores(one)}
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


def get_device_limit(device: int) -> dict[str, int]:
    """Return the number of an Ascend's cores that may be used: -1, all of them.

    Args:
        device: the number of a device.

    Returns:
        A dict of `cube_core_num` and `vector_core_num`.

    Follows: mindspore.runtime.get_device_limit (2.10).
    """
    non_negative_int(device, "device", "get_device_limit")
    return dict(_UNLIMITED)


def set_device_limit(device: int, cube_num: int = -1, vector_num: int = -1) -> None:
    """Limit the cores of an Ascend; without effect here, which is said once.

    Args:
        device: the number of a device.
        cube_num: how many cube cores; -1 for all.
        vector_num: how many vector cores; -1 for all.

    Raises:
        TypeError: an argument is not an int.

    Follows: mindspore.runtime.set_device_limit (2.10).
    """
    non_negative_int(device, "device", "set_device_limit")
    _limit("set_device_limit", cube_num, vector_num)


def get_stream_limit(stream: Stream) -> dict[str, int]:
    """Return the number of an Ascend's cores that a stream may use: -1, all of them.

    Args:
        stream: a Stream.

    Returns:
        A dict of `cube_core_num` and `vector_core_num`.

    Follows: mindspore.runtime.get_stream_limit (2.10).
    """
    instance(stream, "stream", "get_stream_limit", Stream)
    return dict(_UNLIMITED)


def set_stream_limit(stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
    """Limit the cores of an Ascend that a stream uses; without effect here, which is said once.

    Args:
        stream: a Stream.
        cube_num: how many cube cores; -1 for all.
        vector_num: how many vector cores; -1 for all.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.runtime.set_stream_limit (2.10).
    """
    instance(stream, "stream", "set_stream_limit", Stream)
    _limit("set_stream_limit", cube_num, vector_num)


def reset_stream_limit(stream: Stream) -> None:
    """Take a stream's limits away; there are none.

    Args:
        stream: a Stream.

    Follows: mindspore.runtime.reset_stream_limit (2.10).
    """
    instance(stream, "stream", "reset_stream_limit", Stream)


class StreamLimitCtx:
    """A block in which a stream's cores are limited; without effect here, which is said once.

    Args:
        stream: a Stream.
        cube_num: how many cube cores; -1 for all.
        vector_num: how many vector cores; -1 for all.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.runtime.StreamLimitCtx (2.10).
    """

    def __init__(self, stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
        self._arguments = instance(stream, "stream", "StreamLimitCtx", Stream), cube_num, vector_num

    def __enter__(self) -> None:
        set_stream_limit(*self._arguments)

    def __exit__(self, *error: object) -> None:
        reset_stream_limit(self._arguments[0])


def _limit(where: str, cube_num: int, vector_num: int) -> None:
    for name, number in (("cube_num", cube_num), ("vector_num", vector_num)):
        if instance(number, name, where, int) != -1:
            without_effect(f"mindspore.runtime.{where}.{name}", number)


def _cores(text: str) -> range:
    first, _, last = text.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal():
        raise ValueError(f"For 'set_cpu_affinity', a range of cores is written as '0-7', but got {text!r}.")
    return range(int(first), int(last or first) + 1)
