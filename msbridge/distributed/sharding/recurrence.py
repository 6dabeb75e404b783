"""Recurrent layers over several processes: each runs over its part of the batch, with all of the weights.

torch (2.13) has no rule of DTensor for the backward pass of `torch.lstm` on a CPU, and none for `torch.gru`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.overrides import TorchFunctionMode

from msbridge.core.torch_private import tree_flatten, tree_map_only
from msbridge.distributed.sharding.devices import (
    Placements,
    make_dtensor,
    redistribute,
    replicate_everywhere,
    world_mesh,
)

__all__ = ["RecurrentByBatch"]

_LAYERS = (torch.lstm, torch.gru, torch.rnn_tanh, torch.rnn_relu)
_BATCH_OF_STATE = 1


class RecurrentByBatch(TorchFunctionMode):
    """Computes recurrent layers on DTensors by parts of the batch."""

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Compute one function of torch."""
        if func in _LAYERS and any(isinstance(one, DTensor) for one in tree_flatten(args)[0]):
            return _by_batch(func, *args)
        return func(*args, **(kwargs or {}))


def _by_batch(func: Callable[..., Any], data: torch.Tensor, state: Any, weights: Any, *settings: Any) -> Any:
    axis = 0 if settings[-1] else 1
    is_parted = data.shape[axis] % world_mesh().size() == 0

    def over(axis: int) -> Placements:
        return tuple(Shard(axis) if is_parted else Replicate() for _ in replicate_everywhere())

    def part(one: torch.Tensor, placements: Placements, gradients: Placements | None = None) -> torch.Tensor:
        known = one if isinstance(one, DTensor) else make_dtensor(one, replicate_everywhere(), is_local=True)
        return redistribute(known, placements).to_local(grad_placements=gradients)

    sums = tuple(Partial() if is_parted else Replicate() for _ in replicate_everywhere())
    states = tree_map_only(torch.Tensor, lambda one: part(one, over(_BATCH_OF_STATE)), state)
    output, *last = func(
        part(data, over(axis)), states, [part(one, replicate_everywhere(), sums) for one in weights], *settings
    )
    return (
        make_dtensor(output, over(axis), is_local=True),
        *(make_dtensor(one, over(_BATCH_OF_STATE), is_local=True) for one in last),
    )
