"""Transfers of mint.distributed: their descriptions, and refusals. What they do is in test_two_processes.py."""

import pytest

from msbridge import Tensor
from msbridge.mint import distributed
from msbridge.mint.distributed import switched


def test_a_transfer_is_described() -> None:
    """Judge: MindSpore 2.10."""
    transfer = distributed.P2POp("irecv", Tensor([1.0]), 1)
    assert (transfer.op, transfer.peer, transfer.group, transfer.tag) == ("irecv", 1, None, 0)
    assert distributed.P2POp(distributed.isend, Tensor([1.0]), 1).op is distributed.isend
    assert distributed.P2POp(switched.irecv, Tensor([1.0]), 1).op is switched.irecv
    with pytest.raises(TypeError, match="isend or irecv"):
        distributed.P2POp("send", Tensor([1.0]), 1)


def test_a_batch_has_transfers() -> None:
    with pytest.raises(TypeError, match="empty"):
        distributed.batch_isend_irecv([])
    with pytest.raises(TypeError, match="P2POp"):
        distributed.batch_isend_irecv(["isend"])


def test_alone_there_is_nobody_to_send_to() -> None:
    for function in (distributed.isend, distributed.irecv):
        with pytest.raises(ValueError, match="another process"):
            function(Tensor([1.0]), 0)
    with pytest.raises(ValueError, match="another process"):
        distributed.send_object_list([1], 0)
