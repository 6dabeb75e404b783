"""Pairing by the order of calls: layers of one shape, under other names, defined in another order than they run in."""

import pytest
import torch

from msbridge import nn
from msbridge.verify import compare


class Norms(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj1, self.norm1 = torch.nn.Linear(4, 4), torch.nn.LayerNorm(4)
        self.proj2, self.norm2 = torch.nn.Linear(4, 4), torch.nn.LayerNorm(4)
        for one in self.parameters():
            torch.nn.init.normal_(one)

    def forward(self, x):
        return self.norm2(self.proj2(self.norm1(self.proj1(x))))


class LastFirst(nn.Cell):
    """The same network; what runs last is defined first."""

    def __init__(self):
        super().__init__()
        self.d, self.b = nn.Dense(4, 4), nn.LayerNorm((4,), epsilon=1e-5)
        self.c, self.a = nn.Dense(4, 4), nn.LayerNorm((4,), epsilon=1e-5)

    def construct(self, x):
        return self.b(self.d(self.a(self.c(x))))


def pairs_of(found):
    return {one.torch.removesuffix(".weight"): one.cell for one in found.weights.pairs if "weight" in one.torch}


def test_the_order_of_calls_decides():
    found = compare(Norms(), LastFirst(), torch.randn(3, 4))
    assert found.is_same
    assert pairs_of(found) == {"proj1": "c.weight", "norm1": "a.gamma", "proj2": "d.weight", "norm2": "b.gamma"}
    assert [one.kind for one in found.notes] == ["order of calls"]
    assert {one.by for one in found.weights.pairs} == {"order of calls"}


def test_where_both_orders_agree_nothing_is_said():
    class InOrder(LastFirst):
        def construct(self, x):
            return self.a(self.c(self.b(self.d(x))))

    found = compare(Norms(), InOrder(), torch.randn(3, 4))
    assert (found.verdict, pairs_of(found)["norm1"]) == ("PASS", "b.gamma")


def test_a_cell_that_stops_is_paired_by_definition():
    class Stops(LastFirst):
        def construct(self, x):
            raise ValueError("not written yet")

    found = compare(Norms(), Stops(), torch.randn(3, 4))
    assert {one.by for one in found.weights.pairs} == {"order of definition"}


@pytest.mark.parametrize("is_swapped", [False, True])
def test_weights_of_the_cells_own_tell_the_order(is_swapped):
    module, cell = Norms(), LastFirst()
    compare(module, cell, torch.randn(3, 4))
    if is_swapped:  # the values of the order of definition
        cell = LastFirst()
        for theirs, own in (("proj1", "d"), ("proj2", "c")):
            getattr(cell, own).weight._data.copy_(getattr(module, theirs).weight.detach())
            getattr(cell, own).bias._data.copy_(getattr(module, theirs).bias.detach())
        for theirs, own in (("norm1", "b"), ("norm2", "a")):
            getattr(cell, own).gamma._data.copy_(getattr(module, theirs).weight.detach())
            getattr(cell, own).beta._data.copy_(getattr(module, theirs).bias.detach())
    found = compare(module, cell, torch.randn(3, 4), weights="as is")
    assert found.is_same != is_swapped
    assert pairs_of(found)["norm1"] == ("b.gamma" if is_swapped else "a.gamma")
