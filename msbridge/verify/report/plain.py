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


def plain_comparison(found: Result) -> dict[str, Any]:
    """Return everything as plain values."""
    issues = {name: sentence(one.fact) for name, one in found.wrong_weights.items()}
    pairs = found.weights.pairs
    return {
        "verdict": found.verdict,
        "sentence": verdict_sentence(found),
        "measured": format_measurement(found),
        "torch": found.torch,
        "cell": found.cell,
        "findings": [_finding(one) for one in found.findings],
        "notes": [_finding(one) for one in found.notes],
        "outputs": [plain_difference(one) for one in found.outputs],
        "rows": [plain_row(one) for one in found.rows],
        "weights": {
            "pairs": [
                {"torch": one.torch, "cell": one.cell, "by": one.by, "issue": issues.get(one.cell, "")} for one in pairs
            ],
            "only_torch": list(found.weights.only_torch),
            "only_cell": list(found.weights.only_cell),
        },
        "structure": dict(found.structure),
        "gradients": _differences(found.gradients),
        "training": _differences(found.training),
        "inputs": list(map(str, found.inputs)),
        "environment": dict(found.environment),
        "seconds": dict(found.seconds),
        "sizes": dict(found.sizes),
        "command": found.command,
    }


def plain_row(row: Row) -> dict[str, Any]:
    """Return a row as plain values."""
    values = {name: getattr(row, name) for name in OF_ROWS}
    measured = {name: one and plain_difference(one) for name, one in values.items() if isinstance(one, Difference)}
    return {**values, **measured, "settings": [setting_of(one) for one in row.settings]}


def plain_difference(one: Difference) -> dict[str, Any]:
    """Return a difference as plain values."""
    values = one.as_dict()
    del values["actual_shape"]
    return {**values, "problem": problem(one)}


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "layer": one.layer,
        "cell": one.cell,
        "kind": one.kind,
        "text": sentence(one.fact),
        "evidence": [sentence(each) for each in one.evidence],
        "fix": fix_of(one),
        "fact": _value(one.fact),
        "where": one.where,
        "others": list(one.others),
    }


def _value(value: Any) -> Any:
    if isinstance(value, Fact):
        return {"name": value.name, "values": {name: _value(one) for name, one in value.values.items()}}
    if isinstance(value, tuple | list):
        return [_value(one) for one in value]
    return value if isinstance(value, bool | int | float | str | None) else dtype_name(value)


def _differences(group: Mapping[str, Difference]) -> dict[str, Any]:
    return {name: plain_difference(one) for name, one in group.items()}
