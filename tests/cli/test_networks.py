"""`msbridge summary` and `msbridge estimate`: what they print, and their exit codes."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from msbridge.cli.main import main
from tests.mindir.mindir_files import content

NETS = """
import mindspore
import torch
from mindspore import nn

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 4)

    def construct(self, x):
        return self.fc(x)

def theirs():
    return torch.nn.Linear(3, 4)

def number():
    return 3

def fails():
    raise OSError("no weights")
"""
TRAIN = """
import sys
import numpy as np
import mindspore as ms
from mindspore import nn

net = nn.Dense(3, 4)
optimizer = nn.Adam(net.trainable_params())
compute = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
print("begins")
try:
    loss, gradients = compute(ms.Tensor(np.ones((int(sys.argv[1]), 3), np.float32)))
    if "reads" in sys.argv:
        print(float(loss))
    optimizer(gradients)
except Exception:
    print("caught")
print("after it")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.py").write_text(NETS)
    yield tmp_path
    sys.modules.pop("few", None)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("model", ["few:Net", "few.py:Net", "few:theirs"])
def test_a_summary_has_shapes_and_costs(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", model, "--input", "5,3"]) == 0
    out = capsys.readouterr().out
    assert "(5, 3)" in out
    assert "16 parameters: 16 trainable, 0 not; 0.06 kB\n60 mult-adds; inputs 0.06 kB, outputs of layers 0.08 kB" in out


@pytest.mark.usefixtures("folder")
def test_a_summary_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", "few:Net", "--input", "5,3", "--json", "--depth", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mult_adds"], found["rows"][1]["name"], found["rows"][1]["output"]) == (60, "fc", [[5, 4]])


def test_a_mindir_describes_its_inputs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.mindir").write_bytes(content("2.10/lenet"))
    assert main(["summary", "a.mindir"]) == 0
    assert "GraphCell" in capsys.readouterr().out
    assert main(["estimate", "a.mindir", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["feature_maps"] > 0


@pytest.mark.usefixtures("folder")
def test_an_estimate_of_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "few:Net", "--input", "5,3", "--optimizer", "sgd", "--memory", "1MiB"]) == 0
    out = capsys.readouterr().out
    assert "parameters                   64 B" in out
    assert "of 1 MiB" in out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("summary few:number", "few:number returns int, neither a Cell nor a torch.nn.Module."),
        ("summary few:fails", "few:fails fails: OSError: no weights (few.py, line 21"),
        ("summary few:Net --input 5,4", "must be equally long"),
        ("estimate few:Net -- 3", "a network takes no arguments: 3."),
        ("estimate few.py --input 3", "a network is named few.py:CLASS."),
        ("estimate nothere.py", "nothere.py does not exist."),
    ],
)
def test_a_slip_is_told_in_a_sentence(words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert says in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize("reads", [False, True])
def test_a_script_ends_before_its_first_update(
    launched: Callable[..., tuple[int, str, str]], tmp_path: Path, reads: bool
) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    words = ["estimate", "--json", "train.py", "--", "6", *(["reads"] if reads else [])]
    code, out, err = launched(*words, starts=True)
    assert (code, err) == (0, "")
    begins, text = out.splitlines()
    found = json.loads(text)
    assert begins == "begins"
    assert (found["batch"], found["parameters"], found["gradients"], found["optimizer_class"]) == (6, 64, 64, "Adam")
    assert found["optimizer"] >= 128


@pytest.mark.process
def test_a_script_without_a_step_says_so(launched: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import mindspore\n")
    assert launched("estimate", "train.py", starts=True) == (
        0,
        "",
        "msbridge estimate: the script ended without a training step.\n",
    )
