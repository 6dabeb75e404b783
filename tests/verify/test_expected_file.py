"""One side recorded elsewhere: what the real MindSpore 2.10 gave, and what a half-precision device would give."""

from pathlib import Path

import numpy as np
import pytest
import torch

from msbridge import nn
from msbridge.converters import load_into
from msbridge.verify import compare_recorded, read_recorded, write_recorded

RECORDS = Path(__file__).parent / "records"


class TorchNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(2, 4, 3, 2, 1)
        self.bn = torch.nn.BatchNorm2d(4)
        self.act = torch.nn.GELU(approximate="tanh")
        self.flatten = torch.nn.Flatten()
        self.fc = torch.nn.Linear(64, 6)
        self.norm = torch.nn.LayerNorm(6)
        self.head = torch.nn.Linear(6, 3)
        self.soft = torch.nn.Softmax(-1)

    def forward(self, x):
        x = self.flatten(self.act(self.bn(self.conv(x))))
        return self.soft(self.head(self.norm(self.fc(x))))


@pytest.fixture
def module():
    network = TorchNet()
    load_into(network, RECORDS / "net.ckpt")
    return network


@pytest.fixture
def arrays():
    return read_recorded(RECORDS / "mindspore.npz")


@pytest.fixture
def x():
    return np.load(RECORDS / "input.npy")


def test_real_mindspore_gives_what_torch_does(module, arrays, x):
    found = compare_recorded(module, arrays, x)
    assert (found.verdict, len(found.rows)) == ("PASS", 9)
    assert max(row.free.noise_ratio for row in found.rows) < 2


@pytest.mark.parametrize(
    ("layer", "change"), [("bn", ("eps", 1e-3)), ("norm", ("eps", 1e-7)), ("act", ("approximate", "none"))]
)
def test_first_layer_that_differs_from_the_record(module, arrays, x, layer, change):
    setattr(module.get_submodule(layer), *change)
    found = compare_recorded(module, arrays, x)
    assert (found.verdict, found.first.layer) == ("FAIL", layer)


def test_half_precision_record_is_judged_by_its_rounding(module, arrays, x):
    half = {name: one.half() for name, one in arrays.items()}
    assert compare_recorded(module, half, x).is_same


def test_torch_recorded_for_a_cell(tmp_path):
    module, cell = torch.nn.Sequential(torch.nn.Linear(3, 2)), nn.SequentialCell(nn.Dense(3, 2))
    data = torch.randn(4, 3)
    write_recorded(tmp_path / "torch.npz", module, data)
    assert not compare_recorded(cell, read_recorded(tmp_path / "torch.npz"), data).is_same
    torch.save(module.state_dict(), tmp_path / "net.pth")
    load_into(cell, tmp_path / "net.pth")
    assert compare_recorded(cell, read_recorded(tmp_path / "torch.npz"), data).is_same


def test_records_of_another_network(module, x):
    with pytest.raises(ValueError, match="no recorded array has the name of a layer; stem were recorded, conv, bn"):
        compare_recorded(module, {"stem": torch.ones(1)}, x)
