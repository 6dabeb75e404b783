"""msbridge with `--release` returns what that release of MindSpore returned: every case that it could run."""

import tomllib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.oracle.families import FAMILIES, HERE, JUDGED_ELSEWHERE, OF_RELEASES
from tests.oracle.follower import Follower
from tests.oracle.outcome import folder_of

pytestmark = pytest.mark.process
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
def follower(request: pytest.FixtureRequest) -> Iterator[Follower]:
    """Start the process that follows a release, for all its tests that come one after another."""
    started = Follower(request.param)
    yield started
    started.end()


@pytest.mark.parametrize(
    ("follower", "record"),
    [pytest.param(record.release, record, id="-".join(record)) for record in records()],
    indirect=["follower"],
    scope="module",
)
def test_family_gives_what_the_release_gave(follower, record):
    found = follower.problems(record.family, record.release)
    known = {n for row in DIFFERING.get(record.release, ()) if row["family"] == record.family for n in row["cases"]}
    assert not {name: problem for name, problem in found.items() if name not in known}
    assert not known - found.keys(), "these do what the release did: take them out of differing.toml"


@pytest.mark.parametrize("follower", ["1.1"], indirect=True)
def test_networks_of_scripts_give_the_numbers_of_1_0_under_1_1_too(follower):
    assert not follower.problems("r1_0.seeds", "1.0.0")
