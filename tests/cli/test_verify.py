"""`msbridge verify`: exit codes, files and messages."""

import csv
import json
import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

import msbridge
from msbridge.cli.main import main
from msbridge.converters import convert
from msbridge.converters.errors import CheckpointError, Remedy
from tests.mindir.mindir_files import file

pytestmark = pytest.mark.process  # `msbridge verify` asks git for the revision

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
    assert "norm: epsilon: torch 1e-5, Cell 0.001" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--torch", "their_nets:Net", *INPUT), "pass both --torch and --cell"),
        (BOTH, "pass either --input"),
        (("--torch", "their_nets:Net", "--cell", "our_cells:broken", *INPUT), "KeyError: 'net'"),
        ((*BOTH, "--input", "cat:3"), "an input's kind is one of"),
        ((*BOTH, "--input", "3;4"), "an input is [KIND"),
        (("--torch", "their_nets:Nothing", "--cell", "our_cells:Net", *INPUT), "cannot be imported"),
        (("--torch", "our_cells:Net", "--cell", "our_cells:Net", *INPUT), "returns Net, not a torch.nn.Module"),
        ((*BOTH, "--inputs", "nothing.npz"), "nothing.npz"),
        ((*BOTH, *INPUT, "--train-steps", "-1"), "must not be negative"),
        ((*BOTH, "--input", "3,5"), "mat1 and mat2"),
        ((*BOTH, *INPUT, "--weights", "nothing.pth"), "nothing.pth"),
        ((*BOTH, "--inputs", "their_nets.py"), "no .npz or .npy file"),
        ((*BOTH, *INPUT, "--rules", "nothing.toml"), "nothing.toml: No such file"),
        ((*BOTH, *INPUT, "--rules", "their_nets.py"), "their_nets.py: "),
        ((*BOTH, *INPUT, "--report", "nowhere/r.html"), "the folder nowhere does not exist"),
        ((*BOTH, *INPUT, "--csv", "-"), "only --json takes -"),
        ((*BOTH, *INPUT, *INPUT), "Net.forward() takes 2 positional arguments but 3 were given"),
        (("--torch", "their_nets:Net", "--expected", "no.npz"), "no.npz: No such file"),
        (("--torch", "their_nets:Net", "--expected", "no.npz", "--record", "x.npz"), "pass one of them"),
        (("--torch", "their_nets:Net", "--expected", "their_nets.py"), "their_nets.py is neither .npz nor .npy"),
        (("--torch", "their_nets:Net", "--expected", "no.npz", *INPUT, "--grad"), "does not go with --expected"),
        (("--torch", "their_nets:Net", "--record", "x.npz", *INPUT, "--as-is"), "--as-is needs --cell"),
    ],
)
def test_what_cannot_be_compared_gives_2(nets, capsys, words, says):
    assert main(["verify", *words]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert said.startswith("msbridge verify: ")


def test_error_names_the_line_of_the_user(nets, capsys):
    assert main(["verify", "--torch", "their_nets:Net", "--cell", "our_cells:broken", *INPUT]) == 2
    line = CELLS.splitlines().index('    return {}["net"]') + 1
    assert f"--cell our_cells:broken fails: KeyError: 'net' (our_cells.py, line {line};" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "says"), [("rules", "no; --rules mends it."), ("key", "no")])
def test_remedies_are_told_where_this_command_has_them(nets, capsys, monkeypatch, option, says):
    def refuse(*_, **__):
        raise CheckpointError("no", Remedy((option,), "mends it"))

    monkeypatch.setattr("msbridge.verify.request.load_into", refuse)
    assert main(["verify", *BOTH, *INPUT, "--weights", "net.pth"]) == 2
    assert capsys.readouterr().err == f"msbridge verify: {says}\n"


def test_traceback_is_shown_on_request(nets, capsys):
    assert main(["verify", "--torch", "their_nets:Net", "--cell", "our_cells:broken", *INPUT, "--traceback"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_summary_fits_80_columns(nets, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["verify", *FAULTY, *INPUT, "--grad", "--time", "1"])
    lines = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert lines[0].startswith("FAIL  torch their_nets.Net, Cell our_cells.Net")
    assert lines[1].startswith("  1. norm: epsilon: ")
    assert max(map(len, lines)) <= 80
    assert len(lines) < 20
    assert any(line.startswith("  forward    torch ") for line in lines)


def test_table_of_all_numbers(nets):
    assert main(["verify", *FAULTY, *INPUT, "--csv", "r.csv", "--quiet"]) == 1
    with (nets / "r.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["torch"], first["status"], first["fed max abs"]) == ("fc", "equal", "0.0")
    assert (second["status"], second["shape"], second["cell dtype"]) == ("differs", "3x4", "float32")
    assert float(second["fed noise ratio"]) > 10


def test_rules_rename_weights(nets, capsys):
    (nets / "our_cells.py").write_text(CELLS.replace("self.fc", "self.dense").replace("self.norm", "self.last"))
    (nets / "r.toml").write_text('[[rule]]\nfrom = "fc.{leaf}"\nto = "dense.{leaf}"\n')
    assert main(["verify", *BOTH, *INPUT, "--rules", "r.toml", "--json", "r.json"]) == 0
    weights = json.loads((nets / "r.json").read_text())["weights"]["pairs"]
    assert [one["by"] for one in weights] == ["rule", "rule", "order of calls", "order of calls"]
    (nets / "r.toml").write_text('[[rule]]\nfrom = "fc.{leaf}"\nto = "dens.{leaf}"\n')
    capsys.readouterr()
    assert main(["verify", *BOTH, *INPUT, "--rules", "r.toml"]) == 2
    assert "makes 'dens.weight', which the Cell does not have; nearest: 'dense.weight'" in capsys.readouterr().err


def test_rules_are_for_the_file_of_weights_too(nets, capsys):
    import their_nets

    (nets / "our_cells.py").write_text(CELLS.replace("self.fc", "self.dense"))
    (nets / "r.toml").write_text('[[rule]]\nfrom = "fc.{leaf}"\nto = "dense.{leaf}"\n')
    torch.save(their_nets.Net().state_dict(), "net.pth")
    convert("net.pth", "net.ckpt", rules="r.toml")
    for weights in (("--weights", "net.pth"), ("--weights", "net.ckpt"), ("--cell-weights", "net.pth")):
        both = weights if weights[0] == "--weights" else (*weights, "--weights", "net.pth")
        assert main(["verify", *BOTH, *INPUT, *both, "--rules", "r.toml", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["verify", *BOTH[:2], *INPUT, "--weights", "net.ckpt", "--rules", "r.toml", "--record", "t.npz"]) == 0
    assert main(["verify", *BOTH, *INPUT, "--weights", "net.ckpt"]) == 2
    assert capsys.readouterr().err.endswith("--rules renames it.\n")
    assert main(["verify", *BOTH[:2], *INPUT, "--rules", "r.toml", "--record", "t.npz"]) == 2
    assert "--rules needs" in capsys.readouterr().err


def test_files(nets):
    results = ("--report", "r.html", "--json", "r.json", "--junit", "r.xml", "--quiet")
    assert main(["verify", *FAULTY, *INPUT, *results]) == 1
    assert "FAIL" in (nets / "r.html").read_text()
    assert json.loads((nets / "r.json").read_text())["findings"][0]["kind"] == "epsilon"
    suite = ElementTree.parse(nets / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("7", "2")
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
    assert "norm: the recorded output differs by up to 1.00e-3" in capsys.readouterr().out
    report = ("--report", "r.html", "--quiet")
    assert main(["verify", "--torch", "their_nets:Net", *INPUT, *weights, "--expected", "cell.npz", *report]) == 0
    assert "(recorded)" in (nets / "r.html").read_text()


LENET = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 3, 5, bias=False), nn.BatchNorm2d(3), nn.ReLU()
        self.pool, self.flatten, self.fc = nn.MaxPool2d(2, 2), nn.Flatten(), nn.Linear(48, 4)

    def forward(self, x):
        return self.fc(self.flatten(self.pool(self.relu(self.bn(self.conv(x)))))).softmax(-1)
"""


def test_an_exported_network(nets, capsys):
    path = str(file("2.10/lenet", nets))
    (nets / "their_nets.py").write_text(LENET)
    convert(path, nets / "net.pth")
    command = ["verify", "--torch", "their_nets:Net", "--mindir", path]
    assert main([*command, "--weights", "net.pth"]) == 0
    assert main(command) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "conv: weight values: conv.weight differs" in shown
    assert "in the file: Default/conv-Conv2d/Conv2D-op0" in shown
    assert main([*command, "--cell", "our_cells:Net"]) == 2
