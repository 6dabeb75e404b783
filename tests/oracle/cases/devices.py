"""Streams, events, memory and names of devices, as MindSpore's CPU build answers; device_context and set_device."""

import mindspore as ms  # noqa: F401  used by the expressions
import numpy as np
from mindspore import Tensor, hal, runtime  # noqa: F401  used by the expressions
from mindspore import device_context as dc  # noqa: F401  used by the expressions
from mindspore.hal import contiguous_tensors_handle as contiguous

from tests.oracle.case import Case, each


def handle(*lists: list, dtype: str = "float32") -> contiguous.ContiguousTensorsHandle:
    return contiguous.ContiguousTensorsHandle([Tensor(np.array(one, dtype)) for one in lists])


def seen_through() -> list:
    """Write to a Tensor that lies in the common memory."""
    first, second = Tensor([1.0, 2.0]), Tensor([3.0])
    joined = contiguous.combine_tensor_list_contiguous([first, second])
    first[1] = 9.0
    return joined.slice_by_tensor_index().asnumpy().tolist()


def timed() -> bool:
    start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
    start.record()
    end.record()
    return isinstance(start.elapsed_time(end), float)


def within(stream: object) -> object:
    with hal.StreamCtx(stream):
        return hal.current_stream()


CASES = [
    *each("""
        hal.is_available("CPU"), dc.cpu.is_available(), dc.cpu.device_count(), hal.device_count("CPU")
        hal.get_device_name(0, "CPU"), hal.get_device_name(device_id=0)
        hal.get_device_capability(0, "CPU"), hal.get_device_properties(0, "CPU"), hal.get_arch_list("CPU")
        repr(hal.Stream()), str(hal.Stream(priority=-1)), repr(runtime.Stream())
        hal.Stream().id, hal.Stream().device_name, hal.Stream().device_id, runtime.Stream().stream_id()
        hal.Stream() == hal.Stream(), hal.Stream() != hal.Stream(), hal.Stream().query(), hal.Stream().synchronize()
        repr(hal.Event()), repr(hal.Event(enable_timing=True, blocking=True)), repr(hal.Stream().record_event())
        hal.Event().query(), hal.Event().synchronize(), hal.Event().wait(), hal.Event().record(hal.Stream())
        hal.Stream().wait_stream(hal.Stream()), hal.Stream().wait_event(hal.Event())
        hal.current_stream() == hal.default_stream(), repr(hal.communication_stream())
        hal.set_cur_stream(hal.Stream()), hal.set_cur_stream(None), hal.synchronize()
        repr(within(hal.Stream())), repr(within(None)), hal.StreamCtx(None).__enter__()
        timed()
        hal.memory_stats(), runtime.memory_stats()
        hal.memory_allocated(), hal.max_memory_allocated(), hal.memory_reserved(), hal.max_memory_reserved()
        hal.memory_summary(), runtime.memory_summary()
        hal.reset_peak_memory_stats(), hal.reset_max_memory_allocated(), hal.reset_max_memory_reserved()
        hal.empty_cache(), runtime.empty_cache(), runtime.launch_blocking()
        ms.Stream is runtime.Stream, ms.memory_stats is runtime.memory_stats, ms.set_memory is runtime.set_memory
        str(handle([1, 2], [3])), handle([1, 2], [3])[1:3].asnumpy(), handle([1, 2], [3])[2].asnumpy()
        handle([1, 2], [3]).slice_by_tensor_index(0, 1), handle([1, 2], [3]).slice_by_tensor_index(1)
        handle([[1, 2], [3, 4]], [5], dtype="int8")[0:5], handle([[1, 2]]).tensor_list[0].shape
        seen_through()
        isinstance(ms.get_current_device(), tuple), ms.get_current_device().device_target
    """),
    *each(
        """
        hal.is_available("TPU")
        hal.is_initialized("TPU")
        hal.device_count("TPU")
        hal.get_device_name(1, "CPU")
        hal.get_device_name(-1, "CPU")
        runtime.set_memory(max_size="3")
        runtime.set_memory(init_size="0GB")
        runtime.set_memory(optimize_level="O3")
        runtime.set_kernel_launch_group(0, 3)
        runtime.set_kernel_launch_group(3, 0)
        runtime.dispatch_threads_num(0)
        dc.cpu.op_tuning.threads_num(0)
        handle([1, 2])[0:1000]
        handle([1, 2])[-1]
        ms.set_device("TPU")
        ms.set_device("CPU", -1)
    """,
        raises=ValueError,
    ),
    *each(
        """
        hal.device_count(1)
        hal.get_device_name("a", "CPU")
        hal.Stream(priority="a")
        hal.Stream() == 3
        hal.Stream().record_event(3)
        hal.Stream().wait_event(3)
        hal.Stream().wait_stream(None)
        hal.set_cur_stream(3)
        hal.StreamCtx(3)
        hal.Event(1)
        hal.Event(True, 1)
        hal.Event().record(3)
        hal.Event().wait(3)
        hal.Event().elapsed_time(3)
        runtime.set_memory(max_size=3)
        runtime.set_kernel_launch_group("a", 3)
        runtime.set_kernel_launch_capture(1)
        runtime.set_kernel_launch_capture(True, "a")
        runtime.dispatch_threads_num("a")
        runtime.memory_replay(3)
        runtime.PluggableAllocator(3, "a", "b")
        dc.cpu.op_tuning.threads_num("a")
        dc.gpu.op_precision.matmul_allow_tf32(1)
        dc.ascend.op_debug.execute_timeout("a")
        handle([1, 2])["a"]
        contiguous.ContiguousTensorsHandle(Tensor([1.0]))
        contiguous.ContiguousTensorsHandle([1])
        contiguous.ContiguousTensorsHandle([Tensor([1.0])], 1)
        ms.set_device(3)
        ms.set_device("CPU", "a")
    """,
        raises=TypeError,
    ),
    Case("hal.Event().elapsed_time(hal.Event())", raises=RuntimeError),
    Case('runtime.memory_replay("/nope")', raises=RuntimeError),
    Case('runtime.PluggableAllocator("/nope.so", "a", "b")', raises=OSError),
]
