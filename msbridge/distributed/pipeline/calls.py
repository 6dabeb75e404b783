"""The border of a network in stages: inputs are the same in all processes of a pipeline, and so are outputs.

The outermost call of a Cell or a gradient function is the border. Parameters belong to the stage of the Cell that has
them: the other processes let go of their values, and optimizers update each in its own process.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msbridge.core.autograd.differentiation import Differentiation
from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.pipeline.places import place
from msbridge.distributed.pipeline.running import running
from msbridge.distributed.pipeline.staged import Staged, send_to_stage, stage_tensor
from msbridge.distributed.sharded_parameters import refuse_in_use, slots_of

__all__ = ["over_stages", "with_staged_gradients"]

Call = Callable[..., Any]


def over_stages(call_alone: Call) -> Call:
    """Return the call of a Cell that runs in the process of its stage."""

    def call_in_stage(self: Any, *args: Any, **kwargs: Any) -> Any:
        stage = self.__dict__.get("_pipeline_stage")
        with _enter_stage(stage) as is_outermost:
            _distribute_to_stages(self)
            if running.stage is not None:
                args, kwargs = map_tensors(_bring_to_stage, args), map_tensors(_bring_to_stage, kwargs)
            output = call_alone(self, *args, **kwargs)
            return map_tensors(_gather_output, output) if is_outermost else output

    return call_in_stage


def with_staged_gradients(compute_alone: Call) -> Call:
    """Return the method behind all gradient functions, for weights of several stages."""

    def compute_staged(self: Differentiation) -> tuple[Any, Any]:
        spec = self.spec
        local_weights = spec.weights or ()
        others = _of_other_stages(local_weights)
        for weight in (*local_weights, *others):
            _take_in(weight)
        with _enter_stage(None) as is_outermost:
            running.has_own_gradients = bool(others)
            self.spec = spec.with_others(others) if others else spec
            output, gradients = compute_alone(self)
            if spec.weights is None:
                of_inputs, of_weights = gradients, ()
            else:
                has_inputs = spec.positions or spec.as_tuple
                of_inputs, of_weights = gradients if has_inputs else ((), gradients)
            weights = iter((*local_weights, *others))
            of_weights = map_tensors(lambda one: _of_weight(one, next(weights)), of_weights)
            if others:
                of_weights = spec.arrange_weights(tuple(map(_local_gradient, of_weights[: len(local_weights)])))
            if is_outermost:
                output, of_inputs = map_tensors(_gather_output, output), map_tensors(_gather_output, of_inputs)
            if spec.weights is None:
                return output, of_inputs
            return output, (of_inputs, of_weights) if has_inputs else of_weights

    return compute_staged


def _of_other_stages(weights: Sequence[Parameter]) -> list[Parameter]:
    """Return the Parameters that the processes of other stages differentiate, where each takes those of its stage.

    A gradient has to go through all stages in all processes. `infer_param_pipeline_stage` returns such Parameters; a
    script may take some of them.
    """
    known = {one.name: one for weight in weights for one in vars(weight).get("_trained_with", ())}
    if not known:
        return []
    members = place()
    key = tuple(map(id, weights))
    if key not in members.others:
        names = [weight.name for weight in weights]
        sent = [members.broadcast_object(names, stage) for stage in range(members.stages)]
        found = [known[name] for names in sent for name in names if name in known]
        members.others[key] = weights, [one for one in found if id(one) not in key]
    return members.others[key][1]


@contextlib.contextmanager
def _enter_stage(stage: int | None) -> Iterator[bool]:
    """Run what is inside in a stage, and yield whether this is the border."""
    before = running.stage
    running.depth += 1
    if stage is not None:
        _check_stage(stage)
        running.stage = stage
    try:
        yield running.depth == 1
    finally:
        running.stage = before
        running.depth -= 1
        if not running.depth:
            running.has_own_gradients = False
            place().wait_for_sends()


def _check_stage(stage: int) -> None:
    stages = int(context.get_auto_parallel_context("pipeline_stages"))
    if stage >= stages:
        raise ValueError(f"A Cell has the pipeline stage {stage}, but there are {stages} stages, from 0 on.")


def _distribute_to_stages(cell: Any) -> None:
    """Send the Parameters of a Cell, and what an optimizer holds for them, to their stages."""
    if not hasattr(cell, "_buckets"):
        for parameter in getattr(cell, "_params", {}).values():
            if parameter is not None:
                _take_in(parameter)
        if place().width > 1:
            _say_of_strategies(cell)
        return
    for parameter in cell.parameters:
        _take_in(parameter)
    for one, parameter in slots_of(cell):
        data = parameter._data
        if isinstance(data, Staged) and not isinstance(one._data, Staged):
            one._data = stage_tensor(one._data, data.stage)


def _say_of_strategies(cell: Any) -> None:
    for value in cell.__dict__.values():
        attrs = value.__dict__.get("attrs") if hasattr(value, "__primitive_flag__") else None
        if attrs and (attrs.get("in_strategy") or attrs.get("in_layout")):
            without_effect("mindspore.ops.Primitive.shard.in_strategy")


def _take_in(parameter: Parameter) -> None:
    stage = parameter.__dict__.get("_stage")
    if stage is None or isinstance(parameter._data, Staged):
        return
    _check_stage(stage)
    refuse_in_use(parameter)
    parameter._data = stage_tensor(parameter._data, stage)


def _bring_to_stage(tensor: Tensor) -> Tensor:
    data = tensor._data
    if isinstance(tensor, Parameter) or not isinstance(data, Staged) or data.stage == running.stage:
        return tensor
    return wrap(send_to_stage(data, running.stage))  # type: ignore[arg-type]


def _gather_output(tensor: Tensor) -> Tensor:
    data = tensor._data
    if isinstance(tensor, Parameter) or not isinstance(data, Staged):
        return tensor
    found = data.full_tensor()
    if place().width > 1 and not found.ndim and found.is_floating_point():  # a loss is that of the whole batch
        found = place().beside.all_reduce(found, "avg")
    return wrap(found)


def _local_gradient(gradient: Tensor) -> Tensor:
    data = gradient._data
    return wrap(data.held) if isinstance(data, Staged) else gradient


def _of_weight(gradient: Tensor, weight: Parameter) -> Tensor:
    """Return the gradient for the whole batch, in the processes that update the weight."""
    data, members = gradient._data, place()
    if not isinstance(data, Staged):
        return gradient
    if not isinstance(weight._data, Staged):  # it is in every process
        found = data.full_tensor()
        return wrap(members.beside.all_reduce(found, "avg") if members.width > 1 else found)
    if members.width == 1 or data.stage != members.stage:
        return gradient
    return wrap(Staged(members.beside.all_reduce(data.held, "avg"), data.stage, members))
