"""The results for scripts: JSON, CSV and JUnit hold the findings, their facts and their fixes."""

import csv
import json
from xml.etree import ElementTree

import pytest
import torch

from msbridge import nn
from msbridge.core.types import dtype as mstype
from msbridge.verify import compare
from msbridge.verify.report.html import render
from msbridge.verify.report.numbers import amount


@pytest.fixture
def found():
    cell = nn.SequentialCell(nn.Dense(4, 4), nn.LayerNorm((4,), epsilon=0.1), nn.Dense(4, 4))
    cell[2].to_float(mstype.float16)
    layers = torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.Linear(4, 4)
    return compare(torch.nn.Sequential(*layers), cell, torch.randn(2, 4))


def test_json_has_the_finding_as_data_and_in_words(found):
    first, second = json.loads(found.to_json())["findings"]
    assert first["fact"] == {
        "name": "setting",
        "values": {"setting": "epsilon", "torch": 1e-5, "cell": 0.1, "trap": ""},
    }
    assert first["text"].startswith("epsilon: torch 1e-5, Cell 0.1")
    assert first["fix"] == "use `nn.LayerNorm(…, epsilon=1e-5)`"
    assert second["fact"]["values"] == {"torch": "float32", "cell": "float16"}


def test_no_file_has_a_time_of_what_ran_once_while_it_was_recorded(found, tmp_path):
    found.to_csv(tmp_path / "r.csv")
    assert " ms" not in (tmp_path / "r.csv").read_text().partition("\n")[0]
    assert "seconds" not in found.as_dict()["rows"][0]


def test_all_files_and_the_terminal_write_a_difference_alike(found, tmp_path, capsys):
    found.to_junit(tmp_path / "r.xml")
    found.print()
    worst = amount(found.outputs[0].max_abs)
    failures = [one.find("failure") for one in ElementTree.parse(tmp_path / "r.xml").getroot()]
    assert any(worst in one.text for one in failures if one is not None)
    assert amount(found.rows[1].fed.max_abs) in capsys.readouterr().out
    assert f"fed {amount(found.rows[1].fed.max_abs)}" in render(found)


def test_tensors_of_other_shapes_are_told_in_all_files(tmp_path):
    found = compare(torch.nn.Linear(4, 3), nn.Dense(4, 5), torch.randn(2, 4))
    assert found.as_dict()["outputs"][0]["problem"] == "shape (2, 5), torch's is (2, 3)"
    found.to_csv(tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        assert next(csv.DictReader(file))["fed problem"] == "shape (2, 5), torch's is (2, 3)"
    found.to_junit(tmp_path / "r.xml")
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()
    cases = {one.get("classname"): one.find("failure") for one in suite}
    assert cases["msbridge.verify.outputs"].text == "shape (2, 5), torch's is (2, 3)"


def test_junit_says_the_finding_once_and_its_fix(found, tmp_path):
    found.to_junit(tmp_path / "r.xml")
    failures = [one.find("failure") for one in ElementTree.parse(tmp_path / "r.xml").getroot()]
    first = next(one for one in failures if one is not None)
    assert first.get("message").startswith("1: epsilon: torch 1e-5, Cell 0.1")
    assert first.text.endswith("fix: use `nn.LayerNorm(…, epsilon=1e-5)`")


def test_the_terminal_shows_the_fix(found, capsys):
    found.print()
    lines = capsys.readouterr().out.splitlines()
    assert "     fix use `nn.LayerNorm(…, epsilon=1e-5)`" in lines
    assert not [line for line in lines if line != line.rstrip()]
