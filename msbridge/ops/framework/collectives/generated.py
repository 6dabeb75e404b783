"""The primitives below MindSpore's functions of collective operations, which libraries call themselves.

Those of `InnerComm…` return a new Tensor and have gradients, those of `DistComm…` write in place; both return a handle
besides. Ranks are numbers within the group. What MindSpore passes on for its kernels (the group's size, this process's
rank) is known here.

Follows: mindspore.ops.auto_generate (2.10), by how its Python source calls them: the CPU has kernels of a few.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch
from msbridge.distributed.collectives import differentiable, primitives
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.groups.handles import CommHandle
from msbridge.ops.framework.collectives import functions
from msbridge.ops.primitive.primitive import derive

Outcome = tuple[Tensor, CommHandle]
Sizes = Sequence[int]


def _finish(result: Tensor) -> Outcome:
    return result, CommHandle()


def _fill_place(place: Tensor, data: torch.Tensor, is_here: bool = True) -> Outcome:
    if is_here:
        place._data.copy_(data.reshape(place._data.shape))
    return _finish(place)


def _each_filled(places: Sequence[Tensor], rows: Sequence[torch.Tensor], is_here: bool = True) -> Any:
    for place, row in zip(places, rows, strict=True):
        _fill_place(place, row, is_here)
    return tuple(places), CommHandle()


def _stack(tensors: Sequence[Tensor]) -> torch.Tensor:
    return torch.stack([tensor._data for tensor in tensors])


def _inner_all_reduce(input: Tensor, op_type: str, group: str, async_op: bool = True) -> Outcome:
    return _finish(primitives.all_reduce(input, op_type, group))


def _inner_all_gather(input: Tensor, rank_size: int, group: str, async_op: bool = True) -> Outcome:
    return _finish(primitives.all_gather(input, group))


def _inner_reduce_scatter(input: Tensor, rank_size: int, op_type: str, group: str, async_op: bool = True) -> Outcome:
    return _finish(primitives.reduce_scatter(input, op_type, group))


def _inner_all_to_all_v(
    input: Tensor,
    group: str,
    send_numel_list: Sizes,
    recv_numel_list: Sizes,
    rank_size: int,
    split_sizes_empty: bool,
    async_op: bool = True,
) -> Outcome:
    return _finish(primitives.all_to_all_v(input, send_numel_list, recv_numel_list, group))


def _isend(input: Tensor, dst: int, group: str, tag: int) -> Outcome:
    members = communicator(group, "isend")
    return input, CommHandle(members.begin_send(input._data, members.world_rank(dst, "isend"), tag))


def _begin_receive(place: torch.Tensor, src: int, group: str, tag: int) -> Outcome:
    members = communicator(group, "irecv")
    return wrap(place), CommHandle(members.begin_receive(place, members.world_rank(src, "irecv"), tag))


def _inner_irecv(tag: int, src: int, shape: Sizes, group: str, dtype: Type) -> Outcome:
    return _begin_receive(torch.empty(tuple(shape), dtype=dtype_to_torch(dtype)), src, group, tag)


def _irecv(input: Tensor, tag: int, src: int, group: str) -> Outcome:
    return input, _begin_receive(input._data, src, group, tag)[1]


def _all_reduce(input: Tensor, op_type: str, group: str, async_op: bool = True) -> Outcome:
    return _fill_place(input, primitives.all_reduce(input, op_type, group)._data)


def _reduce(input: Tensor, op_type: str, dst: int, group: str, async_op: bool = True) -> Outcome:
    total = primitives.all_reduce(input, op_type, group)._data
    return _fill_place(input, total, _is(dst, communicator(group, "reduce")))


def _broadcast(input: Tensor, src: int, rank_id: int, group: str, async_op: bool = True) -> Outcome:
    members = communicator(group, "broadcast")
    return _fill_place(input, members.broadcast(input._data, members.world_rank(src, "broadcast")))


def _all_gather_into(other: Tensor, input: Tensor, rank_size: int, group: str, async_op: bool = True) -> Outcome:
    return _fill_place(other, primitives.all_gather(input, group)._data)


def _all_gather_uneven(
    other: Tensor, input: Tensor, output_split_sizes: Sizes, rank_size: int, group: str, async_op: bool = True
) -> Outcome:
    members = communicator(group, "all_gather_into_tensor_uneven")
    sizes = output_split_sizes or [other.shape[0] // members.size] * members.size
    return _fill_place(other, members.all_gather_uneven(input._data, sizes))


def _all_gather(tensor_list: Sequence[Tensor], input: Tensor, rank_size: int, group: str, async_op: bool = True) -> Any:
    return _each_filled(tensor_list, list(communicator(group, "all_gather").all_gather(input._data[None])))


def _reduce_scatter_into(
    other: Tensor, input: Tensor, rank_size: int, op_type: str, group: str, async_op: bool = True
) -> Outcome:
    return _fill_place(other, primitives.reduce_scatter(input, op_type, group)._data)


def _reduce_scatter_uneven(
    other: Tensor,
    input: Tensor,
    input_split_size: Sizes,
    rank_size: int,
    op_type: str,
    group: str,
    async_op: bool = True,
) -> Outcome:
    members = communicator(group, "reduce_scatter_tensor_uneven")
    sizes = input_split_size or [input.shape[0] // members.size] * members.size
    return _fill_place(other, differentiable.reduce_scatter_uneven(input._data, sizes, op_type, members))


def _reduce_scatter(
    other: Tensor, input_list: Sequence[Tensor], rank_size: int, op_type: str, group: str, async_op: bool = True
) -> Outcome:
    return _fill_place(other, communicator(group, "reduce_scatter").reduce_scatter(_stack(input_list), op_type))


def _gather_into(
    other: Tensor, input: Tensor, rank_size: int, dst: int, rank_id: int, group: str, async_op: bool = True
) -> Outcome:
    members = communicator(group, "gather_into_tensor")
    whole = members.all_gather(input._data)
    return _fill_place(other, whole) if _is(dst, members) else _finish(other)


def _gather(
    input: Tensor,
    gather_list: Sequence[Tensor],
    rank_size: int,
    dst: int,
    rank_id: int,
    group: str,
    async_op: bool = True,
) -> Any:
    members = communicator(group, "gather")
    rows = list(members.all_gather(input._data[None]))
    return _each_filled(gather_list, rows, _is(dst, members))


def _scatter_into(
    other: Tensor, input: Tensor, rank_size: int, src: int, rank_id: int, group: str, async_op: bool = True
) -> Outcome:
    members = communicator(group, "scatter_tensor")
    root = members.world_rank(src, "scatter_tensor")
    return _fill_place(other, primitives.scatter(input, root, group)._data)


def _scatter(
    other: Tensor,
    scatter_list: Sequence[Tensor],
    rank_size: int,
    src: int,
    rank_id: int,
    group: str,
    async_op: bool = True,
) -> Outcome:
    members = communicator(group, "scatter")
    root = members.world_rank(src, "scatter")
    return _fill_place(other, members.broadcast(_stack(scatter_list), root)[members.rank])


def _all_to_all_v(
    other: Sequence[Tensor],
    input: Tensor,
    group: str,
    send_numel_list: Sizes,
    recv_numel_list: Sizes,
    rank_size: int,
    async_op: bool = True,
) -> Any:
    members = communicator(group, "all_to_all")
    came = members.all_to_all(input._data, recv_numel_list, send_numel_list)
    return _each_filled(other, came.split(list(recv_numel_list)))


def _all_to_all_v_single(
    other: Tensor,
    input: Tensor,
    group: str,
    send_numel_list: Sizes,
    recv_numel_list: Sizes,
    rank_size: int,
    split_sizes_empty: bool,
    async_op: bool = True,
) -> Outcome:
    return _fill_place(other, primitives.all_to_all_v(input, send_numel_list, recv_numel_list, group)._data)


def _all_to_all_v_c(
    other: Tensor,
    input: Tensor,
    group: str,
    send_count_matrix: Sizes,
    rank_size: int,
    rank_id: int,
    async_op: bool = True,
) -> Outcome:
    return _fill_place(other, primitives.all_to_all_v_c(input, send_count_matrix, group)._data)


def _batch(input: Sequence[Tensor], group: str, op_types: Sizes, remotes_ranks: Sizes) -> Any:
    members = communicator(group, "batch_isend_irecv")
    pairs = [
        (tensor._data, members.world_rank(rank, "batch_isend_irecv"))
        for tensor, rank in zip(input, remotes_ranks, strict=True)
    ]
    sent = [pair for pair, kind in zip(pairs, op_types, strict=True) if kind == 0]
    return tuple(input), CommHandle(
        members.exchange(sent, [pair for pair, kind in zip(pairs, op_types, strict=True) if kind == 1])
    )


def _barrier(group: str, async_op: bool = True) -> Any:
    communicator(group, "barrier").barrier()
    return None, CommHandle()


def _is(rank: int, members: Communicator) -> bool:
    return members.rank == rank


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "AllGatherMatmul": functions.all_gather_matmul,
    "DistCommAllGather": _all_gather,
    "DistCommAllGatherIntoTensor": _all_gather_into,
    "DistCommAllGatherIntoTensorUneven": _all_gather_uneven,
    "DistCommAllReduce": _all_reduce,
    "DistCommAllToAllV": _all_to_all_v,
    "DistCommAllToAllVC": _all_to_all_v_c,
    "DistCommAllToAllVSingle": _all_to_all_v_single,
    "DistCommBarrier": _barrier,
    "DistCommBatchIsendIrecv": _batch,
    "DistCommBroadcast": _broadcast,
    "DistCommGather": _gather,
    "DistCommGatherIntoTensor": _gather_into,
    "DistCommIrecv": _irecv,
    "DistCommIsend": _isend,
    "DistCommReduce": _reduce,
    "DistCommReduceScatter": _reduce_scatter,
    "DistCommReduceScatterTensor": _reduce_scatter_into,
    "DistCommReduceScatterTensorUneven": _reduce_scatter_uneven,
    "DistCommScatter": _scatter,
    "DistCommScatterTensor": _scatter_into,
    "InnerCommAllGather": _inner_all_gather,
    "InnerCommAllReduce": _inner_all_reduce,
    "InnerCommAllToAllV": _inner_all_to_all_v,
    "InnerCommIrecv": _inner_irecv,
    "InnerCommIsend": _isend,
    "InnerCommReduceScatter": _inner_reduce_scatter,
    "MatmulReduceScatter": functions.matmul_reduce_scatter,
}


def _explain(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` with its failures explained under the primitive's name."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise explain(error, name) from error

    return call


_classes = {name: derive(name, _explain(name, function)) for name, function in _FUNCTIONS.items()}
_instances = {
    "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name.replace("VC", "V_c")).strip("_")
    + "_op": primitive
    for name, primitive in _classes.items()
}
globals().update(_classes, **{name: primitive() for name, primitive in _instances.items()})
