"""Rows become findings and notes: a Cell that stops, weights that are told of once, what makes no difference."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.verify import compare
from msbridge.verify.explain.diagnosis import FAILURES
from msbridge.verify.report.sentences import fix_of, sentence
from tests.verify.scenes import Net, TorchNet, nets

X = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))
IMAGE = torch.randn(1, 2, 8, 8, generator=torch.Generator().manual_seed(2))
SPLIT = '[[rule]]\nfrom = "{n}.{leaf:weight|bias}"\nto = "{n}.{leaf}"\n'


def stops(self, x):
    raise RuntimeError("not written yet")


def pooled():
    theirs = {"conv": torch.nn.Conv2d(2, 4, 3), "fc": torch.nn.Linear(16, 3)}
    ours = {"conv": nn.Conv2d(2, 4, 3, pad_mode="valid", has_bias=True), "fc": nn.Dense(16, 3)}
    return theirs, ours


def flat_by(torch_axes, cell_axes):
    theirs, ours = pooled()
    return (
        TorchNet(lambda self, x: self.fc(self.conv(x)[:, :, 2:4, 2:4].permute(torch_axes).reshape(1, -1)), **theirs),
        Net(lambda self, x: self.fc(self.conv(x)[:, :, 2:4, 2:].transpose(cell_axes).reshape(1, -1)), **ours),
        IMAGE,
    )


def product():
    return nets(lambda self, x: self.a(x) @ self.b(x)[:, :2], lambda self, x: ops.matmul(self.a(x), self.b(x)[:2]))


# (cause, a pair whose Cell stops for it, the kind of the finding)
CASES = [
    ("setting", (torch.nn.Conv2d(2, 4, 3), nn.Conv2d(2, 4, 9, pad_mode="valid"), IMAGE), "kernel_size"),
    ("layout", (*product(), X), "layout"),
    ("input", flat_by((0, 1, 2, 3), (0, 1, 2, 3)), "layout"),
    ("error", (*nets(lambda self, x: self.b(self.a(x)), lambda self, x: self.b(stops(self, self.a(x)))), X), "error"),
]  # fmt: skip


def test_each_failure_has_its_test():
    assert [name for name, *_ in CASES] == [cause.name for cause in FAILURES]


@pytest.mark.parametrize(("name", "pair", "kind"), CASES, ids=[name for name, *_ in CASES])
def test_a_cell_that_stops_is_explained(name, pair, kind):
    found = compare(*pair)
    assert found.first.kind == kind
    assert fix_of(found.first)
    seen = [found.first.fact.name, *(one.name for one in found.first.evidence)]
    assert {"stops here", "stops at", "stops"} & {*seen}


def test_a_cell_that_runs_has_no_failure():
    found = compare(*nets(lambda self, x: self.b(self.a(x)), lambda self, x: self.b(self.a(x) * 2)), X)
    assert not [one for one in found.findings if one.fact.name.startswith("stops")]


def layers(has_bias):
    module = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(11)))
    for one in module[:10]:
        torch.nn.init.zeros_(one.bias)
    cell = nn.SequentialCell(*(nn.Dense(4, 4, has_bias=has_bias) for _ in range(11)))
    return module, cell


def test_a_bias_is_told_of_although_another_layers_name_ends_like_it(tmp_path):
    """The biases 0 … 9 are zero and make no difference; that of 10, whose name holds the name of 0.bias, does."""
    (tmp_path / "rules.toml").write_text(SPLIT)
    found = compare(*layers(has_bias=False), X, rules=tmp_path / "rules.toml")
    places = {place for one in found.findings if one.kind == "bias" for place in (one.layer, *one.others)}
    assert places == {str(number) for number in range(11)}


def test_biases_that_the_cell_has_are_not_told_of(tmp_path):
    (tmp_path / "rules.toml").write_text(SPLIT)
    assert compare(*layers(has_bias=True), X, rules=tmp_path / "rules.toml").findings == ()


def test_a_wrong_weight_that_does_not_show_is_told_of():
    module, cell = nets(lambda self, x: self.a(x), lambda self, x: self.a(x))
    compare(module, cell, X)
    cell.b.weight._data.add_(1)
    found = compare(module, cell, X, weights="as is")
    assert [(one.layer, one.kind, one.evidence[0].name) for one in found.findings] == [
        ("b", "weight values", "does not show")
    ]


def test_what_makes_no_difference_is_a_note():
    module, cell = nets(lambda self, x: self.b(self.a(x).relu()), lambda self, x: self.b(ops.relu(ops.relu(self.a(x)))))
    found = compare(module, cell, X)
    assert found.is_same
    assert all(sentence(one.fact) for one in found.notes)


def test_a_layer_that_is_trained_on_one_side_is_a_note():
    module, cell = nets(lambda self, x: self.b(self.a(x)), lambda self, x: self.b(self.a(x)))
    cell.a.bias.requires_grad = False
    found = compare(module, cell, X)
    assert [(one.kind, one.layer, one.fact.values["is_torch"]) for one in found.notes] == [
        ("requires_grad", "a.bias", True)
    ]
