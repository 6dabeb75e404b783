"""Memory of the device: what Tensors take, what torch keeps in reserve, and limits.

The numbers are those of torch's allocator for the context's device. On the CPU, which has none, they are 0, as in
MindSpore.
"""

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator
from typing import Any

import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import device_target, set_context, torch_device
from msbridge.core.runtime.accelerators import driver
from msbridge.core.runtime.accelerators import empty_cache as empty_cache_of
from msbridge.device.hardware import properties, resolve_kind

__all__ = [
    "MemPool",
    "PluggableAllocator",
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_replay",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_memory",
    "use_mem_pool",
]

_SIZE = re.compile(r"([1-9]\d*(?:\.\d*)?|0\.\d*)GB", re.ASCII)
_MPS = {"allocated": "current_allocated_memory", "reserved": "driver_allocated_memory"}
_UNITS = ("B  ", "KB", "MB", "GB", "TB")
_ROWS = {
    "Reserved memory": "total_reserved_memory",
    "Allocated memory": "total_allocated_memory",
    "Idle memory": "total_idle_memory",
    "Eager free memory": "total_eager_free_memory",
    "Max reserved memory": "max_reserved_memory",
    "Max allocated memory": "max_allocated_memory",
}


def memory_stats(device_target: str | None = None) -> dict[str, Any]:
    """Return the allocator's statistics on the context's device, in bytes, and its blocks by address.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        name → bytes, and, of blocks, address → a dict.

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: it is unknown, or there is no such device.

    Follows: mindspore.runtime.memory_stats, mindspore.hal.memory_stats (2.10).
    """
    blocks = _blocks(device_target)
    reserved, allocated = memory_reserved(device_target), memory_allocated(device_target)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": allocated,
        "total_idle_memory": reserved - allocated,
        "total_eager_free_memory": 0,
        "max_reserved_memory": max_memory_reserved(device_target),
        "max_allocated_memory": max_memory_allocated(device_target),
        "common_mem_pool_stats": {"block_unit_size": 0, "block_counts": len(blocks), "blocks_info": blocks},
        "persistent_mem_pool_stats": {"block_counts": 0, "block_unit_size": 0, "blocks_info": {}},
    }


def memory_reserved(device_target: str | None = None) -> int:
    """Return the bytes that torch's allocator holds on the context's device.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        How many bytes, an int.

    Follows: mindspore.runtime.memory_reserved, mindspore.hal.memory_reserved (2.10).
    """
    return _bytes("reserved", device_target)


def memory_allocated(device_target: str | None = None) -> int:
    """Return the bytes that tensors take on the context's device.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        How many bytes, an int.

    Follows: mindspore.runtime.memory_allocated, mindspore.hal.memory_allocated (2.10).
    """
    return _bytes("allocated", device_target)


def max_memory_reserved(device_target: str | None = None) -> int:
    """Return the most bytes that the allocator has held; on MPS, which keeps no peak, those that it holds now.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        How many bytes, an int.

    Follows: mindspore.runtime.max_memory_reserved, mindspore.hal.max_memory_reserved (2.10).
    """
    return _bytes("reserved", device_target, is_peak=True)


def max_memory_allocated(device_target: str | None = None) -> int:
    """Return the most bytes that tensors have taken; on MPS, which keeps no peak, those that they take now.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        How many bytes, an int.

    Follows: mindspore.runtime.max_memory_allocated, mindspore.hal.max_memory_allocated (2.10).
    """
    return _bytes("allocated", device_target, is_peak=True)


def reset_peak_memory_stats(device_target: str | None = None) -> None:
    """Let the peaks begin again from what is held now.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Follows: mindspore.runtime.reset_peak_memory_stats, mindspore.hal.reset_peak_memory_stats (2.10).
    """
    resolve_kind(device_target)
    device = torch_device()
    module = driver(device.type)
    if hasattr(module, "reset_peak_memory_stats"):
        module.reset_peak_memory_stats(device)


def reset_max_memory_reserved(device_target: str | None = None) -> None:
    """Let the peaks begin again, that of the tensors too: torch resets both together.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Follows: mindspore.runtime.reset_max_memory_reserved, mindspore.hal.reset_max_memory_reserved (2.10).
    """
    reset_peak_memory_stats(device_target)


def reset_max_memory_allocated(device_target: str | None = None) -> None:
    """Let the peaks begin again, that of the reserve too: torch resets both together.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Follows: mindspore.runtime.reset_max_memory_allocated, mindspore.hal.reset_max_memory_allocated (2.10).
    """
    reset_peak_memory_stats(device_target)


def empty_cache() -> None:
    """Return to the device what torch keeps in reserve.

    Follows: mindspore.runtime.empty_cache, mindspore.hal.empty_cache (2.10).
    """
    empty_cache_of(torch_device())


def memory_summary(device_target: str | None = None) -> str:
    """Return the numbers of `memory_stats` as a table.

    Args:
        device_target: None, or a device that is there; the numbers are those of the context's.

    Returns:
        A string of several lines.

    Follows: mindspore.runtime.memory_summary, mindspore.hal.memory_summary (2.10).
    """
    stats = memory_stats(device_target)
    double, single = "=" * 45, "-" * 45
    lines = [double, f" {'Memory summary':^43} ", double, f" {'Metric':<20} | {'Data':<20} "]
    for name, key in _ROWS.items():
        lines += [single, f" {name:<20} | {_readable(stats[key]):<20} "]
    return "".join(f"|{line}|\n" for line in [*lines, double])


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:
    """Limit the memory of the device.

    Args:
        init_size: what is taken at the start, as "2GB"; torch's allocator grows as needed, and this is only checked.
        increase_size: what is taken when that is used up; only checked, too.
        max_size: the most that a step may need, and that torch may take of a CUDA device or an NPU; on the CPU without
            effect, which is said once.
        optimize_level: "O0" or "O1"; only checked.
        huge_page_reserve_size: for large pages of memory; only checked.

    Raises:
        TypeError: an argument is not a str.
        ValueError: a size is not a positive number of "GB", or `optimize_level` is neither "O0" nor "O1".

    Follows: mindspore.runtime.set_memory (2.10).
    """
    sizes = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size}
    for name, size in sizes.items():
        instance(size, name, "set_memory", str)
        if not _SIZE.fullmatch(size):
            raise ValueError(f"For 'set_memory', {name} must be a positive size such as '3.5GB', but got {size!r}.")
    instance(huge_page_reserve_size, "huge_page_reserve_size", "set_memory", str)
    one_of(instance(optimize_level, "optimize_level", "set_memory", str), "optimize_level", "set_memory", ("O0", "O1"))
    if device_target() != "CPU":
        set_context(max_device_memory=max_size)
    device = torch_device()
    module = driver(device.type)
    if hasattr(module, "set_per_process_memory_fraction") and device.type != "mps":
        wanted = float(max_size.removesuffix("GB")) * 2**30
        module.set_per_process_memory_fraction(
            min(wanted / properties(device.type, device.index or 0).total_memory, 1.0), device
        )
    elif max_size != "1024GB" and device_target() == "CPU":
        without_effect("mindspore.runtime.set_memory.max_size", max_size)


def memory_replay(file_path: str) -> None:
    """Refuse to repeat the recorded memory operations of an Ascend.

    Args:
        file_path: a file.

    Raises:
        TypeError: `file_path` is not a path.
        RuntimeError: always.

    Follows: mindspore.runtime.memory_replay (2.10).
    """
    os.fspath(file_path)
    raise RuntimeError(
        "memory_replay: the memory of an Ascend is not recorded here; see memory_stats for what is used."
    )


class PluggableAllocator:
    """Two functions of a shared library that allocate and free memory of the device.

    Args:
        path_to_so_file: the library.
        alloc_fn_name: `void* f(size_t size, int device, stream)`.
        free_fn_name: `void f(void* pointer, size_t size, int device, stream)`.

    Raises:
        TypeError: `path_to_so_file` is not a path.
        OSError: there is no such library.
        AttributeError: it has no such function.

    Follows: mindspore.runtime.PluggableAllocator (2.10).
    """

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        self.path = os.fspath(path_to_so_file)
        self.names = alloc_fn_name, free_fn_name
        library = ctypes.CDLL(self.path)
        self.alloc_fn_ptr, self.free_fn_ptr = (
            ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in self.names
        )


class MemPool:
    """Memory of an allocator of one's own; for `use_mem_pool`.

    Args:
        allocator: a PluggableAllocator.

    Follows: mindspore.runtime.MemPool (2.10).
    """

    def __init__(self, allocator: PluggableAllocator) -> None:
        self.allocator = allocator
        self.torch_pool: Any = None


@contextlib.contextmanager
def use_mem_pool(pool: MemPool) -> Iterator[None]:
    """Take the memory of this thread's new Tensors from a pool, on CUDA; elsewhere without effect, which is said once.

    Args:
        pool: a MemPool.

    Returns:
        A context manager.

    Raises:
        TypeError: `pool` is not a MemPool.

    Follows: mindspore.runtime.use_mem_pool (2.10).
    """
    instance(pool, "pool", "use_mem_pool", MemPool)
    device = torch_device()
    if device.type != "cuda":
        without_effect("mindspore.runtime.use_mem_pool.pool")
        yield
        return
    if pool.torch_pool is None:
        own = torch.cuda.memory.CUDAPluggableAllocator(pool.allocator.path, *pool.allocator.names)
        pool.torch_pool = torch.cuda.MemPool(own.allocator())
    with torch.cuda.use_mem_pool(pool.torch_pool, device):
        yield


def _bytes(kind: str, device_target: str | None, is_peak: bool = False) -> int:
    resolve_kind(device_target)
    device = torch_device()
    module = driver(device.type)
    if module is None:
        return 0
    if device.type == "mps":
        return int(getattr(module, _MPS[kind])())
    return int(getattr(module, f"max_memory_{kind}" if is_peak else f"memory_{kind}")(device))


def _blocks(device_target: str | None) -> dict[int, dict[str, int]]:
    resolve_kind(device_target)
    device = torch_device()
    module = driver(device.type)
    if not hasattr(module, "memory_snapshot"):
        return {}
    return {
        block["address"]: {"block_stream_id": block["stream"], "block_memory_size": block["total_size"]}
        for block in module.memory_snapshot()
        if block["device"] == device.index
    }


def _readable(size: int) -> str:
    """Return a number of bytes in the largest unit that keeps three digits of it."""
    unit = 0
    while size >= 768 * 1024 and unit < len(_UNITS) - 1:
        size, unit = size // 1024, unit + 1
    return f"{size:6d} {_UNITS[unit]}"
