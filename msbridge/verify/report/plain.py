"""The comparison as plain values, for JSON and for the script of the HTML report."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from msbridge.verify.explain.findings import Fact, Finding
from msbridge.verify.judge.status import Row
from msbridge.verify.measure.difference import Difference
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import (
    dtype_name,
    fix_of,
    format_measurement,
    problem,
    sentence,
    setting_of,
    verdict_sentence,
)

OF_ROWS = [one.name for one in fields(Row) if one.name not in ("paths", "acquitted", "seconds")]


def plain_comparison(result: Result) -> dict[str, Any]:
    """Return everything as plain values."""
    issues = {name: sentence(one.fact) for name, one in result.wrong_weights.items()}
    pairs = result.weights.pairs
    return {
        "verdict": result.verdict,
        "sentence": verdict_sentence(result),
        "measured": format_measurement(result),
        "torch": result.torch,
        "cell": result.cell,
        "findings": [_finding(one) for one in result.findings],
        "notes": [_finding(one) for one in result.notes],
        "outputs": [plain_difference(one) for one in result.outputs],
        "rows": [plain_row(one) for one in result.rows],
        "weights": {
            "pairs": [
                {"torch": one.torch, "cell": one.cell, "by": one.by, "issue": issues.get(one.cell, "")} for one in pairs
            ],
            "only_torch": list(result.weights.only_torch),
            "only_cell": list(result.weights.only_cell),
        },
        "structure": dict(result.structure),
        "gradients": _differences(result.gradients),
        "training": _differences(result.training),
        "inputs": list(map(str, result.inputs)),
        "environment": dict(result.environment),
        "seconds": dict(result.seconds),
        "sizes": dict(result.sizes),
        "command": result.command,
    }


def plain_row(row: Row) -> dict[str, Any]:
    """Return a row as plain values."""
    values = {name: getattr(row, name) for name in OF_ROWS}
    measured = {name: one and plain_difference(one) for name, one in values.items() if isinstance(one, Difference)}
    return {**values, **measured, "settings": [setting_of(one) for one in row.settings]}


def plain_difference(difference: Difference) -> dict[str, Any]:
    """Return a difference as plain values."""
    values = difference.as_dict()
    del values["actual_shape"]
    return {**values, "problem": problem(difference)}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "layer": finding.layer,
        "cell": finding.cell,
        "kind": finding.kind,
        "text": sentence(finding.fact),
        "evidence": [sentence(each) for each in finding.evidence],
        "fix": fix_of(finding),
        "fact": _value(finding.fact),
        "where": finding.where,
        "others": list(finding.others),
    }


def _value(value: Any) -> Any:
    if isinstance(value, Fact):
        return {"name": value.name, "values": {name: _value(one) for name, one in value.values.items()}}
    if isinstance(value, tuple | list):
        return [_value(one) for one in value]
    return value if isinstance(value, bool | int | float | str | None) else dtype_name(value)


def _differences(group: Mapping[str, Difference]) -> dict[str, Any]:
    return {name: plain_difference(one) for name, one in group.items()}
