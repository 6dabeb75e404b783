"""Each cause of a step that gets something else: where it applies, and where it does not."""

import pytest
import torch

from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.verify.explain.input_mismatches import GAP_CAUSES, Gap, explain_input, explain_outputs
from msbridge.verify.judge.status import FAULTS
from msbridge.verify.report.sentences import described, fix_of
from tests.verify.scenes import Net, TorchNet, cases_of, linears, nets

X = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))
TARGET = torch.tensor([0, 3, 1, 2])
IDS = torch.tensor([[3, 1, 4, 0]])
NOISE = torch.randn(4, 4, generator=torch.Generator().manual_seed(2))


def net(torch_compute, cell_compute, count=2, inputs=(X,), change=None):
    """Return two networks of linear layers a, b, c …, their inputs, and what becomes of the Cell's weights."""
    return *nets(torch_compute, cell_compute, count), inputs, change


def behind(cell_compute, torch_compute=lambda x: x):
    """Return two networks that compute something between two linear layers."""
    return net(lambda self, x: self.b(torch_compute(self.a(x))), lambda self, x: self.b(cell_compute(self.a(x))))


def table(cell_compute, change=None):
    """Return two networks that hold a weight themselves, next to a layer."""
    theirs, ours = nets(lambda self, x: self.a(x + self.table), cell_compute, 1)
    theirs.table, ours.table = torch.nn.Parameter(NOISE.clone()), Parameter(Tensor(NOISE), name="table")
    return theirs, ours, (X,), change


def words(torch_ids, cell_ids):
    layers = {"layer": torch.nn.Embedding(9, 4)}, {"layer": nn.Embedding(9, 4)}
    theirs = TorchNet(lambda self, x: self.layer(torch_ids(x)), **layers[0])
    return theirs, Net(lambda self, x: self.layer(cell_ids(x)), **layers[1]), (IDS,), None


def smoothed(share):
    """Return two networks that end in a loss, which is one layer in the Cell."""
    theirs, ours = linears(1)
    loss = lambda self, x: torch.nn.functional.cross_entropy(self.a(x), TARGET, label_smoothing=0.1)  # noqa: E731
    layer = nn.CrossEntropyLoss(label_smoothing=share)
    return (
        TorchNet(loss, **theirs),
        Net(lambda self, x: self.ce(self.a(x), Tensor(TARGET)), **ours, ce=layer),
        (X,),
        None,
    )


def elsewhere(x):
    """Compute outside of what is recorded."""
    return Tensor(x.asnumpy() * 3)


DOUBLED = behind(lambda x: 2 * x)  # something too much, and nothing else
RELU = lambda x: x.relu()  # noqa: E731
# (cause, a pair to which it applies, the kind of the finding, a pair to which it does not)
CASES = [
    ("wrong weight", table(lambda self, x: self.a(x + self.table), lambda weights: weights["table"].add_(1)),
     "weight values", table(lambda self, x: self.a(2 * x + self.table), lambda weights: None)),
    ("order of inputs",
     net(lambda self, x: torch.cat([self.a(x), x, self.b(x)]), lambda self, x: ops.concat([self.b(x), self.a(x), x])),
     "order of inputs",
     net(lambda self, x: torch.cat([self.a(x), x, self.b(x)]), lambda self, x: ops.concat([self.a(x), x, 2 * x]))),
    ("order of outputs", net(lambda self, x: (self.a(x), self.b(x)), lambda self, x: (self.b(x), self.a(x))),
     "order of outputs", net(lambda self, x: (self.a(x), self.b(x)), lambda self, x: (self.a(x), self.b(x) * 2))),
    ("missing layer", net(lambda self, x: self.c(self.b(self.a(x))), lambda self, x: self.c(self.a(x)), 3),
     "missing layer", DOUBLED),
    ("order of layers", net(lambda self, x: self.b(self.a(x)), lambda self, x: self.a(self.b(x))), "order of layers",
     net(lambda self, x: self.c(self.a(x) + self.b(x)), lambda self, x: self.c(2 * (self.b(x) + self.a(x))), 3)),
    ("layout", behind(lambda x: x.T), "layout", DOUBLED),
    ("order of layers",
     net(lambda self, x: self.b((self.a(x) + x).relu()), lambda self, x: self.b(ops.relu(self.a(x)) + x)),
     "order of layers", DOUBLED),
    ("whole numbers", words(lambda ids: torch.arange(4), lambda ids: ops.arange(1, 5)), "indices",
     words(lambda ids: ids, lambda ids: ids + 1)),
    ("missing layer", behind(lambda x: x, RELU), "missing layer", behind(lambda x: ops.exp(x), RELU)),
    ("other operator", behind(lambda x: ops.sigmoid(x * 2), lambda x: x.tanh()), "activation", DOUBLED),
    ("dropout left on", behind(lambda x: ops.dropout(x, 0.5, training=True)), "dropout left on", DOUBLED),
    ("extra layer", DOUBLED, "extra layer", behind(lambda x: x, RELU)),
    ("other operators", behind(lambda x: ops.exp(x), lambda x: x.cumsum(0)), "other operator", DOUBLED),
    ("argument", smoothed(0.2), "scale", behind(lambda x: ops.exp(x), lambda x: x.cumsum(0))),
    ("wiring",
     net(lambda self, x: (self.a(x), self.c(self.b(x))), lambda self, x: (self.b(x), self.c(self.a(x))), 3),
     "wiring", behind(elsewhere)),
    ("dtype", behind(lambda x: x.astype(mstype.bfloat16).astype(mstype.float32)), "dtype", behind(lambda x: x.T)),
    ("constant", behind(ops.zeros_like), "constant", behind(lambda x: x.T)),
    ("relation", behind(elsewhere), "scale", behind(lambda x: Tensor(NOISE))),
    ("layout", behind(lambda x: x[:1].expand(4, 4)), "layout", DOUBLED),
    ("unknown", behind(lambda x: Tensor(NOISE)), "unknown", None),
]  # fmt: skip


def gaps_of(pair):
    """Return all gaps in a pair, those at the steps and those at the outputs, with the findings for them."""
    cases, scene = cases_of(*pair)
    found = [
        (Gap(scene, case.index, case.match, case.first_unequal), explain_input(case))
        for case in cases
        if case.row.status == "input differs"
    ]
    for own, wanted in zip(scene.runs.fed.outputs, scene.runs.theirs.outputs, strict=False):
        if not torch.allclose(own, wanted, atol=1e-6):
            found.append((Gap(scene, len(cases), None, (own, wanted)), explain_outputs(scene, (own, wanted))))
    return found


def test_each_cause_has_its_tests():
    assert [name for name, *_ in CASES] == [cause.name for cause in GAP_CAUSES]


@pytest.mark.parametrize(("number", "pair", "kind"), [(n, pair, kind) for n, (_, pair, kind, _) in enumerate(CASES)],
                         ids=[name for name, *_ in CASES])  # fmt: skip
def test_cause_applies(number, pair, kind):
    gap, found = gaps_of(pair)[0]
    assert GAP_CAUSES[number].apply(gap) is not None
    assert found.kind == kind
    assert found.layer in described(found)
    assert fix_of(found)


@pytest.mark.parametrize(("number", "pair"), [(n, pair) for n, (*_, pair) in enumerate(CASES) if pair is not None],
                         ids=[name for name, *_, pair in CASES if pair is not None])  # fmt: skip
def test_cause_does_not_apply(number, pair):
    assert all(GAP_CAUSES[number].apply(gap) is None for gap, _ in gaps_of(pair))


def test_a_network_without_a_fault_has_no_gap():
    assert gaps_of(behind(lambda x: x)) == []
    assert all(case.row.status not in FAULTS for case in cases_of(*behind(lambda x: x))[0])


def test_the_same_operator_of_another_layer_is_wiring():
    pair = net(
        lambda self, x: self.c(torch.nn.functional.silu(self.a(x)) * self.b(x)),
        lambda self, x: self.c(self.a(x) * ops.silu(self.b(x))),
        3,
    )
    found = gaps_of(pair)[0][1]
    assert found.kind == "wiring"
    assert fix_of(found) == "pass on the output of a"
