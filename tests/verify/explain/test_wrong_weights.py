"""Each way in which a Cell's own weight is not torch's."""

import pytest
import torch

from msbridge import nn
from msbridge.verify.explain.findings import first
from msbridge.verify.explain.wrong_weights import WRONG_VALUES, WrongWeight, wrong_weights
from msbridge.verify.pair.weights import load, pair_weights
from msbridge.verify.report.sentences import fix_of, sentence

VALUE = torch.randn(8, 8, generator=torch.Generator().manual_seed(1))
KERNEL = torch.randn(8, 2, 3, 3, generator=torch.Generator().manual_seed(2))
TURNED = VALUE.view(4, 2, 8)[[1, 0, 2, 3]].reshape(8, 8)  # blocks of two rows
ORDER = torch.randperm(64, generator=torch.Generator().manual_seed(3))


def nudged(value):
    changed = value.clone()
    changed[3, 3] += 0.1
    return changed


# (cause, what it says, torch's values, the Cell's when it applies, the Cell's when it does not)
CASES = [
    ("weight transposed", "transposed", VALUE, VALUE.T, VALUE.flip(0)),
    ("weights swapped", "swapped", VALUE, VALUE + 1, VALUE + 2),  # another pair holds VALUE + 1
    ("gate order", "gates", VALUE, TURNED, VALUE.flip(0)),
    ("weight not loaded", "not loaded", VALUE, torch.zeros(8, 8), nudged(torch.zeros(8, 8))),
    ("weight values", "flipped", KERNEL, KERNEL.flip(2, 3), KERNEL.flip(2)),
    ("dtype", "rounded", VALUE, VALUE.half().float(), nudged(VALUE)),
    ("weight values", "weight scaled", VALUE, 1.01 * VALUE, VALUE.exp()),
    ("weight order", "weight reordered", VALUE, VALUE.flatten()[ORDER].view(8, 8), VALUE.exp()),
    ("weight values", "unequal values", VALUE, nudged(VALUE), None),
]  # fmt: skip


def case_of(value, own):
    theirs = torch.nn.ModuleDict({"one": torch.nn.Linear(8, 8, bias=False), "two": torch.nn.Linear(8, 8, bias=False)})
    ours = nn.CellDict({"one": nn.Dense(8, 8, has_bias=False), "two": nn.Dense(8, 8, has_bias=False)})
    with torch.no_grad():
        theirs["two"].weight.copy_(VALUE + 1)
    weights = pair_weights(theirs, ours)
    return WrongWeight(weights.pairs[0], own, value, weights, gates=4)


def test_each_cause_has_its_tests():
    assert [name for name, *_ in CASES] == [cause.name for cause in WRONG_VALUES]


@pytest.mark.parametrize(("number", "case"), [*enumerate(CASES)], ids=[case[1] for case in CASES])
def test_cause_applies_or_not(number, case):
    name, fact, value, wrong, other = case
    found = first(WRONG_VALUES, case_of(value, wrong))
    assert (found.kind, found.fact.name) == (name, fact)
    assert "one.weight" in sentence(found.fact)
    assert fix_of(found)
    assert other is None or WRONG_VALUES[number].apply(case_of(value, other)) is None


def test_negated_values_are_told():
    assert first(WRONG_VALUES, case_of(VALUE, -VALUE)).fact.name == "negated"


def test_right_weights_are_not_wrong():
    theirs, ours = torch.nn.Linear(3, 2), nn.Dense(3, 2)
    weights = pair_weights(theirs, ours)
    load(weights)
    assert wrong_weights(weights, {"": "Linear"}) == {}
