"""The stubs that tools/stubs.py writes declare what is in the house today."""

from pathlib import Path

import pytest
import stubs

from tests.processes import python

PROGRAM = """
import sys

sys.path.insert(0, sys.argv[1])
import stubs

wanted = stubs.generate()
print(len(wanted), [str(path) for path, text in wanted.items() if path.read_text() != text])
"""


@pytest.mark.process  # the drop-in, which other tests install, sets other modules of classes
def test_the_stubs_are_up_to_date() -> None:
    tools = str(Path(stubs.__file__).parent)
    done = python("-c", PROGRAM, tools)
    count, _, old = done.stdout.strip().partition(" ")
    assert (int(count) > 1, old) == (True, "[]"), "run `python tools/stubs.py`"
