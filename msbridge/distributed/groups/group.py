"""Groups of processes by name: joining them, leaving them, and who is who.

A process that was started alone is a world of one, with or without `init()`.
"""

import os
import sys
from datetime import timedelta
from typing import Any

from msbridge.core.checks.arguments import in_range, instance, one_of, require_type
from msbridge.core.context import context
from msbridge.core.runtime.accelerators import collectives
from msbridge.distributed.groups import launches
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.launches import Launch
from msbridge.distributed.groups.single import SingleProcess

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "GlobalComm",
    "create_group",
    "destroy_group",
    "get_comm_name",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"
_WORLDS = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)
_BACKENDS = {"hccl": HCCL_WORLD_COMM_GROUP, "nccl": NCCL_WORLD_COMM_GROUP, "mccl": MCCL_WORLD_COMM_GROUP}


class GlobalComm:
    """The answers to scripts' questions about the world.

    Attributes:
        BACKEND: the communication library's name, "hccl", "nccl" or "mccl".
        WORLD_COMM_GROUP: the name of the group that has all processes.
        INITED: whether `init()` was called.

    Follows: mindspore.communication.GlobalComm (2.10).
    """

    BACKEND = "hccl"
    WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


_alone = SingleProcess()
_groups: dict[str, Communicator | None] = {}  # None: a group that this process is not in
_local_rank = {"rank": 0}


def init(backend_name: str | None = None) -> None:
    """Join the other processes of the launch.

    Reads what torchrun (RANK, WORLD_SIZE), MindSpore's scripts (RANK_ID, RANK_SIZE, RANK_TABLE_FILE), mpirun or msrun
    (MS_ROLE, MS_WORKER_NUM, MS_NODE_ID) put into the environment; without any of these, or for a single process, there
    is nobody to wait for; once more it has no effect. The scheduler of MindSpore's cluster keeps the workers' meeting
    place in here, and exits.

    Args:
        backend_name: "hccl", "nccl" or "mccl"; None chooses by the context's device. The processes talk through
            torch's NCCL on CUDA and Gloo elsewhere.

    Raises:
        TypeError: `backend_name` is not a string.
        ValueError: the environment is not in order.
        RuntimeError: `backend_name` is unknown, or the other processes cannot be reached.

    Examples:
        >>> from mindspore.communication import get_group_size, init
        >>> init()
        >>> get_group_size()  # of a process that nobody launched together with others
        1

    Follows: mindspore.communication.init (2.10).
    """
    init_within(backend_name, None)


def init_within(backend_name: str | None, timeout: timedelta | None) -> None:
    """Do as `init`, and wait no longer than `timeout` for others, then and in every operation.

    Raises:
        TypeError: `backend_name` is not a string.
        ValueError: the environment is not in order.
        RuntimeError: `backend_name` is unknown, or the other processes cannot be reached.
    """
    if backend_name is None:
        backend_name = {"CPU": "mccl", "GPU": "nccl"}.get(context.device_target(), "hccl")
    instance(backend_name, "backend_name", "init", str)
    if backend_name not in _BACKENDS:
        raise RuntimeError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', "
            f"but got the value : {backend_name}."
        )
    if not GlobalComm.INITED:
        join(launches.launch(), backend_name, timeout)


def join(launch: Launch | None, backend_name: str, timeout: timedelta | None = None, store: Any = None) -> None:
    """Join the other processes of a launch.

    Args:
        launch: what the launcher said; None for a process alone.
        backend_name: MindSpore's name of the communication library.
        timeout: how long to wait for the others.
        store: where they meet, a store of torch; None for the address of the launch.
    """
    _groups[""] = _join_processes(launch, timeout, store)
    GlobalComm.BACKEND = backend_name
    GlobalComm.WORLD_COMM_GROUP = _BACKENDS[backend_name]
    GlobalComm.INITED = True
    context.notify_listeners()


def _join_processes(launch: Launch | None, timeout: timedelta | None, store: Any) -> Communicator:
    if launch is None or (launch.size == 1 and not launch.is_scheduler):
        return _alone
    from msbridge.distributed.groups import processes  # torch.distributed is not loaded for a single process

    if launch.is_scheduler:
        processes.schedule(launch)
        sys.exit(0)
    backend = collectives(context.torch_device())
    if backend != "gloo" and launch.local_rank is not None:  # a device for each process
        context.set_context(device_id=launch.local_rank)
    members = processes.start(launch, backend, timeout, store)
    _local_rank["rank"] = members.rank if launch.local_rank is None else launch.local_rank
    return members


def release() -> None:
    """Leave all groups.

    Follows: mindspore.communication.release (2.10).
    """
    world = _groups.pop("", None)
    _groups.clear()
    _local_rank["rank"] = 0
    if world is not None:
        world.close()
    GlobalComm.INITED = False
    GlobalComm.BACKEND = "hccl"
    GlobalComm.WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    context.notify_listeners()


def communicator(group: str = HCCL_WORLD_COMM_GROUP, where: str = "communicator") -> Communicator:
    """Return the group of that name.

    Raises:
        TypeError: `group` is not a string.
        RuntimeError: there is no such group; before `init()` every name is that of the process alone.
        ValueError: this process is not in it.
    """
    instance(group, "group", where, str)
    if group in _WORLDS:
        return _groups.get("") or _alone
    members = _groups.get(group)
    if members is None:
        if not GlobalComm.INITED:
            return _alone
        if group in _groups:
            raise ValueError(f"For '{where}', this process is not in the group '{group}'.")
        raise RuntimeError(
            f"For '{where}', there is no group '{group}'; the groups are {[*_WORLDS[:1], *_group_names()]}."
        )
    return members


def _group_names() -> list[str]:
    return [name for name in _groups if name]


def get_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of this process in a group; 0 when it runs alone.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        An int.

    Examples:
        >>> get_rank()
        0

    Follows: mindspore.communication.get_rank (2.10).
    """
    return communicator(group, "get_rank").rank


def get_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of processes in a group; 1 when this one runs alone.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        An int.

    Examples:
        >>> get_group_size()
        1

    Follows: mindspore.communication.get_group_size (2.10).
    """
    return communicator(group, "get_group_size").size


def get_local_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of this process on its machine.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        An int.

    Follows: mindspore.communication.get_local_rank (2.10).
    """
    communicator(group, "get_local_rank")
    return _local_rank["rank"]


def get_local_rank_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of a group's processes on this machine; all of them, where the launcher does not say.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        An int.

    Follows: mindspore.communication.get_local_rank_size (2.10).
    """
    size = communicator(group, "get_local_rank_size").size
    return min(size, int(os.environ.get("LOCAL_WORLD_SIZE", size)))


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """Return a member's number in the world.

    Args:
        group: the name of a group.
        group_rank_id: the number in the group.

    Returns:
        An int.

    Raises:
        ValueError: the group has no such member.

    Follows: mindspore.communication.get_world_rank_from_group_rank (2.10).
    """
    ranks = _after_init(group, "get_world_rank_from_group_rank").ranks
    in_range(group_rank_id, "group_rank_id", None, 0, len(ranks))
    return ranks[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """Return the number within a group of a process of the world.

    Args:
        world_rank_id: the number in the world.
        group: the name of a group.

    Returns:
        An int.

    Raises:
        ValueError: that process is not in the group.

    Follows: mindspore.communication.get_group_rank_from_world_rank (2.10).
    """
    ranks = _after_init(group, "get_group_rank_from_world_rank").ranks
    one_of(world_rank_id, "world_rank_id", None, ranks)
    return ranks.index(world_rank_id)


def get_process_group_ranks(group: str = HCCL_WORLD_COMM_GROUP) -> list[int]:
    """Return the members' numbers in the world.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        A growing list of ints.

    Follows: mindspore.communication.get_process_group_ranks (2.10).
    """
    return list(_after_init(group, "get_process_group_ranks").ranks)


def create_group(group: str, rank_ids: list[int], options: None = None) -> None:
    """Create a group of some processes; all processes of the world call this.

    Args:
        group: the new group's name.
        rank_ids: the members' numbers in the world.
        options: HCCL's own settings; only None.

    Raises:
        RuntimeError: `init()` was not called.
        TypeError: an argument has the wrong type, or `options` is given.
        ValueError: `rank_ids` is empty, has doubles or unknown ranks, or the name is taken by the world.

    Follows: mindspore.communication.create_group (2.10).
    """
    if not isinstance(group, str) or not isinstance(rank_ids, list):
        raise TypeError(f"For 'create_group', group must be a str and rank_ids a list, got {group!r} and {rank_ids!r}.")
    world = _after_init(HCCL_WORLD_COMM_GROUP, "create_group")
    if options is not None:
        raise TypeError(f"For 'create_group', options are settings of HCCL, which is not here; got {options!r}.")
    if not group or group in _WORLDS:
        raise ValueError(f"For 'create_group', a group cannot be named {group!r}.")
    if not rank_ids or len(set(rank_ids)) < len(rank_ids) or not set(rank_ids) <= set(world.ranks):
        raise ValueError(
            f"For 'create_group', rank_ids must be different ranks of {list(world.ranks)}, got {rank_ids}."
        )
    if world.size == 1:
        _groups[group] = _alone
        return
    from msbridge.distributed.groups import processes

    _groups[group] = processes.form(rank_ids)


def destroy_group(group: str) -> None:
    """Leave a group.

    Args:
        group: its name.

    Raises:
        TypeError: `group` is not a str.
        RuntimeError: `init()` was not called.
        ValueError: there is no such group, or it is the world.

    Follows: mindspore.communication.destroy_group (2.10).
    """
    require_type(group, "group", str)
    _after_init(HCCL_WORLD_COMM_GROUP, "destroy_group")
    if group in _WORLDS:
        raise ValueError("The world_group does not support destruction.")
    if group not in _groups:
        raise ValueError(f"For 'destroy_group', there is no group '{group}'; the groups are {_group_names()}.")
    found = _groups.pop(group)
    if found is not None:
        found.close()


def get_comm_name(group: str = HCCL_WORLD_COMM_GROUP) -> str:
    """Return the name under which a group is known.

    Args:
        group: the name of a group; all processes by default.

    Returns:
        A string.

    Follows: mindspore.communication.get_comm_name (2.10).
    """
    _after_init(group, "get_comm_name")
    return group


def _after_init(group: str, where: str) -> Communicator:
    if not GlobalComm.INITED:
        raise RuntimeError(f"For '{where}', the communication is not initialised; call `init()` first.")
    return communicator(group, where)
