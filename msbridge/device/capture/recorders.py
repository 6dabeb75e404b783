"""Recorders that make a graph of a tape."""

import contextlib
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.device.capture.tape import Tape
from msbridge.device.capture.trial import Draws


class Graph(ABC):
    """A step that can be repeated at once.

    Attributes:
        results: what the step returned: Tensors whose memory every replay overwrites.
    """

    results: Any

    @abstractmethod
    def replay(self) -> None:
        """Submit the step to the device."""


Recorder = Callable[[Tape], Graph]


class CudaGraph(Graph):
    """A CUDA graph; graphs that share a `pool` must not run at the same time.

    The thread of the data channel copies while a graph is recorded: only this thread's calls count against it
    ("thread_local"). The recording runs on a stream of its own, as torch wants it.

    Args:
        tape: is run once.
        pool: where the graphs of a step allocate, from `torch.cuda.graph_pool_handle`.
        stream: on which they are recorded; one for all that share a pool.

    Raises:
        RuntimeError: CUDA refused something that the tape does; nothing of it has run.
        OutOfMemoryError: there would be no memory for eager steps beside the graph.
    """

    def __init__(self, tape: Tape, pool: Any, stream: torch.cuda.Stream) -> None:
        _check_memory(tape)
        self._graph = torch.cuda.CUDAGraph()
        self._tape = tape  # holds the memory that the graph reads
        with torch.cuda.device(tape.device), torch.cuda.stream(torch.cuda.current_stream(tape.device)):
            # `torch.cuda.graph` leaves its stream current where the end of the recording fails (torch 2.13).
            _warm_up(tape, stream)
            for generator in tape.generators:
                self._graph.register_generator_state(generator)
            try:
                with torch.cuda.graph(self._graph, pool=pool, stream=stream, capture_error_mode="thread_local"):
                    self.results, _ = tape.run()
            except RuntimeError:
                with contextlib.suppress(RuntimeError):  # and the allocator as if it continued
                    torch_private.cuda_end_allocate_to_pool(torch.cuda.current_device(), pool)
                raise

    def replay(self) -> None:
        """Launch the graph on the current stream."""
        self._graph.replay()


def cuda_recorder(device: torch.device) -> Recorder:
    """Return a recorder whose graphs share their memory.

    What a graph returns stays allocated as long as the graph, so that no other one writes there; the rest of its memory
    is the next one's as well. A pool whose graphs are all gone cannot be shared any more (torch 2.13 stops at an
    assertion): the next graph begins another one.
    """
    stream = torch.cuda.Stream(device)
    graphs: weakref.WeakSet[CudaGraph] = weakref.WeakSet()
    pools: list[Any] = []

    def record(tape: Tape) -> CudaGraph:
        if not graphs:
            pools[:] = [torch.cuda.graph_pool_handle()]
        graph = CudaGraph(tape, pools[0], stream)
        graphs.add(graph)
        return graph

    return record


def _warm_up(tape: Tape, stream: torch.cuda.Stream) -> None:
    """Run a tape on the stream on which it is to be recorded, and set back what it has changed.

    cuDNN keeps its plans, and cuBLAS its workspaces, by thread and stream: in the eager steps, torch's autograd ran the
    backward pass in a thread of its own. To look for the best plan while a graph is recorded would fail.
    """
    state, draws = tape.find_mutations(), Draws(tape.device, tape.generators)
    before, copies = draws.states(), [data.clone() for data in state]
    current = torch.cuda.current_stream(tape.device)
    stream.wait_stream(current)
    try:
        with torch.cuda.stream(stream):
            tape.run()
    finally:
        current.wait_stream(stream)
        for data, copy in zip(state, copies, strict=True):
            data.copy_(copy)
        draws.restore(before)


def _check_memory(tape: Tape) -> None:
    """Refuse a graph that would leave no memory for the eager steps with which it is to be compared.

    The graph takes what a step takes, and keeps it; beside it there must be room for another step and for a copy of
    what it writes. What a step takes is at most what its calls make, and what the process has ever had allocated more
    than now: that may be much more, where something else came before.
    """
    free, _ = torch.cuda.mem_get_info(tape.device)
    allocated = torch.cuda.memory_allocated(tape.device)
    free += torch.cuda.memory_reserved(tape.device) - allocated
    step = min(tape.made_bytes, torch.cuda.max_memory_allocated(tape.device) - allocated)
    need = 2 * step + sum(data.nbytes for data in tape.find_mutations())
    if need > free:
        raise torch.OutOfMemoryError(
            f"a graph and what it is compared with need {need >> 20} MiB, {free >> 20} are free"
        )
