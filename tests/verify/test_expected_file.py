"""One side recorded elsewhere: what the real MindSpore 2.10 returned, and what a half-precision device would return."""

from pathlib import Path

import numpy as np
import pytest
import torch

from msbridge import nn
from msbridge.converters import load_into
from msbridge.verify import compare_recorded, read_recorded, recorded_inputs, write_recorded

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
    assert (found.verdict, len(found.rows), len(found.outputs)) == ("PASS", 8, 1)
    assert max(one.noise_ratio for row in found.rows for one in (row.free, row.fed)) < 10


@pytest.mark.parametrize(
    ("layer", "change"), [("bn", ("eps", 1e-3)), ("norm", ("eps", 1e-7)), ("act", ("approximate", "none"))]
)
def test_first_layer_that_differs_from_the_record(module, arrays, x, layer, change):
    setattr(module.get_submodule(layer), *change)
    found = compare_recorded(module, arrays, x)
    assert (found.verdict, found.first.layer) == ("FAIL", layer)


def test_second_layer_that_differs_is_seen_behind_the_first(module, arrays, x):
    module.bn.eps, module.norm.eps = 1e-3, 1e-2
    found = compare_recorded(module, arrays, x)
    assert [one.layer for one in found.findings] == ["bn", "norm"]
    assert found.first.evidence[0].values["is_fed"]
    assert {row.torch: row.status for row in found.rows}["act"] == "inherited"


def test_layers_without_recorded_inputs_run_free(module, arrays, x):
    module.bn.eps, module.norm.eps = 1e-3, 1e-2
    found = compare_recorded(module, {name: one for name, one in arrays.items() if ":" not in name}, x)
    assert [one.layer for one in found.findings] == ["bn"]
    assert all(row.fed is None for row in found.rows)


def test_outputs_alone_are_compared(module, arrays, x):
    assert compare_recorded(module, {"output": arrays["output"]}, x).is_same
    module.bn.eps = 1e-3
    found = compare_recorded(module, {"output": arrays["output"]}, x)
    assert (found.first.layer, found.rows) == ("(the output)", [])


def test_file_holds_the_inputs(arrays, x):
    (given,) = recorded_inputs(arrays)
    assert np.array_equal(given.numpy(), x)


def test_what_is_not_in_the_file_is_noted(module, arrays, x):
    del arrays["fc"]
    arrays["stem"] = torch.ones(1)
    found = compare_recorded(module, arrays, x)
    assert {(one.kind, one.layer) for one in found.notes} == {("not recorded", "fc"), ("unmatched record", "stem")}


def test_half_precision_record_is_judged_by_its_rounding(module, arrays, x):
    half = {name: one.half() for name, one in arrays.items()}
    assert compare_recorded(module, half, x).is_same


def test_torch_recorded_for_a_cell(tmp_path):
    module, cell = torch.nn.Sequential(torch.nn.Linear(3, 2)), nn.SequentialCell(nn.Dense(3, 2))
    data = torch.randn(4, 3)
    write_recorded(tmp_path / "torch.npz", module, data)
    assert sorted(read_recorded(tmp_path / "torch.npz")) == ["0", "0:input", "input", "output"]
    assert not compare_recorded(cell, read_recorded(tmp_path / "torch.npz"), data).is_same
    torch.save(module.state_dict(), tmp_path / "net.pth")
    load_into(cell, tmp_path / "net.pth")
    assert compare_recorded(cell, read_recorded(tmp_path / "torch.npz"), data).is_same


def test_records_of_another_network(module, x):
    with pytest.raises(ValueError, match="no recorded array has the name of a layer; stem were recorded, conv, bn"):
        compare_recorded(module, {"stem": torch.ones(1)}, x)
