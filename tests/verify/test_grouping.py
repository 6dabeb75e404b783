"""Findings: one cause in many layers is one finding, what is said twice is said once."""

import pytest
import torch

from msbridge import nn
from msbridge.verify import compare
from msbridge.verify.explain.grouping import grouped
from msbridge.verify.report.comparison import Finding

SPLIT = '[[rule]]\nfrom = "{n}.{leaf:weight|bias}"\nto = "{n}.{leaf}"\n'


def findings(*texts):
    return [Finding(f"layer.{number}", "", "bias", text) for number, text in enumerate(texts)]


def test_many_of_one_kind_become_one():
    found = grouped(findings(*(f"the Cell has no parameter for layer.{number}.bias" for number in range(9))))
    assert [(one.layer, one.others) for one in found] == [("layer.0", [f"layer.{number}" for number in range(1, 9)])]


def test_a_few_stand_each_for_itself():
    given = findings("eps: torch 1, Cell 2", "eps: torch 1, Cell 2", "eps: torch 1, Cell 2")
    assert grouped(given) == given


def test_other_numbers_are_another_cause():
    given = findings(*(f"eps: torch 1e-05, Cell 0.{number}" for number in range(1, 9)))
    assert grouped(given) == given


def test_what_is_said_twice_is_left_once():
    one, other = findings("it is lost", "it is lost")
    assert grouped([one, Finding("layer.0", "", "bias", "it is lost"), other]) == [one, other]


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
    assert "0.bias (has_bias=True makes one)" in found.first.text
    found.to_html(tmp_path / "report.html")
    assert "the same in 5 more places" in (tmp_path / "report.html").read_text()
    found.to_junit(tmp_path / "report.xml")
    assert (tmp_path / "report.xml").read_text().count("(has_bias=True makes one)</failure>") == 6


def test_biases_that_both_have_are_right():
    assert compare(*layers(has_bias=True), torch.randn(2, 4)).verdict == "PASS"
