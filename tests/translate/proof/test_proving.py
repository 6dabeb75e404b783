"""Proofs of translations: faults that are planted are found at their line of the source, and repaired."""

from pathlib import Path

import pytest

from msbridge.translate import translate
from msbridge.translate.proof import prove

SOURCE = """\
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(width, eps=1e-3, momentum=0.05)
        self.act = nn.GELU()

    def forward(self, x):
        return x + self.act(self.bn(self.conv(x)))


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.weight = nn.Parameter(torch.randn(width, width))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        x = F.gelu(self.stem(x), approximate="tanh")
        x = self.blocks(x)
        x = x.mean((2, 3)) * 8**-0.5
        x = torch.matmul(x, self.weight.t())
        return torch.softmax(self.head(self.norm(x)), dim=-1) + 1.0
"""
# What is planted into the translation: the text, what it becomes, and the line of the source that is to be named.
REPAIRED = {
    "eps": ("eps=1e-3, ", "", 10),
    "momentum": ("momentum=0.95", "momentum=0.9", 10),
    "both": ("eps=1e-3, momentum=0.95", "momentum=0.9", 10),
    "padding": ('padding=1, has_bias=False, pad_mode="pad"', 'has_bias=False, pad_mode="valid"', 9),
    "pad_mode": ('stride=2, padding=1, pad_mode="pad", has_bias=True', "stride=2, has_bias=True", 20),
    "stride": ("stride=2", "stride=1", 20),
    "bias": ('pad_mode="pad", has_bias=True', 'pad_mode="pad"', 20),
    "no bias": ("has_bias=False", "has_bias=True", 9),
    "bias of a Dense": ("nn.Dense(width, 5)", "nn.Dense(width, 5, has_bias=False)", 24),
    "approximate of a layer": ("nn.GELU(approximate=False)", "nn.GELU()", 11),
    "approximate of a function": ('approximate="tanh"', 'approximate="none"', 27),
    "activation": ("nn.GELU(approximate=False)", "nn.ReLU()", 11),
    "number": ("* 8**-0.5", "* 4**-0.5", 29),
    "axes of a method": ("mean((2, 3))", "mean((1, 2))", 29),
    "axis of a function": ("axis=-1", "axis=0", 31),
}
NAMED = {
    "transposed weight": ("self.weight.t()", "self.weight", 30),
    "residual": ("x + self.act", "self.act", 14),
}
INPUT = ("normal:2,3,16,16",)


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("model.py")
    path.write_text(SOURCE)
    return path


def planted(fault):
    text, other, line = fault
    translation = translate(SOURCE).source
    assert text in translation
    return translation.replace(text, other, 1), line


def test_a_translation_is_the_same(file):
    proof = prove(file, translate(SOURCE).source, "Net()", INPUT)
    assert proof.is_same
    assert proof.faults == ()
    assert "agree" in proof.described("model.py", "model_ms.py")


@pytest.mark.parametrize("name", REPAIRED)
def test_a_planted_fault_is_named_by_its_line_and_repaired(file, name):
    translation, line = planted(REPAIRED[name])
    proof = prove(file, translation, "Net()", INPUT)
    assert not proof.is_same
    assert proof.source == translation
    assert proof.first.line == line
    repaired = prove(file, translation, "Net()", INPUT, repairs=True)
    assert repaired.is_same, repaired.described("model.py", "model_ms.py")
    assert all(one.is_repaired and one.line == line for one in repaired.faults)
    assert prove(file, repaired.source, "Net()", INPUT).faults == ()


@pytest.mark.parametrize("name", NAMED)
def test_a_fault_without_code_for_it_is_named_by_its_line(file, name):
    translation, line = planted(NAMED[name])
    proof = prove(file, translation, "Net()", INPUT, repairs=True)
    assert not proof.is_same
    assert proof.first.line == line
    assert f"model.py:{line}" in proof.described("model.py", "model_ms.py")


def test_faults_in_two_layers_are_repaired_together(file):
    translation, _ = planted(REPAIRED["eps"])
    for text, other, _ in (REPAIRED["stride"], REPAIRED["activation"], REPAIRED["axis of a function"]):
        translation = translation.replace(text, other, 1)
    proof = prove(file, translation, "Net()", INPUT, repairs=True)
    assert proof.is_same
    assert {one.line for one in proof.faults} == {10, 11, 20, 31}


def test_a_setting_of_a_class_that_the_translation_defines_is_repaired(file):
    file.write_text(source := SOURCE.replace("nn.LayerNorm(width)", "nn.LayerNorm(width, eps=1e-6)"))
    translation = translate(source).source
    proof = prove(file, translation.replace("eps=1e-6", "eps=1e-3"), "Net()", INPUT, repairs=True)
    assert proof.is_same
    assert [one.line for one in proof.faults] == [23]


def test_what_builds_no_network_is_refused(file):
    with pytest.raises(TypeError, match=r"len\('Net'\) of model.py builds int, not a Module"):
        prove(file, translate(SOURCE).source, "len('Net')", INPUT)


def test_a_file_finds_its_neighbours(file):
    Path("sizes.py").write_text("WIDTH = 8\n")
    file.write_text(
        source := SOURCE.replace("width=8", "width=WIDTH").replace(
            "import torch\n", "import torch\nfrom sizes import WIDTH\n", 1
        )
    )
    assert prove(file, translate(source).source, "Net()", INPUT).is_same
