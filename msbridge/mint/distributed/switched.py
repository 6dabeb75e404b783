"""`mindspore.ops.communication`: as `mint.distributed`, but whether results go into the arguments can be switched.

Out of place, seven functions return their results, and the others refuse.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.collectives import functions
from msbridge.distributed.collectives import isend_irecv as out_of_place
from msbridge.distributed.collectives import primitives as by_group
from msbridge.distributed.collectives.primitives import in_group
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.distributed.groups.handles import CommHandle, handle_of, works_if
from msbridge.mint.distributed import collectives, objects, transfers
from msbridge.mint.distributed.collectives import barrier
from msbridge.mint.distributed.groups import (
    TCPStore,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    init_process_group,
    is_available,
    is_initialized,
    new_group,
)
from msbridge.mint.distributed.transfers import P2POp, isend, send

__all__ = [
    "P2POp",
    "TCPStore",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "all_to_all_v_c",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_into_tensor",
    "gather_object",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
    "scatter_object_list",
    "scatter_tensor",
    "send",
    "send_object_list",
    "set_comm_ops_inplace",
]

Shape = Sequence[int]
Outcome = CommHandle | None | tuple[Any, CommHandle | None]

_OF_GROUPS = ("destroy_", "get_", "init_", "is_", "new_")
# Whether each function puts its results into its arguments.
_IS_IN_PLACE = {
    name: True
    for name in __all__
    if name not in ("P2POp", "TCPStore", "set_comm_ops_inplace") and not name.startswith(_OF_GROUPS)
}


def set_comm_ops_inplace(is_enable: bool, func_list: Sequence[str] | None = None) -> None:
    """Switch whether functions of `mindspore.ops.communication` put their results into their arguments.

    Args:
        is_enable: whether they do.
        func_list: the functions' names; None for all.

    Returns:
        None.

    Raises:
        TypeError: `is_enable` is not a bool, or `func_list` is not a list or tuple.
        ValueError: there is no function of a name.

    Follows: mindspore.ops.communication.set_comm_ops_inplace (2.10).
    """
    require_type(is_enable, "is_enable", bool)
    for name in _IS_IN_PLACE if func_list is None else require_type(func_list, "func_list", (list, tuple)):
        if name not in _IS_IN_PLACE:
            raise ValueError(f"For 'set_comm_ops_inplace', {name!r} is not one of {', '.join(_IS_IN_PLACE)}.")
        _IS_IN_PLACE[name] = is_enable


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Outcome:
    """Reduce into `tensor` as `mint.distributed.all_reduce`; out of place, return (result, handle).

    Args:
        tensor: of the same shape and dtype in every process; changed in place.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None; out of place, a pair.

    Follows: mindspore.ops.communication.all_reduce (2.10).
    """
    if _IS_IN_PLACE["all_reduce"]:
        return collectives.all_reduce(tensor, op, group, async_op)
    return functions.all_reduce(tensor, op, _name(group), async_op)


def all_gather_into_tensor(
    output_tensor: Tensor | None, input_tensor: Tensor, group: str | None = None, async_op: bool = False
) -> Outcome:
    """Gather into `output_tensor` as `mint.distributed.all_gather_into_tensor`; out of place, return (result, handle).

    Args:
        output_tensor: as long along axis 0 as all of them, changed in place; None out of place.
        input_tensor: this process's.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None; out of place, a pair.

    Follows: mindspore.ops.communication.all_gather_into_tensor (2.10).
    """
    if _IS_IN_PLACE["all_gather_into_tensor"]:
        return collectives.all_gather_into_tensor(output_tensor, input_tensor, group, async_op)  # type: ignore[arg-type]
    return functions.all_gather_into_tensor(input_tensor, _name(group), async_op)


def reduce_scatter_tensor(
    output: Tensor | None, input: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
) -> Outcome:
    """Reduce into `output` as `mint.distributed.reduce_scatter_tensor`; out of place, return (result, handle).

    Args:
        output: this process's part, changed in place; None out of place.
        input: all parts, one after another along axis 0.
        op: one of "sum", "max", "min", "prod", "avg".
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None; out of place, a pair.

    Follows: mindspore.ops.communication.reduce_scatter_tensor (2.10).
    """
    if _IS_IN_PLACE["reduce_scatter_tensor"]:
        return collectives.reduce_scatter_tensor(output, input, op, group, async_op)  # type: ignore[arg-type]
    return functions.reduce_scatter_tensor(
        input, functions.parse_reduction(op, "reduce_scatter_tensor"), _name(group), async_op
    )


def all_to_all(
    output_tensor_list: Sequence[Tensor | Shape],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> Outcome:
    """Exchange as `mint.distributed.all_to_all`; out of place, return (results, handle).

    Args:
        output_tensor_list: what is filled; out of place, the shapes of what comes or Tensors of these shapes.
        input_tensor_list: the i-th is sent to member i.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None; out of place, a pair.

    Follows: mindspore.ops.communication.all_to_all (2.10).
    """
    if _IS_IN_PLACE["all_to_all"]:
        return collectives.all_to_all(output_tensor_list, input_tensor_list, group, async_op)  # type: ignore[arg-type]
    return functions.all_to_all_with_output_shape(output_tensor_list, input_tensor_list, group, async_op)


def all_to_all_single(
    output: Tensor | Shape | None,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Outcome:
    """Exchange as `mint.distributed.all_to_all_single`; out of place, return (result, handle).

    Args:
        output: what is filled; out of place, what says the shape of what comes; None for that of `input`.
        input: what is sent.
        output_split_sizes: the lengths of the parts that come; None for equal ones.
        input_split_sizes: the lengths of the parts that are sent; None for equal ones.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None; out of place, a pair.

    Follows: mindspore.ops.communication.all_to_all_single (2.10).
    """
    if _IS_IN_PLACE["all_to_all_single"]:
        return collectives.all_to_all_single(
            output,  # type: ignore[arg-type]
            input,
            output_split_sizes,
            input_split_sizes,
            group,
            async_op,
        )
    return functions.all_to_all_single_with_output_shape(
        input if output is None else output, input, output_split_sizes, input_split_sizes, group, async_op
    )


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int | Tensor:
    """Receive into `tensor` as `mint.distributed.recv`; out of place, return a new Tensor.

    Args:
        tensor: of the shape and dtype of what comes; changed in place.
        src: a number in the world.
        group: the group's name; None for all processes.
        tag: that of the sender.

    Returns:
        0; out of place, a Tensor of that shape and dtype.

    Follows: mindspore.ops.communication.recv (2.10).
    """
    if _IS_IN_PLACE["recv"]:
        return transfers.recv(tensor, src, group, tag)
    return functions.recv(tensor, src, _name(group), tag)


def irecv(
    tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0
) -> CommHandle | tuple[Tensor, CommHandle]:
    """Receive into `tensor` as `mint.distributed.irecv`; out of place, return (new Tensor, handle).

    Args:
        tensor: of the shape and dtype of what comes; changed in place.
        src: a number in the world.
        group: the group's name; None for all processes.
        tag: that of the sender.

    Returns:
        A handle; out of place, (a Tensor of that shape and dtype, a handle).

    Follows: mindspore.ops.communication.irecv (2.10).
    """
    if _IS_IN_PLACE["irecv"]:
        return transfers.irecv(tensor, src, group, tag)
    return out_of_place.irecv(tensor, src, _name(group), tag)


def _in_place_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `mint.distributed` that refuses when it is to work out of place."""

    @functools.wraps(function)
    def check_switch(*args: Any, **kwargs: Any) -> Any:
        if not _IS_IN_PLACE[function.__name__]:
            raise ValueError(f"For '{function.__name__}', there is no form out of place; see set_comm_ops_inplace.")
        return function(*args, **kwargs)

    check_switch.__module__ = __name__
    check_switch.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return check_switch


all_gather = _in_place_only(collectives.all_gather)
all_gather_into_tensor_uneven = _in_place_only(collectives.all_gather_into_tensor_uneven)
all_gather_object = _in_place_only(objects.all_gather_object)
all_to_all_v_c = _in_place_only(functions.all_to_all_v_c)
batch_isend_irecv = _in_place_only(transfers.batch_isend_irecv)
broadcast = _in_place_only(collectives.broadcast)
broadcast_object_list = _in_place_only(objects.broadcast_object_list)
gather = _in_place_only(collectives.gather)
gather_object = _in_place_only(objects.gather_object)
recv_object_list = _in_place_only(objects.recv_object_list)
reduce = _in_place_only(collectives.reduce)
reduce_scatter = _in_place_only(collectives.reduce_scatter)
reduce_scatter_tensor_uneven = _in_place_only(collectives.reduce_scatter_tensor_uneven)
scatter = _in_place_only(collectives.scatter)
scatter_object_list = _in_place_only(objects.scatter_object_list)
send_object_list = _in_place_only(objects.send_object_list)


@_in_place_only
def gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, dst: int = 0, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the tensors of all processes, along axis 0, into the `output_tensor` of the process `dst`.

    Args:
        output_tensor: as long as all of them, on `dst`.
        input_tensor: this process's.
        dst: a number in the world.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: an argument is of a wrong type.

    Follows: mindspore.ops.communication.gather_into_tensor (2.10).
    """
    for tensor in (input_tensor, output_tensor):
        functions.check_tensor(tensor, "gather_into_tensor")
    members = communicator(_name(group), "gather_into_tensor")
    in_group(require_type(dst, "dst", int), members, "gather_into_tensor")
    works = works_if(async_op)
    whole = members.all_gather(input_tensor._data, works)
    is_there = members.ranks[members.rank] == dst
    return handle_of(works, (lambda: output_tensor._data.copy_(whole)) if is_there else None)


@_in_place_only
def scatter_tensor(
    output_tensor: Tensor, input_tensor: Tensor, src: int = 0, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put this process's part, along axis 0, of the `input_tensor` of the process `src` into `output_tensor`.

    Args:
        output_tensor: this process's part.
        input_tensor: the whole, on `src`; elsewhere of the same shape.
        src: a number in the world.
        group: the group's name; None for all processes.
        async_op: return a handle.

    Returns:
        A handle with `async_op`, else None.

    Raises:
        TypeError: an argument is of a wrong type.

    Follows: mindspore.ops.communication.scatter_tensor (2.10).
    """
    for tensor in (input_tensor, output_tensor):
        functions.check_tensor(tensor, "scatter_tensor")
    works = works_if(async_op)
    part = by_group.scatter(input_tensor, require_type(src, "src", int), _name(group), works)
    return handle_of(works, lambda: output_tensor._data.copy_(part._data))


def _name(group: str | None) -> str:
    return HCCL_WORLD_COMM_GROUP if group is None else group
