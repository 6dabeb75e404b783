"""Sentences: what the findings of a scan say, as text, as values for JSON, and as a table of rules for a page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.scanning import Report

__all__ = ["LEVELS", "lines", "rules_table", "summary", "values"]

LEVELS = {
    Level.REFUSED: "an error is raised",
    Level.CHANGED: "it runs, but gives another result than eagerly, or does once what eagerly happens in every step",
    Level.FALLBACK: "it runs by going back to Python, slowly; the strict syntax (`jit_syntax_level`) refuses it",
    Level.ADVICE: "it gives the same, but costs time or weights, or an Ascend has no such kernel",
}


def lines(report: Report) -> Iterator[tuple[str, Level | None]]:
    """Yield the lines of a report, each with the level that colours it: findings by file, then what the rules mean."""
    for path, several in groupby(report.findings, key=lambda one: one.path):
        yield path, None
        for one in several:
            yield f"  {one.line}:{one.column}  {one.rule.level}  {one.rule.what} [{one.rule.id}]", one.rule.level
            yield f"      {one.excerpt}", None
            if len(one.reached) > 1:
                yield f"      reached by {' → '.join(one.reached)}", None
        yield "", None
    for rule, count in _by_rule(report.findings):
        times = f", {count} times" if count > 1 else ""
        yield f"{rule.id} ({rule.level}{times}): {rule.why}.", rule.level
        yield f"  Instead: {rule.fix}.", None
    if report.findings:
        yield "", None


def summary(report: Report) -> str:
    """Return the last lines of a report: counts, the share of names that are here, the release."""
    files = f"{report.files} file{'s' * (report.files != 1)}"
    counts = ", ".join(f"{report.count(level)} {level}" for level in Level if report.count(level))
    found = [f"{counts or 'nothing found'} in {files}"]
    if report.names:
        here = report.names - report.absent
        found.append(f"{here} of {report.names} uses of MindSpore's names are here ({_share(here, report.names)})")
    if report.release:
        release, because = report.release
        found.append(f"for MindSpore {release}, because of {because!r}; `msbridge run` follows it")
    return "\n".join(found)


def _share(part: int, whole: int) -> str:
    """Return a share in percent, which is 100 % only if it is the whole."""
    return "100 %" if part == whole else f"{min(100 * part / whole, 99.9):.1f} %"


def values(report: Report) -> dict[str, object]:
    """Return a report as what JSON can hold."""
    found = [
        {
            "rule": one.rule.id,
            "level": one.rule.level.value,
            "path": one.path,
            "line": one.line,
            "column": one.column,
            "excerpt": one.excerpt,
            "reached": list(one.reached),
            "what": one.rule.what,
            "why": one.rule.why,
            "fix": one.rule.fix,
        }
        for one in report.findings
    ]
    counts = {level.value: report.count(level) for level in Level}
    names = None if report.names is None else {"uses": report.names, "absent": report.absent}
    release = report.release._asdict() if report.release else None
    return {"files": report.files, "counts": counts, "names": names, "release": release, "findings": found}


def rules_table(rules: Sequence[Rule]) -> str:
    """Return the rules as a table of a page, the gravest first."""
    rows = ["| rule | what is found | what becomes of it | what to write instead |", "|---|---|---|---|"]
    for level in Level:
        rows.append(f"| **{level}** | {LEVELS[level]} | | |")
        for rule in sorted((one for one in rules if one.level == level), key=lambda one: one.id):
            cells = (f"`{rule.id}`", rule.what, rule.why, rule.fix)
            rows.append("| " + " | ".join(cell.replace("|", "&#124;") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _by_rule(findings: Iterable[Finding]) -> list[tuple[Rule, int]]:
    counted = Counter(one.rule for one in findings)
    return sorted(counted.items(), key=lambda pair: (pair[0].level.rank, -pair[1], pair[0].id))
