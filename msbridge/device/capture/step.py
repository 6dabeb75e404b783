"""Captured step: a training step that becomes a CUDA graph, trusted only after a comparison with the eager step.

    eager, WARM_UP times ─► eager, noted on a tape ─► graph made of the tape ─► TRIALS: eager step, graph beside it
         ▲                         │                                               │
         └─── why not, in one line ┴── it reads values, copies from the host, …    ├── they differ: eager for good
                                                                                   └── they agree: replay from now on
    a setting that the step reads changes, or a batch has another shape ─► again from the beginning, for that shape

A graph repeats kernels with the numbers that they had while it was recorded: what the step changes in Python would
do not change. So a step runs eagerly a few times; one of them is noted on a tape, from which the graph is made; in the
next ones the graph runs beside the eager step, which counts. The comparison stays on the device, and the host looks at
it when it has arrived. Anything against a graph leaves the steps eager, and says why in one line.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.checks.no_effect_warnings import level_of_user
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device.capture.memory import Memory
from msbridge.device.capture.recorders import Graph, Recorder
from msbridge.device.capture.settings import Settings, first_change, settings_of
from msbridge.device.capture.tape import Tape
from msbridge.device.capture.trial import Agreement, Draws, Trial, Verdict, trust

WARM_UP = 2  # eager steps before the one that is noted: torch's recipe for whole-network capture has three in all
TRIALS = 2  # replays that are compared; a number frozen in Python shows in the second
SHAPES = 4  # graphs that are kept: full batches, the last one of a pass, and a few lengths of sequences
RECORDINGS = 16  # times that graphs are made before a step whose settings change counts as one that has none

_Shape = tuple[tuple[torch.Size, torch.dtype], ...]


class CaptureWarning(UserWarning):
    """The steps of a sink run eagerly on a device where they could have been a graph."""


class CapturedStep:
    """A step that becomes a graph when it can.

    Args:
        step: called with the Tensors of a batch.
        device: where it runs.
        recorder: makes a graph of a tape.
        owner: the Cell or function whose settings the step reads; None means `step`.

    Attributes:
        status: what has become of the graph, in words.
    """

    def __init__(
        self,
        step: Callable[..., Any],
        device: torch.device,
        recorder: Recorder,
        owner: Callable[..., Any] | None = None,
    ) -> None:
        self._step = step
        self._owner = step if owner is None else owner
        self._device = device
        self._recorder = recorder
        self._candidates: dict[_Shape, _Candidate] = {}
        self._settings: Settings = {}
        self._memory: Memory | None = None
        self._recordings = 0
        self._is_refused = False
        self.status = "the steps still run eagerly: warming up"

    def __call__(self, *batch: Tensor) -> Any:
        """Run the step; Tensors in the result may lie in memory that the next call overwrites."""
        candidate = self._candidate(batch)
        if candidate is None:
            return self._run_step(batch)
        if candidate.is_trusted:
            return candidate.replay(batch)
        if candidate.verdict is not None:
            self._decide(candidate)
            return candidate.replay(batch) if candidate.is_trusted else self._run_step(batch)
        if candidate.graph is not None:
            return self._try(candidate, batch)
        if candidate.warmed < WARM_UP:
            candidate.warmed += 1
            return self._run_step(batch)
        return self._record(candidate, batch)

    @property
    def is_replayed(self) -> bool:
        """Whether batches of some shape are replayed as a graph."""
        return any(candidate.is_trusted for candidate in self._candidates.values())

    def look_at_settings(self) -> None:
        """Begin again if something that a graph holds for constant has changed; called where the script could do so."""
        if self._recordings and not self._is_refused:
            if self._memory is not None:
                self._memory.restore()
            changed = first_change(self._settings, settings_of(self._owner))
            if changed is not None:
                self._candidates.clear()
                self.status = f"the steps run eagerly again: '{changed}' has changed"
            if changed is not None and self._recordings >= RECORDINGS:
                self._refuse(f"settings of the step change again and again, '{changed}' for example")

    def _run_step(self, batch: Sequence[Tensor]) -> Any:
        result = self._step(*batch)
        if self._memory is not None:
            self._memory.restore()
        return result

    def _candidate(self, batch: Sequence[Tensor]) -> "_Candidate | None":
        if self._is_refused:
            return None
        shape = tuple((data.shape, data.dtype) for item in batch for data in (item._data,))
        candidate = self._candidates.get(shape)
        if candidate is None and len(self._candidates) < SHAPES:
            candidate = self._candidates[shape] = _Candidate()
        return candidate

    def _record(self, candidate: "_Candidate", batch: Sequence[Tensor]) -> Any:
        """Run the step on a tape, and make a graph of it."""
        self._recordings += 1
        try:
            inputs = [item._data.clone() for item in batch]
            before = settings_of(self._owner)
            self._memory = Memory(self._owner)
        except Exception as error:  # of any class, as below
            self._refuse(f"what they read cannot be found out: {_first_line(error)}")
            return self._run_step(batch)
        tape = Tape(self._device)
        with tape.recording():
            result = self._run_step(list(map(wrap, inputs)))
        self._settings = settings_of(self._owner)
        changed = first_change(before, self._settings)
        if changed is not None or tape.obstacle is not None:
            self._refuse(tape.obstacle or f"it changes '{changed}' in Python")
            return result
        try:
            tape.keep(result)
            candidate.take(self._recorder(tape), inputs, tape)
        except Exception as error:  # of any class: the step has run, and can continue without a graph
            first = error.__context__ or error  # that the recording has failed is said when it ends, after the reason
            self._refuse(f"recording them failed: {_first_line(first)}")
        return result

    def _try(self, candidate: "_Candidate", batch: Sequence[Tensor]) -> Any:
        """Replay the graph and set the state back; then run the step, whose outcome stays, and compare."""
        try:
            trial = Trial(lambda: candidate.replay(batch), candidate.state, candidate.draws)
        except torch.OutOfMemoryError:
            self._refuse("there is no memory to compare a graph with them")
            return self._run_step(batch)
        except Exception as error:  # of any class: what the graph has changed is set back
            self._refuse(f"a replay failed: {_first_line(error)}")
            return self._run_step(batch)
        result = self._run_step(batch)
        try:
            candidate.agreements.append(trial.compare(result))
            if len(candidate.agreements) == TRIALS:
                candidate.verdict = Verdict(trust(candidate.agreements))
        except Exception as error:
            self._refuse(f"a replay cannot be compared with them: {_first_line(error)}")
        return result

    def _decide(self, candidate: "_Candidate") -> None:
        """Trust the graph or discard it, once the host knows what the trials showed."""
        if candidate.verdict is None or not candidate.verdict.is_known:
            return
        if not candidate.verdict:
            self._refuse("a replay came to another result than the eager step; something in it changes in Python")
            return
        candidate.is_trusted, candidate.verdict = True, None
        candidate.agreements.clear()
        self.status = f"steps are replayed as a graph, after {TRIALS} replays that agreed with eager steps"
        if self._device.type == "cuda":
            torch.cuda.empty_cache()  # what the eager steps used; the graph has memory of its own

    def _refuse(self, reason: str) -> None:
        self._is_refused = True
        self._memory = None
        self._candidates.clear()
        self.status = f"the steps run eagerly: {reason}"
        warnings.warn(f"No CUDA graph is made of the steps of this sink: {reason}.", CaptureWarning, level_of_user())


class _Candidate:
    """The state of capture for batches of one shape."""

    def __init__(self) -> None:
        self.warmed = 0
        self.graph: Graph | None = None
        self.state: list[torch.Tensor] = []
        self.agreements: list[Agreement] = []
        self.verdict: Verdict | None = None
        self.is_trusted = False
        self._inputs: list[torch.Tensor] = []

    def take(self, graph: Graph, inputs: list[torch.Tensor], tape: Tape) -> None:
        """Take a graph that reads `inputs` and was made of `tape`."""
        self.graph = graph
        self.draws = Draws(tape.device, tape.generators)
        self.state = tape.find_mutations(inputs)
        self._inputs = inputs

    def replay(self, batch: Sequence[Tensor]) -> Any:
        """Run the graph on a batch.

        The batch is copied from where the data channel has put it into the graph's inputs, on the device: 40 MB in
        some 20 µs. To record one graph for each of a few rotating inputs would save that, and multiply the rest.
        """
        if self._inputs:
            torch_private.foreach_copy_(self._inputs, [item._data for item in batch])
        self.graph.replay()  # type: ignore[union-attr]
        return self.graph.results  # type: ignore[union-attr]


def copy_results(results: Any) -> Any:
    """Return the results of a step in memory that later replays leave alone."""
    if isinstance(results, tuple | list):
        items = [copy_results(item) for item in results]
        return type(results)(*items) if hasattr(results, "_fields") else type(results)(items)
    if isinstance(results, dict):
        return {key: copy_results(item) for key, item in results.items()}
    return wrap(results._data.clone()) if isinstance(results, Tensor) else results


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
