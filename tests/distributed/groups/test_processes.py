"""What goes wrong between processes is told in words."""

import pytest

from tests.distributed.several import outputs

SCRIPT = """
import datetime, os, socket, sys, traceback
from msbridge import distributed
from msbridge.distributed.groups.group import join
from msbridge.distributed.groups.launches import Launch

rank, shared = map(int, sys.argv[1:])

def says(*words):
    error = sys.exc_info()[1]
    assert any(word in str(error) for word in words), traceback.format_exc()

def joining(port, size):
    join(Launch(rank, size, rank, "127.0.0.1", port), "mccl", datetime.timedelta(minutes=5))

if rank == 0:
    taken = socket.socket()
    taken.bind(("0.0.0.0", 0))
    taken.listen()
    in_use = taken.getsockname()[1]
    try:
        joining(in_use, 2)
        raise AssertionError
    except RuntimeError:
        says(f"port {in_use} of 127.0.0.1, where the processes meet, is in use")
joining(shared, 2)
distributed.init()  # once more is no error
"""


@pytest.mark.process
def test_what_is_not_in_order_is_told():
    outputs(SCRIPT, 2, "{rank}", "{port}")
