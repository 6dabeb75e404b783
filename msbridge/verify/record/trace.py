"""Traces: what every layer of a torch module or of a Cell was given and returned, in the order of the calls.

Both kinds of network end in the same torch operators, so both are recorded alike: a *step* is the call of a layer, or
an operator that ran between the layers (a functional activation, a residual addition …).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.verify.record.networks import Network
from msbridge.verify.record.operators import DRAWS, MOVES

Again = Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One torch operator that ran."""

    name: str  # its short name, such as "gelu"
    arguments: Mapping[str, Any]  # its arguments that are not tensors, by name, defaults included
    rank: int = 0  # how many axes its first tensor has


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One call of a layer, or one operator between layers."""

    number: int  # position in the run
    path: str  # of the layer; for an operator, of the network part that called it
    kind: str  # the layer's class, or the operator's name
    layer: Network | None = None  # the layer called; None for an operator
    call: int = 0  # how many times the layer was called before
    operations: Sequence[Operation] = ()  # what ran inside
    inputs: Sequence[torch.Tensor] = ()  # the tensors that came in
    outputs: Sequence[torch.Tensor] = ()  # the tensors that came out; empty when it failed
    again: Again | None = None  # computes the outputs once more from other input tensors, in another precision
    is_fed: bool = False  # whether the inputs were replaced by recorded ones
    after: str = ""  # the layer that was called last before it
    seconds: float = 0.0  # how long the layer took; 0 for an operator
    node: str = ""  # of an operator in a network from a file: the place of the node that called it

    @property
    def computes(self) -> tuple[str, ...]:
        """The names of the operators inside that compute something."""
        return tuple(one.name for one in self.operations if one.name not in MOVES)

    @property
    def is_random(self) -> bool:
        """Whether an operator inside draws random numbers."""
        return any(one.name in DRAWS for one in self.operations)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the first output."""
        return tuple(self.outputs[0].shape) if self.outputs else None

    @property
    def label(self) -> str:
        """The name of the step in results."""
        if self.layer is not None:
            return f"{self.path or '(the network)'}{f' (call {self.call + 1})' if self.call else ''}"
        if self.node:
            return f"{self.kind} at {self.node}"
        place = f" in {self.path}" if self.path else ""
        return f"{self.kind} after {self.after}" if self.after else f"{self.kind}{place or ' at the beginning'}"


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call of an operator with its results."""

    func: Any  # the operator
    operation: Operation  # its name and arguments
    inputs: Sequence[torch.Tensor]  # its tensors
    outputs: Sequence[torch.Tensor]  # the tensors that it returned
    output: Any  # what it returned, tensors and all


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A run of one network.

    Attributes:
        steps: in the order of the calls.
        moves: (number of the next step, operator) of what only moved data between the steps.
        calls: operators that may be answered from memory in a later run.
        outputs: the tensors that the network returned.
        error: what it raised instead.
        pending: the layers that were running when it raised, outermost first.
    """

    steps: Sequence[Step]
    moves: Sequence[tuple[int, Operation]] = ()
    calls: Sequence[Call] = ()
    outputs: Sequence[torch.Tensor] = ()
    error: Exception | None = None
    pending: Sequence[str] = ()
