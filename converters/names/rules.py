"""The user's own rules: renames, moved axes, splits and merges, in a TOML file that is readable in both directions.

    [[rule]]
    from = "blocks.{n}.attn.qkv.{leaf}"          # {n}: no dot in it; {part:c_fc|c_proj}: what the expression fits
    to = ["blocks.{n}.q.{leaf}", "blocks.{n}.k.{leaf}", "blocks.{n}.v.{leaf}"]
    split = 0                                    # the axis

The first rule that fits a name decides. The keys are those of docs/rules.md.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.names import templates
from msbridge.converters.names.templates import HOLE, fill_template, hole
from msbridge.converters.tensors.axes import Axes, axes
from msbridge.converters.tensors.operations import merge, move_then, split, then_move
from msbridge.converters.tensors.steps import ConversionStep, Operation
from msbridge.core.runtime.plain_files import read_file

MAX_BYTES = 4 << 20  # of a file of rules
COLUMNS = {"from", "to", "axes", "lengths", "split", "merge", "sizes", "drop", "continue"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    where: str  # its place and its file, for reports and messages: "rule 3 of names.toml"
    sources: tuple[str, ...]  # templates of the names it takes
    targets: tuple[str, ...]  # templates of the names it makes; none drops
    axes: Axes | None = None  # what happens to the axes of the whole: before it is split, after it is merged
    operation: str = ""  # "split" or "merge"
    axis: int = 0  # along which
    sizes: tuple[int, ...] = ()  # of the parts; none means equal ones
    goes_on: bool = False  # whether the new name is then mapped by layer types

    @property
    def inverse(self) -> "Rule":
        """The rule that undoes this one.

        Raises:
            CheckpointError: what it drops cannot come back.
        """
        if not self.targets:
            raise CheckpointError(f"{self.where} drops {self.sources[0]!r}, which cannot be undone.")
        expressions = {one[1]: one[2] for text in self.sources for one in HOLE.finditer(text)}

        def insert_types(template: str) -> str:
            return HOLE.sub(lambda one: hole(one[1], expressions.get(one[1])), template)

        return Rule(
            self.where,
            tuple(map(insert_types, self.targets)),
            tuple(HOLE.sub(lambda one: hole(one[1], None), text) for text in self.sources),
            self.axes.inverse if self.axes else None,
            {"split": "merge", "merge": "split", "": ""}[self.operation],
            self.axis,
            self.sizes,
            self.goes_on,
        )

    def match(self, name: str) -> re.Match[str] | None:
        """Return the match of a name, if there is one.

        Raises:
            CheckpointError: to find that out could take too long.
        """
        try:
            return next((found for one in self.sources if (found := templates.read(one).match(name))), None)
        except CheckpointError as error:
            raise CheckpointError(f"{self.where}: {error}") from error


def read_rules(path: Path, reverse: bool = False) -> list[Rule]:
    """Read a file of rules.

    Args:
        path: the TOML file.
        reverse: return the rules that undo those in the file.

    Raises:
        CheckpointError: it is not TOML, or a rule is not in order; names the rule.
    """
    try:
        rows = tomllib.loads(read_file(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: {error}.") from error
    if set(rows) != {"rule"} or not isinstance(rows["rule"], list):
        raise CheckpointError(f"{path}: a file of rules holds [[rule]] tables and nothing else, got {sorted(rows)}.")
    rules = [
        _rule(row, f"rule {number} of {path.name}", f"{path}: rule {number}")
        for number, row in enumerate(rows["rule"], 1)
    ]
    return [rule.inverse for rule in rules] if reverse else rules


def apply_rules(rules: Sequence[Rule], names: Iterable[str]) -> tuple[list[ConversionStep], dict[str, str]]:
    """Find what the rules say about the names of a checkpoint.

    Args:
        rules: in order; the first that fits a name decides.
        names: the names.

    Returns:
        The steps that are settled, and new name → old name for those that pass to the mapping.

    Raises:
        CheckpointError: a merge lacks a source.
    """
    names = list(names)
    present, taken = set(names), set()
    steps, renamed = [], {}
    for name in names:
        if name in taken:
            continue
        for rule in rules:
            matched = rule.match(name)
            if not matched:
                continue
            sources = tuple(fill_template(one, matched.groupdict()) for one in rule.sources)
            if missing := [one for one in sources if one not in present]:
                raise CheckpointError(f"{rule.where} takes {sources}; {missing} is not in the checkpoint.")
            taken |= set(sources)
            targets = tuple(fill_template(one, matched.groupdict()) for one in rule.targets)
            if rule.goes_on:
                renamed[targets[0]] = name
            else:
                operation = _operation(rule, len(targets))
                steps.append(ConversionStep(sources, targets, None if operation else rule.axes, operation, rule.where))
            break
        else:
            renamed[name] = name
    return steps, renamed


def _operation(rule: Rule, targets: int) -> Operation | None:
    if rule.operation == "split":
        return move_then(rule.axes, split(rule.axis, rule.sizes, targets))
    if rule.operation == "merge":
        return then_move(merge(rule.axis), rule.axes)
    return None


def _rule(row: Any, name: str, where: str) -> Rule:
    if not isinstance(row, dict):
        raise CheckpointError(f"{where}: must be a [[rule]] table, got {row!r}.")
    if unknown := sorted(set(row) - COLUMNS):
        raise CheckpointError(f"{where}: unknown key {', '.join(unknown)}; the keys are {', '.join(sorted(COLUMNS))}.")
    sources, targets = _templates(row.get("from"), where), _templates(row.get("to", []), where)
    operations = [name for name in ("split", "merge") if name in row]
    if not sources or bool(row.get("drop")) == bool(targets):
        raise CheckpointError(f"{where}: needs 'from' and either 'to' or 'drop = true'.")
    wanted = {"split": (1, None), "merge": (None, 1)}.get(operations[0] if operations else "", (1, 1))
    counts = (len(sources), len(targets))
    if len(operations) > 1 or (targets and any(want and want != got for want, got in zip(wanted, counts, strict=True))):
        raise CheckpointError(f"{where}: {counts[0]} names to {counts[1]} needs one of 'split' and 'merge'.")
    axis, sizes = row.get(operations[0], 0) if operations else 0, row.get("sizes", [])
    if type(axis) is not int or not all(type(size) is int and size > 0 for size in sizes):
        raise CheckpointError(f"{where}: the axis must be an integer and sizes a list of positive ones.")
    if sizes and len(sizes) != max(counts):
        raise CheckpointError(f"{where}: {len(sizes)} sizes for {max(counts)} parts.")
    for template in targets:
        holes = {one[1] for one in HOLE.finditer(template)} - {one[1] for one in HOLE.finditer(sources[0])}
        if holes:
            raise CheckpointError(f"{where}: {template!r} uses {sorted(holes)}, which 'from' does not name.")
    operation, goes_on = operations[0] if operations else "", bool(row.get("continue", False))
    pattern = _pattern(row, where)
    if goes_on and (operation or pattern):
        raise CheckpointError(f"{where}: 'continue' goes with names only, not with axes, split or merge.")
    return Rule(name, sources, targets, pattern, operation, axis, tuple(sizes), goes_on)


def _pattern(row: Mapping[str, Any], where: str) -> Axes | None:
    text, lengths = row.get("axes"), row.get("lengths", {})
    if not isinstance(lengths, dict) or not all(type(one) is int and one > 0 for one in lengths.values()):
        raise CheckpointError(f"{where}: lengths must be like {{ head = 12 }}, got {lengths!r}.")
    if text is None and not lengths:
        return None
    if not isinstance(text, str):
        raise CheckpointError(f"{where}: axes must be a string like 'i o -> o i', got {text!r}.")
    try:
        return axes(text, lengths)
    except CheckpointError as error:
        raise CheckpointError(f"{where}: {error}") from error


def _templates(value: Any, where: str) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else (None,)
    if not all(isinstance(one, str) and one for one in texts):
        raise CheckpointError(f"{where}: 'from' and 'to' are a string or a list of strings, got {value!r}.")
    for one in texts:
        try:
            templates.read(one)
        except CheckpointError as error:
            raise CheckpointError(f"{where}: {error}") from error
    return texts
