"""A report in SARIF 2.1.0, the form in which code hosts and editors take findings."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msbridge.core.runtime.package_versions import version_of
from msbridge.core.runtime.printable import json_text
from msbridge.scan.engine import SECTIONS, UNREADABLE, Report, file_of
from msbridge.scan.findings import Finding, Level, Rule

__all__ = ["sarif_text"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Level.REFUSED: "error", Level.CHANGED: "warning", Level.FALLBACK: "warning", Level.ADVICE: "note"}


def sarif_text(report: Report) -> str:
    """Return a report as a file holds it; rules come before the findings, which name them."""
    rules = [*(rule for name in report.sections for rule in SECTIONS[name].rules), UNREADABLE]
    version = version_of("msbridge")
    driver = {
        "name": "msbridge scan",
        **({"version": version} if version else {}),
        "rules": [_rule(rule) for rule in rules],
    }
    order = {rule.id: number for number, rule in enumerate(rules)}
    results = [_result(one, order) for one in report.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.why}."},
        "help": {"text": f"Instead: {rule.fix}."},
        "defaultConfiguration": {"level": LEVELS[rule.level]},
    }


def _result(finding: Finding, order: Mapping[str, int]) -> dict[str, Any]:
    file = file_of(finding.path)
    place = Path(file)
    region = {"startLine": finding.line, "startColumn": finding.column, "snippet": {"text": finding.excerpt}}
    said = f"{finding.rule.what}: {finding.rule.why}. Instead: {finding.rule.fix}."
    if file != finding.path:  # lines of a notebook's file are those of its JSON
        cell = finding.path.removeprefix(file).lstrip(":").replace("_", " ")
        region, said = {"startLine": 1}, f"{cell}, line {finding.line}: {said}"
    uri = place.as_uri() if place.is_absolute() else quote(os.fsencode(place.as_posix()))
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": order[finding.rule.id],
        "level": LEVELS[finding.rule.level],
        "message": {"text": said},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}],
    }
