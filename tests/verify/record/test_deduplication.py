"""What the run on torch's values takes from torch's run is what it would have computed."""

import pytest
import torch

from msbridge import Tensor, nn
from msbridge.verify import compare, compare_tensors
from msbridge.verify.record.deduplication import Memory
from tests.zoo.pairs import PAIRS, pair


@pytest.mark.parametrize("name", PAIRS)
def test_results_are_those_of_computing_everything(name, monkeypatch):
    module, cell, _ = pair(name)
    inputs = tuple(one.repeat(4, *(1,) * (one.dim() - 1)) for one in pair(name)[2])
    part = next(one for _, one in cell.cells_and_names() if hasattr(one, "eps") or hasattr(one, "weight"))
    compute = part.construct
    part.construct = lambda *args: compute(*args) * 1.01
    lean = compare(module, cell, inputs).as_dict()
    monkeypatch.setattr(Memory, "answer", lambda *_: None)
    whole = compare(module, cell, inputs).as_dict()
    for key in ("rows", "findings", "notes", "outputs"):
        for row in (*lean[key], *whole[key]):
            row.pop("seconds", None)
        assert lean[key] == whole[key]


def test_cell_that_writes_to_its_input_does_not_change_what_torch_gave():
    class Writes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Dense(64, 64), nn.Dense(64, 64)

        def construct(self, x):
            x = self.one(x)
            x._data.mul_(2)
            return self.two(x)

    module = torch.nn.Sequential()
    module.add_module("one", torch.nn.Linear(64, 64))
    module.add_module("two", torch.nn.Linear(64, 64))
    x = torch.randn(128, 64)
    found = compare(module, Writes(), x)
    assert {row.torch: row.status for row in found.rows}["one"] == "equal"
    assert not found.is_same
    cell = Writes()
    compare(module, cell, x)
    assert compare_tensors(cell(Tensor(x))._data, module(x)).norm_ratio > 1.5
