"""The user's rules: what they do, that they invert, and what is refused."""

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.rules import read_rules

RULES = """
[[rule]]
from = "blocks.{n}.attn.qkv.{leaf}"
to = ["blocks.{n}.q.{leaf}", "blocks.{n}.k.{leaf}", "blocks.{n}.v.{leaf}"]
split = 0
sizes = [4, 2, 2]

[[rule]]
from = ["mix.{n}.gate", "mix.{n}.up"]
to = "mix.{n}.gate_up"
merge = 1

[[rule]]
from = "h.{n}.{part:c_fc|c_proj}.weight"
to = "h.{n}.{part}.weight"
axes = "i o -> o i"

[[rule]]
from = "model.{rest:.*}"
to = "{rest}"
continue = true
"""
STATE = {
    "blocks.0.attn.qkv.weight": torch.randn(8, 3),
    "blocks.0.attn.qkv.bias": torch.randn(8),
    "mix.1.gate": torch.randn(2, 3),
    "mix.1.up": torch.randn(2, 5),
    "h.7.c_fc.weight": torch.randn(2, 6),
    "model.ln.weight": torch.ones(3),
    "model.ln.bias": torch.zeros(3),
    "other": torch.ones(1),
}


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path / "rules.toml"


@pytest.fixture
def source(tmp_path):
    torch.save(STATE, tmp_path / "a.pth")
    return tmp_path / "a.pth"


def test_rules_split_merge_move_and_rename(tmp_path, rules, source):
    convert(source, tmp_path / "b.ckpt", rules=rules)
    found = open_checkpoint(tmp_path / "b.ckpt")
    assert torch.equal(found["blocks.0.k.weight"], STATE["blocks.0.attn.qkv.weight"][4:6])
    assert torch.equal(found["mix.1.gate_up"], torch.cat([STATE["mix.1.gate"], STATE["mix.1.up"]], 1))
    assert torch.equal(found["h.7.c_fc.weight"], STATE["h.7.c_fc.weight"].T)
    assert {"ln.gamma", "ln.beta", "other"} <= set(found)  # the last rule's names went on to the mapping
    assert len(found) == 6 + 1 + 1 + 2 + 1


def test_rules_invert(tmp_path, source):
    text = (
        RULES.replace("{rest:.*}", "{rest:.*}")
        .replace("merge = 1", "merge = 1\nsizes = [3, 5]")
        .replace("continue = true", "")
    )
    (tmp_path / "rules.toml").write_text(text)
    convert(source, tmp_path / "b.npz", rules=tmp_path / "rules.toml")
    (tmp_path / "back.toml").write_text(text[: text.index('[[rule]]\nfrom = "model')])
    convert(tmp_path / "b.npz", tmp_path / "c.npz", rules=tmp_path / "back.toml", reverse_rules=True)
    found = open_checkpoint(tmp_path / "c.npz")
    expected = {name.removeprefix("model."): value for name, value in STATE.items()}
    assert set(found) == set(expected)
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_first_rule_that_fits_decides_and_names_are_not_prefixes(tmp_path, source):
    rows = [("h.{n}.c_fc", "never"), ("{any:.*}.qkv.bias", None), ("other", "first"), ("oth{x}", "second")]
    text = "".join(f'[[rule]]\nfrom = "{old}"\n' + (f'to = "{new}"\n' if new else "drop = true\n") for old, new in rows)
    (tmp_path / "r.toml").write_text(text)
    report = convert(source, tmp_path / "b.npz", rules=tmp_path / "r.toml")
    assert {one.sources: one.targets for one in report.outcomes if one.reason.startswith("rule")} == {
        ("blocks.0.attn.qkv.bias",): (),
        ("other",): ("first",),
    }


WRONG = [
    ("[[rules]]\n", "holds \\[\\[rule\\]\\] tables"),
    ('[[rule]]\nfrom = "a"\n', "needs 'from' and either"),
    ('[[rule]]\nfrom = "a"\nto = "b"\ndrop = true\n', "needs 'from' and either"),
    ('[[rule]]\nfrom = "a"\nto = "b"\nrename = 1\n', "rule 1: unknown key rename"),
    ('[[rule]]\nfrom = "a"\nto = ["b", "c"]\n', "needs one of 'split' and 'merge'"),
    ('[[rule]]\nfrom = ["a", "b"]\nto = "c"\nsplit = 0\n', "needs one of 'split' and 'merge'"),
    ('[[rule]]\nfrom = "a"\nto = ["b", "c"]\nsplit = 0\nsizes = [1]\n', "1 sizes for 2 parts"),
    ('[[rule]]\nfrom = "a.{n}"\nto = "b.{m}"\n', "uses \\['m'\\]"),
    ('[[rule]]\nfrom = "a.{n:(}"\nto = "b"\n', "no regular expression"),
    ('[[rule]]\nfrom = "a"\nto = "b"\naxes = "x"\n', "same axes"),
    ('[[rule]]\nfrom = 3\nto = "b"\n', "text or a list of texts"),
    ("nonsense", "rules.toml"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_rules_that_are_not_in_order_are_refused(tmp_path, text, says):
    (tmp_path / "rules.toml").write_text(text)
    with pytest.raises(CheckpointError, match=says):
        read_rules(tmp_path / "rules.toml")


MISFITS = [
    ('[[rule]]\nfrom = ["mix.{n}.gate", "mix.{n}.none"]\nto = "x"\nmerge = 0\n', "rule 1 takes .*mix.1.none"),
    ('[[rule]]\nfrom = ["mix.{n}.gate", "mix.{n}.up"]\nto = "x"\nmerge = 0\n', "cannot be joined along axis 0"),
    ('[[rule]]\nfrom = "mix.1.up"\nto = ["x", "y"]\nsplit = 1\n', "cannot be cut into 2"),
    ('[[rule]]\nfrom = "mix.1.up"\nto = ["x", "y"]\nsplit = 7\n', "axis 7 does not go"),
    ('[[rule]]\nfrom = "mix.1.{x}"\nto = "same"\n', "would both become 'same'"),
    ('[[rule]]\nfrom = "other"\nto = "x"\naxes = "a b -> b a"\n', "'other' of shape \\(1,\\) does not fit"),
]


@pytest.mark.parametrize(("text", "says"), MISFITS)
def test_rules_that_do_not_fit_the_checkpoint_are_refused(tmp_path, source, text, says):
    (tmp_path / "rules.toml").write_text(text)
    with pytest.raises(CheckpointError, match=says):
        convert(source, tmp_path / "b.npz", rules=tmp_path / "rules.toml")
    assert not (tmp_path / "b.npz").exists()


def test_a_drop_cannot_be_undone(tmp_path):
    (tmp_path / "rules.toml").write_text('[[rule]]\nfrom = "a"\ndrop = true\n')
    with pytest.raises(CheckpointError, match="cannot be undone"):
        read_rules(tmp_path / "rules.toml", reverse=True)
