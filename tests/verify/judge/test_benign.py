"""Acquittal: a difference that comes to nothing is no fault, and a fault that one input hides is one."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.verify import compare


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down = torch.nn.Linear(6, 3)
        self.up = torch.nn.Linear(3, 6)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))


class GateCell(nn.Cell):
    def __init__(self, activation, *, repeats):
        super().__init__()
        self.down = nn.Dense(6, 3, activation=activation)
        self.up = nn.Dense(3, 6)
        self.relu = nn.ReLU() if repeats else nn.LeakyReLU(0.01)

    def construct(self, x):
        return self.up(self.relu(self.down(x)))


def verdict_of(cell: nn.Cell) -> str:
    torch.manual_seed(0)
    return str(compare(Gate(), cell, (torch.randn(4, 6),)).verdict)


@pytest.mark.parametrize("activation", [None, "relu"])
def test_an_activation_may_stand_in_the_layer_and_behind_it(activation) -> None:
    assert verdict_of(GateCell(activation, repeats=True)).startswith("PASS")


@pytest.mark.parametrize("activation", [None, "leakyrelu"])
def test_another_activation_is_a_fault(activation) -> None:
    assert verdict_of(GateCell(activation, repeats=False)).startswith("FAIL")


def test_a_fault_that_the_next_activation_hides_from_one_input_is_a_fault() -> None:
    class Layer(nn.Dense):
        def construct(self, x):
            y = super().construct(x)
            return y - 100 * (y < 0).astype(y.dtype)

    cell = GateCell(None, repeats=True)
    cell.down = Layer(6, 3)
    assert verdict_of(cell).startswith("FAIL")


class Divergence(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(6, 3)

    def forward(self, x):
        y = self.layer(x)
        return -0.5 * (1 + y - y.exp()).sum(1).mean(), torch.tanh(y)


class DivergenceCell(nn.Cell):
    def __init__(self, *, is_other):
        super().__init__()
        self.layer = nn.Dense(6, 3)
        self.is_other = is_other

    def construct(self, x):
        y = self.layer(x)
        halves = -0.5 * (1 + y - ops.exp(y))
        return halves.sum(1).mean(), ops.sigmoid(y) if self.is_other else ops.tanh(y)


@pytest.mark.parametrize("is_other", [False, True])
def test_a_factor_may_stand_inside_of_a_sum(is_other) -> None:
    found = compare(Divergence(), DivergenceCell(is_other=is_other), (torch.randn(4, 6),))
    assert [one.kind for one in found.findings] == ["activation"] * is_other


class Softmax(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.last = torch.nn.Linear(6, 3), torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.last(self.layer(x).softmax(-1))


class HalfSoftmaxCell(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer, self.last, self.softmax = nn.Dense(6, 3), nn.Dense(3, 3), nn.Softmax()

    def construct(self, x):
        return self.last(self.softmax(self.layer(x).astype(mstype.float16)).astype(mstype.float32))


def test_a_coarser_dtype_is_a_fault_although_its_own_noise_is_larger() -> None:
    found = compare(Softmax(), HalfSoftmaxCell(), (torch.randn(4, 6),))
    assert [one.kind for one in found.findings][:1] == ["dtype"]
