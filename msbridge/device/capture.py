"""A training step recorded once as a CUDA graph, and trusted only after it has been compared with the eager step.

A graph repeats kernels with the numbers that they had while it was recorded: a learning rate or a counter that lives in
Python would stand still. So the first replays run beside eager steps on the same batches; the eager results are kept,
the comparison stays on the device, and it is read where the host waits anyway.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core import host
from msbridge.core.tensor import Tensor, wrap

WARM_UP = 3  # eager steps before recording, as torch's recipe for whole-network capture wants
TRIALS = 2  # replays that are compared; a number frozen in Python shows in the second

Recorder = Callable[[Callable[[], Any]], Callable[[], None]]


def record_cuda(step: Callable[[], Any]) -> Callable[[], None]:
    """Record what `step` launches, without running it; return the function that replays it."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


class CapturedStep:
    """A step that becomes a graph when it can.

    Args:
        step: called with the Tensors of a batch; it must change its state in place.
        state: everything that the step changes.
        recorder: turns a function without arguments into the function that replays it.

    Attributes:
        status: what has become of the capture, in words.
    """

    def __init__(self, step: Callable[..., Any], state: Sequence[Tensor], recorder: Recorder = record_cuda) -> None:
        self._step = step
        self._state = state
        self._recorder = recorder
        self._warmed = 0
        self._replay: Callable[[], None] | None = None
        self._inputs: list[torch.Tensor] = []
        self._output: Any = None
        self._agreements: list[torch.Tensor] = []
        self._is_trusted = False
        self._is_refused = False
        self.status = "the step is still run eagerly: warming up"

    def __call__(self, *batch: Tensor) -> Any:
        if self._is_trusted and self._fits(batch):
            self._feed(batch)
            self._replay()  # type: ignore[misc]
            return _map(torch.clone, self._output)
        if self._is_refused or self._is_trusted or len(self._agreements) >= TRIALS:
            return self._step(*batch)
        if self._warmed < WARM_UP:
            self._warmed += 1
            return self._step(*batch)
        return self._try(batch)

    def decide(self) -> None:
        """Trust the graph or give it up, by what the trials showed; called where the host has waited for the device."""
        if self._is_trusted or self._is_refused or len(self._agreements) < TRIALS:
            return
        if bool(host.read(torch.stack(self._agreements).all())):
            self._is_trusted = True
            self.status = f"steps are replayed as a CUDA graph ({TRIALS} replays agreed with eager steps)"
        else:
            self._refuse("a replay gave other results than the eager step; something in the step changes in Python")

    def _try(self, batch: Sequence[Tensor]) -> Any:
        """Run the batch eagerly, then as a graph from the same state; the eager outcome stays."""
        tensors = [item._data for item in self._state]
        before = [data.clone() for data in tensors]
        generators = _random_states(tensors)
        result = self._step(*batch)
        if any(item._data is not data for item, data in zip(self._state, tensors, strict=True)):
            self._refuse("the step puts new memory in place of a parameter's")
            return result
        after = [data.clone() for data in tensors]
        torch._foreach_copy_(tensors, before)
        _set_random_states(generators)
        if self._replay is None and not self._record(batch):
            torch._foreach_copy_(tensors, after)
            return result
        if not self._fits(batch):
            self._refuse("batches have different shapes or dtypes")
            torch._foreach_copy_(tensors, after)
            return result
        self._feed(batch)
        self._replay()  # type: ignore[misc]
        pairs = [*zip(tensors, after, strict=True), *zip(_flat(self._output), _flat(result), strict=True)]
        self._agreements.append(torch.stack([_agree(left, right) for left, right in pairs]).all())
        torch._foreach_copy_(tensors, after)
        return result

    def _record(self, batch: Sequence[Tensor]) -> bool:
        self._inputs = [item._data.clone() for item in batch]

        def step() -> None:
            self._output = self._step(*map(wrap, self._inputs))

        try:
            self._replay = self._recorder(step)
        except RuntimeError as error:
            self._refuse(f"recording failed: {error}")
        return self._replay is not None

    def _refuse(self, reason: str) -> None:
        self._is_refused = True
        self._replay = self._output = None
        self._inputs = []
        self.status = f"steps run eagerly: {reason}"

    def _fits(self, batch: Sequence[Tensor]) -> bool:
        return len(batch) == len(self._inputs) and all(
            item._data.shape == data.shape and item._data.dtype == data.dtype
            for item, data in zip(batch, self._inputs, strict=True)
        )

    def _feed(self, batch: Sequence[Tensor]) -> None:
        for data, item in zip(self._inputs, batch, strict=True):
            data.copy_(item._data, non_blocking=True)


def _flat(result: Any) -> list[torch.Tensor]:
    if isinstance(result, tuple | list):
        return [data for item in result for data in _flat(item)]
    return [result._data] if isinstance(result, Tensor) else []


def _map(function: Callable[[torch.Tensor], torch.Tensor], result: Any) -> Any:
    if isinstance(result, tuple | list):
        return type(result)(_map(function, item) for item in result)
    return wrap(function(result._data)) if isinstance(result, Tensor) else result


def _agree(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Whether two tensors are close, as a tensor; a step's kernels may add in another order."""
    if not left.is_floating_point():
        return (left == right).all()
    relative = max(1e-5, 4 * torch.finfo(left.dtype).eps)
    return torch.isclose(left, right, rtol=relative, atol=relative, equal_nan=True).all()


def _random_states(tensors: Sequence[torch.Tensor]) -> list[tuple[torch.device, torch.Tensor]]:
    devices = {data.device for data in tensors if data.device.type == "cuda"}
    return [(device, torch.cuda.get_rng_state(device)) for device in devices]


def _set_random_states(states: Sequence[tuple[torch.device, torch.Tensor]]) -> None:
    for device, state in states:
        torch.cuda.set_rng_state(state, device)
