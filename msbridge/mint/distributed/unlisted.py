"""Names of MindSpore's module beside those that it publishes: whole tensors spread and collected, and pickles."""

import builtins
import io
import pickle
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.collectives.functions import check_tensor
from msbridge.distributed.collectives.primitives import in_group
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.distributed.groups.handles import CommHandle, handle_of, works_if
from msbridge.mint.distributed.groups import get_rank, get_world_size

__all__ = [
    "RestrictedUnpickler",
    "gather_into_tensor",
    "get_cache_group_rank",
    "get_cache_group_size",
    "restricted_loads",
    "scatter_tensor",
]

SAFE = ("range", "complex", "set", "frozenset", "slice")


def scatter_tensor(
    output_tensor: Tensor, input_tensor: Tensor, src: int = 0, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put this process's part, along axis 0, of the `input_tensor` of the process `src` into `output_tensor`.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.mint.distributed.distributed.scatter_tensor (2.10), which runs on an Ascend only.
    """
    members = communicator(group or HCCL_WORLD_COMM_GROUP, "scatter_tensor")
    in_group(require_type(src, "src", int), members, "scatter_tensor")
    check_tensor(input_tensor, "scatter_tensor")
    check_tensor(output_tensor, "scatter_tensor")
    if members.ranks[members.rank] == src:
        sent = input_tensor._data
    else:
        first, *rest = output_tensor.shape
        sent = output_tensor._data.new_empty((first * members.size, *rest))
    works = works_if(async_op)
    parts = members.broadcast(sent, src, works).chunk(members.size)
    return handle_of(works, lambda: output_tensor._data.copy_(parts[members.rank]))


def gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, dst: int = 0, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the processes' tensors into the `output_tensor` of the process `dst`, one after another along axis 0.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.mint.distributed.distributed.gather_into_tensor (2.10), which runs on an Ascend only.
    """
    members = communicator(group or HCCL_WORLD_COMM_GROUP, "gather_into_tensor")
    in_group(require_type(dst, "dst", int), members, "gather_into_tensor")
    check_tensor(output_tensor, "gather_into_tensor")
    works = works_if(async_op)
    results = members.all_gather(check_tensor(input_tensor, "gather_into_tensor")._data, works)
    is_there = members.ranks[members.rank] == dst
    return handle_of(works, (lambda: output_tensor._data.copy_(results)) if is_there else None)


def get_cache_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of processes of a group.

    Follows: mindspore.mint.distributed.distributed.get_cache_group_size (2.10).
    """
    return get_world_size(group)


def get_cache_group_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return this process's number in a group.

    Follows: mindspore.mint.distributed.distributed.get_cache_group_rank (2.10).
    """
    return get_rank(group)


class RestrictedUnpickler(pickle.Unpickler):
    """Reads pickles of plain values only.

    Follows: mindspore.mint.distributed.distributed.RestrictedUnpickler (2.10).
    """

    def find_class(self, module: str, name: str) -> Any:
        """Return a harmless type of Python.

        Raises:
            pickle.UnpicklingError: it is another one.
        """
        if module == "builtins" and name in SAFE:
            return getattr(builtins, name)
        raise pickle.UnpicklingError(f"A pickle of plain values must not name '{module}.{name}'.")


def restricted_loads(s: bytes) -> Any:
    """Return the object of a pickle, of any class, as MindSpore's does unless it is built otherwise.

    Follows: mindspore.mint.distributed.distributed.restricted_loads (2.10).
    """
    return pickle.Unpickler(io.BytesIO(s)).load()
