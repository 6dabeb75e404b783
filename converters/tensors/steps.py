"""The steps of a conversion: which tensors of the target are made of which tensors of the source, and how."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.dtypes import BY_NAME, TEXT
from msbridge.converters.tensors.entry import Entry, make_lazy_entry
from msbridge.converters.tensors.lazy_bytes import Cast

Tensors = list[torch.Tensor]
Shapes = list[tuple[int, ...]]
TensorKind = tuple[str, tuple[int, ...]]  # element type and shape


@dataclass(frozen=True, slots=True)
class Operation:
    """A computation on several tensors.

    Attributes:
        name: how it is called in rules and reports.
        shapes: shapes of the sources → shapes of the targets; raises ValueError when they do not fit.
        apply: the sources → the targets.
    """

    name: str
    shapes: Callable[[Shapes], Shapes]
    apply: Callable[[Tensors], Tensors]


@dataclass(frozen=True, slots=True)
class ConversionStep:
    """The step by which some tensors of the source become some of the target."""

    sources: tuple[str, ...]  # names in the source
    targets: tuple[str, ...]  # names in the target; none when the tensor is dropped
    axes: Axes | None = None  # what happens to the axes (one source, one target)
    operation: Operation | None = None  # a computation, where moving axes is not enough
    reason: str = ""  # why, in the words of a report: the layer type, the rule, the guess
    guessed: bool = False  # whether the reason is a guess
    by_order: bool = False  # whether its name follows from the order of the layers only
    matched: bool = True  # whether a tensor that is left out is so for a reason other than having no place in the model


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of some tensors, for the report."""

    sources: tuple[str, ...]  # their names
    targets: tuple[str, ...]  # the names of what was made of them
    changes: tuple[str, ...]  # "renamed", "reshaped", "computed", "cast", "dropped", "unmatched"; none means kept
    reason: str  # why
    guessed: bool  # whether the reason is a guess
    by_order: bool  # whether its name follows from the order of the layers only
    before: tuple[TensorKind, ...]  # type and shape of each source
    after: tuple[TensorKind, ...]  # type and shape of each target

    @property
    def status(self) -> str:
        """The changes in one word, "kept" when there are none."""
        return "+".join(self.changes) or "kept"


def perform(step: ConversionStep, entries: Mapping[str, Entry], cast: str | None) -> tuple[list[Entry], Outcome]:
    """Make the target's entries, without reading a byte of the source's.

    Args:
        step: what to do.
        entries: the source.
        cast: MindSpore's word for the type that floating-point tensors get; None keeps each.

    Raises:
        CheckpointError: a shape does not fit the step's axes.
        ValueError: shapes do not fit the step's operation.
    """
    sources = [entries[name] for name in step.sources]
    changes = []
    if not step.targets:
        results: list[Entry] = []
        changes.append("dropped" if step.matched else "unmatched")
    elif step.operation:
        results = _compute_lazily(step.operation, sources, step.targets)
        changes.append("computed")
    else:
        (source,), (target,) = sources, step.targets
        results = [_move_axes(source, step.axes, target)]
        changes += ["renamed"] * (source.name != target) + ["reshaped"] * (source.shape != results[0].shape)
        changes += ["transposed"] * (step.axes is not None and not step.axes.keeps_order)
    if cast and any(_is_castable(one, cast) for one in results):
        results = [_cast(one, cast) for one in results]
        changes.append("cast")
    outcome = Outcome(
        step.sources,
        step.targets,
        tuple(changes),
        step.reason,
        step.guessed,
        step.by_order,
        tuple([(one.type, one.shape) for one in sources]),
        tuple([(one.type, one.shape) for one in results]),
    )
    return results, outcome


def _move_axes(source: Entry, axes: Axes | None, target: str) -> Entry:
    if axes is None:
        return source.rename(target)
    shape = axes.shape(source.shape, source.name)
    if axes.keeps_order:
        return replace(source, name=target, shape=shape)
    return make_lazy_entry(target, source.type, shape, lambda: axes.apply(source.tensor(copy=True), source.name))


def _compute_lazily(operation: Operation, sources: Sequence[Entry], targets: Sequence[str]) -> list[Entry]:
    shapes = operation.shapes([source.shape for source in sources])
    kind = sources[0].type

    def make(number: int) -> Callable[[], torch.Tensor]:
        # Each target computes again: keeping the others until they are written would hold a whole model. Copies, as
        # pages of a mapping that were looked at stay in memory.
        return lambda: operation.apply([source.tensor(copy=True) for source in sources])[number]

    return [
        make_lazy_entry(name, kind, shape, make(i)) for i, (name, shape) in enumerate(zip(targets, shapes, strict=True))
    ]


def _is_castable(one: Entry, cast: str) -> bool:
    return not one.is_text and one.type != cast and one.element.dtype.is_floating_point


def _cast(entry: Entry, cast: str) -> Entry:
    if not _is_castable(entry, cast):
        return entry
    content = Cast(entry.content, entry.element.dtype, BY_NAME[cast].dtype)
    return Entry(entry.name, cast, entry.shape, content, entry.offset)


def format_kind(kind: TensorKind) -> str:
    """Write an element type and a shape as reports do: "Float32[3, 4]"."""
    return kind[0] if kind[0] == TEXT else f"{kind[0]}{list(kind[1])}"
