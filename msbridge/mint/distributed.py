"""Processes with torch's argument names: `mint.distributed.all_reduce(tensor)` changes the tensor itself.

Operations are done when they return: with `async_op` there is nothing left to wait for.

Follows: mindspore.mint.distributed (2.10).
"""

from typing import Any

from msbridge import distributed
from msbridge.core.notices import without_effect
from msbridge.core.tensor import Tensor
from msbridge.distributed.collectives import broadcasted, gathered, reduce_scattered, reduced
from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP, GlobalComm, communicator

__all__ = [
    "all_gather_into_tensor",
    "all_reduce",
    "barrier",
    "broadcast",
    "destroy_process_group",
    "get_global_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_initialized",
    "new_group",
    "reduce_scatter_tensor",
]


class Done:
    """The handle of an operation that is done already."""

    def wait(self) -> None:
        """Return back at once."""


def init_process_group(
    backend: str = "hccl",
    init_method: str | None = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: None = None,
    group_name: str = "",
    pg_options: None = None,
    device_id: None = None,
) -> None:
    """Join the other processes of the launch, which the environment describes; see `communication.init`.

    Args:
        backend: "hccl", "nccl" or "mccl".
        init_method: None; the address is in the environment.
        timeout: None.
        world_size: -1; the environment says it.
        rank: -1; the environment says it.
        store: None.
        group_name: kept for scripts that set it.
        pg_options: None.
        device_id: None.

    Raises:
        NotImplementedError: an argument is set that must be None or -1.

    Follows: mindspore.mint.distributed.init_process_group (2.10).
    """
    given = {
        "init_method": init_method,
        "timeout": timeout,
        "world_size": None if world_size == -1 else world_size,
        "rank": None if rank == -1 else rank,
        "store": store,
        "pg_options": pg_options,
        "device_id": device_id,
    }
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(
                f"For 'init_process_group', {name} is not supported, got {value!r}. "
                "Describe the launch in the environment: RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT."
            )
    distributed.init(backend)


def is_available() -> bool:
    """Whether processes can be joined.

    Follows: mindspore.mint.distributed.is_available (2.10).
    """
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` was called.

    Follows: mindspore.mint.distributed.is_initialized (2.10).
    """
    return GlobalComm.INITED


def destroy_process_group(group: str | None = None) -> None:
    """Leave a group, or with None all of them.

    Follows: mindspore.mint.distributed.destroy_process_group (2.10).
    """
    if group is None or group == HCCL_WORLD_COMM_GROUP:
        distributed.release()
    else:
        distributed.destroy_group(group)


def new_group(
    ranks: list[int] | None = None,
    timeout: None = None,
    backend: str | None = None,
    pg_options: None = None,
    use_local_synchronization: bool = False,
    group_desc: None = None,
) -> str:
    """Make a group of some processes and give its name; all processes call this with the same ranks.

    Args:
        ranks: the members' numbers in the world; None for all.
        timeout: kept for scripts that set it.
        backend: the world's is used.
        pg_options: None.
        use_local_synchronization: kept for scripts that set it; all processes call this.
        group_desc: kept for scripts that set it.

    Raises:
        RuntimeError: `init_process_group` was not called.
        ValueError: `ranks` has doubles or unknown ranks.

    Follows: mindspore.mint.distributed.new_group (2.10).
    """
    if timeout is not None:
        without_effect("mindspore.mint.distributed.new_group.timeout", timeout)
    members = list(range(get_world_size())) if ranks is None else list(ranks)
    name = f"{len(members)}-{'-'.join(map(str, members))}"
    distributed.create_group(name, members, pg_options)
    return name


def get_rank(group: str | None = None) -> int:
    """Return the number of this process in a group; 0 when it runs alone, -1 when it is not in it.

    Follows: mindspore.mint.distributed.get_rank (2.10).
    """
    return distributed.get_rank(group or HCCL_WORLD_COMM_GROUP)


def get_world_size(group: str | None = None) -> int:
    """Return the number of processes in a group; 1 when this one runs alone.

    Follows: mindspore.mint.distributed.get_world_size (2.10).
    """
    return distributed.get_group_size(group or HCCL_WORLD_COMM_GROUP)


def get_global_rank(group: str | None, group_rank: int) -> int:
    """Return the number in the world of a member of a group.

    Follows: mindspore.mint.distributed.get_global_rank (2.10).
    """
    return distributed.get_world_rank_from_group_rank(group or HCCL_WORLD_COMM_GROUP, group_rank)


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """Return the members' numbers in the world.

    Follows: mindspore.mint.distributed.get_process_group_ranks (2.10).
    """
    return distributed.get_process_group_ranks(group or HCCL_WORLD_COMM_GROUP)


def barrier(group: str | None = None, async_op: bool = False, device_ids: None = None) -> Done | None:
    """Wait for all processes of a group.

    Follows: mindspore.mint.distributed.barrier (2.10).
    """
    distributed.barrier(group or HCCL_WORLD_COMM_GROUP)
    return _handle(async_op)


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Done | None:
    """Put the reduction of the processes' tensors into `tensor`.

    Follows: mindspore.mint.distributed.all_reduce (2.10).
    """
    tensor._data.copy_(reduced(tensor, op, group or HCCL_WORLD_COMM_GROUP)._data)
    return _handle(async_op)


def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> Done | None:
    """Put the tensor of the process `src`, a number in the world, into everyone's `tensor`.

    Follows: mindspore.mint.distributed.broadcast (2.10).
    """
    name = group or HCCL_WORLD_COMM_GROUP
    root = communicator(name, "broadcast").ranks.index(src)
    tensor._data.copy_(broadcasted((tensor,), root, name)[0]._data)
    return _handle(async_op)


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: str | None = None, async_op: bool = False
) -> Done | None:
    """Put the processes' tensors into `output_tensor`, one after another along axis 0.

    Follows: mindspore.mint.distributed.all_gather_into_tensor (2.10).
    """
    output_tensor._data.copy_(gathered(input_tensor, group or HCCL_WORLD_COMM_GROUP)._data)
    return _handle(async_op)


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
) -> Done | None:
    """Put this process's part of the reduction, along axis 0, into `output`.

    Follows: mindspore.mint.distributed.reduce_scatter_tensor (2.10).
    """
    output._data.copy_(reduce_scattered(input, op, group or HCCL_WORLD_COMM_GROUP)._data)
    return _handle(async_op)


def _handle(async_op: bool) -> Done | None:
    return Done() if async_op else None
