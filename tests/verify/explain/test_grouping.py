"""Findings: one cause in many layers is one finding, what is said twice is said once."""

import pytest
import torch

from msbridge import nn
from msbridge.verify import compare, described
from msbridge.verify.explain.findings import Finding, Name, fact
from msbridge.verify.explain.grouping import group_findings

SPLIT = '[[rule]]\nfrom = "{n}.{leaf:weight|bias}"\nto = "{n}.{leaf}"\n'


def findings(*facts):
    return [Finding("bias", one, f"layer.{number}") for number, one in enumerate(facts)]


def test_many_of_one_kind_become_one():
    found = group_findings(
        findings(*(fact("no parameter", names=(Name(f"layer.{number}.bias"),)) for number in range(9)))
    )
    assert [(one.layer, one.others) for one in found] == [("layer.0", tuple(f"layer.{one}" for one in range(1, 9)))]


def test_a_few_stand_each_for_itself():
    given = findings(*(fact("setting", setting="eps", torch=1, cell=2) for _ in range(3)))
    assert group_findings(given) == tuple(given)


def test_other_numbers_are_another_cause():
    given = findings(*(fact("setting", setting="eps", torch=1e-5, cell=number / 10) for number in range(1, 9)))
    assert group_findings(given) == tuple(given)


def test_what_is_said_twice_is_left_once():
    one, other = findings(fact("NaN"), fact("NaN"))
    assert group_findings([one, Finding("bias", fact("NaN"), "layer.0"), other]) == (one, other)


def layers(has_bias):
    module = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(6)))
    return module, nn.SequentialCell(*(nn.Dense(4, 4, has_bias=has_bias) for _ in range(6)))


@pytest.mark.parametrize("rules", ["", SPLIT])
def test_biases_that_the_cell_lacks_are_one_finding(rules, tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text(rules or "rule = []\n")
    found = compare(*layers(has_bias=False), torch.randn(2, 4), rules=file)
    assert (found.verdict, len(found.findings)) == ("FAIL", 1)
    assert (found.first.layer, found.first.kind, len(found.first.others)) == ("0", "bias", 5)
    assert "0.bias (has_bias=True makes one)" in described(found.first)
    found.to_html(tmp_path / "report.html")
    assert "the same in 5 more places" in (tmp_path / "report.html").read_text()
    found.to_junit(tmp_path / "report.xml")
    assert (tmp_path / "report.xml").read_text().count("(has_bias=True makes one)\nfix: use ") == 6


def test_biases_that_both_have_are_right():
    assert compare(*layers(has_bias=True), torch.randn(2, 4)).verdict == "PASS"
