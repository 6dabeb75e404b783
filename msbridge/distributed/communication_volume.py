"""Communication volume of processes in bytes: counted in a block, and predicted for each way of dividing a step.

What is counted is what this process hands to a collective operation; what then goes over its link follows from the
ring, by which all libraries move large messages.

Follows: the costs of collective operations in a ring, as in Thakur, Rabenseifner and Gropp, "Optimization of Collective
Communication Operations in MPICH" (2005).
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core.torch_private import TorchDispatchMode, tree_leaves

__all__ = ["Divided", "Machines", "Step", "Traffic", "efficiency", "ring_bytes", "volume_of_step"]

# The operators of torch (2.13) that move tensors: what each is called here.
_KINDS: Mapping[str, str] = {
    "c10d::allreduce_": "all_reduce",
    "c10d::allreduce_coalesced_": "all_reduce",
    "c10d::allgather_": "all_gather",
    "c10d::_allgather_base_": "all_gather",
    "c10d::reduce_scatter_": "reduce_scatter",
    "c10d::_reduce_scatter_base_": "reduce_scatter",
    "c10d::broadcast_": "broadcast",
    "c10d::reduce_": "reduce",
    "c10d::alltoall_": "all_to_all",
    "c10d::alltoall_base_": "all_to_all",
    "c10d::send": "send",
    "_c10d_functional::all_reduce": "all_reduce",
    "_c10d_functional::all_reduce_": "all_reduce",
    "_c10d_functional::all_gather_into_tensor": "all_gather",
    "_c10d_functional::reduce_scatter_tensor": "reduce_scatter",
    "_c10d_functional::all_to_all_single": "all_to_all",
    "_c10d_functional::broadcast": "broadcast",
}
# What an argument is in the operators that have room for results before their inputs.
_INPUTS: Mapping[str, int] = {
    "c10d::allgather_": 1,
    "c10d::_allgather_base_": 1,
    "c10d::reduce_scatter_": 1,
    "c10d::_reduce_scatter_base_": 1,
    "c10d::alltoall_": 1,
    "c10d::alltoall_base_": 1,
}
# What a process sends for each byte that it contributes, in a ring of n processes.
_RING: Mapping[str, Callable[[int], float]] = {
    "all_reduce": lambda n: 2 * (n - 1) / n,
    "all_gather": lambda n: n - 1,
    "reduce_scatter": lambda n: (n - 1) / n,
    "all_to_all": lambda n: (n - 1) / n,
    "broadcast": lambda n: (n - 1) / n,
    "reduce": lambda n: (n - 1) / n,
    "send": lambda n: 1.0,
}


def ring_bytes(kind: str, size: float, processes: int) -> float:
    """Return the bytes that a process sends over its link for an operation, the mean over the processes.

    Args:
        kind: "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce" or "send".
        size: the bytes that each process contributes.
        processes: how many take part.
    """
    return size * _RING[kind](processes) if processes > 1 else 0.0


class Traffic(TorchDispatchMode):
    """Counts, while the block runs, what this thread and its backward passes hand to collective operations.

    Attributes:
        bytes: by kind of operation.
        calls: likewise.
        largest: the bytes of the largest message.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # guarding against torch.compile would import it: 3 s

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self.bytes: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Count an operator, if it moves tensors, and run it."""
        if any(kind not in (torch.Tensor, torch.nn.Parameter) for kind in types):
            return NotImplemented  # a divided tensor says first which operators on parts these are
        self.note(func, args)
        return func(*args, **(kwargs or {}))

    def note(self, func: Any, args: Any) -> None:
        """Count an operator, if it moves tensors."""
        name = func.name()
        kind = _KINDS.get(name.partition(".")[0])
        if kind is None:
            return
        given = tree_leaves(args[_INPUTS.get(name, 0)])
        size = sum(data.nbytes for data in given if isinstance(data, torch.Tensor))
        self.bytes[kind] += size
        self.calls[kind] += 1
        self.largest = max(self.largest, size)


@dataclass(frozen=True, slots=True)
class Step:
    """A training step of the whole batch of a network of equal blocks, such as a Transformer."""

    parameters: float  # bytes of all weights, as they are communicated
    activations: float  # bytes of what goes from one block to the next, for the whole batch
    blocks: int  # how many there are
    micro_batches: int = 1  # the parts into which a pipeline divides the batch


@dataclass(frozen=True, slots=True)
class Divided:
    """Into how many parts a step is divided; their product is the number of processes."""

    data: int = 1  # parts of the batch
    operators: int = 1  # parts of the matrices of a block
    stages: int = 1  # runs of blocks
    level: int = 0  # 0 reduces gradients for all, 1 divides the state of the optimizer, 2 the gradients, too

    @property
    def processes(self) -> int:
        """The number of processes."""
        return self.data * self.operators * self.stages


def volume_of_step(step: Step, by: Divided) -> dict[str, float]:
    """Return the bytes that a process hands to each kind of operation in a step.

    Data parallel training reduces each gradient once, for all or (level 2) for who updates it; with a divided optimizer
    the updated weights are broadcast. A block whose matrices are divided as in Megatron (the first by columns, the
    second by rows) reduces its output twice, after attention and after the last matrix, and so does the backward pass.
    A stage hands its output on, and a gradient back.
    """
    volume: Counter[str] = Counter()
    parameters = step.parameters / (by.operators * by.stages)
    batch = step.activations / by.data
    if by.data > 1:
        volume["reduce" if by.level > 1 else "all_reduce"] += parameters  # type: ignore[assignment]
        if by.level:
            volume["broadcast"] += parameters  # type: ignore[assignment]
    if by.operators > 1:
        volume["all_reduce"] += 4 * batch * step.blocks / by.stages  # type: ignore[assignment]
    if by.stages > 1:  # the mean of the stages: the first sends no gradient back, the last hands nothing on
        volume["send"] += 2 * batch * (by.stages - 1) / by.stages  # type: ignore[assignment]
    return dict(volume)


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines of a step; the defaults are those of a common cluster, and not measured."""

    devices: int = 8  # in one machine
    flops: float = 150e12  # of one device in a second, as networks reach them
    within: float = 200e9  # bytes in a second from a device to another one of its machine
    between: float = 25e9  # to one of another machine
    latency_s: float = 10e-6  # of a message
    bucket: int = 32 * 2**20  # bytes of a message of gradients


def efficiency(step: Step, by: Divided, flops: float, on: Machines = Machines()) -> float:
    """Return the share of a step's time in which its devices compute.

    Gradients are reduced while two thirds of the step, its backward pass, compute; all else that is communicated is
    waited for. A pipeline waits for its first and last micro batches. Messages go round a ring; what they take beside
    their bytes grows with the logarithm of the number of processes, for libraries send short ones along trees.

    Args:
        step: what is computed.
        by: how it is divided.
        flops: of the whole step, forward and backward.
        on: the machines.
    """
    computing_s = flops / by.processes / on.flops
    parameters = step.parameters / (by.operators * by.stages)
    volume = volume_of_step(step, by)
    of_operators = 4 * step.activations / by.data * step.blocks / by.stages if by.operators > 1 else 0.0
    data_link = on.within if by.processes <= on.devices else on.between
    operator_link = on.within if by.operators <= on.devices else on.between
    reducing = "reduce" if by.level > 1 else "all_reduce"
    messages = math.ceil(parameters / on.bucket)
    reducing_s = _transfer_seconds(reducing, parameters if by.data > 1 else 0.0, by.data, data_link, messages, on)
    waited_s = _transfer_seconds("broadcast", volume.get("broadcast", 0.0), by.data, data_link, messages, on)
    waited_s += _transfer_seconds(
        "all_reduce", of_operators, by.operators, operator_link, 4 * step.blocks // by.stages, on
    )
    waited_s += _transfer_seconds("send", volume.get("send", 0.0), by.stages, on.between, 2 * step.micro_batches, on)
    waited_s += max(0.0, reducing_s - computing_s * 2 / 3)
    bubble_s = computing_s * (by.stages - 1) / step.micro_batches
    return computing_s / (computing_s + waited_s + bubble_s)


def _transfer_seconds(kind: str, size: float, processes: int, link: float, messages: int, on: Machines) -> float:
    if not size or processes == 1:
        return 0.0
    return ring_bytes(kind, size, processes) / link + messages * 2 * math.log2(processes) * on.latency_s
