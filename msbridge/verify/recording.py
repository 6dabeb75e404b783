"""Recording: a network runs once, and every layer and operator leaves a step."""

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from msbridge.verify.trace import (
    ALIASES,
    MOVES,
    Again,
    Network,
    Operation,
    Step,
    Trace,
    is_step,
    paths,
    replaced,
    tensors,
)


def record(
    network: Network,
    inputs: Sequence[Any],
    feed: Mapping[int, Step] | None = None,
    named: Mapping[str, Any] | None = None,
) -> Trace:
    """Run a network and record its steps, without gradients.

    Args:
        network: a torch module or a Cell.
        inputs: its positional arguments, as it wants them.
        feed: number of a step → the recorded step whose inputs it gets, and whose outputs it hands on.
        named: its keyword arguments.
    """
    recorder = _Recorder(feed or {})
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(_without_fused_transformers())
        for path, layer in paths(network):
            _watch(stack, recorder, path, layer)
        stack.enter_context(recorder)
        try:
            recorder.trace.outputs = tensors(network(*inputs, **(named or {})))
        except Exception as error:  # whatever the network raises is a finding
            recorder.trace.error = error
            recorder.trace.pending = recorder.scopes + ([recorder.layer.path] if recorder.layer else [])
    return recorder.trace


class _Recorder(TorchDispatchMode):
    """Sees every operator, and is told by hooks which layer it ran in."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # guarding against torch.compile would import it: 3 s

    def __init__(self, feed: Mapping[int, Step]) -> None:
        super().__init__()
        self.trace = Trace()
        self.feed = feed
        self.layer: Step | None = None
        self.depth = 0
        self.last = ""
        self.is_paused = False
        self.scopes: list[str] = []
        self.calls: dict[int, int] = {}
        self.held: dict[int, list[tuple[list[torch.Tensor], int]]] = {}

    def hold(self, tensors: list[torch.Tensor]) -> list[torch.Tensor]:
        """Keep tensors without a copy; one is made when an operator is about to write to them."""
        kept = [tensor.detach() for tensor in tensors]
        for index, tensor in enumerate(kept):
            self.held.setdefault(_place(tensor), []).append((kept, index))
        return kept

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Do something that is not part of the run."""
        self.is_paused = True
        try:
            yield
        finally:
            self.is_paused = False

    def enter(self, path: str, layer: Network, args: Any, kwargs: Any) -> list[torch.Tensor] | None:
        """Note that a layer begins; give the tensors it is to work on instead of its own, if any."""
        if self.layer is not None:
            self.depth += 1
            return None
        number = len(self.trace.steps)
        step = Step(number, path, type(layer).__name__, layer, self.calls.get(id(layer), 0))
        self.calls[id(layer)] = step.call + 1
        self.trace.steps.append(step)
        given = tensors((args, kwargs))
        with self.paused():
            step.inputs = self.hold(given)
            step.again = _again_layer(layer, args, kwargs)
            self.layer = step
            source = self.feed.get(number)
            if source is None or not _alike(given, source.inputs):
                return None
            step.fed = True
            return [_as(recorded, own) for recorded, own in zip(self.hold(source.inputs), given, strict=True)]

    def leave(self, output: Any) -> Any:
        """Note that a layer ends; give the output to hand on instead, if any."""
        if self.depth:
            self.depth -= 1
            return None
        step, self.layer = self.layer, None
        if step is None:
            return None
        self.last = step.label
        given = tensors(output)
        with self.paused():
            step.outputs = self.hold(given)
            source = self.feed.get(step.number)
            if source is None or not _alike(given, source.outputs, only_shapes=False):
                return None
            data = [_as(recorded, own) for recorded, own in zip(self.hold(source.outputs), given, strict=True)]
        return replaced(output, iter(data))

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        if self.is_paused:
            return func(*args, **kwargs)
        schema = func._schema
        if schema.is_mutable:
            self._save_written(schema, args, kwargs)
        name = _name(schema.name)
        given = tensors((args, kwargs))
        operation = Operation(name, _arguments(schema, args, kwargs), tuple(tuple(one.shape) for one in given))
        if self.layer is not None:
            self.layer.operations.append(operation)
            return func(*args, **kwargs)
        if name in MOVES:
            self.trace.moves.append((len(self.trace.steps), operation))
            return func(*args, **kwargs)
        step = Step(len(self.trace.steps), self.scopes[-1] if self.scopes else "", name, operations=[operation])
        step.inputs = self.hold(given)
        step.after = self.last
        if schema.is_mutable:
            step.inputs = [tensor.clone() for tensor in step.inputs]
        step.again = _again_operator(func, args, kwargs)
        self.trace.steps.append(step)
        output = func(*args, **kwargs)
        results = tensors(output)
        step.outputs = self.hold(results)
        source = self.feed.get(step.number)
        if source is None or not _alike(results, source.outputs, only_shapes=schema.is_mutable):
            return output
        if schema.is_mutable:
            step.outputs = [tensor.clone() for tensor in step.outputs]
            for own, recorded in zip(results, source.outputs, strict=True):
                own.copy_(recorded)
            return output
        data = [_as(recorded, own) for recorded, own in zip(self.hold(source.outputs), results, strict=True)]
        return replaced(output, iter(data))

    def _save_written(self, schema: Any, args: tuple, kwargs: dict) -> None:
        """Copy what is held of the tensors that an operator is about to write to."""
        for index, argument in enumerate(schema.arguments):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            value = args[index] if index < len(args) else kwargs.get(argument.name)
            for tensor in tensors(value):
                for kept, position in self.held.pop(_place(tensor), ()):
                    kept[position] = kept[position].clone()


@contextlib.contextmanager
def _without_fused_transformers() -> Iterator[None]:
    """Let torch's Transformer layers call their children; the fused path hides them."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


def _watch(stack: contextlib.ExitStack, recorder: _Recorder, path: str, layer: Network) -> None:
    """Hook one layer for as long as `stack` is open."""
    if not is_step(layer):
        _watch_scope(stack, recorder, path, layer)
        return
    if isinstance(layer, torch.nn.Module):

        def enter(one: Any, args: Any, kwargs: Any) -> Any:
            data = recorder.enter(path, one, args, kwargs)
            return None if data is None else replaced((args, kwargs), iter(data))

        handles: list[Any] = [layer.register_forward_pre_hook(enter, with_kwargs=True)]
    else:

        def enter_cell(one: Any, args: Any) -> Any:
            data = recorder.enter(path, one, args, {})
            return None if data is None else replaced(args, iter(data))

        handles = [layer.register_forward_pre_hook(enter_cell)]
    for handle in (*handles, layer.register_forward_hook(lambda one, args, output: recorder.leave(output))):
        stack.callback(handle.remove)


def _watch_scope(stack: contextlib.ExitStack, recorder: _Recorder, path: str, layer: Network) -> None:
    def enter(one: Any, args: Any) -> None:
        if recorder.layer is None:
            recorder.scopes.append(path)

    def leave(one: Any, args: Any, output: Any) -> None:
        if recorder.layer is None:
            recorder.scopes.pop()

    for handle in (layer.register_forward_pre_hook(enter), layer.register_forward_hook(leave)):
        stack.callback(handle.remove)


def _again_layer(layer: Network, args: Any, kwargs: Any) -> Again | None:
    """Make what runs a torch layer in float64 on other inputs."""
    if not isinstance(layer, torch.nn.Module):
        return None

    def again(inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        twin = copy.deepcopy(layer).double()
        for hooks in (twin._forward_hooks, twin._forward_pre_hooks):
            hooks.clear()
        new_args, new_kwargs = replaced((args, kwargs), iter(inputs))
        with torch.no_grad():
            return tensors(twin(*new_args, **new_kwargs))

    return again


def _again_operator(func: Any, args: tuple, kwargs: dict) -> Again:
    def again(inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        new_args, new_kwargs = replaced((args, kwargs), iter(inputs))
        with torch.no_grad():
            return tensors(func(*new_args, **new_kwargs))

    return again


def _place(tensor: torch.Tensor) -> int:
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):  # sparse and other tensors without one storage
        return id(tensor)


def _alike(own: Sequence[torch.Tensor], recorded: Sequence[torch.Tensor], only_shapes: bool = True) -> bool:
    """Whether recorded tensors can stand for the others: as many, of the same shapes (or, for outputs, of any)."""
    if len(own) != len(recorded):
        return False
    return all(
        a.is_floating_point() == b.is_floating_point() and (not only_shapes or a.shape == b.shape)
        for a, b in zip(own, recorded, strict=True)
    )


def _as(recorded: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    return recorded.to(device=own.device, dtype=own.dtype)


def _name(qualified: str) -> str:
    name = qualified.partition("::")[2].rstrip("_") if not qualified.endswith("__") else qualified.partition("::")[2]
    return ALIASES.get(name, name)


def _arguments(schema: Any, args: tuple, kwargs: dict) -> dict[str, Any]:
    """Name the arguments that are no tensors."""
    found = {}
    for index, argument in enumerate(schema.arguments):
        value = args[index] if index < len(args) else kwargs.get(argument.name, argument.default_value)
        if not tensors(value) and not isinstance(value, torch.Generator):
            found[argument.name] = value
    return found
