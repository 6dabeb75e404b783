"""Tensors from one process to another."""

from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.collectives.functions import check_tensor
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.distributed.groups.handles import CommHandle

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


class P2POp:
    """A transfer for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`, or its name.
        tensor: what is sent, or what is filled.
        peer: the other process, by its number in the world.
        group: the group's name; None for all processes.
        tag: 0.

    Raises:
        TypeError: `op` is something else, or another argument of a wrong type.
        NotImplementedError: `tag` is not 0.

    Follows: mindspore.mint.distributed.P2POp (2.10).
    """

    def __init__(
        self, op: str | Callable[..., Any], tensor: Tensor, peer: int, group: str | None = None, tag: int = 0
    ) -> None:
        self._kind = op if isinstance(op, str) else getattr(op, "__name__", None)  # ops.communication has its own irecv
        if self._kind not in ("isend", "irecv"):
            raise TypeError(f"Expected op to be of type isend or irecv, but got {op}")
        if tag != 0:
            raise NotImplementedError(f"For 'P2POp', tag must be 0, got {tag!r}.")
        self.op, self.tensor, self.peer = op, check_tensor(tensor, "P2POp"), require_type(peer, "peer", int)
        self.group, self.tag = group, tag


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    """Send a tensor to the process `dst`, a number in the world.

    Args:
        tensor: any shape and dtype.
        dst: a number in the world.
        group: the group's name; None for all processes.
        tag: that of the receiver.

    Returns:
        None.

    Follows: mindspore.mint.distributed.send (2.10).
    """
    data = check_tensor(tensor, "send")._data
    _other(require_type(dst, "dst", int), group, "send")
    _members(group, "send").send(data, dst, tag)


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Put what the process `src` sends into `tensor`.

    Follows: mindspore.mint.distributed.recv (2.10).
    """
    check_tensor(tensor, "recv")
    tensor._data.copy_(_members(group, "recv").receive(tensor._data, require_type(src, "src", int), tag))
    return 0


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Send a tensor, and return before it is there; it must not change until `wait`.

    Args:
        tensor: any shape and dtype.
        dst: a number in the world.
        group: the group's name; None for all processes.
        tag: that of the receiver.

    Returns:
        A handle.

    Raises:
        ValueError: `dst` is this process.

    Follows: mindspore.mint.distributed.isend (2.10).
    """
    _other(require_type(dst, "dst", int), group, "isend")
    return CommHandle(_members(group, "isend").begin_send(check_tensor(tensor, "isend")._data, dst, tag))


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Let `tensor` be filled by what the process `src` sends; it is there after `wait`.

    Raises:
        ValueError: `src` is this process.

    Follows: mindspore.mint.distributed.irecv (2.10).
    """
    _other(require_type(src, "src", int), group, "irecv")
    return CommHandle(_members(group, "irecv").begin_receive(check_tensor(tensor, "irecv")._data, src, tag))


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[CommHandle]:
    """Begin several transfers, and return their handles.

    Args:
        p2p_op_list: a list of `P2POp`.

    Returns:
        A list of handles.

    Raises:
        TypeError: there are none, or one is no `P2POp`.

    Follows: mindspore.mint.distributed.batch_isend_irecv (2.10).
    """
    if not p2p_op_list:
        raise TypeError("p2p_op_list can not be empty list.")
    for one in p2p_op_list:
        if not isinstance(one, P2POp):
            raise TypeError(f"The elements in p2p_op_list must be type of P2POp, but got {type(one).__name__}.")
    if len({one.group for one in p2p_op_list}) > 1:
        raise TypeError("The transfers of p2p_op_list must be of one group.")
    members = _members(p2p_op_list[0].group, "batch_isend_irecv")
    sends = [(one.tensor._data, one.peer) for one in p2p_op_list if one._kind == "isend"]
    receives = [(one.tensor._data, one.peer) for one in p2p_op_list if one._kind == "irecv"]
    return [CommHandle(members.exchange(sends, receives))]


def _members(group: str | None, where: str) -> Communicator:
    return communicator(group or HCCL_WORLD_COMM_GROUP, where)


def _other(peer: int, group: str | None, where: str) -> None:
    members = _members(group, where)
    if members.size == 1 or members.ranks[members.rank] == peer:
        raise ValueError(f"For '{where}', {peer} must be another process of the group {members.ranks}.")
