"""A group of several processes, on torch.distributed."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist

from msbridge.distributed.communicator import Communicator, Work

_REDUCTIONS = {
    "sum": dist.ReduceOp.SUM,
    "max": dist.ReduceOp.MAX,
    "min": dist.ReduceOp.MIN,
    "prod": dist.ReduceOp.PRODUCT,
    "avg": dist.ReduceOp.SUM,  # divided afterwards: gloo has no average
}
# How launchers tell a process its rank, the number of processes, and its number on this machine.
_LAUNCHERS = (
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),  # torchrun
    ("RANK_ID", "RANK_SIZE", "DEVICE_ID"),  # MindSpore's shell scripts
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),  # mpirun
    ("MS_NODE_ID", "MS_WORKER_NUM", "MS_NODE_ID"),  # msrun
)
_DEFAULT_PORT = "8118"  # MindSpore's own default for its scheduler
_TIMEOUT = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Launch:
    """What the launcher said: which process this is, of how many, and where they meet."""

    rank: int
    size: int
    local_rank: int
    address: str
    port: str


def launch() -> Launch | None:
    """Read the environment that the launcher left; None when this process was started alone.

    Raises:
        ValueError: a variable is no number, or the rank is not below the size.
    """
    for rank_name, size_name, local_name in _LAUNCHERS:
        if rank_name not in os.environ or size_name not in os.environ:
            continue
        try:
            rank, size = int(os.environ[rank_name]), int(os.environ[size_name])
            local_rank = int(os.environ.get(local_name, rank))
        except ValueError as error:
            raise ValueError(f"{rank_name}, {size_name} and {local_name} must be numbers: {error}.") from error
        if not 0 <= rank < size:
            raise ValueError(f"{rank_name} must be in [0, {size_name}), got {rank} of {size}.")
        address = os.environ.get("MASTER_ADDR") or os.environ.get("MS_SCHED_HOST", "127.0.0.1")
        port = os.environ.get("MASTER_PORT") or os.environ.get("MS_SCHED_PORT", _DEFAULT_PORT)
        return Launch(rank, size, local_rank, address, port)
    return None


class TorchProcesses(Communicator):
    """A group of torch.distributed.

    Args:
        ranks: the members' numbers in the world.
        group: torch's group; None is the world.
    """

    def __init__(self, ranks: Sequence[int], group: "dist.ProcessGroup | None" = None) -> None:
        self.ranks = tuple(ranks)
        self.rank = self.ranks.index(dist.get_rank())
        self.torch_group = group

    def all_reduce(self, data: torch.Tensor, op: str) -> torch.Tensor:
        result = data.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(result, _REDUCTIONS[op], self.torch_group)
        return result / self.size if op == "avg" else result

    def all_gather(self, data: torch.Tensor) -> torch.Tensor:
        parts = [torch.empty_like(data, memory_format=torch.contiguous_format) for _ in self.ranks]
        dist.all_gather(parts, data.contiguous(), self.torch_group)
        return torch.cat(parts)

    def all_to_all(
        self, data: torch.Tensor, output_sizes: Sequence[int] | None = None, input_sizes: Sequence[int] | None = None
    ) -> torch.Tensor:
        length = data.shape[0] if output_sizes is None else sum(output_sizes)
        result = data.new_empty((length, *data.shape[1:]))
        dist.all_to_all_single(result, data.contiguous(), output_sizes, input_sizes, self.torch_group)
        return result

    def broadcast(self, data: torch.Tensor, root: int) -> torch.Tensor:
        result = data.clone(memory_format=torch.contiguous_format)
        dist.broadcast(result, root, self.torch_group)
        return result

    def send(self, data: torch.Tensor, target: int, tag: int) -> None:
        dist.send(data.contiguous(), target, self.torch_group, tag)

    def receive(self, like: torch.Tensor, source: int, tag: int) -> torch.Tensor:
        result = torch.empty_like(like, memory_format=torch.contiguous_format)
        dist.recv(result, source, self.torch_group, tag)
        return result

    def begin_send(self, data: torch.Tensor, target: int, tag: int) -> Work:
        return _begun(dist.isend(data.contiguous(), target, self.torch_group, tag))

    def begin_receive(self, data: torch.Tensor, source: int, tag: int) -> Work:
        return _begun(dist.irecv(data, source, self.torch_group, tag))

    def exchange(
        self, sent: Sequence[tuple[torch.Tensor, int]], received: Sequence[tuple[torch.Tensor, int]]
    ) -> Sequence[Work]:
        own = self.ranks[self.rank]  # torch sends nothing to the process itself
        kept = iter([data for data, rank in sent if rank == own])
        transfers = [
            dist.P2POp(dist.isend, data.contiguous(), rank, self.torch_group) for data, rank in sent if rank != own
        ]
        for place, rank in received:
            if rank == own:
                place.copy_(next(kept))
            else:
                transfers.append(dist.P2POp(dist.irecv, place, rank, self.torch_group))
        return dist.batch_isend_irecv(transfers) if transfers else []

    def barrier(self) -> None:
        dist.barrier(self.torch_group)

    def close(self) -> None:
        dist.destroy_process_group(self.torch_group)


def _begun(work: Work | None) -> Work:
    if work is None:  # what torch gives to a process that is not in the group; `communicator` names it before
        raise RuntimeError("This process is not in the group.")
    return work


def start(found: Launch, backend: str) -> TorchProcesses:
    """Meet the other processes; `backend` is torch's name, such as "gloo" or "nccl"."""
    dist.init_process_group(
        backend,
        init_method=f"tcp://{found.address}:{found.port}",
        rank=found.rank,
        world_size=found.size,
        timeout=_TIMEOUT,
    )
    return TorchProcesses(range(found.size))


def form(ranks: Sequence[int]) -> TorchProcesses | None:
    """Create a group of some of the world's processes; every process of the world calls this. None for non-members."""
    group = dist.new_group(list(ranks))
    return TorchProcesses(ranks, group) if dist.get_rank() in ranks else None
