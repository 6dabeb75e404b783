"""One forward, one backward: each stage computes backward passes as soon as it can, and so keeps few micro batches."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.autograd.backward import gradients_of
from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.pipeline.places import place
from msbridge.distributed.pipeline.running import running
from msbridge.distributed.pipeline.staged import Staged

__all__ = ["is_scheduled", "sum_of_losses"]

Part = Sequence[Tensor]


def is_scheduled() -> bool:
    """Whether forward and backward passes of micro batches are to take turns, where gradients are computed."""
    if not running.depth or not torch.is_grad_enabled() or running.stage is not None:
        return False
    scheduler = context.get_auto_parallel_context("pipeline_config").get("pipeline_scheduler")
    return bool((scheduler or context.get_auto_parallel_context("pipeline_scheduler")) != "gpipe")


def sum_of_losses(network: Any, parts: Sequence[Part]) -> Tensor:
    """Return the sum of a network's losses for the parts of a batch; their gradients are computed on the way."""
    leaves = [parameter._data for parameter in network.get_parameters() if parameter._data.requires_grad]
    leaves += [tensor._data for part in parts for tensor in part if tensor._data.requires_grad]
    if not leaves:
        total: Tensor = sum((network(*part) for part in parts[1:]), network(*parts[0]))
        return total
    return wrap(_InTurns.apply(lambda part: network(*part)._data, parts, *leaves))  # type: ignore[no-untyped-call]


class _InTurns(torch.autograd.Function):
    """The sum of losses, whose gradients are computed with it."""

    @staticmethod
    def forward(
        ctx: Any, loss_of: Callable[[Part], torch.Tensor], parts: Sequence[Part], *leaves: torch.Tensor
    ) -> torch.Tensor:
        members = place()
        ahead = members.stages - 1 - members.stage
        waiting: deque[tuple[int, torch.Tensor]] = deque()
        sums: list[torch.Tensor] = []
        total: Any = 0
        try:
            for number, part in enumerate(parts):
                members.tag = 2 * number + 1
                with torch.enable_grad():
                    loss = loss_of(part)
                total = total + loss.detach()
                waiting.append((number, loss))
                if len(waiting) > ahead:
                    _add_gradients(sums, leaves, *waiting.popleft())
            while waiting:
                _add_gradients(sums, leaves, *waiting.popleft())
        finally:
            members.tag = 0
        ctx.gradients = sums
        return total  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        factor = gradient.full_tensor() if isinstance(gradient, Staged) else gradient
        return None, None, *(one * factor for one in ctx.gradients)


def _add_gradients(sums: list[torch.Tensor], leaves: Sequence[torch.Tensor], number: int, loss: torch.Tensor) -> None:
    place().tag = 2 * number + 2
    found = gradients_of([loss], list(leaves), None, create_graph=False)
    sums[:] = [before + one for before, one in zip(sums, found, strict=True)] if sums else found
