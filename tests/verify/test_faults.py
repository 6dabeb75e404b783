"""Of single faults in five networks, the place and the reason are found; correct networks give no alarm.

A sample; `python tests/verify/measure.py` runs all of them.
"""

import pytest
from faults import faults, find, is_cause_right, is_place_right
from random_pairs import random_pair

from msbridge.verify import compare

FAULTS = list(faults())
KINDS = {fault.name: fault for fault in FAULTS}


def test_there_are_many_kinds():
    assert len(FAULTS) >= 300
    assert len(KINDS) >= 15


@pytest.mark.parametrize("fault", [*KINDS.values(), *FAULTS[::30]], ids=str)
def test_fault_is_found(fault):
    found = find(fault)
    assert is_place_right(fault, found), found.sentence
    assert is_cause_right(fault, found), found.sentence


@pytest.mark.parametrize("seed", range(30))
def test_correct_networks_give_no_alarm(seed):
    found = compare(*random_pair(seed))
    assert found.verdict == "PASS", found.sentence
