"""Memory of a device, on stand-ins for torch's modules."""

import pathlib
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from msbridge.core.checks import no_effect_warnings
from msbridge.core.context import context
from msbridge.device import memory


@pytest.fixture
def cuda(devices: Any) -> Any:
    module = devices(cuda=2).cuda
    module.answers.update(memory_allocated=3, memory_reserved=8, max_memory_allocated=5, max_memory_reserved=13)
    blocks = [{"address": 64 + one, "device": one, "stream": 7, "total_size": 8} for one in (0, 1)]
    module.answers.update(memory_snapshot=blocks)
    context.set_device("GPU", 1)
    context.torch_device()
    module.made.clear()
    return module


def test_the_numbers_are_those_of_torch_s_allocator(cuda: Any) -> None:
    stats = memory.memory_stats()
    assert [value for value in stats.values() if isinstance(value, int)] == [8, 3, 5, 0, 13, 5]
    assert stats["common_mem_pool_stats"]["blocks_info"] == {65: {"block_stream_id": 7, "block_memory_size": 8}}
    assert ("memory_allocated", torch.device("cuda", 1)) in cuda.made


def test_on_mps_peaks_are_what_is_held_now(devices: Any) -> None:
    module = devices(mps=1).mps
    module.answers.update(current_allocated_memory=3, driver_allocated_memory=8)
    context.set_device("GPU")
    assert (memory.memory_allocated(), memory.max_memory_allocated(), memory.max_memory_reserved()) == (3, 3, 8)


def test_peaks_begin_again_on_the_device(cuda: Any) -> None:
    memory.reset_max_memory_allocated()
    memory.empty_cache()
    assert cuda.made == [("reset_peak_memory_stats", torch.device("cuda", 1)), ("empty_cache",)]


def test_a_limit_is_a_share_of_the_device(cuda: Any) -> None:
    cuda.answers.update(get_device_properties=SimpleNamespace(name="RTX", total_memory=2**32), mem_get_info=(1, 2))
    memory.set_memory(max_size="1GB")
    assert cuda.made[-1] == ("set_per_process_memory_fraction", 0.25, torch.device("cuda", 1))


def test_a_limit_that_nothing_keeps_is_said() -> None:
    context.set_device("CPU")
    with pytest.warns(
        no_effect_warnings.WithoutEffectWarning, match="runtime.set_memory: max_size='3GB' has no effect"
    ):
        memory.set_memory(max_size="3GB")


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "     0 B  "), (786431, "786431 B  "), (786432, "   768 KB"), (2**33, "  8192 MB")]
)
def test_sizes_are_shown_in_units(size: int, shown: str) -> None:
    assert memory._readable(size) == shown


def test_an_allocator_is_two_functions_of_a_library() -> None:
    library = next(iter(pathlib.Path(torch.__file__).parent.glob("lib/libc10.*")))
    with pytest.raises(AttributeError, match="no_such_function"):
        memory.PluggableAllocator(str(library), "no_such_function", "free")
    allocator = memory.PluggableAllocator(str(library), "free", "free")
    assert allocator.alloc_fn_ptr == allocator.free_fn_ptr
    assert memory.MemPool(allocator).allocator is allocator


def test_a_pool_is_refused_where_it_is_none_and_said_to_have_no_effect_on_the_cpu() -> None:
    with pytest.raises(TypeError, match="pool"), memory.use_mem_pool(3):
        pass
    with (
        pytest.warns(no_effect_warnings.WithoutEffectWarning, match="use_mem_pool"),
        memory.use_mem_pool(memory.MemPool(None)),
    ):
        pass
