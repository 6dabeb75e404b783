"""Products of matrices that lie on several processes.

On the chip communication and computation overlap; here one follows the other.

Follows: mindspore.ops (2.10), by its documentation: the CPU has no kernels.
"""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.collectives import differentiable
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import communicator


def all_gather_matmul(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    bias: None = None,
    gather_index: int = 0,
    gather_output: bool = True,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> tuple[Tensor, Tensor]:
    """Gather the processes' rows, and multiply all of them by `x2`.

    Args:
        input: shape (m, k).
        x2: shape (k, n).
        group: the group's name.
        world_size: its size.
        bias: None.
        gather_index: 0.
        gather_output: return the gathered rows, too.
        comm_turn: 0.
        trans_input: False.
        trans_x2: `x2` has shape (n, k).

    Returns:
        The product, shape (m * world_size, n), and the gathered rows, shape (m * world_size, k); an empty Tensor
        without `gather_output`.

    Raises:
        RuntimeError: a setting is another one, `world_size` is not the group's, or the shapes do not fit.

    Follows: mindspore.ops.all_gather_matmul (2.10).
    """
    only = {"bias": bias, "gather_index": gather_index, "comm_turn": comm_turn, "trans_input": trans_input}
    members = _members("all_gather_matmul", group, world_size, only)
    whole = differentiable.all_gather(input._data, members)
    product = _product("all_gather_matmul", whole, x2._data, trans_x2)
    return wrap(product), wrap(whole if gather_output else whole.new_empty(0))


def matmul_reduce_scatter(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    reduce_op: str = "sum",
    bias: None = None,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> Tensor:
    """Multiply two matrices, and return this process's rows of the sum of all products.

    Args:
        input: shape (m, k).
        x2: shape (k, n).
        group: the group's name.
        world_size: its size, which divides m.
        reduce_op: "sum".
        bias: None.
        comm_turn: 0.
        trans_input: False.
        trans_x2: `x2` has shape (n, k).

    Returns:
        A Tensor of shape (m / world_size, n).

    Raises:
        RuntimeError: a setting is another one, `world_size` is not the group's, or the shapes do not fit.

    Follows: mindspore.ops.matmul_reduce_scatter (2.10).
    """
    only = {"bias": bias, "comm_turn": comm_turn, "trans_input": trans_input}
    members = _members("matmul_reduce_scatter", group, world_size, only)
    if reduce_op != "sum":
        raise RuntimeError(f"For 'matmul_reduce_scatter', reduce_op must be 'sum', got {reduce_op!r}.")
    product = _product("matmul_reduce_scatter", input._data, x2._data, trans_x2)
    return wrap(differentiable.reduce_scatter(product, "sum", members))


def _members(op: str, group: str, world_size: int, only: dict[str, object]) -> Communicator:
    for name, value in only.items():
        if value not in (None, 0, False):
            raise RuntimeError(f"For '{op}', {name} has no other value than its default, got {value!r}.")
    members = communicator(group, op)
    if world_size != members.size:
        raise RuntimeError(f"For '{op}', world_size must be the group's size {members.size}, got {world_size}.")
    return members


def _product(op: str, left: torch.Tensor, right: torch.Tensor, is_transposed: bool) -> torch.Tensor:
    right = right.mT if is_transposed and right.dim() == 2 else right
    if left.dim() != 2 or right.dim() != 2 or left.shape[1] != right.shape[0]:
        shapes = f"{tuple(left.shape)} and {tuple(right.shape)}"
        raise RuntimeError(f"For '{op}', there must be two matrices whose shapes fit, got {shapes}.")
    return left @ right
