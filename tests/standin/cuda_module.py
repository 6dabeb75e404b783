"""torch.cuda, or torch.npu, over the stand-in: `install` makes torch say that there are two devices.

It has to run before anything else imports torch, which asks once for CUDA: `startup/sitecustomize.py` does.
"""

import ctypes
import gc
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

if "torch" in sys.modules:
    raise RuntimeError("the stand-in has to be there before torch, which asks once for its devices")

CAPABILITY = (8, 6)
BYTES = 8 << 30
SYNC_MODES = {"default": 0, "warn": 1, "error": 2}
native: Any = None  # the library
torch: Any = None
kind = "cuda"


def install(library: str, face: str) -> None:
    """Load the library, and put its functions in place of those of torch.cuda; or make torch.npu of them.

    Args:
        library: the path.
        face: "cuda" or "npu".

    Raises:
        RuntimeError: torch has looked for CUDA before.
    """
    global native, torch, kind
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
    import torch as torch_without_cuda

    torch, kind = torch_without_cuda, face
    native = _load("_standin", library)
    if not native.is_in_place():
        raise RuntimeError("torch had looked for CUDA before the stand-in was loaded")
    if face == "npu":
        _load("npu_module").install(torch, _functions())
        _load("collectives").install_hccl(torch, native)
        return
    _replace_module(torch.cuda)
    _replace_functions(torch._C)
    torch.version.cuda = "12.8"
    torch.has_cuda = True
    torch.backends.cuda.is_built = lambda: True
    torch.storage._to = _storage_mover(torch.storage._to)
    _load("collectives").install_nccl(torch, native)


def _load(name: str, path: str | None = None) -> Any:
    """Import a file by its place: the package of the tests is not on the path of every process."""
    spec = importlib.util.spec_from_file_location(name, path or Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def synchronisations() -> dict[str, int]:
    """Return how often the host has waited for a device since `forget`, by what it did."""
    waits: dict[str, int] = native.synchronisations()
    return waits


def forget() -> None:
    """Begin to count again."""
    native.forget_synchronisations()


def _replace_module(cuda: Any) -> None:
    values = _functions()
    for module in (cuda, cuda.memory, cuda.random, cuda.streams, cuda.graphs):
        for name, value in values.items():
            if hasattr(module, name) or module is cuda:
                setattr(module, name, value)
    generators = tuple(map(native.default_generator, range(native.device_count())))
    cuda.random.default_generators = cuda.default_generators = generators
    cuda._initialized = True


def _replace_functions(engine: Any) -> None:
    """Replace what torch's own Python code calls of the engine, which has none of it without CUDA."""
    for name, value in {
        "_has_cuda": True,
        "_cuda_init": _nothing,
        "_cuda_isInBadFork": False,
        "_cuda_getArchFlags": lambda: "sm_80 sm_86",
        "_cuda_getDevice": native.current_device,
        "_cuda_setDevice": native.set_device,
        "_cuda_exchangeDevice": _exchange_device,
        "_cuda_maybeExchangeDevice": _exchange_device,
        "_cuda_getDeviceCount": native.device_count,
        "_cuda_getCurrentRawStream": native.stream_id,
        "_cuda_isCurrentStreamCapturing": native.is_recording,
        "_cuda_beginAllocateCurrentThreadToPool": _nothing,
        "_cuda_endAllocateToPool": _nothing,
        "_cuda_releasePool": _nothing,
        "_host_emptyCache": _nothing,
    }.items():
        setattr(engine, name, value)
    if not hasattr(engine, "_get_cudnn_allow_tf32"):
        engine._get_cudnn_allow_tf32 = lambda: True


def _functions() -> dict[str, Any]:
    """Return what torch.cuda has, by name."""
    pools = iter(range(1, sys.maxsize))
    stream, event = _stream_class(), Event
    return {
        **dict.fromkeys(("_lazy_init", "init"), _nothing),
        **dict.fromkeys(("is_initialized", "_is_compiled", "is_tf32_supported"), _true),
        **dict.fromkeys(("is_bf16_supported", "_check_bf16_tensor_supported", "can_device_access_peer"), _true),
        **dict.fromkeys(("reset_peak_memory_stats", "reset_max_memory_allocated"), _reset_peak),
        "reset_accumulated_memory_stats": _nothing,
        "is_available": lambda: native.device_count() > 0,
        "_is_in_bad_fork": lambda: False,
        "_lazy_call": lambda callable, **_: callable(),
        "_exchange_device": _exchange_device,
        "_maybe_exchange_device": lambda index: _exchange_device(
            index
        ),  # another function: Dynamo has one rule for each
        "Stream": stream,
        "Event": event,
        "StreamContext": StreamContext,
        "device": DeviceContext,
        "CUDAGraph": CUDAGraph,
        "stream": StreamContext,
        "current_stream": lambda device=None: stream(**_stream_now(device)),
        "default_stream": lambda device=None: stream(**_stream_now(device) | {"stream_id": 0}),
        "set_stream": _set_stream,
        "synchronize": lambda device=None: _wait("synchronize"),
        "device_count": native.device_count,
        "current_device": native.current_device,
        "set_device": lambda device: native.set_device(_index(device)),
        "get_device_name": lambda device=None: "Stand-in",
        "get_device_capability": lambda device=None: CAPABILITY,
        "get_device_properties": lambda device=None: PROPERTIES,
        "get_arch_list": lambda: ["sm_80", "sm_86"],
        "set_sync_debug_mode": lambda debug_mode: native.set_sync_mode(SYNC_MODES.get(debug_mode, debug_mode)),
        "get_sync_debug_mode": lambda: native.sync_mode(),
        "is_current_stream_capturing": lambda: native.is_recording(),
        "graph_pool_handle": lambda: (0, next(pools)),
        **_random_functions(),
        **_memory_functions(),
    }


def _random_functions() -> dict[str, Callable[..., Any]]:
    def set_rng_state(new_state: Any, device: Any = None) -> None:
        if new_state.device.type != "cpu":
            raise TypeError("RNG state must be a torch.ByteTensor")
        native.set_state(_index(device), new_state.clone())

    def set_rng_state_all(new_states: Any) -> None:
        for index, state in enumerate(new_states):
            set_rng_state(state, index)

    def manual_seed_all(seed: int) -> None:
        for index in range(native.device_count()):
            native.seed(index, int(seed) % (1 << 64))

    return {
        "get_rng_state": lambda device=None: native.get_state(_index(device)),
        "get_rng_state_all": lambda: list(map(native.get_state, range(native.device_count()))),
        "set_rng_state": set_rng_state,
        "set_rng_state_all": set_rng_state_all,
        "manual_seed": lambda seed: native.seed(native.current_device(), int(seed) % (1 << 64)),
        "manual_seed_all": manual_seed_all,
        "seed": lambda: native.default_generator(native.current_device()).seed(),
        "initial_seed": lambda: native.initial_seed(native.current_device()),
    }


def _memory_functions() -> dict[str, Callable[..., Any]]:
    def memory(device: Any = None) -> list[int]:
        return list(native.memory(_index(device)))

    def memory_stats(device: Any = None) -> dict[str, int]:
        now, most, _, count = memory(device)
        names = ("allocated_bytes.all", "reserved_bytes.all", "active_bytes.all")
        stats = {f"{name}.current": now for name in names} | {f"{name}.peak": most for name in names}
        return stats | {"allocation.all.allocated": count, "num_ooms": 0, "num_alloc_retries": 0}

    def mem_get_info(device: Any = None) -> tuple[int, int]:
        now, _, limit, _ = memory(device)
        return limit - now, limit

    def empty_cache() -> None:
        _wait("empty_cache")
        gc.collect(0)

    return {
        **{name: lambda device=None: memory(device)[0] for name in ("memory_allocated", "memory_reserved")},
        **{name: lambda device=None: memory(device)[1] for name in ("max_memory_allocated", "max_memory_reserved")},
        "memory_stats": memory_stats,
        "memory_summary": lambda device=None, abbreviated=False: f"allocated: {memory(device)[0]}",
        "memory_snapshot": lambda *_, **__: [],
        "mem_get_info": mem_get_info,
        "empty_cache": empty_cache,
        "set_per_process_memory_fraction": lambda fraction, device=None: native.limit(
            _index(device), int(fraction * BYTES)
        ),
    }


def _stream_class() -> type:
    """Return the class of streams, which run in order: what one is given is done when the call returns."""

    class Stream(torch.Stream):
        priority = 0

        def __new__(cls, device: Any = None, priority: int = 0, **known: Any) -> "Stream":
            where = known or {"device": torch.device(kind, _index(device))}
            made: Stream = torch.Stream.__new__(cls, **where)
            return made

        @property
        def cuda_stream(self) -> int:
            return int(self.stream_id)

        def synchronize(self) -> None:
            _wait("Stream.synchronize")

        def record_event(self, event: Any = None) -> Any:
            event = Event() if event is None else event
            event.record(self)
            return event

        def wait_event(self, event: Any) -> None:
            event.wait(self)

        def wait_stream(self, stream: Any) -> None:
            self.wait_event(stream.record_event())

        def query(self) -> bool:
            return True

    return Stream


class Event:
    """A point in time."""

    cuda_event = 0

    def __init__(self, enable_timing: bool = False, **_: bool) -> None:
        self._is_timed, self._at = enable_timing, 0.0

    def record(self, stream: Any = None) -> None:
        self._at = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        pass

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        _wait("Event.synchronize")

    def elapsed_time(self, other: "Event") -> float:
        if not self._is_timed or not other._is_timed:
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        return (other._at - self._at) * 1e3


class StreamContext:
    """Makes a stream current for a block."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is not None:
            self._before = native.current_device(), native.stream_id(self.stream.device_index)
            _set_stream(self.stream)

    def __exit__(self, *_: object) -> None:
        if self.stream is not None:
            device, stream = self._before
            native.set_stream_id(self.stream.device_index, stream)
            native.set_device(device)


class DeviceContext:
    """Makes a device current for a block."""

    def __init__(self, device: Any) -> None:
        self.idx = _index(device)

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *_: object) -> None:
        native.set_device(self.prev_idx)


class CUDAGraph:
    """Repeats the operators that ran on this thread between its beginning and its end."""

    def __init__(self, keep_graph: bool = False) -> None:
        self._graph = native.Graph()
        self._is_ready = False
        self._pool = (0, 0)

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global", **_: object) -> None:
        if native.stream_id(native.current_device()) == 0:
            raise RuntimeError("CUDA graphs must be captured on a non-default stream.")
        self._pool = pool or torch.cuda.graph_pool_handle()
        if _graphs_of_pools.get(self._pool) == 0:  # torch's allocator knows such a pool until its memory is returned
            raise RuntimeError("it->second->use_count > 0 INTERNAL ASSERT FAILED")
        _graphs_of_pools[self._pool] = _graphs_of_pools.get(self._pool, 0) + 1
        self._graph.begin()

    def capture_end(self) -> None:
        self._is_ready = True
        self._graph.end()

    def register_generator_state(self, generator: Any) -> None:
        if generator.device.type != kind:
            raise RuntimeError(f"Expected a {kind} generator")

    def replay(self) -> None:
        if not self._is_ready:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
        self._graph.replay()

    def reset(self) -> None:
        if self._is_ready:
            _graphs_of_pools[self._pool] -= 1
        self._graph.reset()
        self._is_ready = False

    def __del__(self) -> None:
        self.reset()

    def pool(self) -> Any:
        return self._pool


_graphs_of_pools: dict[Any, int] = {}
PROPERTIES = SimpleNamespace(
    name="Stand-in",
    major=CAPABILITY[0],
    minor=CAPABILITY[1],
    total_memory=BYTES,
    multi_processor_count=4,
    warp_size=32,
    max_threads_per_multi_processor=1536,
    max_threads_per_block=1024,
    regs_per_multiprocessor=65536,
    L2_cache_size=1 << 22,
    shared_memory_per_block=48 << 10,
    shared_memory_per_multiprocessor=100 << 10,
    shared_memory_per_block_optin=99 << 10,
    is_integrated=0,
    is_multi_gpu_board=0,
    uuid="0",
    gcnArchName="",
    pci_bus_id=0,
    pci_device_id=0,
    pci_domain_id=0,
    clock_rate=1000000,
    memory_clock_rate=1000000,
    memory_bus_width=128,
)


def _index(device: Any = None) -> int:
    """Return the number of a device, spelled in one of torch's ways; the current one's where none is given."""
    if device is None or (isinstance(device, int) and device < 0):
        return int(native.current_device())
    if isinstance(device, int):
        return device
    device = torch.device(device)
    if device.type != kind:
        raise ValueError(f"Expected a {kind} device, but got: {device}")
    return int(native.current_device() if device.index is None else device.index)


def _exchange_device(index: int) -> int:
    before = int(native.current_device())
    native.set_device(index)  # nothing, where it is negative
    return before


def _stream_now(device: Any = None) -> dict[str, int]:
    index = _index(device)
    return {"stream_id": native.stream_id(index), "device_index": index, "device_type": native.device_type()}


def _set_stream(stream: Any) -> None:
    if stream is not None:
        native.set_device(stream.device_index)
        native.set_stream_id(stream.device_index, stream.stream_id)


def _wait(what: str) -> None:
    if native.is_recording():
        raise RuntimeError(f"CUDA error: operation not permitted when stream is capturing ({what})")


def _reset_peak(device: Any = None) -> None:
    native.reset_most(_index(device))


def _storage_mover(move: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that moves a storage to a device; torch without CUDA makes none of a size there."""

    def moved(storage: Any, device: Any, non_blocking: bool = False) -> Any:
        if device.type != "cuda" or storage.device == device:
            return move(storage, device, non_blocking)
        untyped = getattr(storage, "_untyped_storage", storage)
        return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(untyped).to(device).untyped_storage()

    return moved


def _nothing(*_: object, **__: object) -> None:
    pass


def _true(*_: object, **__: object) -> bool:
    return True
