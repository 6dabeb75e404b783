"""Options of a scan: two records, of which the command line is made. It is read without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msbridge.core.checks.option_records import Option
from msbridge.scan.findings import SUMMARIES, Level

__all__ = ["Options", "Results"]

WHAT = "what to look for (default: everything)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a scan: targets and exclusions; every field says what it does."""

    names: Annotated[bool, Option(WHAT, SUMMARIES["names"])] = False
    graph: Annotated[bool, Option(WHAT, SUMMARIES["graph"])] = False
    ascend: Annotated[bool, Option(WHAT, SUMMARIES["ascend"])] = False
    data: Annotated[bool, Option(WHAT, SUMMARIES["data"])] = False
    packages: Annotated[bool, Option(WHAT, SUMMARIES["packages"])] = False
    torch: Annotated[bool, Option(WHAT, SUMMARIES["torch"])] = False
    level: Annotated[str, Option("results", "leave out findings below this level", choices=tuple(map(str, Level)))] = (
        "advice"
    )
    ignore: Annotated[Sequence[str], Option("results", "leave a rule out", metavar="RULE")] = ()
    baseline: Annotated[
        str | None, Option("results", "leave out the findings that this file lists", metavar="FILE")
    ] = None

    @property
    def sections(self) -> list[str]:
        """The sections that are asked for by name."""
        return [name for name in SUMMARIES if getattr(self, name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The places of a scan's results; every field says what is written."""

    json: Annotated[bool, Option("results", "print JSON")] = False
    sarif: Annotated[
        str | None,
        Option("results", "write SARIF, which code hosts and editors show; - prints it", metavar="FILE"),
    ] = None
    write_baseline: Annotated[
        str | None, Option("results", "write the findings as a file for --baseline", metavar="FILE")
    ] = None
    html: Annotated[str | None, Option("results", "write a self-contained HTML page", metavar="FILE")] = None

    @property
    def prints_data(self) -> bool:
        """Whether what is printed is for programs."""
        return self.json or self.sarif == "-"
