"""Python objects between processes; they are pickled, so the processes have to trust each other."""

from typing import Any

import torch.distributed as torch_distributed

from msbridge.core.checks.arguments import require_type
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator

__all__ = [
    "all_gather_object",
    "broadcast_object_list",
    "gather_object",
    "recv_object_list",
    "scatter_object_list",
    "send_object_list",
]


def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    """Put the object of each process into `object_list`, which has a place for each.

    Args:
        object_list: a list with a place for each process; changed in place.
        obj: anything that can be pickled.
        group: the group's name; None for all processes.

    Returns:
        None.

    Follows: mindspore.mint.distributed.all_gather_object (2.10).
    """
    members = _members(group, "all_gather_object")
    if members.size == 1:
        object_list[0] = obj
    else:
        torch_distributed.all_gather_object(object_list, obj, members.torch_group)


def broadcast_object_list(
    object_list: list[Any], src: int = 0, group: str | None = None, device: str | None = None
) -> None:
    """Put the objects of the process `src` into everyone's `object_list`.

    Args:
        object_list: as long everywhere.
        src: a number in the world.
        group: the group's name; None for all processes.
        device: kept for scripts that set it.

    Returns:
        None.

    Raises:
        TypeError: `object_list` is not a list.

    Follows: mindspore.mint.distributed.broadcast_object_list (2.10).
    """
    require_type(object_list, "object_list", list)
    members = _members(group, "broadcast_object_list")
    if members.size > 1:
        torch_distributed.broadcast_object_list(object_list, src, members.torch_group)


def gather_object(
    obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: str | None = None
) -> None:
    """Put the object of each process into the `object_gather_list` of the process `dst`.

    Args:
        obj: anything that can be pickled.
        object_gather_list: a list with a place for each process, on `dst`; changed in place.
        dst: a number in the world.
        group: the group's name; None for all processes.

    Returns:
        None.

    Follows: mindspore.mint.distributed.gather_object (2.10).
    """
    members = _members(group, "gather_object")
    gathered = [None] * members.size
    all_gather_object(gathered, obj, group)
    if members.ranks[members.rank] == dst:
        if object_gather_list is None:
            raise TypeError(f"For 'gather_object', the process {dst} must pass object_gather_list.")
        object_gather_list[:] = gathered


def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: list[Any] | None,
    src: int = 0,
    group: str | None = None,
) -> None:
    """Put the i-th object of the process `src` into the first place of member i's `scatter_object_output_list`.

    Args:
        scatter_object_output_list: a list of at least one place; changed in place.
        scatter_object_input_list: one object for each process, on `src`.
        src: a number in the world.
        group: the group's name; None for all processes.

    Returns:
        None.

    Follows: mindspore.mint.distributed.scatter_object_list (2.10).
    """
    members = _members(group, "scatter_object_list")
    objects = list(scatter_object_input_list or [None] * members.size)
    broadcast_object_list(objects, src, group)
    scatter_object_output_list[0] = objects[members.rank]


def send_object_list(object_list: list[Any], dst: int, group: str | None = None, device: str | None = None) -> None:
    """Send objects to the process `dst`.

    Args:
        object_list: the objects.
        dst: a number in the world.
        group: the group's name; None for all processes.
        device: kept for scripts that set it.

    Returns:
        None.

    Raises:
        ValueError: `dst` is this process.

    Follows: mindspore.mint.distributed.send_object_list (2.10).
    """
    torch_distributed.send_object_list(object_list, dst, _with_other(dst, group, "send_object_list").torch_group)


def recv_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: str | None = None) -> int:
    """Put the objects that the process `src` sends into `object_list`, which is as long.

    Args:
        object_list: what is filled.
        src: a number in the world.
        group: the group's name; None for all processes.
        device: kept for scripts that set it.

    Returns:
        `src`.

    Raises:
        ValueError: `src` is this process.

    Follows: mindspore.mint.distributed.recv_object_list (2.10).
    """
    members = _with_other(src, group, "recv_object_list")
    return int(torch_distributed.recv_object_list(object_list, src, members.torch_group))


def _members(group: str | None, where: str) -> Communicator:
    return communicator(group or HCCL_WORLD_COMM_GROUP, where)


def _with_other(peer: int, group: str | None, where: str) -> Communicator:
    members = _members(group, where)
    if members.size == 1 or members.ranks[members.rank] == peer:
        raise ValueError(f"For '{where}', {peer} must be another process of the group {members.ranks}.")
    return members
