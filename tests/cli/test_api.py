"""`msbridge api`."""

import json

import pytest

from msbridge.cli.main import main


def test_a_name_shows_its_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "ops.split"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("mindspore.ops.split(")
    assert "before 2.0: split(input_x, axis=0, output_num=1)" in shown


def test_several_meanings_are_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "split"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\nmindspore.") >= 2
    assert "Args:" not in shown


def test_entries_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--json", "torch.gather", "nn.Dense"]) == 0
    assert [one["path"] for one in json.loads(capsys.readouterr().out)] == [
        "mindspore.mint.gather",
        "mindspore.nn.Dense",
    ]


def test_an_unknown_name_has_names_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "ops.spilt"]) == 1
    streams = capsys.readouterr()
    assert streams.out.strip() == ""
    assert "ops.spilt is not known. Alike: " in streams.err
    assert "mindspore.ops.split" in streams.err


def test_a_name_of_torch_that_needs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "torch.backends.cudnn.benchmark"]) == 1
    assert "needs nothing in its place" in capsys.readouterr().err
