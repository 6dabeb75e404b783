"""The recorder of CUDA graphs, without CUDA: what it asks of torch, in which order, and what it leaves when that fails.

torch.cuda is replaced by a log of the calls; their names and arguments are those of the installed torch.
"""

import inspect
from contextlib import contextmanager, nullcontext

import pytest
import torch

from msbridge.core import torch_private
from msbridge.core.tensor.tensor import wrap
from msbridge.device.capture import recorders
from msbridge.device.capture.recorders import cuda_recorder
from msbridge.device.capture.tape import Tape

CPU = torch.device("cpu")
WEIGHT = torch.zeros(3)


class Stream:
    def __init__(self, name: str, log: list) -> None:
        self.name, self.log = name, log

    def wait_stream(self, other: "Stream") -> None:
        self.log.append(f"{self.name} waits for {other.name}")


@pytest.fixture
def log(monkeypatch):
    calls: list[str] = []
    signature = inspect.signature(torch.cuda.graph)
    current = Stream("current", calls)

    class Graph:
        def replay(self):
            calls.append("replay")

        def register_generator_state(self, generator):
            calls.append("generator")

    @contextmanager
    def graph(*args, **kwargs):
        signature.bind(*args, **kwargs)
        calls.append(f"record ({kwargs['capture_error_mode']})")
        yield
        calls.append("recorded")

    @contextmanager
    def stream(chosen):
        calls.append(f"on {chosen.name}")
        yield
        calls.append(f"off {chosen.name}")

    fakes = {
        "CUDAGraph": Graph,
        "Stream": lambda device: Stream("side", calls),
        "current_device": lambda: 0,
        "current_stream": lambda device: current,
        "device": lambda device: nullcontext(),
        "graph": graph,
        "graph_pool_handle": lambda: (0, 1),
        "max_memory_allocated": lambda device: 300,
        "mem_get_info": lambda device: (1000, 2000),
        "memory_allocated": lambda device: 100,
        "memory_reserved": lambda device: 200,
        "stream": stream,
    }
    for name, fake in fakes.items():
        assert hasattr(torch.cuda, name)
        monkeypatch.setattr(recorders.torch.cuda, name, fake)
    end_of_pool = torch_private.LATE["cuda_end_allocate_to_pool"][1]
    monkeypatch.setattr(torch._C, end_of_pool, lambda device, pool: calls.append("end pool"))
    WEIGHT.zero_()
    return calls


def tape(step=lambda: WEIGHT.add_(torch.rand(3)), size: int = 3) -> Tape:
    found = Tape(CPU)
    with found.recording():
        step()
        found.keep(wrap(torch.ones(size)))
    return found


def test_a_tape_is_run_once_on_the_side_and_then_recorded(log):
    noted = tape()
    before, draws = WEIGHT.clone(), torch.get_rng_state()
    graph = cuda_recorder(CPU)(noted)
    assert log == [
        *("on current", "side waits for current", "on side", "off side", "current waits for side"),
        *("record (thread_local)", "recorded", "off current"),
    ]
    assert not torch.equal(WEIGHT, before)  # here the recording runs what it records
    WEIGHT.copy_(before)
    torch.set_rng_state(draws)
    noted.run()
    once = WEIGHT.clone()
    WEIGHT.copy_(before)
    torch.set_rng_state(draws)
    cuda_recorder(CPU)(noted)
    assert torch.equal(WEIGHT, once)  # the run before it has left no trace
    graph.replay()
    assert log[-1] == "replay"


def test_a_failed_recording_sets_torch_back(log):
    calls = iter([False, True])
    noted = tape()

    def fail_in_the_recording():
        if next(calls):
            raise RuntimeError("operation not permitted when stream is capturing")
        return None, {}

    noted.run = fail_in_the_recording
    with pytest.raises(RuntimeError, match="not permitted"):
        cuda_recorder(CPU)(noted)
    assert log[-1] == "end pool"


def test_a_graph_that_leaves_no_memory_for_eager_steps_is_refused(log, monkeypatch):
    monkeypatch.setattr(recorders.torch.cuda, "max_memory_allocated", lambda device: 5000)
    noted = tape()
    noted.made_bytes = 4000
    with pytest.raises(torch.OutOfMemoryError, match="MiB"):
        cuda_recorder(CPU)(noted)
    assert log == []


def test_what_the_process_has_needed_before_does_not_count(log, monkeypatch):
    monkeypatch.setattr(recorders.torch.cuda, "max_memory_allocated", lambda device: 1 << 40)
    noted = tape()
    assert noted.made_bytes >= 12  # three random numbers
    cuda_recorder(CPU)(noted)
    assert "recorded" in log


def test_graphs_share_a_pool_as_long_as_one_of_them_is_there(log, monkeypatch):
    pools = iter(range(1, 9))
    used = []
    graph = recorders.torch.cuda.graph
    monkeypatch.setattr(recorders.torch.cuda, "graph_pool_handle", lambda: (0, next(pools)))
    monkeypatch.setattr(
        recorders.torch.cuda, "graph", lambda found, *, pool, **rest: used.append(pool) or graph(found, **rest)
    )
    record = cuda_recorder(CPU)
    first = record(tape())
    second = record(tape())
    del first
    third = record(tape())
    del second, third  # torch refuses a pool whose graphs are all gone
    record(tape())
    assert used == [(0, 1), (0, 1), (0, 1), (0, 2)]
