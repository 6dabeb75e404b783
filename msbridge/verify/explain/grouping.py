"""Grouping: findings that say the same of many layers become one, which lists the places of the others."""

import re
from collections.abc import Iterable

from msbridge.verify.report.comparison import Finding

FEW = 3  # so many places of one kind stand each for itself
# A path of at least two parts, one of which is no number.
NAME = re.compile(r"\b(?:[A-Za-z_]\w*(?:\.\w+)+|\d+(?:\.\w+)*\.[A-Za-z_]\w*(?:\.\w+)*)")
CALL = re.compile(r" \(call \d+\)")


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Give findings without repetitions; of more than a few that differ in their place only, the first is left."""
    alike: dict[tuple[str, str, str], dict[str, Finding]] = {}
    for one in findings:
        key = one.kind, one.where, NAME.sub("…", CALL.sub("", one.text))
        alike.setdefault(key, {}).setdefault(f"{one.layer}: {one.text}", one)
    left: set[int] = set()
    for group in alike.values():
        first, *others = group.values()
        if len(others) < FEW:
            left |= {id(one) for one in group.values()}
            continue
        first.others = [one.layer for one in others]
        left.add(id(first))
    return [one for one in findings if id(one) in left]
