"""Which step of the Cell answers to which step of the torch module."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.verify import compare
from tests.verify.scenes import Net, TorchNet

X = torch.randn(3, 4, generator=torch.Generator().manual_seed(1))


def activated(cell_compute, **activations):
    """Return networks of which the Cell's layers hold their activations, but for the last."""
    theirs = TorchNet(
        lambda self, x: self.c(self.b(self.a(x).relu()).relu()).relu(),
        **{name: torch.nn.Linear(4, 4) for name in "abc"},
    )
    return theirs, Net(cell_compute, **{name: nn.Dense(4, 4, activation=activations.get(name)) for name in "abc"}), X


@pytest.mark.parametrize("held", ["a", "b", "ab", "bc", "ac"])
def test_a_layer_that_holds_its_activation_leaves_the_same_one_behind_it_to_the_others(held):
    def compute(self, x):
        for name in "abc":
            x = getattr(self, name)(x)
            x = x if name in held else ops.relu(x)
        return x

    found = compare(*activated(compute, **dict.fromkeys(held, "relu")))
    assert found.verdict == "PASS"
    assert {row.torch: row.cell for row in found.rows if row.by} == {
        **{name: name for name in "abc"},
        **{f"relu after {name}": f"relu after {name}" for name in "abc" if name not in held},
    }


def test_a_missing_activation_behind_one_that_a_layer_holds_is_found():
    module, cell, x = activated(lambda self, x: ops.relu(self.c(self.b(self.a(x)))), a="relu")
    found = compare(module, cell, x)
    assert [(one.kind, one.layer) for one in found.findings] == [("missing layer", "relu after b")]


@pytest.mark.parametrize(
    ("torch_compute", "cell_compute"),
    [
        (lambda self, x: self.b(self.a(x).relu().relu()), lambda self, x: self.b(ops.relu(self.a(x)))),
        (lambda self, x: self.b(self.a(x).relu().mean(1, True).relu() * x),
         lambda self, x: self.b(ops.relu(ops.mean(self.a(x), 1, True)) * x)),
        (lambda self, x: self.b(self.act(self.act(self.a(x)).reshape(2, 6)).reshape(3, 4)),
         lambda self, x: self.b(self.act(self.a(x).reshape(2, 6)).reshape(3, 4))),
    ],
    ids=["twice", "pooled between", "one layer called twice"],
)  # fmt: skip
def test_of_two_like_activations_the_first_is_that_which_the_layer_holds(torch_compute, cell_compute):
    theirs = TorchNet(torch_compute, a=torch.nn.Linear(4, 4), act=torch.nn.ReLU(), b=torch.nn.Linear(4, 4))
    ours = Net(cell_compute, a=nn.Dense(4, 4, activation="relu"), act=nn.ReLU(), b=nn.Dense(4, 4))
    found = compare(theirs, ours, X)
    assert (found.verdict, found.findings) == ("PASS", ())
