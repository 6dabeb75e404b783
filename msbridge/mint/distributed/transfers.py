"""Tensors from one process to another.

Follows: mindspore.mint.distributed (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch.distributed as torch_distributed

from msbridge.core.tensor import Tensor
from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP, communicator

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


class Transfer:
    """The handle of a transfer that is under way."""

    def __init__(self, work: Any) -> None:
        self._work = work

    def wait(self) -> None:
        """Return when the tensor has been sent, or is there."""
        self._work.wait()


class P2POp:
    """A transfer for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`, or its name.
        tensor: what is sent, or what is filled.
        peer: the other process, by its number in the world.
        group: the group's name; None for all processes.
        tag: transfers with the same tag belong together.

    Raises:
        TypeError: `op` is something else.

    Follows: mindspore.mint.distributed.P2POp (2.10).
    """

    def __init__(
        self, op: str | Callable[..., Any], tensor: Tensor, peer: int, group: str | None = None, tag: int = 0
    ) -> None:
        if op not in ("isend", "irecv", isend, irecv):
            raise TypeError(f"Expected op to be of type isend or irecv, but got {op}")
        self.op, self.tensor, self.peer, self.group, self.tag = op, tensor, peer, group, tag


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    """Send a tensor to the process `dst`, a number in the world.

    Follows: mindspore.mint.distributed.send (2.10).
    """
    communicator(group or HCCL_WORLD_COMM_GROUP, "send").send(tensor._data, dst, tag)


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Put what the process `src` sends into `tensor`.

    Follows: mindspore.mint.distributed.recv (2.10).
    """
    tensor._data.copy_(communicator(group or HCCL_WORLD_COMM_GROUP, "recv").receive(tensor._data, src, tag))
    return 0


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> Transfer:
    """Send a tensor, and return before it is there; it must not change until `wait`.

    Raises:
        ValueError: `dst` is this process.

    Follows: mindspore.mint.distributed.isend (2.10).
    """
    _other(dst, group, "isend")
    return Transfer(torch_distributed.isend(tensor._data.contiguous(), dst, _torch_group(group, "isend"), tag))


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Transfer:
    """Let `tensor` be filled by what the process `src` sends; it is there after `wait`.

    Raises:
        ValueError: `src` is this process.

    Follows: mindspore.mint.distributed.irecv (2.10).
    """
    _other(src, group, "irecv")
    return Transfer(torch_distributed.irecv(tensor._data, src, _torch_group(group, "irecv"), tag))


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Transfer]:
    """Begin several transfers, and return their handles.

    Raises:
        TypeError: there are none, or one is no `P2POp`.

    Follows: mindspore.mint.distributed.batch_isend_irecv (2.10).
    """
    if not p2p_op_list:
        raise TypeError("p2p_op_list can not be empty list.")
    for one in p2p_op_list:
        if not isinstance(one, P2POp):
            raise TypeError(f"The elements in p2p_op_list must be type of P2POp, but got {type(one).__name__}.")
    begin = {"isend": isend, "irecv": irecv}
    return [begin.get(one.op, one.op)(one.tensor, one.peer, one.group, one.tag) for one in p2p_op_list]  # type: ignore


def _torch_group(group: str | None, where: str) -> Any:
    return communicator(group or HCCL_WORLD_COMM_GROUP, where).torch_group


def _other(peer: int, group: str | None, where: str) -> None:
    members = communicator(group or HCCL_WORLD_COMM_GROUP, where)
    if members.size == 1 or members.ranks[members.rank] == peer:
        raise ValueError(f"For '{where}', {peer} must be another process of the group {members.ranks}.")
