"""Recording: a network runs once, and every layer and operator leaves a step."""

import contextlib
import copy
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import replace
from typing import Any

import torch

from msbridge.core.torch_private import TorchDispatchMode, no_dispatch
from msbridge.nn.cell.graph_cell import GraphCell
from msbridge.ops.kernel_calls.eager_checks import as_torch
from msbridge.verify.record.deduplication import Memory, Twins, is_worth_keeping
from msbridge.verify.record.equality import place_of
from msbridge.verify.record.networks import Network, is_step, paths
from msbridge.verify.record.operators import MOVES, Signature, find_mutations, plain_arguments, signature, variant_name
from msbridge.verify.record.pytree import replace_tensors, tensors
from msbridge.verify.record.trace import Again, Call, Operation, Step, Trace


def record(
    network: Network,
    inputs: Sequence[Any],
    feed: Mapping[int, Step] | None = None,
    named: Mapping[str, Any] | None = None,
    against: Sequence[Trace] = (),
    weights: Iterable[tuple[torch.Tensor, torch.Tensor]] | None = None,
    running: Callable[[], str] | None = None,
) -> Trace:
    """Run a network and record its steps, without gradients.

    Args:
        network: a torch module or a Cell.
        inputs: its positional arguments, as it wants them.
        feed: number of a step → the recorded step whose inputs it gets, and whose outputs it passes on.
        named: its keyword arguments.
        against: the runs before, torch's first, when this is the Cell's: what has the same bits as in torch's is not
            held a second time, nor computed when `feed` is given.
        weights: (the Cell's, torch's) of the same bits.
        running: returns the place of the source that is running, for the names of operators.
    """
    recorder = _Recorder(feed or {}, keeps_calls=not against)
    if against:
        recorder.twins = Twins(against[0])
        if feed is not None:
            for earlier in against:
                recorder.adopt(earlier)
            recorder.memory = Memory(against[0].calls, weights or ())
    recorder.running = network.graph.running if isinstance(network, GraphCell) else running
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(as_torch())
        stack.enter_context(_without_fused_transformers())
        for path, layer in paths(network):
            _watch(stack, recorder, path, layer)
        stack.enter_context(recorder)
        try:
            outputs = tensors(network(*inputs, **(named or {})))
        except Exception as error:  # anything that the network raises is a finding
            pending = recorder.scopes + ([recorder.layer.path] if recorder.layer else [])
            return Trace(recorder.steps, recorder.moves, recorder.calls, error=error, pending=pending)
    return Trace(recorder.steps, recorder.moves, recorder.calls, outputs)


class _Recorder(TorchDispatchMode):
    """Sees every operator, and knows by hooks which layer it ran in."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # guarding against torch.compile would import it: 3 s

    def __init__(self, feed: Mapping[int, Step], keeps_calls: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self.steps: list[Step] = []
        self.moves: list[tuple[int, Operation]] = []
        self.calls: list[Call] = []
        self.feed = feed
        self.keeps_calls = keeps_calls
        self.twins: Twins | None = None
        self.memory: Memory | None = None
        self.running: Callable[[], str] | None = None
        self.layer: Step | None = None
        self.inside: list[Operation] = []
        self.depth = 0
        self.began = 0.0
        self.last = ""
        self.scopes: list[str] = []
        self.times_called: dict[int, int] = {}
        self.held: dict[int, list[tuple[MutableSequence[torch.Tensor], int]]] = {}

    def hold(self, tensors: list[torch.Tensor]) -> list[torch.Tensor]:
        """Keep tensors without a copy; one is made when an operator is about to write to them."""
        kept = [tensor.detach() if tensor.requires_grad else tensor for tensor in tensors]
        if self.twins is not None:
            kept = [self.twins.resolve(tensor) for tensor in kept]
        self._register(kept)
        return kept

    def adopt(self, earlier: Trace) -> None:
        """Keep what an earlier run holds from being written to in this one, which works on the same memory."""
        kept = [(one.inputs, one.outputs) for one in earlier.steps]
        kept += [(one.inputs, one.outputs) for one in earlier.calls]
        for data in itertools.chain(*kept, [earlier.outputs]):
            self._register(data)

    def _register(self, kept: Sequence[torch.Tensor]) -> None:
        if isinstance(kept, MutableSequence):  # a list of this room's own, in which a copy may represent the original
            for index, tensor in enumerate(kept):
                self.held.setdefault(place_of(tensor), []).append((kept, index))

    def enter(self, path: str, layer: Network, args: Any, kwargs: Any) -> list[torch.Tensor] | None:
        """Note that a layer begins; return the tensors it is to work on instead of its own, if any."""
        if self.layer is not None:
            self.depth += 1
            return None
        number, call = len(self.steps), self.times_called.get(id(layer), 0)
        self.times_called[id(layer)] = call + 1
        given = tensors((args, kwargs))
        with no_dispatch():
            source = self.feed.get(number)
            fed = source.inputs if source is not None and _alike(given, source.inputs) else None
            self.inside = []
            self.layer = Step(
                number, path, type(layer).__name__, layer, call, self.inside, self.hold(given),
                again=_again_layer(layer, args, kwargs), is_fed=fed is not None,
            )  # fmt: skip
            self.steps.append(self.layer)
            self.began = time.perf_counter()
            return None if fed is None else [_as(recorded, own) for recorded, own in zip(fed, given, strict=True)]

    def leave(self, output: Any) -> Any:
        """Note that a layer ends; return the output to pass on instead, if any."""
        if self.depth:
            self.depth -= 1
            return None
        step, self.layer = self.layer, None
        if step is None:
            return None
        seconds = time.perf_counter() - self.began
        self.last = step.label
        given = tensors(output)
        with no_dispatch():
            source = self.feed.get(step.number)
            if self.twins is not None:
                self.twins.search(given)
            self.steps[step.number] = replace(step, outputs=self.hold(given), seconds=seconds)
            if source is None or not _alike(given, source.outputs, only_shapes=False):
                return None
            data = [_as(recorded, own) for recorded, own in zip(source.outputs, given, strict=True)]
        return replace_tensors(output, iter(data))

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        known = signature(func)
        given = tensors((args, kwargs))
        arguments = plain_arguments(known, args, kwargs)
        operation = Operation(variant_name(known.name, arguments), arguments, given[0].dim() if given else 0)
        if self.layer is not None or known.name in MOVES:
            if self.layer is not None:
                self.inside.append(operation)
            else:
                self.moves.append((len(self.steps), operation))
            return self._run(func, known, operation, given, args, kwargs)
        step = Step(
            len(self.steps), self.scopes[-1] if self.scopes else "", operation.name, operations=(operation,),
            inputs=self.hold(given), again=_again_operator(func, args, kwargs), after=self.last,
            node=self.running() if self.running is not None else "",
        )  # fmt: skip
        self.steps.append(step)
        output = self._run(func, known, operation, given, args, kwargs)
        results = tensors(output)
        if self.twins is not None and not known.written:
            self.twins.search(results)
        outputs = self.hold(results)
        self.steps[step.number] = replace(step, outputs=outputs)
        source = self.feed.get(step.number)
        if source is None or not _alike(results, source.outputs, only_shapes=bool(known.written)):
            return output
        if known.written:
            self.steps[step.number] = replace(step, outputs=[tensor.clone() for tensor in outputs])
            for own, recorded in zip(results, source.outputs, strict=True):
                own.copy_(recorded)
            return output
        return replace_tensors(
            output, iter([_as(recorded, own) for recorded, own in zip(source.outputs, results, strict=True)])
        )

    def _run(
        self,
        func: Any,
        known: Signature,
        operation: Operation,
        given: list[torch.Tensor],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Run an operator, or answer for it from the run before."""
        matters = known.name not in MOVES and is_worth_keeping(known, given)
        if matters and self.memory is not None and not known.written:
            answer = self.memory.answer(func, operation, given)
            if answer is not None:
                return answer
        inputs = self.hold(given) if matters and self.keeps_calls else None
        if known.written:
            self._save_written(known, args, kwargs)
        output = func(*args, **kwargs)
        if inputs is not None:
            self.calls.append(Call(known.pure, operation, inputs, self.hold(tensors(output)), output))
        return output

    def _save_written(self, known: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Copy what is held of the tensors that an operator is about to write to, each once."""
        for tensor in find_mutations(known, args, kwargs):
            copies: dict[tuple[Any, ...], torch.Tensor] = {}
            for kept, index in self.held.pop(place_of(tensor), ()):
                one = kept[index]
                form = one.data_ptr(), one.shape, one.stride(), one.dtype
                if form not in copies:
                    copies[form] = one.clone()
                kept[index] = copies[form]


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
            return None if data is None else replace_tensors((args, kwargs), iter(data))

        handles: list[Any] = [layer.register_forward_pre_hook(enter, with_kwargs=True)]
    else:

        def enter_cell(one: Any, args: Any) -> Any:
            data = recorder.enter(path, one, args, {})
            return None if data is None else replace_tensors(args, iter(data))

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
    """Return a function that runs a torch layer in float64 on other inputs."""
    if not isinstance(layer, torch.nn.Module):
        return None

    def again(inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        twin = copy.deepcopy(layer).double()
        for hooks in (twin._forward_hooks, twin._forward_pre_hooks):
            hooks.clear()
        new_args, new_kwargs = replace_tensors((args, kwargs), iter(inputs))
        with torch.no_grad():
            return tensors(twin(*new_args, **new_kwargs))

    return again


def _again_operator(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Again:
    def again(inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        new_args, new_kwargs = replace_tensors((args, kwargs), iter(inputs))
        with torch.no_grad():
            return tensors(func(*new_args, **new_kwargs))

    return again


def _alike(given: Sequence[torch.Tensor], recorded: Sequence[torch.Tensor], only_shapes: bool = True) -> bool:
    """Whether recorded tensors can represent the others: as many, of the same shapes (or, for outputs, of any)."""
    if len(given) != len(recorded):
        return False
    return all(
        a.is_floating_point() == b.is_floating_point() and (not only_shapes or a.shape == b.shape)
        for a, b in zip(given, recorded, strict=True)
    )


def _as(recorded: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    return recorded.to(device=own.device, dtype=own.dtype)
