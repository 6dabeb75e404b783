"""Grouping: findings that say the same of many layers become one, which lists the places of the others."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from msbridge.verify.explain.findings import Finding

MAX_LISTED_PLACES = 3  # so many places of one kind are listed one by one


def group_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without repetitions; of more than a few that differ in their place only, the first is left."""
    findings = list(findings)
    alike: dict[Any, dict[Any, Finding]] = {}
    for one in findings:
        place = one.layer, sorted(one.fact.names)
        alike.setdefault((one.kind, one.where, one.fact.pattern), {}).setdefault((place[0], *place[1]), one)
    left: dict[int, Finding] = {}
    for group in alike.values():
        leader, *others = group.values()
        if len(others) < MAX_LISTED_PLACES:
            left |= {id(one): one for one in group.values()}
        else:
            left[id(leader)] = replace(leader, others=tuple(one.layer for one in others))
    return tuple(left[id(one)] for one in findings if id(one) in left)
