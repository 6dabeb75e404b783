"""How often a comparison of unknown networks names the right place and cause, and how often it raises an alarm.

The networks and their faults were written by somebody who does not work on the comparison and did not look at it. A
miss is a reason to think, none to fit the comparison to this file: whoever does that must write new networks.

As a script it prints the scores and every miss: `python tests/verify/held_out/test_held_out.py`.
"""

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest
import torch

from msbridge.verify import Comparison, Finding, compare
from msbridge.verify.report.sentences import sentence
from tests.zoo.held_out.faults import FAMILIES, FAULTS, Fault, apply_damage

pytestmark = pytest.mark.long

CORRECT_PAIRS = 300


def as_if_trained(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> torch.nn.Module:
    """Give norms and biases the values of a trained network, for which no two are the same."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if parameter.ndim == 1:
                parameter.normal_(1 if name.endswith("weight") else 0, 0.3)
        if any(name.endswith("running_mean") for name, _ in module.named_buffers()):
            for _ in range(20):
                module.train()(*inputs)
    return module.eval()


def build(family, fault: str, variant: int):
    """Return a torch module, its Cell, and inputs; the same for the same variant."""
    torch.manual_seed(variant)
    module, cell, inputs = family(random.Random(variant), fault)
    return as_if_trained(module, inputs), cell, inputs


def compared(fault: Fault) -> Comparison:
    module, cell, inputs = build(fault.family, fault.name, 0)
    if fault.damage is None:
        return compare(module, cell, inputs, **fault.options)
    assert compare(module, cell, inputs).is_same, "the Cell must be right before its weights are damaged"
    apply_damage(cell, fault.damage)
    return compare(module, cell, inputs, weights="as is")


def first_said(comparison: Comparison) -> Finding | None:
    """Return what a report names first; what shows in training only is among the notes."""
    said = comparison.findings or comparison.notes
    return said[0] if said and not comparison.is_same else None


def named_places(finding: Finding) -> set[str]:
    """Return what a finding says the place is, on both sides, without the number of a call.

    What arrives at an operator after a layer has left that layer: both are the place "after" it.
    """
    names = {re.sub(r" \(call \d+\)", "", name) for name in (finding.layer, finding.cell) if name}
    if finding.where == "before":
        names = {name if re.search(" (after|in|at) ", name) else f"before {name}" for name in names}
    return names


def is_place_right(fault: Fault, finding: Finding) -> bool:
    """Whether a place is one of those of the fault; an operator's own name before "after" and "in" is free."""
    return any(
        re.fullmatch(rf"(\w+ )?{place}" if re.match("after|in |at ", place) else place, named)
        for place in fault.places
        for named in named_places(finding)
    )


def is_cause_right(fault: Fault, finding: Finding) -> bool:
    said = f"{finding.kind}: {sentence(finding.fact)}".lower()
    return finding.kind != "unknown" and any(re.search(cause, said) for cause in fault.causes)


@cache
def judged() -> list[tuple[Fault, Finding | None, bool, bool]]:
    """Compare all faulty networks: fault, first finding, whether its place and its cause are right."""
    results = []
    for fault in FAULTS:
        first = first_said(compared(fault))
        results.append(
            (fault, first, *(bool(first) and judge(fault, first) for judge in (is_place_right, is_cause_right)))
        )
    return results


def false_alarms() -> Iterator[tuple[str, Comparison]]:
    """Compare correct pairs in all sizes and spellings; yield those that are called faulty."""
    for index in range(CORRECT_PAIRS):
        family, variant = FAMILIES[index % len(FAMILIES)], 1 + index // len(FAMILIES)
        comparison = compare(*build(family, "", variant))
        if not comparison.is_same or comparison.findings:
            yield f"{family.__name__} {variant}", comparison


def share(flags: list[bool]) -> float:
    return sum(flags) / len(flags)


def test_the_place_of_a_fault_is_named():
    assert share([place for _, _, place, _ in judged()]) >= 0.9


def test_the_cause_of_a_fault_is_named():
    assert share([cause for _, _, _, cause in judged()]) >= 0.8


def test_correct_pairs_raise_no_alarm():
    assert [title for title, _ in false_alarms()] == []


def main() -> None:
    results = judged()
    for fault, finding, place, cause in results:
        if not (place and cause):
            wrong = " and ".join(word for word, right in (("place", place), ("cause", cause)) if not right)
            print(f"{fault.title}\n    wrong {wrong}: expected {fault.places}, {fault.causes}")
            said = finding and (finding.layer, finding.cell, finding.where, finding.kind, sentence(finding.fact))
            print(f"    said {said}")
    alarms = list(false_alarms())
    for title, comparison in alarms:
        print(f"false alarm: {title}: {comparison.sentence}")
    print(f"\nfaults          {len(results):5}")
    print(f"right place     {share([place for _, _, place, _ in results]):6.1%}   (gate 90 %)")
    print(f"right cause     {share([cause for _, _, _, cause in results]):6.1%}   (gate 80 %)")
    print(f"false alarms    {len(alarms):5} of {CORRECT_PAIRS}   (gate 0)")


if __name__ == "__main__":
    main()
