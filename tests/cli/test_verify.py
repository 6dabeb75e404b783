"""`msbridge verify`: exit codes, files and messages."""

import json
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

import msbridge
from msbridge.cli.main import main

NETWORKS = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.norm = torch.nn.LayerNorm(4)

    def forward(self, x):
        return self.norm(self.fc(x))
"""
CELLS = """
import mindspore as ms
from mindspore import nn

class Net(nn.Cell):
    def __init__(self, epsilon=1e-5):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.norm = nn.LayerNorm((4,), epsilon=epsilon)

    def construct(self, x):
        return self.norm(self.fc(x))

def careless():
    return Net(1e-3)

def broken():
    return {}["net"]
"""


@pytest.fixture
def nets(tmp_path, monkeypatch):
    (tmp_path / "their_nets.py").write_text(NETWORKS)
    (tmp_path / "our_cells.py").write_text(CELLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("their_nets", "our_cells"):
        sys.modules.pop(name, None)
    msbridge.uninstall()


BOTH = ("--torch", "their_nets:Net", "--cell", "our_cells:Net")
FAULTY = ("--torch", "their_nets:Net", "--cell", "our_cells:careless")
INPUT = ("--input", "3,4")


def test_equal_networks_give_0(nets, capsys):
    assert main(["verify", *BOTH, *INPUT, "--grad", "--train-steps", "1"]) == 0
    assert "PASS" in capsys.readouterr().out


def test_different_networks_give_1_and_the_reason(nets, capsys):
    assert main(["verify", *FAULTY, *INPUT]) == 1
    assert "norm: epsilon: torch 1e-05, Cell 0.001" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--torch", "their_nets:Net", *INPUT), "give both --torch and --cell"),
        (BOTH, "give either --input"),
        (("--torch", "their_nets:Net", "--cell", "our_cells:broken", *INPUT), "KeyError: 'net'"),
        ((*BOTH, "--input", "cat:3"), "an input's kind is one of"),
        ((*BOTH, "--input", "3;4"), "an input is [KIND"),
        (("--torch", "their_nets:Nothing", "--cell", "our_cells:Net", *INPUT), "cannot be imported"),
        (("--torch", "our_cells:Net", "--cell", "our_cells:Net", *INPUT), "not a Module"),
        ((*BOTH, "--inputs", "nothing.npz"), "nothing.npz"),
        ((*BOTH, *INPUT, "--train-steps", "-1"), "must not be negative"),
        ((*BOTH, "--input", "3,5"), "mat1 and mat2"),
        ((*BOTH, *INPUT, "--weights", "nothing.pth"), "nothing.pth"),
    ],
)
def test_what_cannot_be_compared_gives_2(nets, capsys, words, says):
    assert main(["verify", *words]) == 2
    assert says in capsys.readouterr().err


def test_files(nets):
    results = ("--report", "r.html", "--json", "r.json", "--junit", "r.xml", "--quiet")
    assert main(["verify", *FAULTY, *INPUT, *results]) == 1
    assert "FAIL" in (nets / "r.html").read_text()
    assert json.loads((nets / "r.json").read_text())["findings"][0]["kind"] == "epsilon"
    suite = ElementTree.parse(nets / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert main(["verify", *BOTH, "--inputs", "r.inputs.npz", "--quiet"]) == 0


def test_weights_from_a_file(nets):
    import their_nets

    torch.save(their_nets.Net().state_dict(), nets / "net.pth")
    files = ("--weights", "net.pth", "--cell-weights", "net.pth")
    assert main(["verify", *BOTH, *INPUT, *files, "--quiet", "--json", "r.json"]) == 0
    assert "net.pth, sha256 " in json.loads((nets / "r.json").read_text())["environment"]["weights"]
    torch.manual_seed(5)
    torch.save(their_nets.Net().state_dict(), nets / "other.pth")
    assert main(["verify", *BOTH, *INPUT, "--weights", "net.pth", "--cell-weights", "other.pth", "--quiet"]) == 1


def test_a_side_recorded_elsewhere(nets, capsys):
    import their_nets

    torch.save(their_nets.Net().state_dict(), nets / "net.pth")
    weights = ("--weights", "net.pth")
    assert main(["verify", "--cell", "our_cells:Net", *INPUT, *weights, "--record", "cell.npz"]) == 0
    assert main(["verify", "--torch", "their_nets:Net", *INPUT, *weights, "--expected", "cell.npz"]) == 0
    arrays = dict(np.load(nets / "cell.npz"))
    np.savez(nets / "wrong.npz", **{name: one + 1e-3 * (name == "norm") for name, one in arrays.items()})
    capsys.readouterr()
    assert main(["verify", "--torch", "their_nets:Net", *INPUT, *weights, "--expected", "wrong.npz"]) == 1
    assert "norm: the recorded output differs by up to 0.001" in capsys.readouterr().out
    report = ("--report", "r.html", "--quiet")
    assert main(["verify", "--torch", "their_nets:Net", *INPUT, *weights, "--expected", "cell.npz", *report]) == 0
    assert "(recorded)" in (nets / "r.html").read_text()
