"""Weights under two names: MindSpore has one parameter, torch's state dict both names."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.converters import convert, load_into, open_checkpoint
from msbridge.converters.errors import MismatchError


class Tied(nn.Cell):
    """A head that shares the embedding's weight, and one layer under two names."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.first = nn.Dense(4, 4)
        self.second = self.first
        self.head = nn.Dense(4, 7, has_bias=False)
        self.head.weight = self.embed.embedding_table

    def construct(self, ids):
        return self.head(self.second(self.first(self.embed(ids))))


class TiedModule(torch.nn.Module):
    """The same in torch."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(7, 4)
        self.first = self.second = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 7, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(self.second(self.first(self.embed(ids))))


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    module = TiedModule()
    torch.save(module.state_dict(), "net.pth")
    return module


def test_second_names_are_left_out_and_written_again(module):
    report = convert("net.pth", "net.ckpt", cell=Tied())
    with open_checkpoint("net.ckpt") as written:
        assert set(written) == {one.name for one in Tied().get_parameters()}
    left_out = {one.sources[0] for one in report.outcomes if not one.targets}
    assert left_out == {"head.weight", "second.weight", "second.bias"}
    convert("net.ckpt", "back.pth", cell=Tied())
    twin = TiedModule()
    twin.load_state_dict(torch.load("back.pth"), strict=True)
    assert all(torch.equal(one, module.state_dict()[name]) for name, one in twin.state_dict().items())


def test_a_cell_takes_a_file_with_both_names(module):
    cell = Tied()
    load_into(cell, "net.pth")
    ids = torch.arange(7)
    assert torch.allclose(cell(ops.arange(7))._data, module(ids), atol=1e-6)


@pytest.mark.parametrize("second", ["saved apart", "other values"])
def test_values_of_the_second_name_are_compared_before_it_is_left_out(module, second):
    state = {name: one.clone() for name, one in module.state_dict().items()}
    if second == "other values":
        state["head.weight"] += 1
    torch.save(state, "untied.pth")
    if second == "saved apart":
        convert("untied.pth", "net.ckpt", cell=Tied())
        return
    with pytest.raises(MismatchError, match=r"'head.weight' has other values than 'embed.weight'"):
        convert("untied.pth", "net.ckpt", cell=Tied())
