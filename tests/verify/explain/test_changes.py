"""What it is called when torch runs some operators and the Cell others."""

import pytest

from msbridge.verify.explain.changes import CHANGES, Change, change_of, other_arguments, other_moves, other_operators
from msbridge.verify.explain.findings import Fact
from msbridge.verify.record.trace import Operation

SEEN = Fact("operators", {"torch": (), "cell": ()})
# (name, torch's operators and the Cell's to which it applies, and those to which it does not)
CASES = [
    ("padding", ((), ("constant_pad_nd",)), (("relu",), ("constant_pad_nd",))),
    ("activation", (("relu",), ("tanh",)), (("add",), ("sub",))),
    ("pooling", (("max_pool2d",), ("avg_pool2d",)), (("max_pool2d",), ("relu",))),
    ("mode", (("upsample_bilinear2d",), ("upsample_nearest2d",)), (("upsample_bilinear2d",), ())),
    ("other operator", (("add",), ("sub",)), (("add",), ())),
    ("missing layer", (("relu",), ()), ((), ("relu",))),
    ("extra layer", ((), ("relu",)), (("relu",), ())),
]


def test_each_change_has_its_tests():
    assert [name for name, *_ in CASES] == [cause.name for cause in CHANGES]


@pytest.mark.parametrize(("number", "case"), [*enumerate(CASES)], ids=[case[0] for case in CASES])
def test_change_applies_or_not(number, case):
    name, there, elsewhere = case
    assert change_of(*there, SEEN).kind == name
    assert CHANGES[number].apply(Change(*elsewhere, SEEN)) is None


def test_operators_that_both_ran_are_no_change():
    same = [Operation("relu", {}), Operation("view", {"size": [4]})]
    assert other_operators(same, same) is other_arguments(same, same) is other_moves(same, same) is None


def test_an_argument_has_the_name_that_it_has_in_mindspore():
    theirs, ours = [Operation("softmax", {"dim": 1})], [Operation("softmax", {"dim": 0})]
    found = other_arguments(theirs, ours)
    assert (found.kind, found.fact.values["torch"], found.fact.values["cell"]) == ("axis", 1, 0)


def test_moves_of_data_are_compared_with_their_arguments():
    found = other_moves([Operation("view", {"size": [4, 2]})], [Operation("view", {"size": [2, 4]})])
    assert found.values == {"torch": ("view(size=[4, 2])",), "cell": ("view(size=[2, 4])",)}
