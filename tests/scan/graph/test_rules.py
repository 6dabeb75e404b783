"""Rules that the record cannot judge, and code that only looks like a finding."""

import pytest

from msbridge.scan.graph.rules.table import RULES
from tests.scan.scanned import findings, rules

HEAD = """\
import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

class Block(nn.Cell):
    def construct(self, x):
        return x

class Tree(nn.Cell):
    def __init__(self, depth):
        super().__init__()
        self.parts = [Tree(depth - 1), Tree(depth - 1)] if depth else []

    def construct(self, x):
        for part in self.parts:
            x = part(x)
        return x

class Net(nn.Cell):
    def __init__(self, sizes):
        super().__init__()
        self.fc = nn.Dense(2, 2)
        self.one = [nn.Dense(2, 2), nn.LayerNorm((2,))]
        self.acts = [nn.ReLU(), nn.ReLU()]
        self.parts = nn.CellList([nn.Dense(2, 2) for _ in range(2)])
        self.w = Parameter(Tensor(np.ones(2, np.float32)), name="w")
        self.text, self.sizes, self.n = "a", sizes, 0
        self.insert_param_to_cell("v", Parameter(Tensor(1.0)))

    def partition(self, x):
        return x

    def construct(self, x, n, mask=None):
"""
FITTING = {
    "return x.reshape(-1)[: int(x.sum())]": "dynamic-slice",
    "return x[x > 0]": "dynamic-shape",
    "return ops.nonzero(x)": "dynamic-shape",
    "return x.astype(ms.float64)": "wide-dtype",
    "return Block()(x)": "own-cell-made",
    "return ops.ReduceSum()(x)": "operator-made",
    "return nn.ReLU()(x)": "operator-made",
    "return self.one[0](x)": "cell-in-list",
    "for i in range(x.argmax()): x = x + i\n        return x": "range",
    "return [x, x + 1][x.argmax()]": "item-by-tensor",
    "y = x.sum()\n        if y > 0:\n            y = 0\n        return y": "branch-types",
    "return x + n.tolist()[0] + n.sum()": "asnumpy",
}
CLEAN = [
    "return self.partition(x)",
    "for act in self.acts: x = act(x)\n        return x",
    "for part in self.parts: x = part(x)\n        return x",
    "self.w = self.w + x\n        return x",
    "self.v = x\n        return x",
    "parts = []\n        parts.append(x)\n        return parts[0]",
    "table = {}\n        table['a'] = x\n        return table['a']",
    "if mask is not None: x = x * mask\n        return x",
    "if self.text == 'a': return x\n        return x + 1",
    "if self.n: return x, x\n        return x",
    "if n > 3: return x, x\n        return x",
    "y = 0\n        for i in range(3): y = y + x\n        return y",
    "for i in range(n): x = x + i\n        return x",
    "for size in self.sizes: x = x * size\n        return x",
    "raise TypeError('got %s, a %s' % (type(x), str(x)))",
    "y = x * 1\n        y[0] = 2.0\n        return y",
    "y = x.reshape(-1)\n        y[0] = 2.0\n        return y",
    "x = x + 1\n        x += 2\n        return x",
    "a, b = x.shape\n        return x.reshape((b, a) if a > b else (a, b))",
    "return ops.concat([part(x) for part in self.parts])",
]


@pytest.mark.parametrize("body", FITTING)
def test_a_rule_fits(body):
    assert FITTING[body] in rules(f"{HEAD}        {body}\n")


@pytest.mark.parametrize("body", CLEAN)
def test_nothing_is_found_in_order(body):
    assert rules(f"{HEAD}        {body}\n") == []


def test_rules_have_names_of_their_own():
    names = [rule.id for rule in RULES]
    assert len(names) == len(set(names))


def test_every_finding_has_its_own_line():
    found = findings(f"{HEAD}        y = x\n        del y\n        return x + x.asnumpy()\n")
    assert [(one.excerpt, one.line - HEAD.count("\n")) for one in found] == [
        ("del y", 2),
        ("return x + x.asnumpy()", 3),
    ]


def test_an_expression_that_is_nested_too_deeply_is_a_finding():
    (finding,) = findings(f"{HEAD}        return x{' + x' * 5000}\n")
    assert finding.rule.id == "unreadable"
