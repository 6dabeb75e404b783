"""The border of a divided network: what a script passes and gets are torch's own tensors, inside they are DTensors.

The outermost call of a Cell or a gradient function is the border. A script passes a process its part of the batch,
or the whole of it to all of them, as `dataset_strategy` says; outputs come back in the same way.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from torch.distributed.tensor import DTensor

from msbridge.core.autograd.differentiation import Differentiation
from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.defining_modules import is_own
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.layout import Layout
from msbridge.distributed.sharding import parameters
from msbridge.distributed.sharding.devices import (
    Placements,
    by_batch,
    by_layout,
    by_parts,
    full_tensor,
    make_dtensor,
    redistribute,
    replicas,
    replicate_everywhere,
)
from msbridge.distributed.sharding.operators import divided
from msbridge.distributed.sharding.recurrence import RecurrentByBatch
from msbridge.distributed.sharding.replicating import WholeWhereNeeded
from msbridge.distributed.sharding.running import running

__all__ = ["enter_sharding", "over_processes", "to_dtensors", "to_plain_tensors", "with_divided_gradients"]

Call = Callable[..., Any]


def over_processes(call_alone: Call) -> Call:
    """Return the call of a Cell that runs divided over the processes."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        _divide_parameters(self)
        if hasattr(self, "_buckets") and context.get_auto_parallel_context("enable_parallel_optimizer"):
            return parameters.update_further(call_alone, self, *args, **kwargs)
        return call_alone(self, *args, **kwargs)

    def call_divided(self: Any, *args: Any, **kwargs: Any) -> Any:
        if running.depth:
            return run(self, *args, **kwargs)
        with enter_sharding():
            output = run(self, *to_dtensors(args), **to_dtensors(kwargs))
            parameters.divide_as_asked()
            return to_plain_tensors(output)

    return call_divided


def with_divided_gradients(compute_alone: Call) -> Call:
    """Return the method behind all gradient functions, for weights that are divided."""

    def compute_divided(self: Differentiation) -> tuple[Any, Any]:
        spec = self.spec
        parameters.take_in(spec.weights or ())
        is_outermost = not running.depth
        with enter_sharding():
            if is_outermost:
                self.args, self.kwargs = to_dtensors(self.args), to_dtensors(self.kwargs)
            output, gradients = compute_alone(self)
            parameters.divide_as_asked()
            of_inputs, of_weights = _split_gradients(gradients, spec)
            of_weights = _like_weights(of_weights, spec.weights or ())
            if is_outermost:
                output, of_inputs = to_plain_tensors(output), to_plain_tensors(of_inputs)
            if spec.weights is None:
                return output, of_inputs
            return output, (of_inputs, of_weights) if spec.positions or spec.as_tuple else of_weights

    return compute_divided


@contextlib.contextmanager
def enter_sharding() -> Iterator[None]:
    """Run what is inside on DTensors."""
    if running.depth:
        running.depth += 1
        try:
            yield
        finally:
            running.depth -= 1
        return
    DTensor._op_dispatcher._allow_implicit_replication = True  # constants of a script; there is no public switch (2.13)
    running.depth = 1
    try:
        with WholeWhereNeeded(), RecurrentByBatch():  # type: ignore[no-untyped-call]  # torch 2.13 has no types for it
            yield
    finally:
        running.depth = 0


def to_dtensors(values: Any) -> Any:
    """Make DTensors of the Tensors that a script passes."""
    numbers = iter(range(1 << 30))
    return map_tensors(lambda tensor: _divide_input(tensor, next(numbers)), values)


def to_plain_tensors(values: Any) -> Any:
    """Return Tensors of torch's own to a script."""
    return map_tensors(_gather_output, values)


def _divide_parameters(cell: Any) -> None:
    """Make DTensors of a Cell's own Parameters, and have its operators carry out their strategies.

    Operators that were given theirs before the processes joined are found here.
    """
    if hasattr(cell, "_buckets"):
        parameters.divide_as_asked()
        parameters.take_in(cell.parameters)
        parameters.follow_parameters(cell)
        return
    if not hasattr(cell, "_params"):
        return
    parameters.take_in(one for one in cell._params.values() if one is not None)
    for value in list(cell.__dict__.values()):
        attrs = value.__dict__.get("attrs") if hasattr(value, "__primitive_flag__") else None
        if attrs and (attrs.get("in_strategy") or attrs.get("in_layout")):
            divided(value)
            _compute_by_operators(cell)


def _compute_by_operators(layer: Any) -> None:
    """Make a layer compute by its operators, for one has a strategy; not if a script has its own `construct`."""
    for kind in type(layer).__mro__:
        if "_by_operators" in vars(kind):
            layer.__dict__["construct"] = layer._by_operators
            return
        if "construct" in vars(kind):
            if is_own(kind) and not getattr(type(layer), "_calls_operators", True):
                without_effect("mindspore.ops.Primitive.shard")
            return


def _strategy_of(place: int, tensor: Tensor) -> tuple[Placements, bool]:
    """Return the division of the input at a place, and whether a script passes its part only."""
    strategy = context.get_auto_parallel_context("dataset_strategy")
    if context.get_auto_parallel_context("full_batch") or strategy == "full_batch":
        first = tensor.shape[0] if tensor.shape else 1
        return (by_batch(1) if first % communicator().size == 0 else replicate_everywhere()), False
    if strategy == "data_parallel":
        return by_batch(len(tensor.shape)), True
    if place >= len(strategy):
        raise ValueError(f"dataset_strategy {strategy} is for {len(strategy)} inputs, and there are more.")
    chosen = strategy[place]
    if isinstance(chosen, Layout):
        return by_layout("dataset_strategy", chosen.to_dict()), True
    if len(chosen) != len(tensor.shape):
        raise ValueError(f"dataset_strategy {strategy}: {chosen} does not fit an input of shape {tensor.shape}.")
    return by_parts("dataset_strategy", chosen), True


def _divide_input(tensor: Tensor, place: int) -> Tensor:
    data = tensor._data
    if isinstance(tensor, Parameter) or isinstance(data, DTensor):
        return tensor
    placements, is_part = _strategy_of(place, tensor)
    return wrap(make_dtensor(data, placements, is_local=is_part))


def _gather_output(tensor: Tensor) -> Tensor:
    data = tensor._data
    if isinstance(tensor, Parameter) or not isinstance(data, DTensor):
        return tensor
    is_parted = context.get_auto_parallel_context("dataset_strategy") == "data_parallel"
    is_parted &= not context.get_auto_parallel_context("full_batch")
    if is_parted and data.ndim and data.shape[0] % communicator().size == 0:
        return wrap(redistribute(data, by_batch(1)).to_local())
    return wrap(full_tensor(data))


def _split_gradients(gradients: Any, spec: Any) -> tuple[Any, Any]:
    """Return the gradients of the inputs, and those of the weights."""
    if spec.weights is None:
        return gradients, ()
    return gradients if spec.positions or spec.as_tuple else ((), gradients)


def _like_weights(gradients: Any, weights: Sequence[Parameter]) -> Any:
    """Divide the gradients of weights as these are, or further, and average them where the context says so."""
    is_mean = context.get_auto_parallel_context("gradients_mean")
    in_order = iter(weights)

    def like_weight(gradient: Tensor) -> Tensor:
        parameter, data = next(in_order), gradient._data
        weight = parameter._data
        if not isinstance(data, DTensor) or not isinstance(weight, DTensor):
            return gradient
        data = redistribute(data, parameters.further(parameter))
        return wrap(data / replicas(weight) if is_mean else data)

    return map_tensors(like_weight, gradients)
