"""mint.distributed in one process."""

import pytest

from msbridge import Tensor
from msbridge.mint import distributed


def test_one_process_is_a_world() -> None:
    """Judge: MindSpore 2.10, without a launch."""
    assert distributed.is_available() is True
    assert (distributed.get_rank(), distributed.get_world_size()) == (0, 1)
    data, gathered, part = Tensor([1.0, 2.0]), Tensor([0.0, 0.0]), Tensor([0.0, 0.0])
    assert distributed.all_reduce(data) is None
    handle = distributed.all_gather_into_tensor(gathered, data, async_op=True)
    assert handle is not None
    handle.wait()
    distributed.reduce_scatter_tensor(part, data)
    distributed.broadcast(data, 0)
    for tensor in (data, gathered, part):
        assert tensor.asnumpy().tolist() == [1.0, 2.0]


def test_groups_have_names() -> None:
    distributed.init_process_group()
    try:
        group = distributed.new_group([0])
        assert distributed.is_initialized()
        assert (distributed.get_rank(group), distributed.get_world_size(group)) == (0, 1)
        assert distributed.get_process_group_ranks(group) == [0]
        assert distributed.get_global_rank(group, 0) == 0
        distributed.barrier(group)
        distributed.destroy_process_group(group)
    finally:
        distributed.destroy_process_group()
    assert not distributed.is_initialized()


def test_an_address_needs_a_rank() -> None:
    with pytest.raises(ValueError, match="world_size"):
        distributed.init_process_group(init_method="tcp://127.0.0.1:1")
