"""Names of earlier releases of Python's library. Judge: Python 3.7's documentation."""

from pathlib import Path

import pytest

from tests.processes import msbridge

SCRIPT = """
import collections.abc, math, mindspore
from collections import Sequence, MutableMapping as Mutable
import fractions, time
assert Sequence is collections.abc.Sequence and Mutable is collections.abc.MutableMapping
assert fractions.gcd is math.gcd and time.clock is time.perf_counter
from collections import Sequence as again
import random
import numpy as np
random.seed(np.int64(5))
drawn = random.random()
random.seed(5)
assert drawn == random.random()
random.seed((0, 0))
try:
    random.seed([])
except TypeError:
    pass
else:
    raise AssertionError("a list has no hash")
try:
    collections.no_such_name
except AttributeError as error:
    print(error)
"""


@pytest.mark.process
def test_a_script_finds_the_old_names_of_the_library(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCRIPT)
    done = msbridge("run", "a.py", cwd=tmp_path)
    assert done.stdout == "module 'collections' has no attribute 'no_such_name'\n"
    told = "Python has no `collections.Sequence` since 3.10; `msbridge run` takes collections.abc.Sequence."
    assert done.stderr.count(told) == 1
    assert (
        done.stderr.count("random.seed refuses int64 since Python 3.11; `msbridge run` takes its hash, as 3.10.") == 1
    )
