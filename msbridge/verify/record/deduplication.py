"""Reuse: what torch's run has computed or holds already is neither computed nor held a second time.

Two rules, both about equal bits only. A tensor of the Cell that has the bits of one of torch's is held as that one. And
in the run on torch's values, an operator that gets the same memory and weights of the same bits with the same arguments
as in torch's run returns what it returned there; it is run where anything differs, or where it draws random numbers.
"""

import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from msbridge.verify.record.operators import Signature
from msbridge.verify.record.pytree import replace_tensors
from msbridge.verify.record.trace import Call, Operation, Trace

MIN_ELEMENTS = 1 << 12  # elements; below, a comparison costs as much as the operator or the memory that it saves
LOOKUPS = frozenset({"embedding", "gather", "index", "index_select", "take"})  # cheaper than a look at their table
MAX_CANDIDATES = 4  # how many of torch's tensors of one shape are looked at for the next that has the same bits


def is_worth_keeping(known: Signature, given: Sequence[torch.Tensor]) -> bool:
    """Whether a call may be answered from memory later on, and takes long enough."""
    if known.is_random or known.pure is None or known.name in LOOKUPS:
        return False
    return sum(one.numel() for one in given) >= MIN_ELEMENTS


class Twins:
    """Finds tensors of torch's run with the bits of a given one, in the order in which they were made."""

    def __init__(self, theirs: Trace) -> None:
        self.waiting: dict[Any, list[torch.Tensor]] = {}
        for step in reversed(theirs.steps):
            for one in reversed(step.outputs):
                if one.numel() >= MIN_ELEMENTS:
                    self.waiting.setdefault(_form(one), []).append(one)
        self.found: dict[int, tuple[weakref.ref[torch.Tensor], tuple[int, int], torch.Tensor]] = {}

    def resolve(self, own: torch.Tensor) -> torch.Tensor:
        """Return the twin that was found for a tensor, or the tensor itself."""
        of, versions, twin = self.found.get(id(own), (None, (0, 0), own))
        return twin if of is not None and of() is own and (own._version, twin._version) == versions else own

    def search(self, outputs: Iterable[torch.Tensor]) -> None:
        """Look for twins of what a step returned."""
        for output in outputs:
            if (
                output.numel() < MIN_ELEMENTS
                or output.is_inference()
                or not (waiting := self.waiting.get(_form(output)))
            ):
                continue
            for back in range(1, min(MAX_CANDIDATES, len(waiting)) + 1):
                twin = waiting[-back]
                if not twin.is_inference() and _is_equal(output, twin):
                    self.found[id(output)] = (weakref.ref(output), (output._version, twin._version), twin)
                    del waiting[-back:]
                    break


class Memory:
    """Answers operators from the calls that torch's run has made.

    Args:
        calls: what torch's run has made.
        weights: (the Cell's, torch's) of the same bits.
    """

    def __init__(self, calls: Iterable[Call], weights: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        self.calls: dict[tuple[Any, int], list[Call]] = {}
        for call in calls:
            for one in call.inputs:
                self.calls.setdefault((call.func, one.data_ptr()), []).append(call)
        self.equal = {(own.data_ptr(), wanted.data_ptr()) for own, wanted in weights}

    def answer(self, func: Any, operation: Operation, given: Sequence[torch.Tensor]) -> Any:
        """Return the result of the same call in torch's run; None where there was none."""
        for one in given:
            for call in self.calls.get((func, one.data_ptr()), ()):
                if len(call.inputs) == len(given) and _arguments(call.operation) == _arguments(operation):
                    pairs = list(zip(given, call.inputs, strict=True))
                    if all(_form(a) == _form(b) for a, b in pairs) and all(self._is_same(a, b) for a, b in pairs):
                        return replace_tensors(call.output, iter(call.outputs))
        return None

    def _is_same(self, tensor: torch.Tensor, recorded: torch.Tensor) -> bool:
        """Whether two tensors of one form have the same bits, as far as that is known or soon found out."""
        places = tensor.data_ptr(), recorded.data_ptr()
        if places[0] == places[1] or places in self.equal:
            return True
        return tensor.numel() <= MIN_ELEMENTS and torch.equal(tensor, recorded)


def _arguments(operation: Operation) -> Mapping[str, Any]:
    """Return the arguments on which the result depends."""
    if operation.arguments.get("training") is False:  # then a batch_norm updates no statistics
        return {name: value for name, value in operation.arguments.items() if name != "momentum"}
    return operation.arguments


def _form(one: torch.Tensor) -> tuple[Any, ...]:
    return one.shape, one.stride(), one.dtype, one.device


def _is_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.data_ptr() == other.data_ptr() or torch.equal(one, other)
