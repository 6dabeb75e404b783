"""Every fact and every fix has a sentence, and none is left over."""

import ast
from pathlib import Path

import pytest

import msbridge.verify
from msbridge.verify.explain.causes import STEP_CAUSES
from msbridge.verify.explain.changes import CHANGES
from msbridge.verify.explain.conclusions import FAILURES
from msbridge.verify.explain.findings import Finding, fact
from msbridge.verify.explain.gaps import GAP_CAUSES
from msbridge.verify.explain.relations import RELATIONS
from msbridge.verify.explain.wrong_weights import WRONG_VALUES
from msbridge.verify.measure.settings import SETTINGS
from msbridge.verify.report.sentences import FIXES, SEEN, TRAPS, described, sentence

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
    facts, fixes = made_facts(), {cause.fix for table in TABLES for cause in table}
    assert facts <= SEEN.keys() | FIXES.keys()
    assert fixes <= FIXES.keys()
    assert SEEN.keys() <= facts
    assert FIXES.keys() <= facts | fixes


def test_every_trap_of_a_setting_has_a_sentence():
    assert {setting.trap for settings in SETTINGS.values() for setting in settings} - {""} == TRAPS.keys()


@pytest.mark.parametrize(
    ("where", "cell", "says"),
    [("in", "fc", "fc: the Cell gives"), ("before", "", "before fc: the"), ("in", "d", "fc (d in the Cell): the")],
)
def test_a_finding_is_described_with_its_place(where, cell, says):
    assert described(Finding("NaN", fact("NaN"), "fc", cell, where=where)).startswith(says)


def test_the_kind_is_said_where_the_sentence_does_not():
    eps = fact("setting", setting="eps", torch=1e-5, cell=0.1, trap="batch")
    assert described(Finding("NaN", fact("NaN"), "fc"), with_kind=True).startswith("fc: NaN: the Cell")
    assert described(Finding("eps", eps, "fc"), with_kind=True).startswith("fc: eps: torch 1e-05, Cell 0.1 (True")


def test_facts_may_stand_in_facts():
    assert sentence(fact("arrives", what=fact("scaled", factor=2.0))).endswith("it is torch's times 2")
