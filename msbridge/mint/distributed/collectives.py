"""Operations in which all processes of a group take part.

With `async_op` an operation may be under way when the function returns; results are there after the handle's `wait`.
"""

from collections.abc import Iterable, Sequence

import torch

from msbridge.core.checks.arguments import instance, require_type
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.collectives import primitives
from msbridge.distributed.collectives.functions import check_tensor, parse_reduction
from msbridge.distributed.collectives.primitives import in_group
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.distributed.groups.handles import CommHandle, handle_of, works_if

__all__ = [
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "broadcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
]


def barrier(group: str | None = None, async_op: bool = False, device_ids: None = None) -> CommHandle | None:
    """Wait for all processes of a group.

    Args:
        group: the group's name; None for all processes.
        async_op: return a handle.
        device_ids: None.

    Returns:
        A handle with `async_op`, else None.

    Follows: mindspore.mint.distributed.barrier (2.10).
    """
    works = works_if(async_op)
    _members(group, "barrier").barrier(works)
    return handle_of(works)


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Put the reduction of the processes' tensors into `tensor`.

    Follows: mindspore.mint.distributed.all_reduce (2.10).
    """
    check_tensor(tensor, "all_reduce")
    works = works_if(async_op)
    result = primitives.all_reduce(tensor, parse_reduction(op, "all_reduce"), group or HCCL_WORLD_COMM_GROUP, works)
    return handle_of(works, lambda: tensor._data.copy_(result._data))


def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Put the tensor of the process `src`, a number in the world, into everyone's `tensor`.

    Args:
        tensor: of the same shape and dtype in every process; changed in place.
        src: a number in the world.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Follows: mindspore.mint.distributed.broadcast (2.10).
    """
    members, works = _members(group, "broadcast"), works_if(async_op)
    in_group(require_type(src, "src", int), members, "broadcast")
    result = members.broadcast(check_tensor(tensor, "broadcast")._data.detach(), src, works)
    return handle_of(works, lambda: tensor._data.copy_(result))


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the processes' tensors into `output_tensor`, one after another along axis 0.

    Follows: mindspore.mint.distributed.all_gather_into_tensor (2.10).
    """
    for tensor in (input_tensor, output_tensor):
        check_tensor(tensor, "all_gather_into_tensor")
    works = works_if(async_op)
    result = primitives.all_gather(input_tensor, group or HCCL_WORLD_COMM_GROUP, works)
    return handle_of(works, lambda: output_tensor._data.copy_(result._data))


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put this process's part of the reduction, along axis 0, into `output`.

    Follows: mindspore.mint.distributed.reduce_scatter_tensor (2.10).
    """
    for tensor in (input, output):
        check_tensor(tensor, "reduce_scatter_tensor")
    works = works_if(async_op)
    result = primitives.reduce_scatter(
        input, parse_reduction(op, "reduce_scatter_tensor"), group or HCCL_WORLD_COMM_GROUP, works
    )
    return handle_of(works, lambda: output._data.copy_(result._data))


def reduce(
    tensor: Tensor, dst: int, op: str = "sum", group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the reduction of the processes' tensors into the `tensor` of the process `dst`.

    Follows: mindspore.mint.distributed.reduce (2.10).
    """
    members = _members(group, "reduce")
    in_group(require_type(dst, "dst", int), members, "reduce")
    works = works_if(async_op)
    result = primitives.all_reduce(
        check_tensor(tensor, "reduce"), parse_reduction(op, "reduce"), group or HCCL_WORLD_COMM_GROUP, works
    )
    is_there = _world_rank(members) == dst
    return handle_of(works, (lambda: tensor._data.copy_(result._data)) if is_there else None)


def all_gather(
    tensor_list: Sequence[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the tensor of each process into one of `tensor_list`, which has one for each.

    Args:
        tensor_list: a list or tuple of one Tensor for each process; changed in place.
        tensor: of their shape and dtype.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: `tensor_list` is not a list or tuple of one Tensor for each process.

    Follows: mindspore.mint.distributed.all_gather (2.10).
    """
    members = _members(group, "all_gather")
    _one_for_each(tensor_list, "tensor_list", members)
    works = works_if(async_op)
    results = members.all_gather(check_tensor(tensor, "all_gather")._data[None], works)
    return handle_of(works, lambda: _put(tensor_list, results))


def gather(
    tensor: Tensor, gather_list: Sequence[Tensor] | None, dst: int = 0, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the tensor of each process into one of the `gather_list` of the process `dst`.

    Raises:
        TypeError: `gather_list` is not a list or tuple of one Tensor for each process, on `dst`.

    Follows: mindspore.mint.distributed.gather (2.10).
    """
    members = _members(group, "gather")
    in_group(require_type(dst, "dst", int), members, "gather")
    works = works_if(async_op)
    places = _one_for_each(gather_list, "gather_list", members) if _world_rank(members) == dst else None
    results = members.all_gather(check_tensor(tensor, "gather")._data[None], works)
    return handle_of(works, None if places is None else lambda: _put(places, results))


def scatter(
    tensor: Tensor,
    scatter_list: Sequence[Tensor] | None,
    src: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put the i-th tensor of the `scatter_list` of the process `src` into the `tensor` of member i.

    Raises:
        TypeError: `scatter_list` is not a list or tuple of one Tensor for each process, on `src`.

    Follows: mindspore.mint.distributed.scatter (2.10).
    """
    members = _members(group, "scatter")
    in_group(require_type(src, "src", int), members, "scatter")
    check_tensor(tensor, "scatter")
    if _world_rank(members) == src:
        sent = torch.stack([part._data for part in _one_for_each(scatter_list, "scatter_list", members)])
    else:
        sent = tensor._data.new_empty((members.size, *tensor.shape))
    works = works_if(async_op)
    parts = members.broadcast(sent, src, works)
    return handle_of(works, lambda: tensor._data.copy_(parts[members.rank]))


def reduce_scatter(
    output: Tensor, input_list: Sequence[Tensor], op: str = "sum", group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the reduction of the processes' i-th tensors into the `output` of member i.

    Args:
        output: this process's part; changed in place.
        input_list: a list or tuple of one Tensor for each process, of the shape and dtype of `output`.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: `input_list` is not a list or tuple of one Tensor for each process.

    Follows: mindspore.mint.distributed.reduce_scatter (2.10).
    """
    members = _members(group, "reduce_scatter")
    parts = [part._data for part in _one_for_each(input_list, "input_list", members)]
    check_tensor(output, "reduce_scatter")
    works = works_if(async_op)
    result = members.reduce_scatter(torch.stack(parts), parse_reduction(op, "reduce_scatter"), works)
    return handle_of(works, lambda: output._data.copy_(result[0]))


def all_to_all(
    output_tensor_list: Sequence[Tensor],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Send the i-th tensor to member i, and put what member i sends into the i-th of `output_tensor_list`.

    Raises:
        TypeError: a list is not a list or tuple of one Tensor for each process.

    Follows: mindspore.mint.distributed.all_to_all (2.10).
    """
    members = _members(group, "all_to_all")
    outputs = _one_for_each(output_tensor_list, "output_tensor_list", members)
    inputs = _one_for_each(input_tensor_list, "input_tensor_list", members)
    sizes = [part.size for part in outputs]
    sent = torch.cat([part._data.reshape(-1) for part in inputs])
    works = works_if(async_op)
    received = members.all_to_all(sent, sizes, [part.size for part in inputs], works)
    return handle_of(works, lambda: _put(outputs, received.split(sizes)))


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Send the i-th part along axis 0 to member i, and put the parts that come into `output`, in order.

    Args:
        output: as long as what comes.
        input: what is sent.
        output_split_sizes: the lengths of the parts that come; None for equal ones.
        input_split_sizes: the lengths of the parts that are sent; None for equal ones.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Follows: mindspore.mint.distributed.all_to_all_single (2.10).
    """
    members = _members(group, "all_to_all_single")
    for tensor in (input, output):
        check_tensor(tensor, "all_to_all_single")
    works = works_if(async_op)
    result = members.all_to_all(input._data, output_split_sizes or None, input_split_sizes or None, works)
    return handle_of(works, lambda: output._data.copy_(result))


def all_gather_into_tensor_uneven(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put the processes' tensors, of different lengths, into `output`, one after another along axis 0.

    Args:
        output: as long as all of them.
        input: this process's.
        output_split_sizes: the lengths; None for equal ones.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: `output` or `input` is not a Tensor.
        ValueError: the lengths do not fit.

    Follows: mindspore.mint.distributed.all_gather_into_tensor_uneven (2.10).
    """
    members = _members(group, "all_gather_into_tensor_uneven")
    for tensor in (output, input):
        check_tensor(tensor, "all_gather_into_tensor_uneven")
    sizes = _lengths(output_split_sizes, output, members)
    works = works_if(async_op)
    result = members.all_gather_uneven(input._data, sizes, works)
    return handle_of(works, lambda: output._data.copy_(result))


def reduce_scatter_tensor_uneven(
    output: Tensor,
    input: Tensor,
    input_split_sizes: Sequence[int] | None = None,
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put this process's part of the reduction, of its own length along axis 0, into `output`.

    Args:
        output: this process's part.
        input: all parts, one after another.
        input_split_sizes: their lengths; None for equal ones.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: `output` or `input` is not a Tensor.
        ValueError: the lengths do not fit.

    Follows: mindspore.mint.distributed.reduce_scatter_tensor_uneven (2.10).
    """
    members = _members(group, "reduce_scatter_tensor_uneven")
    for tensor in (output, input):
        check_tensor(tensor, "reduce_scatter_tensor_uneven")
    sizes = _lengths(input_split_sizes, input, members)
    works = works_if(async_op)
    whole = primitives.all_reduce(input, op, group or HCCL_WORLD_COMM_GROUP, works)._data
    return handle_of(works, lambda: output._data.copy_(whole.split(sizes)[members.rank]))


def _members(group: str | None, where: str) -> Communicator:
    return communicator(group or HCCL_WORLD_COMM_GROUP, where)


def _world_rank(members: Communicator) -> int:
    return members.ranks[members.rank]


def _one_for_each(tensors: Sequence[Tensor] | None, name: str, members: Communicator) -> Sequence[Tensor]:
    given: Sequence[Tensor] = instance(tensors, name, None, (list, tuple))
    for tensor in given:
        require_type(tensor, name, Tensor)
    if len(given) != members.size:
        raise TypeError(f"{name} must have a Tensor for each of the {members.size} processes, got {len(given)}.")
    return given


def _lengths(given: Sequence[int] | None, whole: Tensor, members: Communicator) -> list[int]:
    sizes = list(given) if given else [whole.shape[0] // members.size] * members.size
    if len(sizes) != members.size or sum(sizes) != whole.shape[0]:
        raise ValueError(
            f"{sizes} must be a length for each of the {members.size} processes, {whole.shape[0]} together."
        )
    return sizes


def _put(tensors: Sequence[Tensor], parts: Iterable[torch.Tensor]) -> None:
    for tensor, part in zip(tensors, parts, strict=True):
        tensor._data.copy_(part.reshape(tensor.shape))
