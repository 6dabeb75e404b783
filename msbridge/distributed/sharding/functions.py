"""Functions whose inputs and outputs are divided as strategies say: what `shard` returns."""

from collections.abc import Callable, Sequence
from typing import Any

from torch.distributed.tensor import DTensor

from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.layout import Layout
from msbridge.distributed.sharding import parameters
from msbridge.distributed.sharding.calls import over_processes
from msbridge.distributed.sharding.devices import Placements, by_layout, by_parts, redistribute

__all__ = ["shard_function"]


def shard_function(
    fn: Callable[..., Any], in_strategy: Any, out_strategy: Any, plan: Sequence[tuple[Parameter, Any]]
) -> Callable[..., Any]:
    """Return the function of the same inputs that computes divided."""

    def compute(*args: Any) -> Any:
        given = _redistribute_each(args, in_strategy)
        found = fn(*given)
        return found if out_strategy is None else _redistribute_each(found, out_strategy)

    def prepare_and_compute(_: Any, *args: Any) -> Any:
        parameters.take_in(parameter for parameter, _ in plan)
        for parameter, strategy in plan:
            parameters.ask_for(parameter, _placements_of_strategy(parameter.name, strategy))
        return compute(*args)

    call = over_processes(prepare_and_compute)

    def call_sharded(*args: Any) -> Any:
        return call(fn, *args)

    return call_sharded


def _placements_of_strategy(what: str, strategy: Any) -> Placements:
    return by_layout(what, strategy.to_dict()) if isinstance(strategy, Layout) else by_parts(what, strategy)


def _redistribute_each(values: Any, strategies: Any) -> Any:
    in_order = iter(strategies)

    def divide_tensor(tensor: Tensor) -> Tensor:
        strategy, data = next(in_order, None), tensor._data
        if strategy is None or not isinstance(data, DTensor):
            return tensor
        if isinstance(strategy, tuple) and len(strategy) != data.ndim:
            raise ValueError(f"For 'shard', the strategy {strategy} does not fit an input of shape {tensor.shape}.")
        return wrap(redistribute(data, _placements_of_strategy("shard", strategy)))

    return map_tensors(divide_tensor, values)
