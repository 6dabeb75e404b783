"""Every fact and every fix has a sentence, and none is left over."""

import ast
from pathlib import Path

import pytest
import torch

import msbridge.verify
from msbridge import mint, nn
from msbridge.verify import compare
from msbridge.verify.explain.causes import STEP_CAUSES
from msbridge.verify.explain.changes import CHANGES
from msbridge.verify.explain.diagnosis import FAILURES
from msbridge.verify.explain.findings import Finding, fact
from msbridge.verify.explain.input_mismatches import GAP_CAUSES
from msbridge.verify.explain.relations import MOVED_BACK, RELATIONS
from msbridge.verify.explain.wrong_weights import WRONG_VALUES
from msbridge.verify.measure.settings import SETTINGS
from msbridge.verify.report.constructor_snippets import constructor
from msbridge.verify.report.numbers import amount, exact, ratio, short
from msbridge.verify.report.sentences import FIXES, SEEN, TRAPS, described, fix_of, sentence

ROOM = Path(msbridge.verify.__file__).parent
MAKERS = {"fact", "Fact", "_stops", "_kinds"}  # whose first argument is the name of a fact
TABLES = (STEP_CAUSES, GAP_CAUSES, FAILURES, CHANGES, RELATIONS, WRONG_VALUES)


def made_facts():
    """Return the names of all facts that the room makes."""
    files = [*ROOM.rglob("*.py"), ROOM.parent / "cli" / "verify.py"]
    calls = [node for path in files for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    named = [one for one in calls if getattr(one.func, "id", getattr(one.func, "attr", "")) in MAKERS and one.args]
    return {each.value for one in named for each in ast.walk(one.args[0]) if isinstance(each, ast.Constant)}


def test_every_fact_has_a_sentence_and_every_sentence_a_fact():
    facts, fixes = made_facts(), {cause.fix for table in TABLES for cause in table} | set(MOVED_BACK.values())
    assert facts <= SEEN.keys() | FIXES.keys()
    assert fixes <= FIXES.keys()
    assert SEEN.keys() <= facts
    assert FIXES.keys() <= facts | fixes


def test_every_trap_of_a_setting_has_a_sentence():
    assert {setting.trap for settings in SETTINGS.values() for setting in settings} - {""} == TRAPS.keys()


@pytest.mark.parametrize(
    ("where", "cell", "says"),
    [("in", "fc", "fc: the Cell returns"), ("before", "", "before fc: the"), ("in", "d", "fc (d in the Cell): the")],
)
def test_a_finding_is_described_with_its_place(where, cell, says):
    assert described(Finding("NaN", fact("NaN"), "fc", cell, where=where)).startswith(says)


def test_the_kind_is_said_where_the_sentence_does_not():
    eps = fact("setting", setting="eps", torch=1e-5, cell=0.1, trap="batch")
    assert described(Finding("NaN", fact("NaN"), "fc"), with_kind=True).startswith("fc: NaN: the Cell")
    assert described(Finding("eps", eps, "fc"), with_kind=True).startswith("fc: eps: torch 1e-5, Cell 0.1 (True")


def test_the_tensor_to_pass_on_is_named_where_it_is_known():
    seen = fact("gets instead", source="user", wanted="item")
    assert fix_of(Finding("wiring", seen, "fc", fix=fact("connect", **seen.values))) == "pass on the output of item"
    assert fix_of(Finding("wiring", seen, "fc", fix=fact("connect", source="user"))).endswith("that torch passes on")


def test_facts_may_stand_in_facts():
    assert sentence(fact("arrives", what=fact("scaled", factor=2.0))).endswith("it is torch's times 2")


@pytest.mark.parametrize(
    ("kind", "setting", "torch", "written"),
    [
        ("nn.GELU", "approximate", "none", "nn.GELU(approximate=False)"),
        ("nn.BatchNorm2d", "eps", 1e-5, "nn.BatchNorm2d(…, eps=1e-5)"),
        ("nn.BatchNorm2d", "momentum", 0.1, "nn.BatchNorm2d(…, momentum=0.9)"),
        ("nn.BatchNorm2d", "use_batch_statistics", False, "nn.BatchNorm2d(…, use_batch_statistics=None)"),
        ("nn.Conv2d", "padding", (1, 1, 1, 1), "nn.Conv2d(…, pad_mode='pad', padding=1)"),
        ("nn.Conv2d", "padding", (0, 0, 0, 0), "nn.Conv2d(…, pad_mode='valid')"),
        ("nn.Conv2d", "stride", (2, 1), "nn.Conv2d(…, stride=(2, 1))"),
        ("mint.nn.Conv2d", "has_bias", True, "mint.nn.Conv2d(…, bias=True)"),
        ("Own", "eps", 1e-5, ""),
    ],
)
def test_a_setting_is_written_as_the_cell_takes_it(kind, setting, torch, written):
    assert constructor(kind, setting, torch) == written


def test_numbers_have_one_style():
    assert [amount(one) for one in (0, 0.000327, 2.18, float("inf"))] == ["0", "3.27e-4", "2.18e0", "∞"]
    assert [ratio(one) for one in (0, 1.04, 4924.0, 2.914e6)] == ["0", "1.04", "4920", "2.91e6"]
    assert [exact(one) for one in (2.7035217, 1.25e-05, 3, 1e20, float("-inf"))] == [
        "2.703522",
        "1.25e-5",
        "3",
        "1e20",
        "-∞",
    ]


def test_a_long_name_keeps_its_end():
    name = "encoder.backbone.blocks.11.attention.projection.weight"
    assert short(name).startswith("encoder.ba…")
    assert short(name).endswith(".projection.weight")
    assert short("blocks.0.fc1") == "blocks.0.fc1"


def test_a_trap_is_told_of_a_default_alone():
    said = [
        described(compare(torch.nn.LayerNorm(4), cell, torch.randn(3, 4) / 100).first)
        for cell in (nn.LayerNorm((4,)), nn.LayerNorm((4,), epsilon=0.1), mint.nn.LayerNorm(4, eps=0.1))
    ]
    assert ["by default" in one for one in said] == [True, False, False]
