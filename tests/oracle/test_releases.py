"""msbridge with `--release` returns what that release of MindSpore returned: every case that it could run."""

import tomllib
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import pytest

import msbridge
from msbridge.core.context import context
from tests.oracle.case import Case, load
from tests.oracle.families import FAMILIES, HERE, JUDGED_ELSEWHERE, OF_RELEASES
from tests.oracle.outcome import Json, differences, encode, folder_of, read

RELEASES = sorted(folder.name for folder in (HERE / "records").iterdir() if folder.is_dir())
DIFFERING = tomllib.loads((HERE / "differing.toml").read_text(encoding="utf-8"))
"""By release: why msbridge does not give its answer to cases of a family."""


class Record(NamedTuple):
    """The answers of a release to the cases of a family."""

    release: str
    family: str


def records() -> list[Record]:
    """Return the records of earlier releases: pytest keeps the tests of one release together, as no two are equal."""
    every = (Record(release, family) for release in RELEASES for family in (*FAMILIES, *OF_RELEASES))
    judged = (record for record in every if record.family not in JUDGED_ELSEWHERE)
    return [record for record in judged if (folder_of(record.release) / f"{record.family}.json.gz").exists()]


@pytest.fixture(scope="module")
def followed(request: pytest.FixtureRequest) -> Iterator[str]:
    """Follow the release that is asked for, as long as the tests of it last: choosing one takes a tenth of a second."""
    msbridge.install()
    msbridge.set_release(request.param)
    yield request.param
    msbridge.set_release(None)


@pytest.mark.filterwarnings(
    "ignore::msbridge.core.checks.no_effect_warnings.WithoutEffectWarning"
)  # MindSpore does not say it
@pytest.mark.filterwarnings("ignore:.* are not in the checkpoint")  # nor this
@pytest.mark.parametrize(
    ("followed", "record"),
    [pytest.param(record.release, record, id="-".join(record)) for record in records()],
    indirect=["followed"],
    scope="module",
)
def test_family_gives_what_the_release_gave(followed, record, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for the files that a case writes
    family = record.family
    _, recorded = read(folder_of(followed) / f"{family}.json.gz")
    module, cases = load(family)
    problems = {case.name: problem_of(case, module, recorded[case.name]) for case in cases if case.name in recorded}
    found = {name: problem for name, problem in problems.items() if problem}
    known = {name for row in DIFFERING.get(followed, ()) if row["family"] == family for name in row["cases"]}
    assert not {name: problem for name, problem in found.items() if name not in known}
    assert not known - found.keys(), "these do what the release did: take them out of differing.toml"


@pytest.mark.parametrize("followed", ["1.1"], indirect=True)
def test_networks_of_scripts_give_the_numbers_of_1_0_under_1_1_too(followed):
    recorded = read(folder_of("1.0.0") / "r1_0.seeds.json.gz")[1]
    module, cases = load("r1_0.seeds")
    problems = {case.name: problem_of(case, module, recorded[case.name]) for case in cases}
    assert not {name: problem for name, problem in problems.items() if problem}


def problem_of(case: Case, module: ModuleType, expected: Json) -> str:
    """Say where a case departs from its record; empty when it does not."""
    context.set_context(mode=context.PYNATIVE_MODE)
    try:
        outcome = encode(case.run(module))
    except Exception as error:
        is_raised = isinstance(expected, dict) and "raises" in expected
        classes = {one.__name__ for one in type(error).__mro__}
        is_wanted = is_raised and (expected["raises"] in classes or isinstance(error, case.raises))
        return "" if is_wanted else f"{type(error).__name__}: {error}"
    return "\n".join(differences(outcome, expected, case.tolerance))
