"""A scan: the files, the sections, and the report."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from msbridge.converters.checkpoint import collector_paused
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.dropin.release_guess import Guess, weigh
from msbridge.dropin.release_guess.stated_releases import statements
from msbridge.scan.environment import ascend, data_paths, packages
from msbridge.scan.findings import Finding, Level, Named, Rule
from msbridge.scan.graph.checking import check
from msbridge.scan.graph.rules.table import RULES
from msbridge.scan.names import checking as names
from msbridge.scan.project import Module, Project
from msbridge.scan.sources import Source, UnreadableError, python_files
from msbridge.scan.torch_names import checking as torch_names

__all__ = ["SECTIONS", "UNREADABLE", "USUAL", "Report", "Section", "UnknownRuleError", "file_of", "scan"]

Placed = TypeVar("Placed", Finding, Named)


@dataclass(frozen=True, slots=True)
class Section:
    """Something that a scan can look for.

    Attributes:
        name: its flag on the command line, without the dashes; `SUMMARIES` says what it finds.
        rules: what it looks for.
        check: yields the findings of a file, given what it has looked at in other files; it may raise UnreadableError.
        around: is entered for the time of a scan.
        is_usual: whether it is looked for unless something else is asked for.
    """

    name: str
    rules: Sequence[Rule]
    check: Callable[[Module, set[object]], Iterator[Finding]]
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    is_usual: bool = True


SECTIONS: Mapping[str, Section] = {
    "names": Section("names", names.RULES, names.check, names.serve_mindspore),
    "graph": Section("graph", RULES, check),
    "ascend": Section("ascend", ascend.RULES, ascend.check),
    "data": Section("data", data_paths.RULES, data_paths.check),
    "packages": Section("packages", packages.RULES, packages.check),
    "torch": Section("torch", torch_names.RULES, torch_names.check, names.serve_mindspore, is_usual=False),
}
USUAL = tuple(name for name, section in SECTIONS.items() if section.is_usual)
# What Python 3 says of Python 2.
OLD_PYTHON = re.compile(
    r"Missing parentheses in call to|multiple exception types must be parenthesized|leading zeros in decimal|<> "
)
UNREADABLE = Rule(
    "unreadable",
    Level.REFUSED,
    "a file that is not Python",
    "nothing in it can be checked",
    "correct it, or leave it out of the scan",
)


class UnknownRuleError(ValueError):
    """No section that is looked for has a rule of this id."""


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a scan.

    Attributes:
        findings: by file and line.
        files: how many files there were.
        sections: what was looked for.
        names: how many uses of MindSpore's names there are, if they were looked for.
        named: the names of MindSpore that are used, if they were looked for.
        packages: packages of others that are imported, if they were looked for: whether they are installed.
        release: the earlier release that the files are for, and what says so, if that was looked for and found.
    """

    findings: tuple[Finding, ...]
    files: int
    sections: tuple[str, ...] = ()
    names: int | None = None
    named: tuple[Named, ...] = ()
    packages: Mapping[str, bool] = field(default_factory=dict)
    release: Guess | None = None

    @property
    def absent(self) -> int:
        """The number of uses of names that are not here."""
        return sum(one.uses for one in self.named if one.state == "missing")

    @property
    def different(self) -> int:
        """The number of uses of names that are here, but not as in the newest MindSpore."""
        settings = sum(one.rule.id == names.NO_EFFECT.id for one in self.findings)
        return settings + sum(one.uses for one in self.named if one.state == "different")

    @property
    def refused_files(self) -> int:
        """The number of files that contain something that is refused."""
        return len({file_of(one.path) for one in self.findings if one.rule.level == Level.REFUSED})

    def count(self, level: Level) -> int:
        """Return the number of findings of a level."""
        return sum(one.rule.level == level for one in self.findings)


def scan(
    paths: Iterable[Path | str],
    sections: Iterable[str] = USUAL,
    advance: Callable[[int, int], None] = lambda done, of: None,
    *,
    level: Level = Level.ADVICE,
    ignore: Collection[str] = (),
) -> Report:
    """Look for what the sections know in Python files, without running them.

    Args:
        paths: files, notebooks and folders; what they import from each other is followed.
        sections: names of `SECTIONS`.
        advance: is called with the number of files done, and of all.
        level: what is less grave than this is left out.
        ignore: ids of rules that are left out.

    Raises:
        FileNotFoundError: a path does not exist.
        UnknownRuleError: the sections have no such rule.
    """
    sections = list(sections)
    _check_rules(ignore, sections)
    roots = [Path(path) for path in paths]
    project = Project(python_files(roots))
    sources = {str(one.source.path): one.source for one in project.modules}
    findings: dict[tuple[str, str, int, int], Finding] = {}
    seen: dict[str, set[object]] = {name: set() for name in sections}
    with ExitStack() as around:
        around.enter_context(collector_paused())
        for name in seen:
            around.enter_context(SECTIONS[name].around())
        for number, module in enumerate(project.modules, 1):
            known = sum(map(len, seen.values()))
            for each in (*_report_unparsable(module), *_check_module(module, seen)):
                one = each if each.excerpt.isascii() else _in_characters(each, sources[each.path])
                findings.setdefault((one.path, one.rule.id, one.line, one.column), one)
            if not module.is_asked and known == sum(map(len, seen.values())):
                module.forget()  # nothing in it was looked at: of large repositories, few syntax trees are kept
            advance(number, len(project.modules))
    kept = [one for one in findings.values() if one.rule.level.rank <= level.rank and one.rule.id not in ignore]
    order = sorted(kept, key=lambda one: (one.path, one.line, one.column, one.rule.id))
    notebooks = {str(one.source.path): one.source for one in project.modules if one.source.is_notebook}
    report = Report(
        tuple(_in_its_cell(one, notebooks) for one in order),
        len(project.modules),
        tuple(seen),
        packages=dict(sorted(project.packages.items())),
    )
    if "names" not in seen:
        return report
    used = sum(count for name, count in project.names.items() if "(" not in name)
    release = weigh(project.names, [one for root in roots for one in statements(root)]).guess
    named = [_in_its_cell(project.named[name], notebooks) for name in sorted(project.named)]
    return replace(report, names=used, named=tuple(named), release=release)


def _check_rules(ids: Collection[str], sections: Iterable[str]) -> None:
    known = {rule.id for name in sections for rule in SECTIONS[name].rules} | {UNREADABLE.id}
    for unknown in (one for one in ids if one not in known):
        raise UnknownRuleError(f"there is no rule {unknown!r}.{did_you_mean(unknown, known)}")


def file_of(path: str) -> str:
    """Return the file of a finding's path, which may name the cell of a notebook."""
    return path.partition(".ipynb:cell_")[0] + ".ipynb" if ".ipynb:cell_" in path else path


def _in_characters(finding: Finding, source: Source) -> Finding:
    """Return a finding with its column in characters: the parser counts bytes."""
    if finding.rule.id == UNREADABLE.id:
        return finding
    before = source.lines[finding.line - 1].encode()[: finding.column - 1]
    return replace(finding, column=len(before.decode(errors="ignore")) + 1)


def _in_its_cell(placed: Placed, notebooks: Mapping[str, Source]) -> Placed:
    if placed.path not in notebooks:
        return placed
    path, line = notebooks[placed.path].place(placed.line)
    return replace(placed, path=path, line=line)


def _report_unparsable(module: Module) -> Iterator[Finding]:
    return (_unreadable(module, error) for error in module.source.broken)


def _unreadable(module: Module, error: UnreadableError) -> Finding:
    rule = UNREADABLE
    if OLD_PYTHON.search(error.problem):
        fix = "translate it with 2to3, or leave it out of the scan"
        rule = replace(UNREADABLE, what="a file of Python 2", why="Python 3 does not run it", fix=fix)
    return Finding(rule, str(module.source.path), error.line, error.column, error.problem)


def _check_module(module: Module, seen: Mapping[str, set[object]]) -> Iterator[Finding]:
    for name, walked in seen.items():
        try:
            yield from SECTIONS[name].check(module, walked)
        except UnreadableError as error:
            yield _unreadable(module, error)
        except RecursionError:
            yield Finding(UNREADABLE, str(module.source.path), 1, 1, "nested too deeply")
