"""A scan: the files, the sections, and the report."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from msbridge.dropin.era import Guess, weigh
from msbridge.dropin.era.statements import statements
from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.graph.checking import check
from msbridge.scan.graph.rules.table import RULES
from msbridge.scan.names import checking as names
from msbridge.scan.project import Module, Project
from msbridge.scan.sources import UnreadableError, python_files

__all__ = ["SECTIONS", "UNREADABLE", "Report", "Section", "scan"]


@dataclass(frozen=True, slots=True)
class Section:
    """Something that a scan can look for.

    Attributes:
        name: its flag on the command line, without the dashes.
        summary: what it finds, for the help.
        rules: what it looks for.
        check: yields the findings of a file, given what it has looked at in other files; it may raise UnreadableError.
        around: is entered for the time of a scan.
    """

    name: str
    summary: str
    rules: Sequence[Rule]
    check: Callable[[Module, set[object]], Iterator[Finding]]
    around: Callable[[], AbstractContextManager[None]] = nullcontext


SECTIONS: Mapping[str, Section] = {
    "names": Section(
        "names", "names of MindSpore that are not here, and the release", names.RULES, names.check, names.served
    ),
    "graph": Section("graph", "what a real graph mode refuses or changes", RULES, check),
}
UNREADABLE = Rule(
    "unreadable",
    Level.REFUSED,
    "a file that is no Python",
    "nothing in it can be checked",
    "correct it, or leave it out of the scan",
)


@dataclass(frozen=True, slots=True)
class Report:
    """What a scan found.

    Attributes:
        findings: by file and line.
        files: how many files there were.
        names: how many uses of MindSpore's names there are, if they were looked for.
        release: the earlier release that the files are for, and what says so, if that was looked for and found.
    """

    findings: tuple[Finding, ...]
    files: int
    names: int | None = None
    release: Guess | None = None

    @property
    def absent(self) -> int:
        """How many uses of names that are not here were found."""
        return sum(one.rule.id == names.ABSENT.id for one in self.findings)

    def count(self, level: Level) -> int:
        """Return how many findings have a level."""
        return sum(one.rule.level == level for one in self.findings)


def scan(
    paths: Iterable[Path | str],
    sections: Iterable[str] = tuple(SECTIONS),
    advance: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Look for what the sections know in Python files, without running them.

    Args:
        paths: files and folders; what they import from each other is followed.
        sections: names of `SECTIONS`.
        advance: is told how many of how many files are done.

    Raises:
        FileNotFoundError: a path does not exist.
    """
    roots = [Path(path) for path in paths]
    project = Project(python_files(roots))
    found: dict[tuple[str, str, int, int], Finding] = {}
    seen: dict[str, set[object]] = {name: set() for name in sections}
    with ExitStack() as around:
        for name in seen:
            around.enter_context(SECTIONS[name].around())
        for number, module in enumerate(project.modules, 1):
            known = sum(map(len, seen.values()))
            for one in _checked(module, seen):
                found.setdefault((one.path, one.rule.id, one.line, one.column), one)
            if not module.is_asked and known == sum(map(len, seen.values())):
                module.forget()  # nothing in it was looked at: of large repositories, few syntax trees are kept
            advance(number, len(project.modules))
    order = sorted(found.values(), key=lambda one: (one.path, one.line, one.column, one.rule.id))
    if "names" not in seen:
        return Report(tuple(order), len(project.modules))
    used = sum(count for name, count in project.names.items() if "(" not in name)
    release = weigh(project.names, [one for root in roots for one in statements(root)])
    return Report(tuple(order), len(project.modules), used, release)


def _checked(module: Module, seen: Mapping[str, set[object]]) -> Iterator[Finding]:
    for name, walked in seen.items():
        try:
            yield from SECTIONS[name].check(module, walked)
        except UnreadableError as error:
            yield Finding(UNREADABLE, str(module.source.path), error.line, error.column, error.problem)
        except RecursionError:
            yield Finding(UNREADABLE, str(module.source.path), 1, 1, "nested too deeply")
