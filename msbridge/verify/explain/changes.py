"""Changes: which operators one network ran and the other did not, and how those that both ran differ."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msbridge.verify.explain.findings import Cause, Fact, Finding, fact, first
from msbridge.verify.record.operators import ACTIVATIONS, BINARY, MOVES, POOLS, RESIZES
from msbridge.verify.record.sameness import agree
from msbridge.verify.record.trace import Operation

# What an operator's argument is called in MindSpore; "mul other" is the argument `other` of mul alone.
ARGUMENTS = {
    "add other": "constant",
    "approximate": "approximate",
    "batch_first": "batch_first",
    "bidirectional": "bidirectional",
    "dim": "axis",
    "div other": "scale",
    "eps": "eps",
    "is_causal": "attention mask",
    "masked_fill value": "constant",
    "mul other": "scale",
    "negative_slope": "alpha",
    "output_size": "size",
    "p": "p",
    "pow exponent": "constant",
    "sub other": "constant",
    "train": "dropout left on",
    "training": "use_batch_statistics",
}
# Elementwise operators of which activations are made by hand.
ELEMENTWISE = ACTIVATIONS | BINARY | {"abs", "erf", "exp", "log", "log1p", "maximum", "minimum", "neg", "reciprocal"}
OF_DEVICE = ("device", "layout", "pin_memory")  # arguments that say nothing of the values


@dataclass(frozen=True, slots=True)
class Change:
    """Operators that one network ran and the other did not.

    Attributes:
        gone: torch's alone.
        come: the Cell's alone.
        seen: the fact that shows it.
    """

    gone: tuple[str, ...]
    come: tuple[str, ...]
    seen: Fact

    @property
    def all(self) -> frozenset[str]:
        """Those of both."""
        return frozenset((*self.gone, *self.come))

    @property
    def is_exchange(self) -> bool:
        """Whether some stand in the place of others."""
        return bool(self.gone and self.come)


def _padding(change: Change) -> Fact | None:
    return change.seen if change.all == {"constant_pad_nd"} else None


def _activation(change: Change) -> Fact | None:
    is_other = change.is_exchange and change.all <= ELEMENTWISE and change.all & ACTIVATIONS
    return change.seen if is_other else None


def _pooling(change: Change) -> Fact | None:
    return change.seen if change.is_exchange and all(name.startswith(POOLS) for name in change.all) else None


def _mode(change: Change) -> Fact | None:
    return change.seen if change.is_exchange and all(name.startswith(RESIZES) for name in change.all) else None


# What it is called when torch runs some operators and the Cell others; the first that applies is meant.
CHANGES: tuple[Cause[Change], ...] = (
    Cause("padding", _padding, "pad alike"),
    Cause("activation", _activation, "same activation"),
    Cause("pooling", _pooling, "same pooling"),
    Cause("mode", _mode, "same mode"),
    Cause("other operator", lambda change: change.seen if change.is_exchange else None, "same operators"),
    Cause("missing layer", lambda change: change.seen if change.gone else None, "add it"),
    Cause("extra layer", lambda change: change.seen if not change.gone else None, "remove it"),
)


def change_of(gone: Sequence[str], come: Sequence[str], seen: Fact) -> Finding:
    """Return the finding for operators that one network runs and the other does not."""
    found = first(CHANGES, Change(tuple(gone), tuple(come), seen))
    if found is None:
        raise ValueError("one of the last three rows applies to every change.")
    return found


def other_operators(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Finding | None:
    """Return how the operators that compute something differ; None where both ran the same."""
    names = _names(theirs), _names(ours)
    changes = [step for step in _opcodes(*names) if step[0] != "equal"]
    if not changes:
        return None
    gone = [name for _, a, b, _, _ in changes for name in names[0][a:b]]
    come = [name for _, _, _, a, b in changes for name in names[1][a:b]]
    return change_of(gone, come, fact("operators", torch=tuple(names[0]), cell=tuple(names[1])))


def other_arguments(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Finding | None:
    """Return the first argument in which operators that both ran differ."""
    wanted, done = ([one for one in side if one.name not in MOVES] for side in (theirs, ours))
    for tag, a, b, c, _ in _opcodes(_names(theirs), _names(ours)):
        for one, other in zip(wanted[a:b], done[c:], strict=False) if tag == "equal" else ():
            for name in one.arguments:
                if name in other.arguments and not agree(one.arguments[name], other.arguments[name]):
                    values = {"torch": one.arguments[name], "cell": other.arguments[name]}
                    kind = ARGUMENTS.get(f"{one.name} {name}", ARGUMENTS.get(name, name))
                    return Finding(kind, fact("argument", operator=one.name, argument=name, **values))
    return None


def other_moves(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Fact | None:
    """Return how operators that only move data differ; None where they do not."""
    moved = [moves_of(one for one in side if one.name in MOVES) for side in (theirs, ours)]
    return fact("moves", torch=moved[0], cell=moved[1]) if moved[0] != moved[1] else None


def moves_of(moves: Sequence[Operation] | Iterator[Operation]) -> tuple[str, ...]:
    """Return operators that move data, with the arguments that say something, as they would be called."""
    return tuple(
        f"{one.name}({', '.join(_telling(one.arguments))})" for one in moves if one.name not in ("detach", "alias")
    )


def _names(operations: Sequence[Operation]) -> list[str]:
    return [one.name for one in operations if one.name not in MOVES]


def _opcodes(theirs: Sequence[str], ours: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    return list(difflib.SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes())


def _telling(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key, value in arguments.items():
        if value is not None and value is not False and key not in OF_DEVICE:
            yield f"{key}={value}"
