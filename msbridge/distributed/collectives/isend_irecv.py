"""Tensors from one process to another that may still be under way when the function returns."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import require_type
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type
from msbridge.distributed.collectives import point_to_point
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.distributed.groups.handles import CommHandle

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend"]


def isend(tensor: Tensor, dst: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> CommHandle:
    """Send a tensor to the process `dst`, a number in the world; it must not change before the handle's `wait`.

    Raises:
        TypeError: `tensor` is not a Tensor.

    Follows: mindspore.communication.comm_func.isend (2.10).
    """
    return CommHandle(communicator(group, "isend").begin_send(require_type(tensor, "tensor", Tensor)._data, dst, tag))


def irecv(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> tuple[Tensor, CommHandle]:
    """Receive what the process `src`, a number in the world, sends; it is there after the handle's `wait`.

    Args:
        tensor: says the shape and dtype.
        src: the process.
        group: the group's name.
        tag: that of the `isend`.

    Returns:
        A new Tensor, which is filled, and a CommHandle.

    Raises:
        TypeError: `tensor` is not a Tensor.

    Follows: mindspore.communication.comm_func.irecv (2.10).
    """
    place = torch.empty_like(require_type(tensor, "tensor", Tensor)._data, memory_format=torch.contiguous_format)
    return wrap(place), CommHandle(communicator(group, "irecv").begin_receive(place, src, tag))


class P2POp:
    """A transfer for `batch_isend_irecv`.

    Args:
        op: "isend" or "irecv", or the function.
        tensor: what is sent; for "irecv" what says the shape and dtype, or the shape.
        peer: the other process, a number in the world.
        group: the group's name; None for all processes.
        tag: 0.
        recv_dtype: the dtype, where `tensor` is a shape.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `op` is something else.
        NotImplementedError: `tag` is not 0.

    Follows: mindspore.communication.comm_func.P2POp (2.10).
    """

    def __init__(
        self,
        op: str | Callable[..., Any],
        tensor: Tensor | tuple[int, ...],
        peer: int,
        group: str | None = None,
        tag: int = 0,
        *,
        recv_dtype: Type | None = None,
    ) -> None:
        if not isinstance(op, str) and not callable(op):
            raise TypeError(f"For 'P2POp', op must be a string or a function, got {op!r}.")
        if kind(op) not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', op must be isend or irecv, got {kind(op)}.")
        require_type(tensor, "tensor", (Tensor, tuple))
        if tag != 0:
            raise NotImplementedError(f"For 'P2POp', tag must be 0, got {tag!r}.")
        if recv_dtype is not None:
            require_type(recv_dtype, "recv_dtype", Type)
        self.op, self.tensor, self.peer, self.group = op, tensor, require_type(peer, "peer", int), group
        self.tag, self.recv_dtype = tag, recv_dtype


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> tuple[Tensor, ...]:
    """Send and receive several tensors at once.

    Returns:
        A Tensor for each transfer: what came, and a zero of shape () where something was sent.

    Raises:
        TypeError: it is not a list of `P2POp`, or empty.
        ValueError: a shape comes without a dtype.

    Follows: mindspore.communication.comm_func.batch_isend_irecv (2.10).
    """
    if not require_type(p2p_op_list, "p2p_op_list", list):
        raise TypeError("For 'batch_isend_irecv', p2p_op_list must not be empty.")
    for one in p2p_op_list:
        require_type(one, "p2p_op_list", P2POp)
    group = p2p_op_list[0].group or HCCL_WORLD_COMM_GROUP
    members = communicator(group, "batch_isend_irecv")
    coming = [one for one in p2p_op_list if kind(one.op) == "irecv"]
    return point_to_point.batch_isend_irecv(
        [one.tensor for one in p2p_op_list if kind(one.op) == "isend"],  # type: ignore[misc]
        [kind(one.op) for one in p2p_op_list],
        [members.ranks.index(one.peer) for one in p2p_op_list],
        [_receive_shape(one) for one in coming],
        [_receive_dtype(one) for one in coming],
        group,
    )


def kind(op: str | Callable[..., Any]) -> str:
    """Return the name of a transfer's function."""
    return op if isinstance(op, str) else op.__name__


def _receive_shape(transfer: P2POp) -> Sequence[int]:
    return transfer.tensor.shape if isinstance(transfer.tensor, Tensor) else transfer.tensor


def _receive_dtype(transfer: P2POp) -> Type:
    if isinstance(transfer.tensor, Tensor):
        return transfer.tensor.dtype
    if transfer.recv_dtype is None:
        raise ValueError("For 'batch_isend_irecv', a P2POp with a shape instead of a Tensor needs recv_dtype.")
    return transfer.recv_dtype
