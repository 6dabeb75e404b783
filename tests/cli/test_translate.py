"""`msbridge translate` on the command line."""

import dataclasses
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


NETWORK = """\
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.head = nn.Linear(width, 2)
        self.act = nn.GELU()

    def forward(self, x):
        return self.act(self.head(x))
"""


@pytest.fixture
def network(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.py"
    path.write_text(NETWORK)
    return "model.py"


def test_a_translation_is_proven(network, capsys):
    words = ["translate", network, "-o", "out.py", "--verify", "--build", "Net(4)", "--input", "2,4"]
    assert main(words) == 0
    assert "matched layers and operators agree" in capsys.readouterr().err


def test_a_fault_is_named_by_its_line_and_repaired(network, tmp_path, capsys, monkeypatch):
    import msbridge.translate

    def translate_badly(source, **options):
        good = translate(source, **options)
        return dataclasses.replace(good, source=good.source.replace("approximate=False", ""))

    translate = msbridge.translate.translate
    monkeypatch.setattr(msbridge.translate, "translate", translate_badly)
    words = ["translate", network, "-o", "out.py", "--module", "Net", "--input", "2,3"]
    assert main([*words, "--verify"]) == 1
    assert "model.py:8 -> out.py:8: approximate" in capsys.readouterr().err
    assert "GELU()" in (tmp_path / "out.py").read_text()
    assert main([*words, "--repair"]) == 0
    assert "GELU(approximate=False)" in (tmp_path / "out.py").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--verify"], "need --input"),
        (["--build", "Net()"], "go with --verify or --repair"),
        (["--verify", "--input", "2,3"], "need --build"),
        (["--verify", "--input", "2,3", "--build", "Net(nothing)"], "'nothing' is not defined"),
    ],
)
def test_a_proof_that_cannot_be_made_is_refused(network, capsys, words, said):
    assert main(["translate", network, *words]) == 2
    assert said in capsys.readouterr().err
