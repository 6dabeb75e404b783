"""Of single faults in five networks, the place and the reason are found; correct networks give no alarm.

A sample; `python -m tests.verify.measure` runs all of them.
"""

import pytest

from msbridge.verify import compare
from tests.verify.faults import faults, find, is_cause_right, is_place_right
from tests.verify.random_pairs import random_pair
from tests.verify.random_ways import other_ways, varied
from tests.zoo.written import harmless, written_faults, written_pair

pytestmark = pytest.mark.long

FAULTS = list(faults())
KINDS = {fault.name: fault for fault in FAULTS}
WRITTEN = list(written_faults())


def test_there_are_many_kinds():
    assert len(FAULTS) >= 300
    assert len(KINDS) >= 15
    assert len({(fault.network, fault.name) for fault in WRITTEN}) >= 250


@pytest.mark.parametrize("fault", [*KINDS.values(), *FAULTS[::60], *WRITTEN[::5]], ids=str)
def test_fault_is_found(fault):
    found = find(fault)
    assert is_place_right(fault, found), found.sentence
    assert is_cause_right(fault, found), found.sentence


@pytest.mark.parametrize("seed", range(30))
def test_correct_networks_give_no_alarm(seed):
    found = compare(*random_pair(seed))
    assert found.verdict == "PASS", found.sentence


@pytest.mark.parametrize("make", [other_ways, varied])
@pytest.mark.parametrize("seed", range(15))
def test_other_ways_to_write_the_same_give_no_alarm(make, seed):
    found = compare(*make(seed))
    assert found.is_same, found.sentence


@pytest.mark.parametrize(("network", "way"), harmless())
def test_correct_written_networks_give_no_alarm(network, way):
    found = compare(*written_pair(network, way))
    assert found.is_same, found.sentence
