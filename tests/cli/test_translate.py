"""`msbridge translate` on the command line."""

import json

import pytest

from msbridge.cli.main import main

KNOWN = "from torch import nn\n\nnet = nn.Linear(2, 3)\n"
UNKNOWN = "import torch\n\nvalue = torch.frobnicate(1)\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(KNOWN)
    return path


def test_the_translation_is_written(file, tmp_path, capsys):
    assert main(["translate", str(file), "-o", str(tmp_path / "out.py")]) == 0
    assert (tmp_path / "out.py").read_text() == "from mindspore import nn\n\nnet = nn.Dense(2, 3)\n"
    assert "3 lines: 1 same, 2 renamed, 0 rewritten, 0 by hand" in capsys.readouterr().err


def test_what_is_left_is_said_by_the_exit_code(file, capsys):
    file.write_text(UNKNOWN)
    assert main(["translate", str(file)]) == 1
    assert "line 3: no counterpart of torch.frobnicate is known" in capsys.readouterr().err


def test_the_change_is_shown_as_a_diff(file, capsys):
    assert main(["translate", str(file), "--diff"]) == 0
    assert "-net = nn.Linear(2, 3)\n+net = nn.Dense(2, 3)\n" in capsys.readouterr().out


def test_lines_are_records_in_json(file, capsys):
    assert main(["translate", str(file), "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)
    assert [line["kind"] for line in lines] == ["renamed", "same", "renamed"]


@pytest.mark.parametrize("text", ["def (", "\0"])
def test_what_is_not_python_is_refused(file, capsys, text):
    file.write_text(text)
    assert main(["translate", str(file)]) == 2
    assert "model.py" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_refused(tmp_path, capsys):
    assert main(["translate", str(tmp_path / "none.py")]) == 2
    assert "No such file" in capsys.readouterr().err
