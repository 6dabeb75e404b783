"""Operators that DTensor does not have: every process computes the whole.

torch 2.13 has no rule for some operators, such as the backward passes of `avg_pool2d` and `group_norm`, and its rules
for views refuse some shapes. Then the inputs are put together, and the result is what each process has computed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import torch
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard

from msbridge.core.torch_private import TorchDispatchMode, tree_map_only
from msbridge.distributed.sharding.devices import (
    by_batch,
    full_tensor,
    make_dtensor,
    redistribute,
    replicate_everywhere,
    world_mesh,
)

__all__ = ["WholeWhereNeeded"]

_aten = torch.ops.aten
_VIEWS = {_aten.view.default, _aten._unsafe_view.default}
# Backward passes of losses, and where they take the reduction: torch 2.13 divides by the elements of a part.
_LOSSES = {
    _aten.binary_cross_entropy_backward.default: 4,
    _aten.huber_loss_backward.default: 3,
    _aten.mse_loss_backward.default: 3,
    _aten.smooth_l1_loss_backward.default: 3,
}
_MEAN, _SUM = 1, 2
_WHOLE = {
    _aten._scaled_dot_product_flash_attention_for_cpu.default,  # DTensor 2.13 looks for a rule of these for minutes
    _aten._scaled_dot_product_flash_attention_for_cpu_backward.default,
    _aten.nll_loss2d_forward.default,  # means over what is not ignored (2.13)
    _aten.nll_loss_forward.default,
}
# Operators on one sample of a batch at a time: how many of their inputs have a batch. DTensor 2.13 divides the width of
# images instead, and refuses a batch that is divided twice.
_BY_SAMPLE = {_aten.convolution.default: 1, _aten.convolution_backward.default: 2}

# DTensor 2.13 divides the channels, and then moves copies of the running statistics instead of themselves.
_BATCH_NORM = {_aten.native_batch_norm.default, _aten.cudnn_batch_norm.default}


class WholeWhereNeeded(TorchDispatchMode):
    """Computes operators on whole tensors where DTensor refuses them."""

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Compute one operator."""
        kwargs = kwargs or {}
        is_divided = any(issubclass(kind, DTensor) for kind in types)
        place = _LOSSES.get(func)
        if place is not None:
            args = [*args, *[None] * (place - len(args))]  # what is not given is the default
            if (args[place:] or [_MEAN])[0] == _MEAN:
                args = [args[0] / args[1].numel(), *args[1:place], _SUM, *args[place + 1 :]]
        if is_divided and func.name().startswith("aten::_fused_"):  # updates of weights, element by element
            return func(*tree_map_only(DTensor, _local_part, args), **tree_map_only(DTensor, _local_part, kwargs))
        if func in _BATCH_NORM and is_divided and args[3] is not None and args[5]:
            results = func(*args[:3], None, None, *args[5:])
            _follow_batch(args[3], args[4], results[1], results[2], args[0].numel() / args[0].shape[1], *args[6:8])
            return results
        if func in _BY_SAMPLE and is_divided:
            return _by_sample(func, args)
        if func not in _WHOLE or not is_divided:
            try:
                results = func(*args, **kwargs)
                if func not in _VIEWS or not _is_interleaved(results):
                    return results
            except Exception:
                if not is_divided or (func._schema.is_mutable and _is_divided(args[0])):
                    raise
        prepare = _full_contiguous if func in _VIEWS else full_tensor
        with torch.no_grad():
            results = func(*tree_map_only(DTensor, prepare, args), **tree_map_only(DTensor, prepare, kwargs))
        if func._schema.is_mutable:  # what every process has of its own, such as a count of steps
            return results
        return tree_map_only(
            torch.Tensor, lambda data: make_dtensor(data, replicate_everywhere(), is_local=True), results
        )


def _follow_batch(
    mean: DTensor, variance: DTensor, of_batch: DTensor, inverse: DTensor, count: float, momentum: float, epsilon: float
) -> None:
    """Move running statistics by those of a batch: its mean, and the inverse of its standard deviation."""
    with torch.no_grad():
        unbiased = (inverse**-2 - epsilon) * (count / (count - 1))
        for running, one in ((mean, of_batch), (variance, cast(DTensor, unbiased))):
            running.mul_(1 - momentum).add_(redistribute(one, running.placements) * momentum)


def _full_contiguous(data: torch.Tensor) -> torch.Tensor:
    return full_tensor(data).contiguous()


def _is_divided(target: Any) -> bool:
    return isinstance(target, DTensor) or (isinstance(target, list) and any(map(_is_divided, target)))


def _local_part(data: DTensor) -> torch.Tensor:
    return data.to_local()


def _by_sample(func: Any, args: Sequence[Any]) -> Any:
    """Compute an operator on this process's part of the batch; gradients of weights are sums over the parts."""
    count, size = _BY_SAMPLE[func], world_mesh().size()
    first = next(one for one in args[:count] if isinstance(one, DTensor))
    placements = by_batch(1) if first.shape[0] % size == 0 else replicate_everywhere()
    with torch.no_grad():
        parts = [redistribute(_replicate(one), placements).to_local() for one in args[:count]]
        results = func(*parts, *tree_map_only(DTensor, full_tensor, args[count:]))
    if isinstance(results, torch.Tensor):
        return make_dtensor(results, placements, is_local=True)
    is_parted = isinstance(placements[0], Shard)
    sums = tuple(Partial() if is_parted else Replicate() for _ in placements)
    of_weights = [None if one is None else make_dtensor(one, sums, is_local=True) for one in results[1:]]
    return (None if results[0] is None else make_dtensor(results[0], placements, is_local=True), *of_weights)


def _replicate(data: torch.Tensor) -> DTensor:
    return data if isinstance(data, DTensor) else make_dtensor(data, replicate_everywhere(), is_local=True)


def _is_interleaved(data: torch.Tensor) -> bool:
    """Whether a view left parts that lie in turns in the whole, which torch 2.13 cannot assemble on every mesh."""
    return isinstance(data, DTensor) and any(
        type(place) not in (Shard, Replicate, Partial) for place in data.placements
    )
