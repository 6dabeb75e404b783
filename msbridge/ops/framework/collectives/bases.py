"""The bases of the primitives of collective operations: what MindSpore checks at once, and adds to the attributes.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from typing import Any

from msbridge.core.types.dtype import Bool, Complex, Number
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, get_group_size, get_rank
from msbridge.ops.primitive.primitive import Derived

# What MindSpore adds to the attributes of the caller.
_ADDED = {
    "AllGather": "rank_size fusion mean_flag no_eliminate",
    "AllGatherV": "rank_size mean_flag rank_id",
    "AllReduce": "fusion index no_eliminate",
    "AlltoAll": "no_eliminate rank_size",
    "AlltoAllVC": "rank_size rank_id",
    "Barrier": "side_effect_mem",
    "BatchISendIRecv": "no_eliminate",
    "Broadcast": "no_eliminate",
    "CollectiveGather": "rank_size rank_id",
    "CollectiveScatter": "rank_id rank_size",
    "NeighborExchange": "no_eliminate",
    "NeighborExchangeV2": "no_eliminate",
    "Receive": "no_eliminate",
    "ReduceScatter": "rank_size fusion no_eliminate",
    "ReduceScatterV": "rank_size rank_id",
    "Send": "no_eliminate",
}
_VALUES = {
    "fusion": 0,
    "index": 0,
    "mean_flag": False,
    "no_eliminate": True,
    "order_enforce_skip": True,
    "side_effect_backprop_mem": True,
    "side_effect_mem": True,
}
_KINDS = {"block_size": int, "concat_dim": int, "op": str, "root_rank": int, "split_count": int, "split_dim": int}
_OF_LISTS = ("op_types", "remote_ranks", "receive_shapes", "receive_dtypes")
_UNCHECKED = {
    "Barrier",
    "BatchISendIRecv",
    "NeighborExchange",
    "Receive",
    "Send",
}  # their groups, before they are called


def add_attributes(primitive: Derived, names: str) -> None:
    """Add attributes that MindSpore adds; `names` are separated by spaces."""
    for key in names.split():
        if key in _VALUES:
            primitive.add_prim_attr(key, _VALUES[key])
        else:
            ask = get_group_size if key == "rank_size" else get_rank
            primitive.add_prim_attr(key, ask(_name(primitive.attrs["group"])))


def _name(group: str | None) -> str:
    return HCCL_WORLD_COMM_GROUP if group is None else group


class Collective(Derived):
    """Base of the primitives here: checks what MindSpore checks at once, and adds the attributes that it adds."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = dict(self.attrs)
        for key, kind in _KINDS.items():
            if key in given and not isinstance(given[key], kind):
                raise TypeError(f"For '{self.name}', {key} must be of type {kind.__name__}, got {given[key]!r}.")
        group = given.get("group")
        if "group" in given and group is not None and self.name not in _UNCHECKED and not isinstance(group, str):
            raise TypeError(f"For '{self.name}', group must be the name of a group, got {group!r}.")
        if "group" in given and group is None:
            self.add_prim_attr("group", HCCL_WORLD_COMM_GROUP)
        self._check()
        add_attributes(self, _ADDED.get(self.name, ""))

    def _check(self) -> None:
        """Check what only one primitive has."""

    @property
    def rank(self) -> int:
        """The number of this process within the group."""
        return get_rank(_name(self.attrs["group"]))


class Batch(Collective):
    """The base of BatchISendIRecv, whose attributes are lists."""

    def _check(self) -> None:
        given = {key: self.attrs[key] if self.attrs[key] is not None else () for key in _OF_LISTS}
        for key, value in given.items():
            if not isinstance(value, tuple | list):
                raise TypeError(f"For 'BatchISendIRecv', {key} must be a tuple or list, got {value!r}.")
            self.add_prim_attr(key, value)
        for one, other in (_OF_LISTS[:2], _OF_LISTS[2:]):
            if len(given[one]) != len(given[other]):
                raise ValueError(f"For 'BatchISendIRecv', {one} and {other} must be of the same length.")


class Bordered(Collective):
    """The base of NeighborExchangeV2, whose ranks are known at once."""

    def _check(self) -> None:
        size = get_group_size(self.attrs["group"])
        for key in ("send_rank_ids", "recv_rank_ids"):
            for rank in self.attrs[key]:
                if not -1 <= rank < size:
                    raise ValueError(f"For 'NeighborExchangeV2', a rank of {key} must be in [-1, {size}), got {rank}.")


class Receiver(Collective):
    """The base of Receive, which receives numbers."""

    def _check(self) -> None:
        dtype = self.attrs["dtype"]
        if not isinstance(dtype, Number) or isinstance(dtype, Bool | Complex):
            raise TypeError(f"For 'Receive', dtype must be a dtype of real numbers, got {dtype}.")
