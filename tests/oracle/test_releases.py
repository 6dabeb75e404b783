"""msbridge with `--release` gives what that release of MindSpore gave: every case that it could run."""

import tomllib
from collections.abc import Iterator
from types import ModuleType

import pytest

import msbridge
from msbridge.core.context import context
from tests.oracle.case import Case, load
from tests.oracle.families import FAMILIES, HERE, JUDGED_ELSEWHERE, OF_RELEASES
from tests.oracle.outcome import Json, differences, encode, folder_of, read

RELEASES = sorted(folder.name for folder in (HERE / "records").iterdir() if folder.is_dir())
DIFFERING = tomllib.loads((HERE / "differing.toml").read_text(encoding="utf-8"))
"""By release: why msbridge does not give its answer to cases of a family."""


def families() -> Iterator[tuple[str, str]]:
    for release in RELEASES:
        for family in (*FAMILIES, *OF_RELEASES):
            if family not in JUDGED_ELSEWHERE and (folder_of(release) / f"{family}.json.gz").exists():
                yield release, family


@pytest.fixture
def follow():
    """Return what follows a release, in PyNative mode."""
    msbridge.install()
    context.set_context(mode=context.PYNATIVE_MODE)
    return msbridge.set_release


@pytest.mark.filterwarnings(
    "ignore::msbridge.core.checks.no_effect_warnings.WithoutEffectWarning"
)  # MindSpore does not say it
@pytest.mark.filterwarnings("ignore:.* are not in the checkpoint")  # nor this
@pytest.mark.parametrize(("release", "family"), list(families()))
def test_family_gives_what_the_release_gave(release, family, follow):
    _, recorded = read(folder_of(release) / f"{family}.json.gz")
    module, cases = load(family)
    follow(release)
    problems = {case.name: problem_of(case, module, recorded[case.name]) for case in cases if case.name in recorded}
    found = {name: problem for name, problem in problems.items() if problem}
    known = {name for row in DIFFERING.get(release, ()) if row["family"] == family for name in row["cases"]}
    assert not {name: problem for name, problem in found.items() if name not in known}
    assert not known - found.keys(), "these do what the release did: take them out of differing.toml"


def test_networks_of_scripts_give_the_numbers_of_1_0_under_1_1_too(follow):
    recorded = read(folder_of("1.0.0") / "r1_0.seeds.json.gz")[1]
    module, cases = load("r1_0.seeds")
    follow("1.1")
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
