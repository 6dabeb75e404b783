"""Nodes of an ATen graph: who reads a value, and its shape."""

from typing import Any

import torch
from torch.fx import Node

__all__ = ["VIEWS", "only_user", "shape_of"]

VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default, torch.ops.aten.reshape.default)


def only_user(node: Node) -> Node | None:
    """Return the node that is the only one to read a node's value, and reads it once; else None."""
    users = list(node.users)
    if len(users) != 1 or users[0].op == "output" or sum(one is node for one in users[0].all_input_nodes) != 1:
        return None
    return users[0] if sum(one is node for one in users[0].args) == 1 else None


def shape_of(node: Any) -> tuple[int, ...] | None:
    """Return the shape of a node's value of float32; None for others."""
    value = node.meta.get("val") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor) or value.dtype is not torch.float32:
        return None
    return tuple(map(int, value.shape))
