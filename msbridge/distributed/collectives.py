"""Collective operations on Tensors; gradients flow through reductions, gathers and broadcasts.

The functions of MindSpore's `comm_func` return (result, handle) where they can be asynchronous; here the work is done
when they return, so the handle is None.

Follows: mindspore.communication.comm_func (2.10).
"""

from typing import Any

import torch

from msbridge.core.notices import without_effect
from msbridge.core.tensor import Tensor, as_torch, wrap
from msbridge.distributed.communicator import REDUCTIONS, Communicator
from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP, communicator


class ReduceOp:
    """Names of the reductions.

    Follows: mindspore.ops.ReduceOp (2.10).
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    AVG = "avg"


def reduced(tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Reduce the processes' tensors element by element; everyone gets the result.

    Args:
        tensor: of the same shape and dtype in every process.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name.

    Raises:
        ValueError: unknown `op` or group.

    Follows: mindspore.ops.AllReduce (2.10).
    """
    return _applied(_AllReduce, tensor, _checked(op, "AllReduce"), communicator(group, "AllReduce"))


def gathered(tensor: Tensor, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Gather the tensors of all processes, concatenated along axis 0, on every process.

    Follows: mindspore.ops.AllGather (2.10).
    """
    return _applied(_AllGather, tensor, communicator(group, "AllGather"))


def reduce_scattered(tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Reduce the processes' tensors, and return this process's part along axis 0.

    Raises:
        ValueError: the first axis is no multiple of the group's size; unknown `op` or group.

    Follows: mindspore.ops.ReduceScatter (2.10).
    """
    return _applied(_ReduceScatter, tensor, _checked(op, "ReduceScatter"), communicator(group, "ReduceScatter"))


def broadcasted(tensors: tuple[Tensor, ...], root_rank: int, group: str = HCCL_WORLD_COMM_GROUP) -> tuple[Tensor, ...]:
    """Broadcast the tensors of the process `root_rank` to all processes.

    Follows: mindspore.ops.Broadcast (2.10).
    """
    members = communicator(group, "Broadcast")
    return tuple(_applied(_Broadcast, tensor, root_rank, members) for tensor in tensors)


def exchanged(
    tensor: Tensor, split_count: int, split_dim: int, concat_dim: int, group: str = HCCL_WORLD_COMM_GROUP
) -> Tensor:
    """Split along one axis, send the i-th part to member i, and join the parts that came along another axis.

    Raises:
        ValueError: `split_count` is not the group's size.

    Follows: mindspore.ops.AlltoAll (2.10).
    """
    members = communicator(group, "AlltoAll")
    if split_count != members.size:
        raise ValueError(f"For 'AlltoAll', split_count must be the group's size {members.size}, got {split_count}.")
    parts = torch.stack(tensor._data.chunk(split_count, split_dim))
    return wrap(torch.cat(tuple(members.all_to_all(parts)), concat_dim))


def _no_handle(op: str, async_op: bool) -> None:
    if async_op:
        without_effect(f"mindspore.communication.comm_func.{op}.async_op", True)


def all_reduce(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False
) -> tuple[Tensor, None]:
    """Reduce as the primitive AllReduce does.

    Follows: mindspore.communication.comm_func.all_reduce (2.10).
    """
    _no_handle("all_reduce", async_op)
    return reduced(tensor, op, group), None


def all_gather_into_tensor(
    tensor: Tensor, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False
) -> tuple[Tensor, None]:
    """Gather as the primitive AllGather does.

    Follows: mindspore.communication.comm_func.all_gather_into_tensor (2.10).
    """
    _no_handle("all_gather_into_tensor", async_op)
    return gathered(tensor, group), None


def reduce_scatter_tensor(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False
) -> tuple[Tensor, None]:
    """Reduce and scatter as the primitive ReduceScatter does.

    Follows: mindspore.communication.comm_func.reduce_scatter_tensor (2.10).
    """
    _no_handle("reduce_scatter_tensor", async_op)
    return reduce_scattered(tensor, op, group), None


def broadcast(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Broadcast the tensor of the process `src` to all processes.

    Follows: mindspore.communication.comm_func.broadcast (2.10).
    """
    return broadcasted((tensor,), src, group)[0]


def reduce(tensor: Tensor, dst: int, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return the reduced tensor on the process `dst`, and the own tensor on the others.

    Follows: mindspore.communication.comm_func.reduce (2.10).
    """
    members = communicator(group, "reduce")
    result = members.all_reduce(tensor._data, _checked(op, "reduce"))
    return wrap(result) if members.ranks[members.rank] == dst else tensor


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return all tensors along axis 0 on the process `dst`, and the own tensor on the others.

    Follows: mindspore.communication.comm_func.gather_into_tensor (2.10).
    """
    members = communicator(group, "gather_into_tensor")
    result = members.all_gather(tensor._data)
    return wrap(result) if members.ranks[members.rank] == dst else tensor


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Scatter the tensor of the process `src` along axis 0 over all processes.

    Follows: mindspore.communication.comm_func.scatter_tensor (2.10).
    """
    members = communicator(group, "scatter_tensor")
    return wrap(members.broadcast(tensor._data, src).chunk(members.size)[members.rank].clone())


def all_to_all_single_with_output_shape(
    output_shape: tuple[int, ...],
    tensor: Tensor,
    output_split_sizes: list[int] | None = None,
    input_split_sizes: list[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> tuple[Tensor, None]:
    """Send the i-th part along axis 0 to member i, and return the parts that came, in order.

    Follows: mindspore.communication.comm_func.all_to_all_single_with_output_shape (2.10).
    """
    _no_handle("all_to_all_single_with_output_shape", async_op)
    members = communicator(HCCL_WORLD_COMM_GROUP if group is None else group, "all_to_all")
    result = members.all_to_all(tensor._data, output_split_sizes, input_split_sizes)
    return wrap(result.reshape(tuple(output_shape))), None


def barrier(group: str = HCCL_WORLD_COMM_GROUP) -> None:
    """Wait until every process of the group is here.

    Follows: mindspore.communication.comm_func.barrier (2.10).
    """
    communicator(group, "barrier").barrier()


def send(tensor: Tensor, dst: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> None:
    """Send a tensor to the process `dst`.

    Follows: mindspore.communication.comm_func.send (2.10).
    """
    communicator(group, "send").send(tensor._data, dst, tag)


def recv(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> Tensor:
    """Receive the tensor that the process `src` sends; its shape and dtype are those of `tensor`.

    Follows: mindspore.communication.comm_func.recv (2.10).
    """
    return wrap(communicator(group, "recv").receive(as_torch(tensor, None), src, tag))


def _checked(op: str, where: str) -> str:
    if op not in REDUCTIONS:
        raise ValueError(f"For '{where}', op must be one of {list(REDUCTIONS)}, got {op!r}.")
    return op


def _applied(function: Any, tensor: Tensor, *settings: Any) -> Tensor:
    return wrap(function.apply(tensor._data, *settings))  # torch (2.13) has no types for torch.autograd.Function.apply


class _AllReduce(torch.autograd.Function):
    """Its gradient is the sum of the processes' gradients, where the value came from this process for max and min."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, op: str, members: Communicator) -> torch.Tensor:
        result = members.all_reduce(data, op)
        ctx.op, ctx.members = op, members
        ctx.save_for_backward(*(() if op in ("sum", "avg") else (data, result)))
        return result

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        total = ctx.members.all_reduce(grad, "avg" if ctx.op == "avg" else "sum")
        if ctx.op in ("max", "min"):
            data, result = ctx.saved_tensors
            total = total * (data == result)
        elif ctx.op == "prod":
            data, result = ctx.saved_tensors
            total = total * result / data
        return total, None, None


class _AllGather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, members: Communicator) -> torch.Tensor:
        ctx.members = members
        return members.all_gather(data)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        return ctx.members.reduce_scatter(grad, "sum"), None


class _ReduceScatter(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, op: str, members: Communicator) -> torch.Tensor:
        if op not in ("sum", "avg") and data.requires_grad:
            raise ValueError(f"For 'ReduceScatter', only 'sum' and 'avg' have a gradient, got op {op!r}.")
        ctx.op, ctx.members = op, members
        return members.reduce_scatter(data, op)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        whole = ctx.members.all_gather(grad)
        return whole / ctx.members.size if ctx.op == "avg" else whole, None, None


class _Broadcast(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, root: int, members: Communicator) -> torch.Tensor:
        return members.broadcast(data, root)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        return grad, None, None
