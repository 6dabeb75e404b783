"""A replay compared with the eager step on the same batch, from the same state and the same random numbers.

It costs a copy of everything that the step writes, for the time of a step: the replay runs first, its outcome and the
state from before change places tensor by tensor, and the eager step, which counts, runs last.

Kernels that add in any order come to other bits each time, so two replays are compared as well. Where they are the
same, the eager step must be the same too: a rate that is fixed in a graph may be a millionth off after one step.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from msbridge.core.random.seeds import turn
from msbridge.core.runtime.accelerators import random_state, set_random_state
from msbridge.core.tensor.tensor import Tensor

# How far a replay may be from the eager step, as a share of what the step changes, where kernels add in any order.
_TOLERANCES = {torch.float64: 1e-3, torch.float32: 1e-3, torch.float16: 0.1, torch.bfloat16: 0.1}
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class Agreement(NamedTuple):
    """The outcome of a trial, as booleans on the device."""

    is_same: torch.Tensor  # the replay and the eager step, bit by bit
    is_close: torch.Tensor
    is_exact: torch.Tensor  # two replays, bit by bit


def trust(agreements: Sequence[Agreement]) -> torch.Tensor:
    """Return whether a graph with these trials does what the step does, as a tensor."""
    same, close, exact = (_all(truths) for truths in zip(*agreements, strict=True))
    return same | (close & ~exact)


class Trial:
    """A replay of a graph from the state that there is, put away so that the eager step begins where it did.

    Args:
        replay: runs the graph, and returns what it returned.
        state: flat tensors over all memory that a step writes.
        draws: what the step draws from.

    Raises:
        Exception: the graph cannot be replayed, or there is no memory for the copies; the state is as it was.
    """

    def __init__(self, replay: Callable[[], Any], state: Sequence[torch.Tensor], draws: "Draws") -> None:
        self._state = state
        self._draws = draws
        self._moves: list[torch.Tensor] = []
        before = draws.states()
        self._copies = [data.clone() for data in state]
        try:
            sums = _sums([*state, *flat(replay())])
            for data, copy in zip(state, self._copies, strict=True):
                data.copy_(copy)
            draws.restore(before)
            self._results = [data.clone() for data in flat(replay())]
            self._is_exact = (sums == _sums([*state, *self._results])).all()
            self._after = draws.states()
            for data, copy in zip(state, self._copies, strict=True):
                self._put_away(data, copy)
        except Exception:
            for data, copy in list(zip(state, self._copies, strict=True))[len(self._moves) :]:
                data.copy_(copy)
            raise
        finally:
            draws.restore(before)

    def _put_away(self, data: torch.Tensor, copy: torch.Tensor) -> None:
        """Let a tensor and its copy change places; note how far the replay has moved it."""
        move, replayed = _distance(data, copy), data.clone()
        data.copy_(copy)
        copy.copy_(replayed)
        self._moves.append(move)

    def compare(self, results: Any) -> Agreement:
        """Compare with what the eager step has left and returned."""
        outputs = flat(results)
        draws = zip(self._draws.states(), self._after, strict=True)
        is_alike = len(outputs) == len(self._results) and all(torch.equal(now, then) for now, then in draws)
        sizes = [_distance(data, torch.zeros_like(data)) for data in self._results]
        pairs = list(zip(self._state, self._copies, self._moves, strict=True))
        pairs += list(zip(outputs, self._results, sizes, strict=False))
        same = [is_same(now, then) for now, then, _ in pairs]
        close = [is_same | _is_close(*pair) for is_same, pair in zip(same, pairs, strict=True)]
        return Agreement(_all(same) & is_alike, _all(close) & is_alike, self._is_exact)


class Draws:
    """The generators from which a step draws: the default one of its device, and others."""

    def __init__(self, device: torch.device, others: Sequence[torch.Generator]) -> None:
        self._device = device
        self._others = others

    def states(self) -> list[torch.Tensor]:
        """Return the state of each generator; they count on the host, so nothing waits."""
        with turn:
            default = random_state(self._device)
            first = torch.get_rng_state() if default is None else default
            return [first, *(generator.get_state() for generator in self._others)]

    def restore(self, states: Sequence[torch.Tensor]) -> None:
        """Set all of them to what `states` returned."""
        with turn:
            if self._device.type == "cpu":
                torch.set_rng_state(states[0])
            else:
                set_random_state(self._device, states[0])
            for generator, state in zip(self._others, states[1:], strict=True):
                generator.set_state(state)


class Verdict:
    """A truth on the device on its way to the host, which does not wait for it."""

    def __init__(self, truth: torch.Tensor) -> None:
        self._truth = truth
        self._arrived: torch.cuda.Event | None = None
        if truth.device.type == "cuda":
            self._truth = torch.empty((), dtype=torch.bool, pin_memory=True)
            self._truth.copy_(truth, non_blocking=True)
            self._arrived = torch.cuda.Event()
            self._arrived.record(torch.cuda.current_stream(truth.device))

    @property
    def is_known(self) -> bool:
        """Whether it has arrived."""
        return self._arrived is None or self._arrived.query()

    def __bool__(self) -> bool:
        return bool(self._truth.item())


def flat(results: Any) -> list[torch.Tensor]:
    """Return the torch tensors in what a step returned."""
    if isinstance(results, tuple | list):
        return [data for item in results for data in flat(item)]
    if isinstance(results, dict):
        return [data for item in results.values() for data in flat(item)]
    return [results._data] if isinstance(results, Tensor) else []


def is_same(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return whether two tensors agree bit by bit, as a boolean tensor of no axes."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return torch.zeros((), dtype=torch.bool, device=left.device)
    return (_bits(left) == _bits(right)).all()


def _is_close(left: torch.Tensor, right: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    if left.shape != right.shape or left.dtype not in _TOLERANCES:
        return torch.zeros((), dtype=torch.bool, device=left.device)
    distance = _distance(left, right)
    return torch.isfinite(distance) & (distance <= _TOLERANCES[left.dtype] * scale)


def _sums(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the sum of each one's bits taken for integers."""
    sums = [_bits(data).sum(dtype=torch.int64) for data in tensors]
    return torch.stack(sums) if sums else torch.zeros(0)


def _all(truths: Sequence[torch.Tensor]) -> torch.Tensor:
    return torch.stack(list(truths)).all() if truths else torch.ones((), dtype=torch.bool)


def _bits(data: torch.Tensor) -> torch.Tensor:
    if data.dtype.is_complex:
        data = torch.view_as_real(data.resolve_conj())
    return data.contiguous().view(_BITS[data.element_size()])


def _distance(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return the norm of the difference, as float64; infinite and NaN elements make it NaN."""
    if not left.is_floating_point():
        return torch.zeros((), dtype=torch.float64, device=left.device)
    size: torch.Tensor = torch.linalg.vector_norm(left.to(torch.float32) - right.to(torch.float32), dtype=torch.float64)
    return size
