"""The fixture and the function for other people's tests."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest
import torch

from msbridge import nn
from msbridge.verify.plugin import assert_same
from tests.processes import python
from tests.zoo.pairs import LeNet, pair

TESTS = """
import torch
from msbridge import nn

def test_same(side_by_side):
    assert side_by_side(torch.nn.Linear(3, 2), nn.Dense(3, 2), torch.ones(1, 3)).is_same
    assert side_by_side(torch.nn.ReLU(), nn.ReLU(), torch.ones(1, 3)).is_same

def test_other(side_by_side):
    side_by_side(torch.nn.GELU(), nn.GELU(), torch.linspace(-3, 3, 9))
"""


def test_equal_networks_pass():
    assert assert_same(*pair("LeNet"), grad=True).gradients


def test_failure_is_readable(tmp_path):
    module, _, inputs = pair("LeNet")
    cell = LeNet("no relu")
    cell.tanh = nn.Sigmoid()
    with pytest.raises(pytest.fail.Exception) as caught:
        assert_same(module, cell, inputs, report=tmp_path / "kept" / "report.html")
    lines = str(caught.value).splitlines()
    assert lines[0] == "tests.zoo.pairs.TorchLeNet and tests.zoo.pairs.LeNet do not compute the same."
    assert "relu after conv2" in lines[1]
    assert any(line.split()[:5] == ["differs", "tanh", "after", "fc2", "|"] for line in lines)
    assert lines[-1] == f"  report: {tmp_path / 'kept' / 'report.html'}"
    assert max(map(len, lines[:-1])) <= 100
    assert len(lines) < 30


def test_rules_reach_the_comparison(tmp_path):
    class Named(nn.Cell):
        def __init__(self):
            super().__init__()
            self.other = nn.Dense(3, 2)

        def construct(self, x):
            return self.other(x)

    module = torch.nn.Sequential(torch.nn.Linear(3, 2))
    (tmp_path / "rules.toml").write_text('[[rule]]\nfrom = "0.{leaf}"\nto = "other.{leaf}"\n')
    found = assert_same(module, Named(), torch.ones(1, 3), rules=tmp_path / "rules.toml")
    assert [one.by for one in found.weights.pairs] == ["rule", "rule"]


@pytest.mark.process
def test_fixture_in_a_fresh_pytest(tmp_path):
    (tmp_path / "test_nets.py").write_text(TESTS)
    registered = any(one.value == "msbridge.verify.plugin" for one in entry_points(group="pytest11"))
    plugin = () if registered else ("-p", "msbridge.verify.plugin")  # as from a folder that is not installed
    words = (*plugin, "--side-by-side-reports", "reports", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    done = python("-m", "pytest", *words, cwd=tmp_path, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "approximate: torch none, Cell tanh" in done.stdout
    assert "report: reports/test_nets_py-test_other.html" in done.stdout
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == [
        "test_nets_py-test_other.html",
        "test_nets_py-test_same-2.html",
        "test_nets_py-test_same.html",
    ]


@pytest.mark.process
def test_plugin_imports_no_torch():
    code = "import sys, msbridge.verify.plugin; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
