"""The comparison as JUnit's XML: one test case for each row, for systems that collect such files."""

import re
from pathlib import Path
from xml.etree import ElementTree

from msbridge.converters.files.atomic_write import write_text
from msbridge.core.runtime.printable import printable
from msbridge.verify.explain.findings import Finding
from msbridge.verify.judge.status import FAULTS
from msbridge.verify.report.numbers import amount
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import described, fix_of, problem, sentence

DECLARATION = "<?xml version='1.0' encoding='utf-8'?>"
NOT_IN_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # such as terminal colours in an error


def write(result: Result, path: Path) -> None:
    """Write the rows, the weights, the outputs, the gradients and the training as test cases."""
    suite = ElementTree.Element("testsuite", name="msbridge verify", errors="0", skipped="0")
    said = [(one, _format_finding(one)) for one in result.findings]
    reasons = {place: text for one, text in reversed(said) for place in (*one.others, one.layer)}
    for row in result.rows:
        failure = (reasons.get(row.name) or row.status) if row.status in FAULTS else ""
        _case(suite, "layers", row.name, failure)
    for weight in result.weights.pairs:
        issue = result.wrong_weights.get(weight.cell)
        _case(suite, "weights", weight.torch, "" if issue is None else sentence(issue.fact))
    for group, items in (
        ("outputs", {str(number): one for number, one in enumerate(result.outputs)}),
        ("gradients", result.gradients),
        ("training", result.training),
    ):
        for name, one in items.items():
            failure = (
                "" if one.is_noise else problem(one) or f"differs by up to {amount(one.max_abs)} at {list(one.index)}"
            )
            _case(suite, group, name, failure)
    shown = {case.get("name") for case in suite if case.find("failure") is not None}
    for finding, text in said:
        for place in (finding.layer, *finding.others):
            if place not in shown:
                _case(suite, "findings", place, text)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
    suite.set("time", f"{sum(result.seconds.values()):.3f}")
    ElementTree.indent(suite)
    write_text(path, f"{DECLARATION}\n{ElementTree.tostring(suite, encoding='unicode')}")


def _format_finding(one: Finding) -> str:
    """Return a finding, and what to do about it on a line of its own."""
    return "\n".join(filter(None, [described(one, with_kind=True), (fix := fix_of(one)) and f"fix: {fix}"]))


def _xml(text: str) -> str:
    """Return a text without what XML has no place for: names from files, errors with the colours of a terminal."""
    return NOT_IN_XML.sub("?", printable(text))


def _case(suite: ElementTree.Element, group: str, name: str, failure: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=f"msbridge.verify.{group}", name=_xml(name))
    if failure := _xml(failure):
        ElementTree.SubElement(case, "failure", message=failure.partition("\n")[0]).text = failure
