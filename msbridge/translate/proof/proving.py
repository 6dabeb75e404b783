"""Proving: a torch network and the Cell of its translation are built, compared, and what differs is said by line.

This is the only part of `translate` that runs the user's file.
"""

import importlib
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

import msbridge
from msbridge.converters.user_modules import user_modules
from msbridge.core.checks.stack_frames import Span
from msbridge.nn import Cell
from msbridge.translate.proof.places import Places
from msbridge.translate.proof.repair import code_of_setting, repair
from msbridge.verify.explain.findings import Finding
from msbridge.verify.record.inputs import make
from msbridge.verify.report.comparison import Comparison
from msbridge.verify.report.operator_snippets import SIGNS
from msbridge.verify.report.sentences import code_of, fix_of, sentence
from msbridge.verify.side_by_side import compare

__all__ = ["Fault", "Proof", "prove"]

MAX_ROUNDS = 20  # of repairs: each shows what the fault before has hidden


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a translation does not compute as its source.

    Attributes:
        line: of the source; 0 where it is not known.
        output: the line of the translation, likewise.
        kind: what differs, in a word or two.
        seen: what was seen, in a sentence.
        fix: what to do, in a sentence.
        is_repaired: whether that was done.
    """

    line: int
    output: int
    kind: str
    seen: str
    fix: str
    is_repaired: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of comparing a translation with its source.

    Attributes:
        source: the translation, with its repairs.
        faults: in the order of the calls, repaired ones first.
        comparison: of the last run, layer by layer.
    """

    source: str
    faults: tuple[Fault, ...]
    comparison: Comparison

    @property
    def is_same(self) -> bool:
        """Whether both compute the same now, in training too."""
        return self.comparison.is_same and all(one.is_repaired for one in self.faults)

    @property
    def first(self) -> Fault | None:
        """The first fault that is left."""
        return next((one for one in self.faults if not one.is_repaired), None)

    def described(self, name: str, output: str) -> str:
        """Return the proof in a few lines of text, with the names of both files."""
        lines = [self.comparison.sentence] if self.is_same else []
        for one in self.faults:
            places = [f"{file}:{line}" for file, line in ((name, one.line), (output, one.output)) if line]
            said = f"{' -> '.join(places) or '(no line)'}: {one.kind}: {one.seen}"
            does = f" Repaired: {one.fix}." if one.is_repaired else f" To repair: {one.fix}." if one.fix else ""
            lines.append(f"{said}.{does}")
        return "\n".join(textwrap.fill(one, 120, subsequent_indent="    ", break_on_hyphens=False) for one in lines)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A fault, the expression that has it, and the code that takes its place."""

    fault: Fault
    span: Span | None
    code: str


def prove(
    path: str | Path,
    translation: str,
    build: str,
    inputs: Sequence[str],
    *,
    repairs: bool = False,
    seed: int = 0,
    source: str = "torch",
) -> Proof:
    """Run the network of a file and that of its translation side by side; both files are executed.

    `import mindspore` brings msbridge from then on.

    Args:
        path: the source.
        translation: its translation.
        build: the expression that builds the network in either, such as `Net(num_classes=10)`.
        inputs: as `msbridge verify --input` takes them, one for each argument.
        repairs: change the translation where a finding says how, and compare again.
        seed: of all random numbers.
        source: what the file uses: "torch", or "mindspore", whose translation is not repaired.

    Returns:
        The proof, with the translation as it is then.

    Raises:
        ValueError: an input has another form.
        TypeError: the expression builds something else than a network.
    """
    msbridge.install()
    file = Path(path).absolute()
    name = _module_name(file)
    with user_modules(f"{name}:"):
        torch.manual_seed(seed)
        original = _run(name, file, file.read_text())
        kinds = (torch.nn.Module, Cell) if source == "torch" else (Cell, torch.nn.Module)
        theirs, before = _build(original, file, build, kinds[0])
        values = make(inputs, seed)
        repaired: list[Fault] = []
        for _ in range(MAX_ROUNDS):
            target = file.with_name(f"{file.stem} (translated).py")
            torch.manual_seed(seed)
            own, after = _build(_run(f"{name}_translated", target, translation), target, build, kinds[1])
            module, cell = (before, after) if source == "torch" else (after, before)
            both = _Both(theirs, own, translation, source)
            with theirs.watching(before), own.watching(after):
                comparison = compare(module, cell, values, grad=True, seed=seed, running=both.running)
            seen = _once(both.locate(one) for one in _findings_of(comparison, both.is_from_torch))
            changed, done = _apply(translation, seen) if repairs else (translation, [])
            if not done:
                break
            translation = changed
            repaired += done
        faults = [*repaired, *(one.fault for one in seen), *both.of_gradients(comparison, bool(seen))]
    return Proof(translation, tuple(faults), comparison)


class _Both:
    """The places of the source and of its translation."""

    def __init__(self, theirs: Places, own: Places, translation: str, source: str) -> None:
        self.theirs, self.own, self.translation = theirs, own, translation
        self.is_from_torch = source == "torch"

    def running(self) -> str:
        """Return the place that is running, in whichever file it is."""
        return self.own.running() or self.theirs.running()

    def locate(self, finding: Finding) -> _Seen:
        """Return the fault that a finding is about."""
        source, output = (
            (side.find_call(label) if finding.where == "before" else None)
            or side.find_constructor(label)
            or side.find_call(label)
            for side, label in self._sides(finding.layer, finding.cell or finding.layer)
        )
        fault = Fault(_line(source), _line(output), finding.kind, sentence(finding.fact), fix_of(finding))
        return _Seen(fault, output, self._code(finding, output))

    def _sides(self, layer: str, cell: str) -> tuple[tuple[Places, str], tuple[Places, str]]:
        """Return the source and the translation, each with its name of a layer."""
        names = (layer, cell) if self.is_from_torch else (cell, layer)
        return (self.theirs, names[0]), (self.own, names[1])

    def _code(self, finding: Finding, output: Span | None) -> str:
        """Return the code that a finding asks for; a number as exactly as it was seen."""
        fix = finding.fix
        if output is None or fix is None:
            return ""
        values = {**finding.fact.values, **fix.values}
        if fix.name == "same number" and values["operator"] in SIGNS:
            return f"x {SIGNS[values['operator']]} {values['torch']!r}"
        if fix.name == "set" and not code_of(finding):  # a class that the translation itself defines
            return code_of_setting(self.translation, output, values["setting"], values["torch"])
        return code_of(finding)

    def of_gradients(self, comparison: Comparison, is_explained: bool) -> Iterator[Fault]:
        """Yield the faults that show in gradients only."""
        pairs = {one.torch: one.cell for one in comparison.weights.pairs}
        for name, difference in comparison.gradients.items():
            if not difference.is_noise and not is_explained:
                layer, cell = (one.rpartition(".")[0] for one in (name, pairs[name]))
                seen = f"the gradient of {name} differs by up to {difference.max_abs:.3g}"
                line, output = (_line(side.find_constructor(label)) for side, label in self._sides(layer, cell))
                yield Fault(line, output, "gradient", seen, "")


def _findings_of(comparison: Comparison, has_settings: bool) -> list[Finding]:
    """Return the findings, and the notes that show in training, one for each place.

    Helpers of torch source pad by themselves, so that the settings of their layers say nothing.
    """
    quiet = [one for one in comparison.notes if has_settings and one.fact.name == "quiet setting"]
    return [
        replace(one, layer=layer, others=()) if layer != one.layer else one
        for one in (*comparison.findings, *quiet)
        for layer in (one.layer, *one.others)
    ]


def _once(seen: Iterable[_Seen]) -> list[_Seen]:
    """Return faults without those that are said of the same lines again."""
    known = {(one.fault.line, one.fault.output, one.fault.kind, one.span): one for one in reversed([*seen])}
    return [*known.values()][::-1]


def _apply(source: str, seen: Sequence[_Seen]) -> tuple[str, list[Fault]]:
    """Repair what can be repaired, from the end of the text, so that the places before stay."""
    done: list[Fault] = []
    taken: set[Span] = set()
    for place in sorted(seen, key=lambda one: (one.span or Span(0, 0, 0, 0))[0] or 0, reverse=True):
        if place.span is None or not place.code or place.span in taken:
            continue
        changed = repair(source, place.span, place.code)
        if changed is not None and changed != source:
            source = changed
            taken.add(place.span)
            done.append(replace(place.fault, is_repaired=True))
    return source, done[::-1]


def _build(module: ModuleType, file: Path, build: str, kind: type) -> tuple[Places, Any]:
    places = Places(file)
    try:
        with places.building():
            network = eval(build, vars(module))
    except Exception as error:
        error.add_note(f"{build} of {file.name} fails")
        raise
    if not isinstance(network, kind):
        raise TypeError(f"{build} of {file.name} builds {type(network).__name__}, not a {kind.__name__}.")
    return places, network


def _module_name(file: Path) -> str:
    """Return the name of a file's module, as its neighbours in the current folder would import it."""
    here = Path.cwd()
    parts = file.relative_to(here).with_suffix("").parts if file.is_relative_to(here) else (file.stem,)
    return ".".join(parts)


def _run(name: str, file: Path, text: str) -> ModuleType:
    """Run the text of a module under the name that its file has, so that it can import its neighbours."""
    module = ModuleType(name)
    module.__file__ = str(file)
    package = name.rpartition(".")[0]
    module.__package__ = package
    if package:
        importlib.import_module(package)
    sys.modules[name] = module
    try:
        exec(compile(text, str(file), "exec"), vars(module))
    except Exception as error:
        error.add_note(f"{file.name} fails")
        raise
    return module


def _line(span: Span | None) -> int:
    return 0 if span is None else span.first or 0
