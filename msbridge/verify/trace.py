"""Recording: what every layer of a torch module or of a Cell was given and gave, in the order of the calls.

Both kinds of network end in the same torch operators, so both are recorded alike: a *step* is the call of a layer, or
an operator that ran between the layers (a functional activation, a residual addition …).
"""

import contextlib
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell

Network = torch.nn.Module | Cell
Again = Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]
# What moves, makes or only looks at data: evidence, but no step of its own.
MOVES = frozenset(
    {
        *("_local_scalar_dense", "_reshape_alias", "_to_copy", "_unsafe_view", "alias", "alias_copy", "arange"),
        *("as_strided", "broadcast_to", "chunk", "clone", "contiguous", "copy", "detach", "diagonal"),
        *("empty", "empty_like", "equal", "expand", "eye", "fill", "flip", "full", "full_like", "is_nonzero", "item"),
        *("lift", "lift_fresh", "narrow", "new_empty", "new_full", "new_ones", "new_zeros", "ones", "ones_like"),
        *("permute", "prim_device", "repeat", "reshape", "resize", "roll", "scalar_tensor", "select", "set", "slice"),
        *("split", "split_with_sizes", "squeeze", "stack", "sym_numel", "sym_size", "sym_stride", "t", "tile"),
        *("transpose", "unbind", "unfold", "unsafe_split", "unsqueeze", "view", "zero", "zeros", "zeros_like"),
    }
)
# One name for what torch calls differently by device, shape or era.
ALIASES = {
    "_adaptive_avg_pool2d": "adaptive_avg_pool2d",
    "_log_softmax": "log_softmax",
    "_native_batch_norm_legit": "batch_norm",
    "_native_batch_norm_legit_no_training": "batch_norm",
    "_scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
    "_softmax": "softmax",
    "cudnn_batch_norm": "batch_norm",
    "max_pool2d_with_indices": "max_pool2d",
    "max_pool3d_with_indices": "max_pool3d",
    "mkldnn_rnn_layer": "lstm",
    "native_batch_norm": "batch_norm",
    "native_dropout": "dropout",
    "native_group_norm": "group_norm",
    "native_layer_norm": "layer_norm",
}
# Layers that hold others and compute nothing themselves: their children are the steps.
CONTAINERS = ("Sequential", "SequentialCell", "ModuleList", "CellList", "ModuleDict", "CellDict", "Transformer")


@dataclass(slots=True, eq=False)
class Operation:
    """One torch operator that ran.

    Attributes:
        name: its short name, such as "gelu".
        arguments: its arguments that are no tensors, by name, defaults included.
        shapes: the shapes of its tensor arguments.
    """

    name: str
    arguments: dict[str, Any]
    shapes: tuple[tuple[int, ...], ...]


@dataclass(slots=True, eq=False)
class Step:
    """One call of a layer, or one operator between layers.

    Attributes:
        number: position in the run.
        path: of the layer; for an operator, of the network part that called it.
        kind: the layer's class, or the operator's name.
        layer: the layer called; None for an operator.
        call: how many times the layer was called before.
        operations: what ran inside.
        inputs: the tensors that came in.
        outputs: the tensors that came out; empty when it failed.
        again: computes the outputs once more from other input tensors, in another precision.
        fed: whether the inputs were replaced by recorded ones.
        after: the layer that was called last before it.
    """

    number: int
    path: str
    kind: str
    layer: Network | None = None
    call: int = 0
    operations: list[Operation] = field(default_factory=list)
    inputs: list[torch.Tensor] = field(default_factory=list)
    outputs: list[torch.Tensor] = field(default_factory=list)
    again: Again | None = None
    fed: bool = False
    after: str = ""

    @property
    def computes(self) -> tuple[str, ...]:
        """The names of the operators inside that compute something."""
        return tuple(one.name for one in self.operations if one.name not in MOVES)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the first output."""
        return tuple(self.outputs[0].shape) if self.outputs else None

    @property
    def label(self) -> str:
        """How the step is called in a report."""
        if self.layer is not None:
            return f"{self.path or '(the network)'}{f' (call {self.call + 1})' if self.call else ''}"
        place = f" in {self.path}" if self.path else ""
        return f"{self.kind} after {self.after}" if self.after else f"{self.kind}{place or ' at the beginning'}"


@dataclass(slots=True, eq=False)
class Trace:
    """A run of one network.

    Attributes:
        steps: in the order of the calls.
        outputs: the tensors that the network gave.
        error: what it raised instead.
        pending: the layers that were running when it raised, outermost first.
        moves: (number of the next step, operator) of what only moved data between the steps.
    """

    steps: list[Step] = field(default_factory=list)
    moves: list[tuple[int, Operation]] = field(default_factory=list)
    outputs: list[torch.Tensor] = field(default_factory=list)
    error: Exception | None = None
    pending: list[str] = field(default_factory=list)


def record(network: Network, inputs: Sequence[Any], feed: Mapping[int, Step] | None = None) -> Trace:
    """Run a network and record its steps, without gradients.

    Args:
        network: a torch module or a Cell.
        inputs: its positional arguments, as it wants them.
        feed: number of a step → the recorded step whose inputs it gets, and whose outputs it hands on.
    """
    recorder = _Recorder(feed or {})
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(_without_fused_transformers())
        for path, layer in paths(network):
            _watch(stack, recorder, path, layer)
        stack.enter_context(recorder)
        try:
            recorder.trace.outputs = tensors(network(*inputs))
        except Exception as error:  # whatever the network raises is a finding
            recorder.trace.error = error
            recorder.trace.pending = recorder.scopes + ([recorder.layer.path] if recorder.layer else [])
    return recorder.trace


def paths(network: Network) -> Iterator[tuple[str, Network]]:
    """Give (path, layer) of all parts of a network, each once."""
    yield from network.named_modules() if isinstance(network, torch.nn.Module) else network.cells_and_names()


def is_step(layer: Network) -> bool:
    """Whether a call of the layer is one step: it has no children, or is a layer that the library brings whole."""
    children = layer.children() if isinstance(layer, torch.nn.Module) else layer.cells()
    if not any(True for _ in children):
        return True
    room = type(layer).__module__
    is_ours = room.startswith(("torch.nn.modules.", "msbridge.nn.", "msbridge.mint."))
    return is_ours and not type(layer).__name__.startswith(CONTAINERS)


def tensors(value: Any) -> list[torch.Tensor]:
    """Give the tensors, of torch or of ours, in nested tuples, lists and mappings."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, Tensor):
        return [value._data]
    if value is None or isinstance(value, int | float | str | torch.dtype | torch.device):
        return []
    if not isinstance(value, list | tuple):
        value = value.values() if isinstance(value, Mapping) else ()
    return [tensor for item in value for tensor in tensors(item)]


def replaced(value: Any, data: Iterator[torch.Tensor]) -> Any:
    """Give nested tuples, lists and mappings with their tensors replaced, in order."""
    if isinstance(value, torch.Tensor):
        return next(data)
    if isinstance(value, Tensor):
        return Tensor(next(data))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(replaced(item, data) for item in value))
    if isinstance(value, list | tuple):
        return type(value)([replaced(item, data) for item in value])
    if isinstance(value, dict):
        return {key: replaced(item, data) for key, item in value.items()}
    return value


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
