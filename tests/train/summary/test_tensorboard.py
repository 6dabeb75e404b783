"""The file of summaries on a disk that takes no more."""

import os
from pathlib import Path

import pytest

from tests.processes import python

SCRIPT = """
import resource, signal, sys
import msbridge as ms

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with ms.SummaryRecord(sys.argv[1]) as record:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    for step in range(20):
        record.add_value("tensor", "t", ms.ops.ones((1000,), ms.float32))
        record.record(step)
"""


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="limits of a file's size")
def test_a_full_disk_is_said_once(tmp_path: Path):
    pytest.importorskip("tensorboard")
    done = python("-c", SCRIPT, str(tmp_path))
    assert done.stderr.count("File too large") == 1
    assert "Traceback" not in done.stderr
