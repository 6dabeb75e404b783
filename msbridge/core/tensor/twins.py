"""Twins: Tensors that follow each other to new memory, as a Parameter and its cast to its own dtype do in MindSpore.

    k = p.astype(p.dtype)       # p and k are one group
    p.set_data(new)             # p gets other memory, and so does k

A group is found by the identity of its members, which it does not keep alive.
"""

import weakref
from typing import Any

__all__ = ["join", "update_twins"]


class _Member(weakref.ref[Any]):
    """A member of a group, which leaves it when it is no more."""

    __slots__ = ("group", "key")
    group: "_Group"
    key: int


_Group = dict[int, _Member]  # by identity
_groups: dict[int, _Group] = {}


def join(tensor: Any, other: Any) -> None:
    """Register a new Tensor with those that follow `tensor`: they follow each other."""
    group = _groups.get(id(tensor))
    if group is None:
        group = {}
        _add(tensor, group)
    _add(other, group)


def _add(tensor: Any, group: _Group) -> None:
    member = _Member(tensor, _forget)
    member.group, member.key = group, id(tensor)
    group[member.key] = member
    _groups[member.key] = group


def _forget(member: Any) -> None:
    del _groups[member.key], member.group[member.key]


def update_twins(tensor: Any) -> None:
    """Update those that follow a Tensor to the memory that it got."""
    group = _groups.get(id(tensor)) if _groups else None
    for member in list(group.values()) if group else ():
        if (other := member()) is not None:
            other._data = tensor._data
