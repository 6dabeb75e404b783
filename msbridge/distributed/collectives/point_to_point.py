"""Tensors between single processes, as primitives: sending, receiving, and exchanging with neighbours.

The CPU of MindSpore has no kernels of these: they follow its documentation. Ranks are numbers within the group.
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch
from msbridge.distributed.collectives import differentiable
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator

Shape = Sequence[int]


def send(
    tensor: Tensor,
    sr_tag: int,
    dest_rank: int,
    group: str = HCCL_WORLD_COMM_GROUP,
    group_back: str = HCCL_WORLD_COMM_GROUP,
) -> Tensor:
    """Send a tensor to a member of the group; its gradient is what that member sends back.

    Args:
        tensor: what is sent.
        sr_tag: the Receive of the same tag gets it.
        dest_rank: the member.
        group: the group's name.
        group_back: the group that the gradient comes through.

    Returns:
        A Tensor like the one given, for what has to come after it.

    Follows: mindspore.ops.Send (2.10).
    """
    forward, backward = communicator(group, "Send"), communicator(group_back, "Send")
    there, back_there = forward.world_rank(dest_rank, "Send"), backward.world_rank(dest_rank, "Send")

    def run(data: torch.Tensor) -> torch.Tensor:
        forward.send(data, there, sr_tag)
        return data.clone()

    return wrap(differentiable.linear(tensor._data, run, lambda grad: backward.receive(grad, back_there, sr_tag)))


def receive(
    tensor: Tensor | None = None,
    *,
    sr_tag: int,
    src_rank: int,
    shape: Shape,
    dtype: Type,
    group: str = HCCL_WORLD_COMM_GROUP,
    group_back: str = HCCL_WORLD_COMM_GROUP,
) -> Tensor:
    """Receive the tensor that a member of the group sends; the gradient is sent back to it.

    Args:
        tensor: what has to come before it; the gradient goes back when one of this is asked for, and is zero.
        sr_tag: the tag of the Send.
        src_rank: the member.
        shape: that of the tensor that comes.
        dtype: likewise.
        group: the group's name.
        group_back: the group that the gradient goes through.

    Returns:
        A Tensor of shape `shape` and dtype `dtype`.

    Follows: mindspore.ops.Receive (2.10).
    """
    forward, backward = communicator(group, "Receive"), communicator(group_back, "Receive")
    there, back_there = forward.world_rank(src_rank, "Receive"), backward.world_rank(src_rank, "Receive")
    before = torch.empty(0, device=context.torch_device()) if tensor is None else tensor._data
    like = torch.empty(tuple(shape), dtype=dtype_to_torch(dtype), device=before.device)

    def back(grad: torch.Tensor) -> torch.Tensor:
        backward.send(grad, back_there, sr_tag)
        return torch.zeros_like(before)

    return wrap(differentiable.linear(before, lambda _: forward.receive(like, there, sr_tag), back))


def neighbor_exchange(
    tensors: Sequence[Tensor],
    send_rank_ids: Sequence[int],
    recv_rank_ids: Sequence[int],
    recv_shapes: Sequence[Shape],
    send_shapes: Sequence[Shape],
    recv_type: Type,
    group: str = HCCL_WORLD_COMM_GROUP,
) -> tuple[Tensor, ...]:
    """Send the i-th tensor to the i-th of `send_rank_ids`, and return the tensors that `recv_rank_ids` send.

    Args:
        tensors: as many as `send_rank_ids`.
        send_rank_ids: members of the group.
        recv_rank_ids: likewise.
        recv_shapes: the shapes of what comes.
        send_shapes: the shapes of what is sent.
        recv_type: the dtype of what comes.
        group: the group's name.

    Returns:
        A tuple of Tensors of shapes `recv_shapes` and dtype `recv_type`.

    Raises:
        ValueError: a tensor has not the shape that is said, or there are not as many as ranks.

    Follows: mindspore.ops.NeighborExchange (2.10).
    """
    shapes = [tuple(tensor.shape) for tensor in tensors]
    if shapes != [tuple(shape) for shape in send_shapes] or len(shapes) != len(send_rank_ids):
        raise ValueError(f"For 'NeighborExchange', tensors must have the shapes {list(send_shapes)}, got {shapes}.")
    members = communicator(group, "NeighborExchange")
    results = differentiable.exchange(
        [tensor._data for tensor in tensors],
        [members.world_rank(rank, "NeighborExchange") for rank in send_rank_ids],
        [members.world_rank(rank, "NeighborExchange") for rank in recv_rank_ids],
        recv_shapes,
        [dtype_to_torch(recv_type)] * len(recv_shapes),
        members,
    )
    return tuple(wrap(result) for result in results)


def neighbor_exchange_borders(
    tensor: Tensor,
    send_rank_ids: Sequence[int],
    send_lens: Sequence[int],
    recv_rank_ids: Sequence[int],
    recv_lens: Sequence[int],
    data_format: str,
    group: str = HCCL_WORLD_COMM_GROUP,
) -> Tensor:
    """Send the borders of an image to neighbours, and put the borders that they send around it.

    Args:
        tensor: shape (N, C, H, W).
        send_rank_ids: the members at the top, top right, right, bottom right, bottom, bottom left, left and top left;
            -1 for none.
        send_lens: the widths of the borders that are sent: top, bottom, left, right.
        recv_rank_ids: as `send_rank_ids`; a border that nobody sends is zero.
        recv_lens: the widths of the borders that come: top, bottom, left, right.
        data_format: "NCHW".
        group: the group's name.

    Raises:
        ValueError: `data_format` is another one.

    Returns:
        A Tensor of shape (N, C, H + top + bottom, W + left + right).

    Follows: mindspore.ops.NeighborExchangeV2 (2.10).
    """
    if data_format != "NCHW":
        raise ValueError(f"For 'NeighborExchangeV2', data_format must be 'NCHW', got {data_format!r}.")
    members = communicator(group, "NeighborExchangeV2")
    data = tensor._data
    top, bottom, left, right = recv_lens
    result = torch.nn.functional.pad(data, (left, right, top, bottom))
    outgoing = _neighbour_slices(send_rank_ids, _border_spans(send_lens, data), data)
    incoming = _neighbour_slices(recv_rank_ids, _surrounding_spans(recv_lens, data), result)
    *parts, nothing = differentiable.exchange(
        [*(data[place] for _, place in outgoing), data[:0]],
        [members.world_rank(rank, "NeighborExchangeV2") for rank, _ in outgoing],
        [members.world_rank(rank, "NeighborExchangeV2") for rank, _ in incoming],
        [result[place].shape for _, place in incoming],
        [data.dtype] * len(incoming),
        members,
    )
    for (_, place), part in zip(incoming, parts, strict=True):
        result[place] = part
    return wrap(result + nothing.sum())


# What each of the eight directions takes of the rows and of the columns: the beginning, the end, or all between.
_BEGIN, _ALL, _END = range(3)
_DIRECTIONS = (
    (_BEGIN, _ALL),
    (_BEGIN, _END),
    (_ALL, _END),
    (_END, _END),
    (_END, _ALL),
    (_END, _BEGIN),
    (_ALL, _BEGIN),
    (_BEGIN, _BEGIN),
)


Spans = tuple[tuple[slice, slice, slice], tuple[slice, slice, slice]]
Place = tuple[Any, slice, slice]


def _border_spans(lengths: Sequence[int], data: torch.Tensor) -> Spans:
    """Return the rows and columns at the borders of an image: those at the beginning, all, those at the end."""
    (top, bottom, left, right), (height, width) = lengths, data.shape[-2:]
    rows = (slice(0, top), slice(0, height), slice(height - bottom, height))
    return rows, (slice(0, left), slice(0, width), slice(width - right, width))


def _surrounding_spans(lengths: Sequence[int], data: torch.Tensor) -> Spans:
    """Return the rows and columns around an image, as those of the larger one."""
    (top, bottom, left, right), (height, width) = lengths, data.shape[-2:]
    rows = (slice(0, top), slice(top, top + height), slice(top + height, top + height + bottom))
    return rows, (slice(0, left), slice(left, left + width), slice(left + width, left + width + right))


def _neighbour_slices(ranks: Sequence[int], spans: Spans, image: torch.Tensor) -> list[tuple[int, Place]]:
    """Return every neighbour with its place in the image, where that is not empty."""
    rows, columns = spans
    places = [(..., rows[row], columns[column]) for row, column in _DIRECTIONS]
    return [(rank, at) for rank, at in zip(ranks, places, strict=True) if rank >= 0 and image[at].numel()]


def batch_isend_irecv(
    tensors: Sequence[Tensor],
    op_types: Sequence[str],
    remote_ranks: Sequence[int],
    receive_shapes: Sequence[Shape] | None = None,
    receive_dtypes: Sequence[Type] | None = None,
    group: str | None = HCCL_WORLD_COMM_GROUP,
) -> tuple[Tensor, ...]:
    """Send and receive several tensors at once.

    Args:
        tensors: one for each "isend".
        op_types: "isend" or "irecv".
        remote_ranks: the member that each is sent to or comes from.
        receive_shapes: one for each "irecv".
        receive_dtypes: one for each "irecv".
        group: the group's name; None for all processes.

    Returns:
        A Tensor for each of `op_types`: what came, and a zero of shape () where something was sent.

    Raises:
        RuntimeError: there is not a tensor for each "isend".

    Follows: mindspore.ops.BatchISendIRecv (2.10).
    """
    members: Communicator = communicator(group or HCCL_WORLD_COMM_GROUP, "BatchISendIRecv")
    ranks = [members.world_rank(rank, "BatchISendIRecv") for rank in remote_ranks]
    targets = [rank for rank, kind in zip(ranks, op_types, strict=True) if kind == "isend"]
    sources = [rank for rank, kind in zip(ranks, op_types, strict=True) if kind == "irecv"]
    parts = [tensor._data for tensor in tensors if tensor is not None]
    if len(parts) != len(targets):
        raise RuntimeError(f"For 'BatchISendIRecv', there are {len(targets)} isend, but {len(parts)} tensors.")
    dtypes = [dtype_to_torch(dtype) for dtype in receive_dtypes or ()]
    came = iter(differentiable.exchange(parts, targets, sources, receive_shapes or (), dtypes, members))
    device = context.torch_device()
    return tuple(wrap(torch.zeros((), device=device) if kind == "isend" else next(came)) for kind in op_types)
