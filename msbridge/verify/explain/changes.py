"""Changes: which operators one network ran and the other did not, and how those that both ran differ."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msbridge.verify.explain.findings import Cause, Fact, Finding, fact, first
from msbridge.verify.record.equality import agree
from msbridge.verify.record.operators import ACTIVATIONS, BINARY, MOVES, POOLS, RESIZES
from msbridge.verify.record.trace import Operation

# What an operator's argument is called in MindSpore; "mul other" is the argument `other` of mul only.
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
PADS = ("constant_pad_nd", "reflection_pad", "replication_pad")  # beginnings of names
# Operators that compute the same as others, where a network is asked which it runs.
ALIKE = {"max": "amax", "min": "amin"}
Calls = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
OF_DEVICE = ("device", "layout", "pin_memory")  # arguments that say nothing of the values


@dataclass(frozen=True, slots=True)
class Change:
    """Operators that one network ran and the other did not."""

    gone: tuple[str, ...]  # only torch's
    come: tuple[str, ...]  # only the Cell's
    seen: Fact  # the fact that shows it

    @property
    def all(self) -> frozenset[str]:
        """Those of both."""
        return frozenset((*self.gone, *self.come))

    @property
    def is_exchange(self) -> bool:
        """Whether some are in place of others."""
        return bool(self.gone and self.come)


def _padding(change: Change) -> Fact | None:
    return change.seen if change.all and all(name.startswith(PADS) for name in change.all) else None


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


def change_of(
    gone: Sequence[str], come: Sequence[str], seen: Fact, instead: Mapping[str, Any] | None = None
) -> Finding:
    """Return the finding for operators that one network runs and the other does not.

    Args:
        gone: only torch's.
        come: only the Cell's.
        seen: the fact that shows it.
        instead: what the fix may say of what torch runs (`instead_of`).
    """
    found = first(CHANGES, Change(tuple(gone), tuple(come), seen))
    if found is None or found.fix is None:
        raise ValueError("one of the last three rows applies to every change.")
    return replace(found, fix=Fact(found.fix.name, {**found.fix.values, **(instead or {})}))


def instead_of(operations: Iterable[Operation], kind: str, layer: str = "") -> Mapping[str, Any]:
    """Return the values of a fact from which torch's operators are written as a script does.

    Args:
        operations: that the Cell lacks.
        kind: the Cell that is in their place, such as `nn.ReLU`; "" for an operator.
        layer: torch's layer that ran them, where it is one of the library.
    """
    return {"calls": list_calls(operations), "kind": kind, "layer": layer}


def list_calls(operations: Iterable[Operation]) -> Calls:
    """Return operators with their arguments, as values."""
    return tuple((one.name, tuple(one.arguments.items())) for one in operations if one.name not in MOVES)


def unlike(theirs: Sequence[Operation], ours: Sequence[Operation]) -> tuple[list[Operation], list[Operation]]:
    """Return the operators that compute something on one side only, torch's and the Cell's."""
    sides = [[one for one in side if one.name not in MOVES] for side in (theirs, ours)]
    changes = [step for step in _opcodes(*map(_names, sides)) if step[0] != "equal"]
    gone = [one for _, a, b, _, _ in changes for one in sides[0][a:b]]
    return gone, [one for _, _, _, a, b in changes for one in sides[1][a:b]]


def other_operators(
    theirs: Sequence[Operation], ours: Sequence[Operation], kind: str = "", layer: str = ""
) -> Finding | None:
    """Return the difference of the operators that compute something; None where both ran the same."""
    gone, come = unlike(theirs, ours)
    if not gone and not come:
        return None
    both = [[one for one in side if one.name not in MOVES] for side in (theirs, ours)]
    names = [tuple(one.name for one in side) for side in both]
    wanted = gone or (both[0] if len(both[0]) == 1 else [])
    seen = fact("operators", torch=names[0], cell=names[1])
    lost, added = ([one.name for one in side] for side in (gone, come))
    return change_of(lost, added, seen, instead_of(wanted, kind, layer))


def other_arguments(theirs: Sequence[Operation], ours: Sequence[Operation], of: str = "") -> Finding | None:
    """Return the first argument in which operators that both ran differ."""
    wanted, done = ([one for one in side if one.name not in MOVES] for side in (theirs, ours))
    for tag, a, b, c, _ in _opcodes(_names(theirs), _names(ours)):
        for expected, other in zip(wanted[a:b], done[c:], strict=False) if tag == "equal" else ():
            for name in expected.arguments:
                if name in other.arguments and not agree(_place(expected, name), _place(other, name)):
                    values = {"torch": expected.arguments[name], "cell": other.arguments[name]}
                    kind = ARGUMENTS.get(f"{expected.name} {name}", ARGUMENTS.get(name, name))
                    return Finding(kind, fact("argument", operator=expected.name, argument=name, kind=of, **values))
    return None


def other_moves(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Fact | None:
    """Return the difference of operators that only move data; None where there is none."""
    moved = [moves_of(one for one in side if one.name in MOVES) for side in (theirs, ours)]
    return fact("moves", torch=moved[0], cell=moved[1]) if moved[0] != moved[1] else None


def moves_of(moves: Sequence[Operation] | Iterator[Operation]) -> tuple[str, ...]:
    """Return operators that move data, with the arguments that say something, as they would be called."""
    return tuple(
        f"{one.name}({', '.join(_telling(one.arguments))})" for one in moves if one.name not in ("detach", "alias")
    )


def _names(operations: Sequence[Operation]) -> list[str]:
    return [_usual(one) for one in operations if one.name not in MOVES]


def _place(operation: Operation, name: str) -> Any:
    """Return an argument; axes are counted from the first."""
    value = operation.arguments[name]
    if name == "dim" and operation.rank:
        if isinstance(value, list):
            return [axis % operation.rank for axis in value]
        if isinstance(value, int):
            return value % operation.rank
    return value


def _usual(one: Operation) -> str:
    """Return one name for operators that compute the same: x * x and x ** 2."""
    return "mul" if one.name == "pow" and one.arguments.get("exponent") == 2 else ALIKE.get(one.name, one.name)


def _opcodes(theirs: Sequence[str], ours: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    return list(difflib.SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes())


def _telling(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key, value in arguments.items():
        if value is not None and value is not False and key not in OF_DEVICE:
            yield f"{key}={value}"
