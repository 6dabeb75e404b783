"""Rows of `mappings/releases/`: their forms, and the defaults that follow the release."""

import importlib
import itertools
import pkgutil
import re

import pytest

import msbridge
from msbridge import ops
from msbridge.core.context import context
from msbridge.core.releases import overrides, release
from msbridge.core.releases.rows import ROOMS, Default, Row, every, rows_of
from msbridge.mappings.tables import TableError, read_tables
from msbridge.ops import operations


@pytest.fixture
def follow():
    return release.set_release


@pytest.mark.parametrize(("version", "mode"), [("1.1", 1), ("1.5", 0), ("1.10", 0), ("2.0", 1)])
def test_defaults_follow_the_release(version, mode, follow):
    follow(version)
    assert context._MODE.value == mode
    assert Default("context.set_context.mode", 1).value == mode


def test_a_form_has_all_that_it_needs():
    with pytest.raises(ValueError, match="has the arguments already"):
        Row("ops.a", "2.0", "source", "x", legacy="1.0", arguments="x")
    with pytest.raises(ValueError, match="`was` has to say"):
        Row("ops.a", "2.0", "source", legacy="1.0")
    for evidence in ("", "hearsay", "cases 2.0.0"):
        with pytest.raises(ValueError, match=r"no evidence of a form before 2\.0"):
            Row("ops.a", "2.0", evidence, checks={"x": "int"})


def test_changes_of_a_default_follow_one_another():
    for room in ROOMS:
        for rows in rows_of(room).values():
            changes = [row for row in rows if row.is_default]
            assert sorted(changes, key=lambda row: release.parse(row.since)) == changes
            assert all(one.now == other.was for one, other in itertools.pairwise(changes))


def test_today_s_value_is_that_of_the_last_row():
    msbridge.install()
    from msbridge.core.releases.rows import _defaults

    newest = {row.name: row.now for row in every() if row.is_default}
    assert {each.name: each.newest for each in _defaults} == {each.name: newest[each.name] for each in _defaults}


@pytest.mark.parametrize("room", ROOMS)
def test_every_legacy_form_has_a_row_and_every_row_a_form(room):
    importlib.import_module("msbridge.dataset")
    importlib.import_module("msbridge.train")
    package = importlib.import_module(f"msbridge.{room}.legacy")
    versions = {
        found[1].replace("_", ".")
        for each in pkgutil.iter_modules(package.__path__)
        if (found := re.match(r"r(\d+_\d+)(_|$)", each.name))
    }
    forms = {(name, version) for version in versions for name in overrides._legacy(room, version)}
    rows = {(name, row.legacy) for name, listed in rows_of(room).items() for row in listed if row.legacy}
    assert forms == rows


def has(owner, name):
    """A module of the drop-in shows outside what MindSpore's has."""
    return name in vars(owner) or hasattr(owner, name)


@pytest.mark.parametrize("since", sorted({row.since for row in every() if not row.is_default}))
def test_a_name_is_public_and_resolves(since, follow, dropin):
    importlib.import_module("mindspore.ops.operations._grad_ops")  # only the drop-in has it
    names = [row.name for row in every() if row.since == since and not row.is_default]
    follow(release.before(since))
    for name in names:
        assert not re.search(r"(^|\.)_(?!_|sequence_ops|scalar_ops|grad_ops|Virtual)", name)
        owner, attribute = overrides.locate(name)
        assert has(owner, attribute), name


def test_a_part_replaces_what_is_there():
    """What files inside hold may move; a form in an unused place changes nothing, unless the module is public."""
    absent = set()
    for row in every():
        if row.legacy:
            room = next(room for room in ROOMS if row in rows_of(room).get(row.name, ()))
            form = overrides.form_of(room, row)
            parts = [each for each in (form if isinstance(form, list) else [form]) if isinstance(each, overrides.Part)]
            absent |= {
                each.name for each in parts if not has(each.owner, each.name) and each.owner not in (ops, operations)
            }
    assert absent == {"get_next"}, "an iterator of 1.0 had it"


@pytest.mark.parametrize(
    "checks", ['{ x = "number" }', '{ x = { kinds = "int", error = "OSError" } }', "{ x = { low = 1 } }"]
)
def test_a_table_says_which_check_is_unknown(checks, tmp_path):
    (tmp_path / "ops.toml").write_text(f'"ops.A" = [{{ since = "1.1", evidence = "source", checks = {checks} }}]')
    with pytest.raises(TableError, match=r"ops.toml: 'ops.A' #1"):
        read_tables(tmp_path / "ops.toml", Row)
