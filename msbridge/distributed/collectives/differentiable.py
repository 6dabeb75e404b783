"""Collective operations on torch tensors, with the operations that take their gradients back.

Most are linear: a gradient goes back by the transposed operation, whose own gradient is the operation again.

Follows: the gradients of mindspore.ops.operations.comm_ops (2.10).
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.distributed.groups.communicator import Communicator, Later, fill_now_or_later

Move = Callable[[torch.Tensor], torch.Tensor]
Moves = Callable[[Sequence[torch.Tensor]], Sequence[torch.Tensor]]


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(data: torch.Tensor, run: Move, _back: Move) -> torch.Tensor:
        return run(data)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], _output: torch.Tensor) -> None:
        _, ctx.run, ctx.back = inputs

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        return linear(grad, ctx.back, ctx.run), None, None


class _LinearParts(torch.autograd.Function):
    @staticmethod
    def forward(run: Moves, _back: Moves, *parts: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(run(parts))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], _output: tuple[torch.Tensor, ...]) -> None:
        ctx.run, ctx.back = inputs[:2]

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[Any, ...]:
        return None, None, *linear_parts(grads, ctx.back, ctx.run)


class _Chosen(torch.autograd.Function):
    """The reductions "max", "min" and "prod", whose gradients depend on the values."""

    @staticmethod
    def forward(data: torch.Tensor, op: str, members: Communicator, later: Later) -> torch.Tensor:
        return members.all_reduce(data, op, later)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        data, ctx.op, ctx.members, _ = inputs
        ctx.save_for_backward(data, output)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
        data, result = ctx.saved_tensors
        if ctx.op == "prod":
            return all_reduce(grad * result, "sum", ctx.members) / data, None, None, None
        return all_reduce(grad, "sum", ctx.members) * (data == result), None, None, None


def linear(data: torch.Tensor, run: Move, back: Move) -> torch.Tensor:
    """Return `run(data)`; its gradients go back by `back`."""
    return _Linear.apply(data, run, back)  # type: ignore[no-any-return, no-untyped-call]


def linear_parts(parts: Sequence[torch.Tensor], run: Moves, back: Moves) -> tuple[torch.Tensor, ...]:
    """Return `run(parts)`, several tensors of several; their gradients go back by `back`."""
    return _LinearParts.apply(run, back, *parts)  # type: ignore[no-any-return, no-untyped-call]


def all_reduce(data: torch.Tensor, op: str, members: Communicator, later: Later = None) -> torch.Tensor:
    """Reduce for every member."""
    if op in ("sum", "avg"):
        run = partial(members.all_reduce, op=op)
        return linear(data, partial(run, later=later), run)
    return _Chosen.apply(data, op, members, later)  # type: ignore[no-any-return, no-untyped-call]


def all_gather(data: torch.Tensor, members: Communicator, later: Later = None) -> torch.Tensor:
    """Gather along axis 0 for every member."""
    return linear(data, partial(members.all_gather, later=later), partial(members.reduce_scatter, op="sum"))


def reduce_scatter(data: torch.Tensor, op: str, members: Communicator, later: Later = None) -> torch.Tensor:
    """Reduce, and return this member's part along axis 0."""

    def back(grad: torch.Tensor) -> torch.Tensor:
        if op not in ("sum", "avg"):
            raise RuntimeError(f"For 'ReduceScatter', only 'sum' and 'avg' have a gradient, got op {op!r}.")
        whole = members.all_gather(grad)
        return whole / members.size if op == "avg" else whole

    return linear(data, partial(members.reduce_scatter, op=op, later=later), back)


def broadcast(data: torch.Tensor, root: int, members: Communicator) -> torch.Tensor:
    """Broadcast the tensor of `root`, a number in the world; every member's gradient is that of its own result."""
    return linear(data, partial(members.broadcast, root=root), torch.clone)


def reduce(data: torch.Tensor, root: int, op: str, members: Communicator) -> torch.Tensor:
    """Reduce for the member `root`, a number in the world; the others get one zero, which means nothing."""
    is_root, shape = members.ranks[members.rank] == root, data.shape

    def run(data: torch.Tensor) -> torch.Tensor:
        result = members.all_reduce(data, op)
        return result if is_root else data.new_zeros(1)

    def back(grad: torch.Tensor) -> torch.Tensor:
        return members.broadcast(grad if is_root else grad.new_zeros(shape), root)

    return linear(data, run, back)


def gather(data: torch.Tensor, root: int, members: Communicator) -> torch.Tensor:
    """Gather along axis 0 for the member `root`, a number in the world; the others get one zero."""
    is_root, shape = members.ranks[members.rank] == root, (members.size * data.shape[0], *data.shape[1:])

    def run(data: torch.Tensor) -> torch.Tensor:
        result = members.all_gather(data)
        return result if is_root else data.new_zeros(1)

    def back(grad: torch.Tensor) -> torch.Tensor:
        return members.broadcast(grad if is_root else grad.new_zeros(shape), root).chunk(members.size)[members.rank]

    return linear(data, run, back)


def scatter(data: torch.Tensor, root: int, members: Communicator, later: Later = None) -> torch.Tensor:
    """Return this member's part along axis 0 of the tensor of `root`, a number in the world."""
    is_root = members.ranks[members.rank] == root

    def run(data: torch.Tensor) -> torch.Tensor:
        part = members.broadcast(data, root, later).chunk(members.size)[members.rank]
        return fill_now_or_later(torch.empty_like(part, memory_format=torch.contiguous_format), lambda: part, later)

    def back(grad: torch.Tensor) -> torch.Tensor:
        whole = members.all_gather(grad)
        return whole if is_root else torch.zeros_like(whole)

    return linear(data, run, back)


def all_to_all(
    data: torch.Tensor,
    output_sizes: Sequence[int] | None,
    input_sizes: Sequence[int] | None,
    members: Communicator,
    later: Later = None,
) -> torch.Tensor:
    """Send the i-th part along axis 0 to member i, and return the parts that came; parts are equal by default."""
    return linear(
        data,
        partial(members.all_to_all, output_sizes=output_sizes, input_sizes=input_sizes, later=later),
        partial(members.all_to_all, output_sizes=input_sizes, input_sizes=output_sizes),
    )


def all_gather_uneven(data: torch.Tensor, sizes: Sequence[int], members: Communicator) -> torch.Tensor:
    """Gather tensors of different lengths along axis 0 for every member."""
    return linear(
        data, partial(members.all_gather_uneven, sizes=sizes), partial(_own_part, sizes=sizes, members=members)
    )


def reduce_scatter_uneven(data: torch.Tensor, sizes: Sequence[int], op: str, members: Communicator) -> torch.Tensor:
    """Reduce, and return this member's part, of its own length along axis 0."""

    def back(grad: torch.Tensor) -> torch.Tensor:
        if op not in ("sum", "avg"):
            raise RuntimeError(f"For 'ReduceScatterV', only 'sum' and 'avg' have a gradient, got op {op!r}.")
        whole = members.all_gather_uneven(grad, sizes)
        return whole / members.size if op == "avg" else whole

    return linear(data, partial(_own_part, sizes=sizes, members=members, op=op), back)


def exchange(
    parts: Sequence[torch.Tensor],
    targets: Sequence[int],
    sources: Sequence[int],
    shapes: Sequence[Sequence[int]],
    dtypes: Sequence[torch.dtype],
    members: Communicator,
) -> tuple[torch.Tensor, ...]:
    """Send the i-th tensor to the i-th of `targets`, and return the tensors that `sources` send, all at once.

    Args:
        parts: what is sent; what there is beyond `targets` stays here and is returned at the end, so that a gradient
            comes by even where nothing is sent, or nothing comes.
        targets: numbers in the world.
        sources: numbers in the world.
        shapes: those of the tensors that come.
        dtypes: likewise.
        members: the group.
    """
    sent = parts[: len(targets)]
    own_shapes, own_dtypes = [part.shape for part in sent], [part.dtype for part in sent]
    device = parts[0].device if parts else context.torch_device()

    def swap(
        parts: Sequence[torch.Tensor], targets: Any, sources: Any, shapes: Any, dtypes: Any
    ) -> Sequence[torch.Tensor]:
        places = [
            torch.empty(tuple(shape), dtype=dtype, device=device) for shape, dtype in zip(shapes, dtypes, strict=True)
        ]
        count = len(targets)
        for work in members.exchange(
            list(zip(parts[:count], targets, strict=True)), list(zip(places, sources, strict=True))
        ):
            work.wait()
        return [*places, *(part.clone() for part in parts[count:])]

    return linear_parts(
        parts,
        partial(swap, targets=targets, sources=sources, shapes=shapes, dtypes=dtypes),
        partial(swap, targets=sources, sources=targets, shapes=own_shapes, dtypes=own_dtypes),
    )


def _own_part(data: torch.Tensor, sizes: Sequence[int], members: Communicator, op: str = "sum") -> torch.Tensor:
    parts: Sequence[torch.Tensor] = members.all_reduce(data, op).split(list(sizes))
    return parts[members.rank].clone()
