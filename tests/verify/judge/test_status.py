"""The status of a row, and what is taken back of it."""

import pytest
import torch

from msbridge import ops
from msbridge.verify import Difference, compare
from msbridge.verify.judge.status import arrives, plain_status
from tests.verify.scenes import cases_of, nets

EQUAL, NOISE = Difference(is_equal=True), Difference(max_abs=1e-7, noise_ratio=1.0)
LOUD, SHAPE = Difference(max_abs=1.0, noise_ratio=1e6), Difference(actual_shape=(2,))
X = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(
    ("free", "fed", "status"),
    [
        (EQUAL, EQUAL, "equal"),
        (None, None, "equal"),
        (NOISE, EQUAL, "noise"),
        (None, NOISE, "noise"),
        (LOUD, EQUAL, "inherited"),
        (LOUD, NOISE, "inherited"),
        (LOUD, None, "inherited"),
        (EQUAL, LOUD, "differs"),
        (LOUD, SHAPE, "differs"),
    ],
)
def test_status_follows_from_the_differences(free, fed, status):
    assert plain_status(free, fed) == status


@pytest.mark.parametrize(("arriving", "is_right"), [(EQUAL, True), (NOISE, True), (LOUD, False), (SHAPE, False)])
def test_an_input_arrives_when_it_is_right_up_to_rounding(arriving, is_right):
    assert arrives(arriving) == is_right


@pytest.mark.parametrize(
    ("torch_between", "cell_between", "statuses"),
    [
        (torch.relu, lambda x: x, ["equal", "missing", "input differs"]),
        (lambda x: x, ops.exp, ["equal", "extra", "input differs"]),
        (torch.relu, ops.tanh, ["equal", "differs", "inherited"]),
    ],
)
def test_each_row_has_its_status(torch_between, cell_between, statuses):
    pair = nets(lambda self, x: self.b(torch_between(self.a(x))), lambda self, x: self.b(cell_between(self.a(x))))
    cases, _ = cases_of(*pair, (X,))
    assert [case.row.status for case in cases] == statuses


def test_a_fault_that_comes_to_nothing_is_acquitted():
    module, cell = nets(lambda self, x: self.b(self.a(x) * 2 / 2), lambda self, x: self.b(self.a(x) * 3 / 3))
    found = compare(module, cell, X)
    assert found.is_same
    assert [(row.status, row.acquitted) for row in found.rows if row.acquitted]
    assert all(one.evidence[-1].name == "no effect" for one in found.notes)
