"""Baselines: the findings that a project has already, so that a scan fails on new ones only.

A finding is known by its file, rule and source line, not by its line number, which changes with every edit above it.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msbridge.converters.files.atomic_write import write_text
from msbridge.scan.findings import Finding

__all__ = ["BaselineError", "new_findings", "read_baseline", "write_baseline"]

Key = tuple[str, str, str]
"""File, rule and source line of a finding."""


class BaselineError(ValueError):
    """A file that is no baseline."""


def new_findings(findings: Iterable[Finding], known: Counter[Key]) -> list[Finding]:
    """Return the findings that a baseline does not have; of several alike, as many as there are more of."""
    left = Counter(known)
    new = []
    for finding in findings:
        if left[_key(finding)]:
            left[_key(finding)] -= 1
        else:
            new.append(finding)
    return new


def read_baseline(path: str) -> Counter[Key]:
    """Read a baseline.

    Raises:
        BaselineError: the file is no baseline.
        OSError: it cannot be read.
    """
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        return Counter({(row["path"], row["rule"], row["line"]): int(row["count"]) for row in rows})
    except (ValueError, TypeError, KeyError):
        raise BaselineError(f"{path} is no baseline; `msbridge scan --write-baseline {path} .` writes one.") from None


def write_baseline(path: str, findings: Iterable[Finding]) -> None:
    """Write the findings as a baseline, sorted, a row a line, so that its changes can be reviewed.

    Raises:
        OSError: the file cannot be written.
    """
    counted = sorted(Counter(map(_key, findings)).items())
    rows = [
        json.dumps({"path": file, "rule": rule, "line": line, "count": count}, ensure_ascii=False)
        for (file, rule, line), count in counted
    ]
    write_text(path, "[\n" + ",\n".join(rows) + "\n]\n")


def _key(finding: Finding) -> Key:
    return Path(finding.path).as_posix(), finding.rule.id, finding.excerpt
