"""Collective operations as functions: they return (result, handle) where MindSpore's can be under way.

With `async_op` an operation may be under way when the function returns: its result is there after the handle's `wait`.
"""

import math
from collections.abc import Sequence

import torch

from msbridge.core.checks.arguments import require_type
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.collectives import differentiable, primitives
from msbridge.distributed.collectives.primitives import ReduceOp
from msbridge.distributed.groups.communicator import Communicator, Later
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator, get_group_size, get_rank
from msbridge.distributed.groups.handles import CommHandle, handle_of, works_if

__all__ = [
    "all_gather_into_tensor",
    "all_reduce",
    "all_to_all_single_with_output_shape",
    "all_to_all_v_c",
    "all_to_all_with_output_shape",
    "barrier",
    "broadcast",
    "gather_into_tensor",
    "get_cache_group_rank",
    "get_cache_group_size",
    "recv",
    "reduce",
    "reduce_scatter_tensor",
    "scatter_tensor",
    "send",
]

Result = tuple[Tensor, CommHandle | None]
Shape = Sequence[int]


def all_reduce(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False
) -> Result:
    """Reduce the processes' tensors element by element; everyone gets the result.

    Args:
        tensor: of the same shape and dtype in every process.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name.
        async_op: only begin, and return a handle, too.

    Returns:
        The reduced Tensor, and a CommHandle with `async_op`, else None.

    Raises:
        TypeError: `tensor` is not a Tensor, or `op` is none of the reductions.

    Follows: mindspore.communication.comm_func.all_reduce (2.10).
    """
    works = works_if(async_op)
    result = primitives.all_reduce(check_tensor(tensor, "all_reduce"), parse_reduction(op, "all_reduce"), group, works)
    return result, handle_of(works)


def all_gather_into_tensor(tensor: Tensor, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False) -> Result:
    """Gather the tensors of all processes, concatenated along axis 0, on every process.

    Follows: mindspore.communication.comm_func.all_gather_into_tensor (2.10).
    """
    works = works_if(async_op)
    return primitives.all_gather(check_tensor(tensor, "all_gather_into_tensor"), group, works), handle_of(works)


def reduce_scatter_tensor(
    tensor: Tensor, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP, async_op: bool = False
) -> Result:
    """Reduce the processes' tensors, and return this process's part along axis 0.

    Follows: mindspore.communication.comm_func.reduce_scatter_tensor (2.10).
    """
    works = works_if(async_op)
    result = primitives.reduce_scatter(check_tensor(tensor, "reduce_scatter_tensor"), op, group, works)
    return result, handle_of(works)


def broadcast(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Broadcast the tensor of the process `src`, a number in the world, to all processes of the group.

    Follows: mindspore.communication.comm_func.broadcast (2.10).
    """
    return primitives.broadcast((check_tensor(tensor, "broadcast"),), require_type(src, "src", int), group)[0]


def reduce(tensor: Tensor, dst: int, op: str = ReduceOp.SUM, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return the reduced tensor on the process `dst`, a number in the world; the others get one zero.

    Follows: mindspore.communication.comm_func.reduce (2.10).
    """
    members = communicator(group, "reduce")
    place = members.ranks.index(primitives.in_group(dst, members, "reduce"))
    return primitives.reduce(check_tensor(tensor, "reduce"), place, op, group)


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Return all tensors along axis 0 on the process `dst`, a number in the world; the others get one zero.

    Follows: mindspore.communication.comm_func.gather_into_tensor (2.10).
    """
    return primitives.gather(check_tensor(tensor, "gather_into_tensor"), require_type(dst, "dst", int), group)


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP) -> Tensor:
    """Scatter the tensor of the process `src`, a number in the world, along axis 0 over the group.

    Follows: mindspore.communication.comm_func.scatter_tensor (2.10).
    """
    return primitives.scatter(check_tensor(tensor, "scatter_tensor"), require_type(src, "src", int), group)


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Tensor | Shape],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], CommHandle | None]:
    """Send the i-th tensor to member i, and return the tensors that came.

    Args:
        output_shape_list: the shapes of what comes, or Tensors of these shapes.
        input_tensor_list: a Tensor for each member, of one dtype.
        group: the group's name; None for all processes.
        async_op: return a handle, too.

    Raises:
        TypeError: a list is not one, or holds something else; or the dtypes differ.

    Follows: mindspore.communication.comm_func.all_to_all_with_output_shape (2.10).
    """
    works = works_if(async_op)
    return all_to_all(output_shape_list, input_tensor_list, group, "all_to_all", works), handle_of(works)


def all_to_all(
    shapes: Sequence[Tensor | Shape], tensors: Sequence[Tensor], group: str | None, where: str, later: Later = None
) -> tuple[Tensor, ...]:
    """Send the i-th tensor to member i, and return the tensors of these shapes that came."""
    for given, kinds in ((tensors, Tensor), (shapes, Tensor | tuple | list)):
        for one in require_type(given, where, (tuple, list)):
            require_type(one, where, kinds)  # type: ignore[arg-type]
    if len({tensor.dtype for tensor in tensors}) > 1:
        raise TypeError(f"For '{where}', the tensors must be of one dtype, got {[one.dtype for one in tensors]}.")
    wanted = [tuple(one.shape) if isinstance(one, Tensor) else tuple(one) for one in shapes]
    lengths = [math.prod(shape) for shape in wanted]
    flat = torch.cat([tensor._data.reshape(-1) for tensor in tensors])
    sent = [tensor._data.numel() for tensor in tensors]
    came = differentiable.all_to_all(flat, lengths, sent, _communicator_of(group, where), later).split(lengths)
    return tuple(wrap(part.reshape(shape)) for part, shape in zip(came, wanted, strict=True))


def all_to_all_single_with_output_shape(
    output_shape: Tensor | Shape,
    tensor: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Result:
    """Send the i-th part along axis 0 to member i, and return the parts that came, in order.

    Args:
        output_shape: the shape of what comes, or a Tensor of this shape.
        tensor: what is sent.
        output_split_sizes: the lengths of the parts that come; None for equal ones.
        input_split_sizes: the lengths of the parts that are sent; None for equal ones.
        group: the group's name; None for all processes.
        async_op: return a handle, too.

    Raises:
        TypeError: `tensor` is not a Tensor, or `output_shape` no shape.
        ValueError: a length cannot be divided by the group's size.

    Follows: mindspore.communication.comm_func.all_to_all_single_with_output_shape (2.10).
    """
    where, works = "all_to_all_single", works_if(async_op)
    require_type(output_shape, "output_shape", (Tensor, tuple, list))
    shape = tuple(output_shape.shape if isinstance(output_shape, Tensor) else output_shape)
    members = _communicator_of(group, where)
    data = check_tensor(tensor, where)._data
    for name, length, sizes in (("input", data.shape[0], input_split_sizes), ("output", shape[0], output_split_sizes)):
        if not sizes and length % members.size:
            raise ValueError(f"For '{where}', the {name}'s first axis, {length}, must be divisible by {members.size}.")
    came = differentiable.all_to_all(
        data,
        list(output_split_sizes or [shape[0] // members.size] * members.size),
        list(input_split_sizes or [data.shape[0] // members.size] * members.size),
        members,
        works,
    )
    return wrap(came.reshape((-1, *shape[1:]))), handle_of(works)


def all_to_all_v_c(
    output: Tensor,
    input: Tensor,
    send_count_matrix: list[int],
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Send rows of `input` to the members, and put the rows that come into `output`, in place.

    Args:
        output: as long as what comes.
        input: the rows that are sent.
        send_count_matrix: the i·size+j-th number is how many rows member i sends to member j.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: an argument is of a wrong type, or the matrix has not size · size numbers.
        ValueError: the rows of `input` and `output` have not as many elements.

    Follows: mindspore.communication.comm_func.all_to_all_v_c (2.10).
    """
    where = "all_to_all_v_c"
    members, works = _communicator_of(group, where), works_if(async_op)
    for count in require_type(send_count_matrix, "send_count_matrix", list):
        require_type(count, "send_count_matrix", int)
    if len(send_count_matrix) != members.size**2:
        raise TypeError(
            f"For '{where}', send_count_matrix must have {members.size} * {members.size} numbers, "
            f"got {len(send_count_matrix)}."
        )
    row, own_row = math.prod(check_tensor(input, where).shape[1:]), math.prod(check_tensor(output, where).shape[1:])
    if row != own_row:
        raise ValueError(f"For '{where}', rows must be of one size, got {row} elements and {own_row}.")
    came = primitives.all_to_all_v_c(input, [count * row for count in send_count_matrix], group, later=works)
    return handle_of(works, lambda: output._data.copy_(came._data.reshape(output.shape)))


def barrier(group: str = HCCL_WORLD_COMM_GROUP) -> None:
    """Wait until every process of the group is here.

    Follows: mindspore.communication.comm_func.barrier (2.10).
    """
    communicator(group, "barrier").barrier()


def send(tensor: Tensor, dst: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> None:
    """Send a tensor to the process `dst`, a number in the world.

    Follows: mindspore.communication.comm_func.send (2.10).
    """
    communicator(group, "send").send(check_tensor(tensor, "send")._data, dst, tag)


def recv(tensor: Tensor, src: int = 0, group: str = HCCL_WORLD_COMM_GROUP, tag: int = 0) -> Tensor:
    """Receive the tensor that the process `src` sends; its shape and dtype are those of `tensor`.

    Follows: mindspore.communication.comm_func.recv (2.10).
    """
    members = communicator(group, "recv")
    return wrap(members.receive(check_tensor(tensor, "recv")._data, require_type(src, "src", int), tag))


def get_cache_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of processes in a group.

    Follows: mindspore.communication.comm_func.get_cache_group_size (2.10).
    """
    return get_group_size(group)


def get_cache_group_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of this process in a group.

    Follows: mindspore.communication.comm_func.get_cache_group_rank (2.10).
    """
    return get_rank(group)


def parse_reduction(op: str, where: str) -> str:
    """Return the name of a reduction.

    Raises:
        TypeError: it is not one.
    """
    try:
        return primitives.torch_reduction(op, where)
    except ValueError as error:
        raise TypeError(str(error)) from None


def check_tensor(tensor: Tensor, where: str) -> Tensor:
    """Check that a value is a Tensor, and return it.

    Raises:
        TypeError: it is not one.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For '{where}', the input must be a Tensor, got {type(tensor).__name__}.")
    return tensor


def _communicator_of(group: str | None, where: str) -> Communicator:
    return communicator(HCCL_WORLD_COMM_GROUP if group is None else group, where)
