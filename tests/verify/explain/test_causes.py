"""Each cause of a step that returns something else: where it applies, and where it does not."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from msbridge import Tensor, mint, nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.verify.explain.causes import STEP_CAUSES, explain_step
from msbridge.verify.judge.status import FAULTS
from msbridge.verify.report.sentences import described, fix_of
from tests.verify.scenes import Layer, Net, TorchLayer, TorchNet, cases_of, layers, nets

X = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))
IMAGE = torch.randn(2, 4, 3, 3, generator=torch.Generator().manual_seed(2))
SEQUENCE = torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(3))
STATE = torch.randn(1, 2, 4, generator=torch.Generator().manual_seed(4))


def one(theirs, ours, inputs=(X,), change=None):
    """Return two networks of one layer, its inputs, and what becomes of the Cell's weights."""
    run = lambda self, *given: self.layer(*given)  # noqa: E731
    return TorchNet(run, layer=theirs), Net(run, layer=ours), inputs, change


def norms(**settings):
    return one(torch.nn.LayerNorm(4), nn.LayerNorm((4,), **settings))


def operator(torch_compute, cell_compute, inputs=(X,)):
    """Return two networks whose operators come behind a linear layer."""
    return *nets(torch_compute, cell_compute, 1), inputs, None


def own(torch_compute, cell_compute, inputs=(X,)):
    """Return two networks with a layer of the user's own."""
    return *layers(torch_compute, cell_compute), inputs, None


def unlike(torch_compute, cell_compute, count):
    """Return two networks with a layer of the user's own, which gets so many inputs in the Cell, of one and two."""
    calls = {1: lambda self, x, y: self.layer(x), 2: lambda self, x, y: self.layer(x, y)}
    theirs = TorchNet(calls[3 - count], layer=TorchLayer(torch_compute))
    return theirs, Net(calls[count], layer=Layer(cell_compute)), (X, X.exp()), None


def shifted(weights):
    weights["layer.weight"].add_(1)


def tables(second):
    theirs = {name: torch.nn.Embedding(9, 4) for name in ("source", "target")}
    ours = {name: nn.Embedding(9, 4) for name in ("source", "target")}
    return (
        TorchNet(lambda self, x: self.source(x) + self.target(x), **theirs),
        Net(second, **ours),
        (X.argsort(),),
        None,
    )


def packed(self, x):
    given = pack_padded_sequence(x, torch.tensor([5, 3]), batch_first=True)
    return pad_packed_sequence(self.layer(given)[0], batch_first=True)[0]


def sequences(theirs, ours, inputs):
    layer = {"torch": torch.nn.GRU(4, 4, batch_first=True), "cell": nn.GRU(4, 4, batch_first=True)}
    return TorchNet(theirs, layer=layer["torch"]), Net(ours, layer=layer["cell"]), inputs, None


class Drops(nn.Dropout):
    def construct(self, x):
        self.set_train()
        return super().construct(x)


def half():
    cell = nn.Dense(4, 4)
    cell.to_float(mstype.float16)
    return cell


first = lambda self, x, *_: self.layer(x)[0]  # noqa: E731
PLAIN = torch.tensor([2.0, 1.0, 3.0, 5.0])
BAD, OTHER, TRIPLED = Tensor(PLAIN * torch.nan), Tensor(PLAIN.flip(0)), Tensor(3 * PLAIN)

# (cause, a pair to which it applies, the kind of the finding, a pair to which it does not)
CASES = [
    ("wiring", tables(lambda self, x: self.source(x) + self.source(x)), "wiring",
     tables(lambda self, x: self.source(x) + 2 * self.target(x))),
    ("other layer", one(torch.nn.GroupNorm(1, 4), nn.BatchNorm2d(4), (IMAGE,)), "other layer",
     one(torch.nn.GroupNorm(1, 4), nn.GroupNorm(2, 4), (IMAGE,))),
    ("wrong weight", one(torch.nn.Linear(4, 4), nn.Dense(4, 4), (X,), shifted), "weight values",
     one(torch.nn.LayerNorm(4), nn.LayerNorm((4,), epsilon=0.1), (X,), lambda weights: None)),
    ("weight shape", one(torch.nn.Linear(4, 3), nn.Dense(4, 5)), "weight shape",
     one(torch.nn.Linear(4, 3), nn.Dense(4, 3, has_bias=False))),
    ("bias", one(torch.nn.Linear(4, 4), nn.Dense(4, 4, has_bias=False)), "bias",
     one(torch.nn.LayerNorm(4), mint.nn.LayerNorm(4, elementwise_affine=False))),
    ("missing weight", one(torch.nn.PReLU(4), nn.LeakyReLU(0.5)), "missing weight", norms(epsilon=0.1)),
    ("extra weight", one(torch.nn.Linear(4, 4, bias=False), nn.Dense(4, 4, bias_init="ones")), "extra weight",
     one(torch.nn.Linear(4, 4), half())),
    ("setting", norms(epsilon=0.1), "epsilon", one(torch.nn.BatchNorm2d(4), nn.BatchNorm2d(4, momentum=0.2), (IMAGE,))),
    ("dropout left on", one(torch.nn.Dropout(0.5), Drops(p=0.5)), "dropout left on",
     one(torch.nn.Dropout(0.5), nn.Dropout(p=0.5))),
    ("dtype", one(torch.nn.Linear(4, 4), half()), "dtype", norms(epsilon=0.1)),
    ("order of inputs", operator(lambda self, x: torch.cat([self.a(x), x]), lambda self, x: ops.concat([x, self.a(x)])),
     "order of inputs", operator(lambda self, x: self.a(x) * 2, lambda self, x: self.a(x) * 3)),
    ("number", operator(lambda self, x: self.a(x) * 2.0, lambda self, x: self.a(x) * 3.0), "scale",
     operator(lambda self, x: self.a(x) * x, lambda self, x: self.a(x) * x)),
    ("lengths", sequences(packed, first, (SEQUENCE,)), "lengths", sequences(first, first, (SEQUENCE,))),
    ("initial state", sequences(lambda self, x, h: self.layer(x, h)[0], first, (SEQUENCE, STATE)), "initial state",
     own(lambda self, x, y: x.exp() + y, lambda self, x, y: x.exp() + y, (X, X.exp()))),
    ("missing input", unlike(lambda self, x, y: x.exp() + y, lambda self, x: ops.exp(x), 1), "missing input",
     own(lambda self, x, y: x.exp() + y, lambda self, x, y: x.exp() + 2 * y, (X, X.exp()))),
    ("extra input", unlike(lambda self, x: x.exp(), lambda self, x, y: ops.exp(x) + y, 2), "extra input",
     own(lambda self, x, y: x.exp() + y, lambda self, x, y: x.exp() + 2 * y, (X, X.exp()))),
    ("scale", operator(lambda self, x: self.a(x) * 0.5, lambda self, x: self.a(x) / 3.0), "scale",
     operator(lambda self, x: self.a(x) * 0.5, lambda self, x: self.a(x) - 3.0)),
    ("operators", own(lambda self, x: x.relu(), lambda self, x: ops.tanh(x)), "activation",
     operator(lambda self, x: self.a(x).softmax(1), lambda self, x: ops.softmax(self.a(x), 0))),
    ("argument", operator(lambda self, x: self.a(x).softmax(1), lambda self, x: ops.softmax(self.a(x), 0)), "axis",
     own(lambda self, x: x.relu(), lambda self, x: ops.tanh(x))),
    ("layout", own(lambda self, x: x.t().exp(), lambda self, x: ops.exp(x)), "layout",
     own(lambda self, x: x.relu(), lambda self, x: ops.tanh(x))),
    ("NaN", own(lambda self, x: x + PLAIN, lambda self, x: x + BAD), "NaN",
     own(lambda self, x: x.relu(), lambda self, x: ops.tanh(x))),
    ("relation", own(lambda self, x: x * PLAIN, lambda self, x: x * TRIPLED), "scale",
     own(lambda self, x: x * PLAIN, lambda self, x: x * OTHER)),
    ("unknown", own(lambda self, x: x * PLAIN, lambda self, x: x * OTHER), "unknown", None),
]  # fmt: skip


def test_each_cause_has_its_tests():
    assert [name for name, *_ in CASES] == [cause.name for cause in STEP_CAUSES]


@pytest.mark.parametrize(("number", "pair", "kind"), [(n, pair, kind) for n, (_, pair, kind, _) in enumerate(CASES)],
                         ids=[name for name, *_ in CASES])  # fmt: skip
def test_cause_applies(number, pair, kind):
    cases, _ = cases_of(*pair)
    case = next(case for case in cases if case.row.status in FAULTS)
    assert STEP_CAUSES[number].apply(case) is not None
    found = explain_step(case)
    assert found.kind == kind
    assert case.row.torch in described(found)
    assert fix_of(found)


@pytest.mark.parametrize(("number", "pair"), [(n, pair) for n, (*_, pair) in enumerate(CASES) if pair is not None],
                         ids=[name for name, *_, pair in CASES if pair is not None])  # fmt: skip
def test_cause_does_not_apply(number, pair):
    cases, _ = cases_of(*pair)
    matched = [case for case in cases if case.match.torch is not None and case.match.cell is not None]
    assert matched
    assert all(STEP_CAUSES[number].apply(case) is None for case in matched)


def test_what_no_other_cause_explains_is_unknown():
    cases, _ = cases_of(*own(lambda self, x: x * PLAIN, lambda self, x: x * OTHER))
    assert [cause.name for cause in STEP_CAUSES if cause.apply(cases[0])] == ["unknown"]


def test_factors_of_a_product_that_are_exchanged_and_transposed_are_seen():
    cases, _ = cases_of(*operator(lambda self, x: self.a(x) @ x.exp().mT, lambda self, x: ops.exp(x) @ self.a(x).T))
    found = explain_step(cases[-1])
    assert found.kind == "order of inputs"
    assert described(found).endswith("gets its two inputs exchanged, each transposed")


def test_axes_may_be_counted_from_the_end():
    pair = operator(lambda self, x: self.a(x).softmax(1), lambda self, x: ops.softmax(self.a(x), -1) * 2)
    cases, _ = cases_of(*pair)
    assert all(explain_step(case).kind != "axis" for case in cases if case.row.status == "differs")
