"""Primitives of collective operations; gradients flow through all of them.

Operators that MindSpore has for the chip only follow its documentation.
"""

from collections.abc import Sequence

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.collectives import differentiable
from msbridge.distributed.groups.communicator import REDUCTIONS, Communicator, Later
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator

Sizes = Sequence[int] | Tensor


class ReduceOp:
    """Names of the reductions.

    Follows: mindspore.ops.ReduceOp (2.10).
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    AVG = "avg"


def all_reduce(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, later: Later = None
) -> Tensor:
    """Reduce the processes' tensors element by element; everyone gets the result.

    Args:
        tensor: of the same shape and dtype in every process.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name.
        later: a list, into which goes what is to be waited for.

    Returns:
        A Tensor of the shape and dtype of `tensor`.

    Raises:
        ValueError: unknown `op`.
        RuntimeError: unknown group.

    Follows: mindspore.ops.AllReduce (2.10).
    """
    members = communicator(group, "AllReduce")
    return wrap(differentiable.all_reduce(tensor._data, torch_reduction(op, "AllReduce"), members, later))


def all_gather(tensor: Tensor, group: str = HCCL_WORLD_COMM_GROUP, later: Later = None) -> Tensor:
    """Gather the tensors of all processes, concatenated along axis 0, on every process.

    Args:
        tensor: of the same shape and dtype in every process.
        group: the group's name; None for all processes.
        later: a list, into which goes what is to be waited for.

    Returns:
        A Tensor of the dtype of `tensor`, as many times as long along axis 0 as there are processes.

    Follows: mindspore.ops.AllGather (2.10).
    """
    return wrap(differentiable.all_gather(tensor._data, communicator(group, "AllGather"), later))


def reduce_scatter(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, later: Later = None
) -> Tensor:
    """Reduce the processes' tensors, and return this process's part along axis 0.

    Args:
        tensor: of the same shape and dtype in every process.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.
        later: a list, into which goes what is to be waited for.

    Returns:
        A Tensor of the dtype of `tensor`, as many times shorter along axis 0 as there are processes.

    Raises:
        ValueError: the first axis is not a multiple of the group's size; unknown `op`.
        RuntimeError: unknown group; or a gradient is asked for of another reduction than "sum" and "avg".

    Follows: mindspore.ops.ReduceScatter (2.10).
    """
    members = communicator(group, "ReduceScatter")
    return wrap(differentiable.reduce_scatter(tensor._data, torch_reduction(op, "ReduceScatter"), members, later))


def broadcast(tensors: tuple[Tensor, ...], root_rank: int, group: str = HCCL_WORLD_COMM_GROUP) -> tuple[Tensor, ...]:
    """Broadcast the tensors of the process `root_rank`, a number in the world, to all processes of the group.

    Args:
        tensors: of the same shapes and dtypes in every process.
        root_rank: a number in the world.
        group: the group's name; None for all processes.

    Returns:
        A tuple of Tensors of their shapes and dtypes.

    Follows: mindspore.ops.Broadcast (2.10).
    """
    members = communicator(group, "Broadcast")
    in_group(root_rank, members, "Broadcast")
    return tuple(wrap(differentiable.broadcast(tensor._data, root_rank, members)) for tensor in tensors)


def all_to_all(
    tensor: Tensor, split_count: int, split_dim: int, concat_dim: int, group: str = HCCL_WORLD_COMM_GROUP
) -> Tensor:
    """Split along one axis, send the i-th part to member i, and join the parts that came along another axis.

    Args:
        tensor: of the same shape and dtype in every process.
        split_count: the group's size.
        split_dim: along which axis it is split.
        concat_dim: along which axis the parts are joined.
        group: the group's name; None for all processes.

    Returns:
        A Tensor of the dtype of `tensor`.

    Raises:
        ValueError: `split_count` is not the group's size.

    Follows: mindspore.ops.AlltoAll (2.10).
    """
    members = communicator(group, "AlltoAll")
    if split_count != members.size:
        raise ValueError(f"For 'AlltoAll', split_count must be the group's size {members.size}, got {split_count}.")
    parts = torch.stack(tensor._data.chunk(split_count, split_dim))
    return wrap(torch.cat(tuple(differentiable.all_to_all(parts, None, None, members)), concat_dim))


def reduce(tensor: Tensor, dest_rank: int, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return the reduced tensor on the member `dest_rank` of the group; the others get one zero, which means nothing.

    Args:
        tensor: of the same shape and dtype in every process.
        dest_rank: which member gets the result.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.

    Returns:
        A Tensor of the shape and dtype of `tensor`; elsewhere one zero.

    Follows: mindspore.ops.Reduce (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "Reduce")
    root = members.world_rank(dest_rank, "Reduce")
    return wrap(differentiable.reduce(tensor._data, root, torch_reduction(op, "Reduce"), members))


def gather(tensor: Tensor, dest_rank: int, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return all tensors along axis 0 on the process `dest_rank`, a number in the world; the others get one zero.

    Args:
        tensor: of the same shape and dtype in every process.
        dest_rank: a number in the world.
        group: the group's name; None for all processes.

    Returns:
        A Tensor of the dtype of `tensor`, as many times as long along axis 0 as there are processes; elsewhere one
        zero.

    Follows: mindspore.ops.CollectiveGather (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "CollectiveGather")
    in_group(dest_rank, members, "CollectiveGather")
    return wrap(differentiable.gather(tensor._data, dest_rank, members))


def scatter(tensor: Tensor, src_rank: int = 0, group: str = HCCL_WORLD_COMM_GROUP, later: Later = None) -> Tensor:
    """Scatter the tensor of the process `src_rank`, a number in the world, along axis 0 over the group.

    Args:
        tensor: of the same shape and dtype in every process.
        src_rank: a number in the world.
        group: the group's name; None for all processes.
        later: a list, into which goes what is to be waited for.

    Returns:
        A Tensor of the dtype of `tensor`, as many times shorter along axis 0 as there are processes.

    Raises:
        ValueError: the first axis is not a multiple of the group's size.

    Follows: mindspore.ops.CollectiveScatter (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "CollectiveScatter")
    in_group(src_rank, members, "CollectiveScatter")
    if tensor._data.dim() == 0 or tensor.shape[0] % members.size:
        raise ValueError(
            f"For 'CollectiveScatter', the first axis must be a multiple of the group's size {members.size}, "
            f"got shape {tensor.shape}."
        )
    return wrap(differentiable.scatter(tensor._data, src_rank, members, later))


def all_to_all_v(
    tensor: Tensor,
    send_numel_list: Sizes,
    recv_numel_list: Sizes,
    group: str | None = HCCL_WORLD_COMM_GROUP,
    block_size: int = 1,
    later: Later = None,
) -> Tensor:
    """Send parts of different lengths of a flat tensor, the i-th to member i, and return the parts that came.

    Args:
        tensor: shape (n,).
        send_numel_list: the lengths of the parts that are sent, in blocks.
        recv_numel_list: the lengths of the parts that come, in blocks.
        group: the group's name; None for all processes.
        block_size: the elements of a block.
        later: a list, into which goes what is to be waited for.

    Returns:
        A flat Tensor; one of shape () where nothing comes.

    Follows: mindspore.ops.AlltoAllV (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group or HCCL_WORLD_COMM_GROUP, "AlltoAllV")
    sent, received = (
        _check_lengths(sizes, members, "AlltoAllV", block_size) for sizes in (send_numel_list, recv_numel_list)
    )
    data = _as_long(tensor._data, sum(sent), "AlltoAllV")
    return wrap(_zero_if_empty(differentiable.all_to_all(data, received, sent, members, later)))


def all_to_all_v_c(
    tensor: Tensor,
    send_count_matrix: Sizes,
    group: str | None = HCCL_WORLD_COMM_GROUP,
    block_size: int = 1,
    transpose: bool = False,
    later: Later = None,
) -> Tensor:
    """Send parts of different lengths of a flat tensor; the lengths of all processes are known to every one.

    Args:
        tensor: shape (n,).
        send_count_matrix: the i·size+j-th is the length of what member i sends to member j, in blocks.
        group: the group's name; None for all processes.
        block_size: the elements of a block.
        transpose: take the matrix transposed.
        later: a list, into which goes what is to be waited for.

    Returns:
        A flat Tensor; one of shape () where nothing comes.

    Follows: mindspore.ops.AlltoAllVC (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group or HCCL_WORLD_COMM_GROUP, "AlltoAllVC")
    size, rank = members.size, members.rank
    counts = _ints_of_sizes(send_count_matrix)
    if len(counts) != size * size:
        raise ValueError(f"For 'AlltoAllVC', send_count_matrix must have {size} * {size} numbers, got {len(counts)}.")
    rows, columns = counts[rank * size : (rank + 1) * size], counts[rank::size]
    sent, received = (columns, rows) if transpose else (rows, columns)
    return all_to_all_v(tensor, sent, received, group, block_size, later)


def all_gather_v(tensor: Tensor, output_split_sizes: Sizes, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Gather flat tensors of different lengths, one after another, on every process.

    Args:
        tensor: shape (n,).
        output_split_sizes: the members' lengths.
        group: the group's name.

    Returns:
        A flat Tensor; one of shape () where there is nothing.

    Follows: mindspore.ops.AllGatherV (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "AllGatherV")
    sizes = _check_lengths(output_split_sizes, members, "AllGatherV")
    data = _as_long(tensor._data, sizes[members.rank], "AllGatherV")
    return wrap(_zero_if_empty(differentiable.all_gather_uneven(data, sizes, members)))


def reduce_scatter_v(
    tensor: Tensor, input_split_sizes: Sizes, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP
) -> Tensor:
    """Reduce the processes' flat tensors, and return this process's part, of its own length.

    Args:
        tensor: shape (n,).
        input_split_sizes: the lengths of the members' parts.
        op: one of "sum", "max", "min", "avg".
        group: the group's name.

    Returns:
        A flat Tensor; one of shape () where this process's part is empty.

    Raises:
        ValueError: unknown `op`, or lengths that do not fit.
        RuntimeError: a gradient is asked for of another reduction than "sum" and "avg".

    Follows: mindspore.ops.ReduceScatterV (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "ReduceScatterV")
    sizes = _check_lengths(input_split_sizes, members, "ReduceScatterV")
    data = _as_long(tensor._data, sum(sizes), "ReduceScatterV")
    return wrap(
        _zero_if_empty(
            differentiable.reduce_scatter_uneven(data, sizes, torch_reduction(op, "ReduceScatterV"), members)
        )
    )


def all_to_all_rows(
    tensor_in: Tensor, send_size: Tensor, recv_size: Tensor, group: str = HCCL_WORLD_COMM_GROUP
) -> Tensor:
    """Send rows of a matrix, the i-th of `send_size` to member i, and return the rows that came.

    Args:
        tensor_in: shape (rows, columns).
        send_size: shape (size,), int64; how many rows go to each member.
        recv_size: likewise; how many rows come from each member.
        group: the group's name.

    Returns:
        A Tensor of shape (rows that came, columns) and the dtype of `tensor_in`.

    Follows: mindspore.ops.operations.comm_ops._AllSwap (2.10), by its documentation: the CPU has no kernel.
    """
    members = communicator(group, "_AllSwap")
    sent, received = (_check_lengths(sizes, members, "_AllSwap") for sizes in (send_size, recv_size))
    return wrap(differentiable.all_to_all(tensor_in._data, received, sent, members))


def barrier(group: str = HCCL_WORLD_COMM_GROUP) -> None:
    """Wait until every process of the group is here.

    Args:
        group: the group's name; None for all processes.

    Returns:
        None.

    Follows: mindspore.ops.Barrier (2.10).
    """
    communicator(group, "Barrier").barrier()


def torch_reduction(op: str, where: str) -> str:
    """Return the name of a reduction.

    Raises:
        ValueError: there is none of that name.
    """
    one_of(op, "op", where, REDUCTIONS)
    return op


def in_group(rank: int, members: Communicator, where: str) -> int:
    """Return a number in the world of a member of the group.

    Raises:
        ValueError: that process is not in the group.
    """
    if rank not in members.ranks:
        raise ValueError(f"For '{where}', {rank} must be one of the group's processes {list(members.ranks)}.")
    return rank


def _ints_of_sizes(sizes: Sizes) -> list[int]:
    return [int(size) for size in (sizes._data.tolist() if isinstance(sizes, Tensor) else sizes)]


def _check_lengths(sizes: Sizes, members: Communicator, where: str, block: int = 1) -> list[int]:
    found = [size * block for size in _ints_of_sizes(sizes)]
    if len(found) != members.size:
        raise ValueError(f"For '{where}', there must be a length for each of {members.size} processes, got {found}.")
    return found


def _as_long(data: torch.Tensor, length: int, where: str) -> torch.Tensor:
    flat = data.reshape(-1)
    if flat.shape[0] != length:
        raise ValueError(f"For '{where}', the lengths say {length} elements, got a tensor of {flat.shape[0]}.")
    return flat


def _zero_if_empty(data: torch.Tensor) -> torch.Tensor:
    return data if data.numel() else data.sum()  # MindSpore's stand-in for nothing: one element of shape ()
