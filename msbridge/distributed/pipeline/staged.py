"""Tensors of a pipeline: one stage's process holds the values, the others know shape and dtype.

Every process runs the whole script. An operator computes in the process of its stage only; in the others it finds only
what its result will look like. So a network may be any Python, and its processes agree on what is sent when: where a
stage takes a tensor of another one, both come to that place. Autograd records what was moved, and its backward pass
moves gradients back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.torch_private import tree_flatten, tree_map, tree_map_only
from msbridge.distributed.pipeline.places import Place, place
from msbridge.distributed.pipeline.running import running

__all__ = ["Staged", "send_to_stage", "stage_tensor"]

_READ = (torch.Tensor.numpy, torch.Tensor.tolist)


class Staged(torch.Tensor):
    """A tensor of a stage.

    Attributes:
        held: the tensor in the process of the stage, one without values ("meta") elsewhere.
        stage: the number of the stage.
        members: the pipeline, which outlives the setting of the context that made it.
    """

    held: torch.Tensor
    stage: int
    members: Place

    @staticmethod
    def __new__(cls, held: torch.Tensor, stage: int, members: Place) -> "Staged":
        """Wrap what this process has of a tensor."""
        staged: Staged = torch_private.make_wrapper_subclass(
            cls, held.shape, held.stride(), held.storage_offset(), dtype=held.dtype, device=members.device
        )
        staged.held, staged.stage, staged.members = held, stage, members
        return staged

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"Staged(stage={self.stage}, shape={tuple(self.shape)}, dtype={self.dtype})"

    def to_read(self) -> torch.Tensor:
        """Return the tensor for the host: in a network, which all processes run, all get it.

        Raises:
            RuntimeError: outside of one, in the process of another stage.
        """
        if running.depth:
            return self.full_tensor()
        if self.stage != self.members.stage:
            raise RuntimeError(
                f"A Tensor of shape {tuple(self.shape)} is in the process of pipeline stage {self.stage}, and this one "
                f"is stage {self.members.stage}: read it there, or return it from the network."
            )
        return self.held

    def full_tensor(self) -> torch.Tensor:
        """Return the tensor in every process; all of them call this."""
        members = self.members
        held = self.held if self.stage == members.stage else torch.empty_like(self.held, device=members.device)
        return members.broadcast_tensor(held, self.stage)

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Move the inputs of a torch function to one stage, where autograd sees it, and call it."""
        kwargs = kwargs or {}
        if func in _READ:
            return func(args[0].to_read(), *args[1:], **kwargs)
        name = getattr(func, "__name__", "")
        if name not in ("__get__", "__set__") and not name.startswith(("_foreach_", "_fused_")):
            inputs = [one for one in tree_flatten((args, kwargs))[0] if isinstance(one, Staged)]
            is_in_place = (name.endswith("_") and not name.endswith("__")) or name == "__setitem__"
            goal = _last_stage(inputs) if running.stage is None else running.stage
            if is_in_place and isinstance(args[0], Staged):
                goal = args[0].stage
            if any(one.stage != goal for one in inputs):
                args, kwargs = tree_map_only(Staged, lambda one: send_to_stage(one, goal), (args, kwargs))
        with torch_private.DisableTorchFunctionSubclass():
            return func(*args, **kwargs)

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Compute an operator in the process of its stage, and its result's shape in the others."""
        kwargs = kwargs or {}
        if func.name().startswith(("aten::_foreach_", "aten::_fused_")):
            return _by_stage(func, args, kwargs)
        inputs = [one for one in tree_flatten((args, kwargs))[0] if isinstance(one, Staged)]
        goal = _last_stage(inputs)
        if any(one.stage != goal for one in inputs):  # below autograd: gradients for one tensor out of several stages
            args, kwargs = tree_map_only(Staged, lambda one: _transfer_to_stage(one, goal), (args, kwargs))
            inputs = [one for one in tree_flatten((args, kwargs))[0] if isinstance(one, Staged)]
        return _run_on_stage(func, args, kwargs, goal, inputs)


def stage_tensor(data: torch.Tensor, stage: int) -> Staged:
    """Return the tensor of a stage; the other processes let go of the values that they have, too."""
    members = place()
    return Staged(data if stage == members.stage else torch.empty_like(data, device="meta"), stage, members)


def send_to_stage(data: Staged, stage: int) -> Staged:
    """Send a tensor to a stage; its gradient comes back.

    Raises:
        ValueError: an earlier stage takes what a later one computes, while their micro batches take turns ("1f1b"):
            each would wait for the other.
    """
    micro_batch, is_forward = (data.members.tag - 1) // 2, data.members.tag % 2
    if is_forward and data.stage > stage and data.requires_grad and micro_batch >= data.members.stages - data.stage:
        raise ValueError(
            f"Pipeline stage {stage} computes with a tensor of shape {tuple(data.shape)} of stage {data.stage}, a "
            "later one, which needs pipeline_scheduler='gpipe'."
        )
    return data if data.stage == stage else _SendToStage.apply(data, stage)  # type: ignore[no-untyped-call]


class _SendToStage(torch.autograd.Function):
    """A tensor in another stage, and its gradient back."""

    @staticmethod
    def forward(ctx: Any, data: Staged, stage: int) -> Staged:
        ctx.source = data.stage
        return _transfer_to_stage(data, stage)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        if not isinstance(gradient, Staged):  # the same in every process
            return stage_tensor(gradient, ctx.source), None
        return _transfer_to_stage(gradient, ctx.source), None


def _last_stage(inputs: Sequence[Staged]) -> int:
    """Return the last stage that has an array among some inputs."""
    arrays = [one.stage for one in inputs if one.ndim]
    return max(arrays or [one.stage for one in inputs])


def _transfer_to_stage(data: Staged, stage: int) -> Staged:
    members, held = data.members, data.held
    if data.stage == stage:
        return data
    if data.stage == members.stage:
        members.send(held, stage)
        held = _empty_contiguous(held, "meta")
    elif stage == members.stage:
        held = members.receive(_empty_contiguous(held, members.device), data.stage)
    return Staged(_empty_contiguous(held, "meta") if held.is_meta else held, stage, members)


def _empty_contiguous(data: torch.Tensor, device: Any) -> torch.Tensor:
    return torch.empty_like(data, device=device, memory_format=torch.contiguous_format)


def _run_on_stage(func: Any, args: Any, kwargs: Any, stage: int, inputs: Sequence[Staged]) -> Any:
    """Call an operator on what this process has of its inputs, all of one stage."""
    members = inputs[0].members
    if _changes_what_all_have(func, args):
        return func(*_full_tensors(args), **_full_tensors(kwargs))
    is_here = stage == members.stage
    if not all(isinstance(one.type, torch.TensorType | torch.ListType) for one in func._schema.returns):
        return members.broadcast_object(
            func(*_local_tensors(args), **_local_tensors(kwargs)) if is_here else None, stage
        )
    if is_here:
        results = func(*_local_tensors(args), **_local_tensors(kwargs))
    if torch.Tag.dynamic_output_shape in func.tags:
        looks = members.broadcast_object(tree_map(_metadata_of, results) if is_here else None, stage)
        results = results if is_here else tree_map(_without_values_of, looks)
    elif not is_here:
        results = func(*_without_values(args), **_on_meta(_without_values(kwargs)))
    own = {id(one.held): one for one in inputs}  # what an operator changes in place is its result, too

    def wrap(one: torch.Tensor) -> Staged:
        return own[id(one)] if id(one) in own else Staged(one, stage, members)

    return tree_map_only(torch.Tensor, wrap, results)


def _by_stage(func: Any, args: Any, kwargs: Any) -> Any:
    """Call an operator on lists, each stage's elements in its process; the first list says which these are."""
    first = args[0]
    of_each = [one.stage if isinstance(one, Staged) else None for one in first]
    inputs = [_like_first(value, of_each) for value in args]
    options = {name: _like_first(value, of_each) for name, value in kwargs.items()}
    results: list[Any] = [None] * len(first)
    is_mutable = func._schema.is_mutable
    for stage in dict.fromkeys(of_each):
        if is_mutable and stage not in (None, place().stage):
            continue  # others change theirs
        places = [index for index, one in enumerate(of_each) if one == stage]
        of_stage, its_options = (
            _select_elements(inputs, places, len(first)),
            _select_elements(options, places, len(first)),
        )
        if stage is None:
            outputs = func(*of_stage, **its_options)
        else:
            staged_ones = [one for one in tree_flatten((of_stage, its_options))[0] if isinstance(one, Staged)]
            outputs = _run_on_stage(func, of_stage, its_options, stage, staged_ones)
        for index, one in zip(places, outputs or (), strict=bool(outputs)):
            results[index] = one
    return None if is_mutable else results


def _like_first(value: Any, stages: Sequence[int | None]) -> Any:
    """Bring the elements of a list to the stages of those of the first, and a single Tensor to all."""
    if isinstance(value, list) and len(value) == len(stages):
        return [
            one
            if not isinstance(one, Staged)
            else one.full_tensor()
            if stage is None
            else _transfer_to_stage(one, stage)
            for one, stage in zip(value, stages, strict=True)
        ]
    return value.full_tensor() if isinstance(value, Staged) else value


def _select_elements(values: Any, places: Sequence[int], length: int) -> Any:
    """Take some elements of the lists among arguments."""
    if isinstance(values, dict):
        return {name: _select_elements([value], places, length)[0] for name, value in values.items()}
    return [
        [value[index] for index in places] if isinstance(value, list) and len(value) == length else value
        for value in values
    ]


def _changes_what_all_have(func: Any, args: Any) -> bool:
    """Whether an operator writes to a tensor that is in every process, such as a count of steps."""
    if not func._schema.is_mutable:
        return False
    pairs = zip(func._schema.arguments, args, strict=False)
    written = [value for one, value in pairs if one.alias_info is not None and one.alias_info.is_write]
    return any(isinstance(value, torch.Tensor) and not isinstance(value, Staged) for value in written)


def _local_tensors(values: Any) -> Any:
    return tree_map_only(Staged, lambda one: one.held, values)


def _full_tensors(values: Any) -> Any:
    return tree_map_only(Staged, lambda one: one.full_tensor(), values)


def _without_values(values: Any) -> Any:
    def shape_of(data: torch.Tensor) -> torch.Tensor:
        return data.held if isinstance(data, Staged) else data.to("meta")

    return tree_map_only(torch.Tensor, shape_of, values)


def _on_meta(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"device": "meta"} if options.get("device") is not None else options


@dataclass(frozen=True)
class _TensorMetadata:
    """The description of a tensor whose shape depends on values."""

    shape: tuple[int, ...]
    dtype: torch.dtype


def _metadata_of(data: Any) -> Any:
    return _TensorMetadata(tuple(data.shape), data.dtype) if isinstance(data, torch.Tensor) else data


def _without_values_of(look: Any) -> Any:
    return torch.empty(look.shape, dtype=look.dtype, device="meta") if isinstance(look, _TensorMetadata) else look
