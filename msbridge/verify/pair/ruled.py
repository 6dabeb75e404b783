"""Rules: weights that the user's file of rules renames, splits, joins or drops on the way to the Cell."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.names.parameter_table import Pair
from msbridge.converters.names.rules import Rule, apply_rules, read_rules
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.steps import ConversionStep

BIASES = ("bias", "beta")
Make = Callable[[Sequence[torch.Tensor]], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor of the Cell as rules make it of torch's."""

    sources: tuple[str, ...]  # torch's names
    target: str  # MindSpore's name
    shape: tuple[int, ...]  # of what is made
    make: Make  # makes it of the sources
    label: str  # how it is called in reports
    is_whole: bool  # whether it is one whole tensor of torch's


@dataclass(slots=True)
class Ruled:
    """The effect of rules on the tensors of a torch module.

    Attributes:
        made: tensors of the Cell that the rules settle.
        settled: torch's names that they settle, the dropped ones included.
        renamed: torch's name → the name under which it goes through the mapping by layer types.
        joins: (paths of torch's layers, paths of the Cell's) that answer to each other only together.
        unused: which rules fit no name.
        lacking: (torch's name, MindSpore's) of biases that rules make and the Cell's layers do not have.
    """

    made: list[Made] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    joins: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    lacking: list[tuple[str, str]] = field(default_factory=list)


def apply_rule_file(path: Path, state: Mapping[str, torch.Tensor], shapes: Mapping[str, tuple[int, ...]]) -> Ruled:
    """Apply a file of rules to the names of a torch module.

    Args:
        path: the TOML file, as `msbridge convert --rules` takes it.
        state: torch's tensors.
        shapes: the Cell's parameters, each under every name it goes by.

    Raises:
        CheckpointError: the file is not in order, or a rule makes what the Cell does not have.
    """
    rules = read_rules(path)
    steps, renamed = apply_rules(rules, state)
    ruled = Ruled(renamed={old: new for new, old in renamed.items() if new != old})
    ruled.unused = [rule.where for rule in rules if not _fits(rule, state)]
    problems = []
    for step in steps:
        ruled.settled |= set(step.sources)
        given = [tuple(state[name].shape) for name in step.sources]
        for number, target in enumerate(step.targets):
            try:
                output = make_output(step, number, given)
            except CheckpointError as error:
                problems.append(f"{step.reason} does not go with {', '.join(step.sources)}: {str(error).rstrip('.')}")
                break
            if target not in shapes and _is_bias_of(target, shapes):
                ruled.lacking.append((step.sources[0], target))
                continue
            ruled.made.append(output)
            if target not in shapes:
                near = difflib.get_close_matches(target, shapes, 1)
                problems.append(f"{step.reason} makes {target!r}, which the Cell does not have{_nearest(near)}")
            elif shapes[target] != output.shape:
                problems.append(
                    f"{step.reason} makes {target!r} of shape {output.shape}, the Cell's has {shapes[target]}"
                )
        if step.operation is not None:
            join = _paths(step.sources), _paths(step.targets)
            ruled.joins += [join] if join not in ruled.joins else []
    if problems:
        raise CheckpointError(f"{path}: {'; '.join(problems[:5])}{' …' if len(problems) > 5 else ''}.")
    return ruled


def _is_bias_of(target: str, names: Iterable[str]) -> bool:
    """Whether a name is that of a bias, and its layer is there without one."""
    path, _, leaf = target.rpartition(".")
    return leaf in BIASES and any(name.rpartition(".")[0] == path for name in names)


def rename_pair(pair: Pair, new: str) -> str:
    """Return MindSpore's name of a tensor whose torch name a rule changed: the ending is that of its layer type."""
    known = pair.mindspore or ""
    shared = 0
    for mine, other in zip(pair.torch.split("."), known.split("."), strict=False):
        if mine != other:
            break
        shared += len(mine) + 1
    tail, wanted = pair.torch[shared:], known[shared:]
    return new.removesuffix(tail) + wanted if new.endswith(tail) else new


def _fits(rule: Rule, names: Iterable[str]) -> bool:
    steps, renamed = apply_rules([rule], names)
    return bool(steps) or any(new != old for new, old in renamed.items())


def make_output(step: ConversionStep, number: int, given: list[tuple[int, ...]]) -> Made:
    """Return one of the tensors that a step makes of tensors of the given shapes."""
    first = step.sources[0]
    if step.operation is None:
        moved: Axes | None = step.axes
        shape = moved.shape(given[0], first) if moved else given[0]
        return Made(
            step.sources, step.targets[0], shape, lambda data: moved.apply(data[0], first) if moved else data[0],
            first, True,
        )  # fmt: skip
    operation = step.operation
    parts = len(step.targets)
    label = f"{first} (part {number + 1} of {parts})" if parts > 1 else f"{first} (and {len(step.sources) - 1} more)"
    shape = tuple(operation.shapes(given)[number])
    return Made(
        step.sources, step.targets[number], shape, lambda data: operation.apply(list(data))[number], label, False
    )


def _paths(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.rpartition(".")[0] for name in names))


def _nearest(names: Sequence[str]) -> str:
    return f"; nearest: {names[0]!r}" if names else ""
