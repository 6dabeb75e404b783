"""Sentences: what the findings of a scan say, as text, as values for JSON, and as a table of rules for a page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from msbridge.scan.engine import SECTIONS, Report
from msbridge.scan.environment.packages import install_command
from msbridge.scan.findings import SUMMARIES, Finding, Level, Named, Rule

__all__ = [
    "LEVELS",
    "by_rule",
    "explanations",
    "lines",
    "rules_table",
    "share",
    "summary",
    "table",
    "values",
    "verdict",
]

LEVELS = {
    Level.REFUSED: "an error is raised",
    Level.CHANGED: "it runs, but the result differs from eager mode, or a side effect happens only once",
    Level.FALLBACK: "it runs, but falls back to Python, slowly; the strict syntax (`jit_syntax_level`) refuses it",
    Level.ADVICE: "the result is the same, but it costs time, loses weights, or depends on the machine or the release",
}


def lines(report: Report) -> Iterator[tuple[str, Level | None]]:
    """Yield the lines of a report, each with the level that colours it: findings by file, then what the rules mean."""
    for path, several in groupby(report.findings, key=lambda one: one.path):
        yield path, None
        for finding in several:
            yield (
                f"  {finding.line}:{finding.column}  {finding.rule.level}  {finding.rule.what} [{finding.rule.id}]",
                finding.rule.level,
            )
            yield f"      {finding.excerpt}", None
            if len(finding.reached) > 1:
                yield f"      reached by {' → '.join(finding.reached)}", None
        yield "", None
    for rule, count in by_rule(report.findings):
        times = f", {count} times" if count > 1 else ""
        yield f"{rule.id} ({rule.level}{times}): {_end_sentence(rule.why)}", rule.level
        yield f"  Instead: {_end_sentence(rule.fix)}", None
    if report.findings:
        yield "", None


def summary(report: Report) -> str:
    """Return the last lines of a report: counts, the share of names that are here, the release."""
    files = f"{report.files} file{'s' * (report.files != 1)}"
    counts = ", ".join(f"{report.count(level)} {level}" for level in Level if report.count(level))
    if not report.files:
        return "there is no Python file and no notebook"
    texts = [f"{counts or 'nothing found'} in {files}"]
    if report.names:
        here = report.names - report.absent
        texts.append(f"{here} of {report.names} uses of MindSpore's names are available ({share(here, report.names)})")
        if report.different:
            texts.append(f"{report.different} of them differ from the newest MindSpore")
    if report.packages:
        installed = sum(report.packages.values())
        missing = [name for name, is_here in report.packages.items() if not is_here]
        not_here = f"; not installed: {', '.join(missing)}" if missing else ""
        texts.append(f"{installed} of {len(report.packages)} third-party packages are installed{not_here}")
        if command := install_command(missing):
            texts.append(f"  {command}")
    if report.release:
        texts.append(f"{report.release.sentence}; `msbridge run` follows {report.release.followed}")
    return "\n".join([*texts, *([verdict(report)] if report.findings else [])])


def verdict(report: Report) -> str:
    """Return in a sentence how much of the files is ready."""
    if not report.count(Level.REFUSED):
        return "ready: nothing is refused"
    ready = report.files - report.refused_files
    files = f"{report.refused_files} of {report.files} files"
    return f"not ready: something is refused in {files} ({share(ready, report.files)} of the files are ready)"


def share(part: int, whole: int) -> str:
    """Return a share in percent, which is 100 % only if it is the whole."""
    return "100 %" if part == whole else f"{min(100 * part / whole, 99.9):.1f} %"


def values(report: Report) -> dict[str, object]:
    """Return a report as what JSON can hold."""
    findings = [
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
    names = None
    if report.names is not None:
        here = report.names - report.absent
        names = {
            "uses": report.names,
            "absent": report.absent,
            "different": report.different,
            "percent": round(100 * here / report.names, 2) if report.names else 100.0,
            "list": [_format_name(one) for one in report.named],
        }
    release = report.release._asdict() if report.release else None
    return {
        "verdict": verdict(report),
        "files": report.files,
        "files_refused": report.refused_files,
        "counts": counts,
        "names": names,
        "release": release,
        "packages": dict(report.packages),
        "findings": findings,
    }


def _format_name(named: Named) -> dict[str, object]:
    rule = named.rule
    return {
        "name": named.name,
        "state": named.state,
        "uses": named.uses,
        "path": named.path,
        "line": named.line,
        "why": rule.why if rule else "",
        "fix": rule.fix if rule else "",
    }


def table(report: Report) -> list[tuple[str, ...]]:
    """Return the number of findings of each level by section: a row of headings, then a row for each section."""
    of = {rule.id: name for name in report.sections for rule in SECTIONS[name].rules}
    counted = Counter((of.get(one.rule.id, ""), one.rule.level) for one in report.findings)
    rows = [(name, *(str(counted[name, level] or "-") for level in Level)) for name in report.sections]
    return [("section", *map(str, Level)), *rows]


def explanations(sections: Iterable[str]) -> Iterator[tuple[str, Level | None]]:
    """Yield the lines that explain the rules of sections, each with the level that colours it."""
    for name in sections:
        yield f"{name}: {SUMMARIES[name]}", None
        for rule in sorted(SECTIONS[name].rules, key=lambda one: (one.level.rank, one.id)):
            yield f"  {rule.id} ({rule.level}): {rule.what}", rule.level
            yield f"      {_end_sentence(rule.why)} Instead: {_end_sentence(rule.fix)}", None
        yield "", None


def rules_table(rules: Sequence[Rule]) -> str:
    """Return the rules as a table of a page, the gravest first."""
    rows = ["| Rule | What is found | What happens | What to write instead |", "|---|---|---|---|"]
    for level in Level:
        rows.append(f"| **{level}** | {LEVELS[level]} | | |")
        for rule in sorted((one for one in rules if one.level == level), key=lambda one: one.id):
            cells = (f"`{rule.id}`", rule.what, rule.why, rule.fix)
            rows.append("| " + " | ".join(cell.replace("|", "&#124;") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def by_rule(findings: Iterable[Finding]) -> list[tuple[Rule, int]]:
    """Return the rules that fit, with how often, the gravest and most frequent first; those that say the same, once."""
    said: dict[tuple[str, str, str], list[Rule]] = {}
    for one in findings:
        said.setdefault((one.rule.id, one.rule.why, one.rule.fix), []).append(one.rule)
    counted = [(rules[0] if len({*rules}) == 1 else _general(rules[0]), len(rules)) for rules in said.values()]
    return sorted(counted, key=lambda pair: (pair[0].level.rank, -pair[1], pair[0].id))


def _end_sentence(sentence: str) -> str:
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def _general(rule: Rule) -> Rule:
    """Return a rule as it says what it finds, rather than what it found."""
    known = next((one for section in SECTIONS.values() for one in section.rules if one.id == rule.id), rule)
    return replace(rule, what=known.what)
