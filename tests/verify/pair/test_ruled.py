"""Rules in a comparison: weights that are cut or joined on the way, and the layers that then answer only together."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.converters import CheckpointError
from msbridge.core.types import dtype as mstype
from msbridge.verify import compare
from msbridge.verify.report.sentences import sentence

WIDTH = 8
SPLIT = """
[[rule]]
from = "{block}.qkv.{leaf}"
to = ["{block}.query.{leaf}", "{block}.key.{leaf}", "{block}.value.{leaf}"]
split = 0
"""
MERGE = """
[[rule]]
from = ["{block}.query.{leaf}", "{block}.key.{leaf}", "{block}.value.{leaf}"]
to = "{block}.qkv.{leaf}"
merge = 0
"""


class TorchFused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.out = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        return self.out(torch.softmax(q @ k.transpose(-1, -2), -1) @ v)


class TorchApart(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (torch.nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        x = self.norm(x)
        return self.out(torch.softmax(self.query(x) @ self.key(x).transpose(-1, -2), -1) @ self.value(x))


class Fused(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((WIDTH,), epsilon=1e-5)
        self.qkv = nn.Dense(WIDTH, 3 * WIDTH)
        self.out = nn.Dense(WIDTH, WIDTH)
        self.softmax = nn.Softmax(-1)

    def construct(self, x):
        q, k, v = ops.split(self.qkv(self.norm(x)), WIDTH, -1)
        return self.out(ops.matmul(self.softmax(ops.matmul(q, k.swapaxes(-1, -2))), v))


class Apart(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((WIDTH,), epsilon=1e-5)
        self.query, self.key, self.value = (nn.Dense(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Dense(WIDTH, WIDTH)
        self.softmax = nn.Softmax(-1)

    def construct(self, x):
        x = self.norm(x)
        scores = ops.matmul(self.query(x), self.key(x).swapaxes(-1, -2))
        return self.out(ops.matmul(self.softmax(scores), self.value(x)))


@pytest.fixture
def rules(tmp_path):
    def write(text):
        (tmp_path / "rules.toml").write_text(text)
        return tmp_path / "rules.toml"

    return write


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(2)


def blocks(module, cell):
    return torch.nn.Sequential(module(), module()), nn.SequentialCell(cell(), cell()), torch.randn(2, 5, WIDTH)


@pytest.mark.parametrize(
    ("text", "module", "cell", "both"),
    [
        (SPLIT, TorchFused, Apart, ("1.qkv", "1.query, 1.key, 1.value")),
        (MERGE, TorchApart, Fused, ("1.query, 1.key, 1.value", "1.qkv")),
    ],
    ids=["split", "merge"],
)
def test_layers_that_answer_only_together(rules, text, module, cell, both):
    found = compare(*blocks(module, cell), rules=rules(text), grad=True, train_steps=2)
    assert (found.verdict, found.weights.only_torch, found.weights.only_cell) == ("PASS", [], [])
    assert [row.by for row in found.rows if (row.torch, row.cell) == both] == ["rule"]
    assert not [row.name for row in found.rows if row.status in ("missing", "extra")]
    assert all(ok for side in found.structure.values() for _, _, ok in side)
    shapes = {name.split(" (")[0]: one.shape for name, one in found.gradients.items()}
    assert len(shapes) == len(found.gradients) - (8 if text is SPLIT else 0)


def test_fault_in_one_of_the_joined_layers(rules):
    module, cell, x = blocks(TorchFused, Apart)
    part = cell[1].key
    part.to_float(mstype.float16)
    cell[1].softmax.to_float(mstype.float32)
    part.construct, plain = lambda y: plain(y).astype(mstype.float32), part.construct
    found = compare(module, cell, x, rules=rules(SPLIT))
    assert (found.verdict, found.first.layer, found.first.kind) == ("FAIL", "1.qkv", "joined layers")


def test_as_is_weights_are_checked_part_by_part(rules):
    module, cell, x = blocks(TorchFused, Apart)
    compare(module, cell, x, rules=rules(SPLIT))
    query, key = cell[0].query.weight._data, cell[0].key.weight._data
    query.copy_(key)
    found = compare(module, cell, x, rules=rules(SPLIT), weights="as is")
    assert (found.verdict, found.first.kind) == ("FAIL", "joined layers")
    wrong = found.wrong_weights["0.query.weight"]
    assert sentence(wrong.fact).startswith("0.query.weight holds the values of 0.qkv.weight (part 2 of 3)")


def test_names_that_go_on_to_the_mapping_by_layer_types(rules):
    class Cell(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4))
            self.extra = nn.BatchNorm1d(4)

        def construct(self, x):
            return self.extra(self.body(x))

    module = torch.nn.ModuleDict({"tail": torch.nn.BatchNorm1d(4), "net": torch.nn.Sequential(torch.nn.Linear(4, 4))})
    module.net.append(torch.nn.BatchNorm1d(4))
    module.forward = lambda x: module["tail"](module["net"](x))
    text = """
[[rule]]
from = "net.{rest:.*}"
to = "body.{rest}"
continue = true
[[rule]]
from = "tail.{rest:.*}"
to = "extra.{rest}"
continue = true
"""
    found = compare(module, Cell(), torch.randn(3, 4), rules=rules(text))
    assert found.verdict == "PASS"
    names = {one.torch: (one.cell, one.by) for one in found.weights.pairs}
    assert names["net.1.running_var"] == ("body.1.moving_variance", "name")
    assert names["tail.weight"] == ("extra.gamma", "name")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SPLIT.replace(".key.", ".keys."), "which the Cell does not have; nearest: '0.key.weight'"),
        (
            SPLIT.replace("split = 0", "split = 1"),
            "rule 1 of rules.toml does not go with 0.qkv.weight: an axis of length 8",
        ),
        ('[[rule]]\nfrom = "{any:.*}"\n', "needs 'from' and either 'to' or 'drop = true'"),
    ],
)
def test_rules_that_do_not_fit(rules, text, says):
    with pytest.raises(CheckpointError, match=r"rules\.toml: .*") as caught:
        compare(*blocks(TorchFused, Apart), rules=rules(text))
    assert says in str(caught.value)


def test_rule_that_fits_nothing_is_noted(rules):
    found = compare(*blocks(TorchFused, Fused), rules=rules('[[rule]]\nfrom = "stem.{leaf}"\ndrop = true\n'))
    assert [(one.kind, one.layer) for one in found.notes] == [("unused rule", "rule 1 of rules.toml")]
