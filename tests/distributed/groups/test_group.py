"""Groups of a process that runs alone. Judge: MindSpore 2.10 on CPU without a launcher (ranks, errors before init)."""

import pytest

from msbridge import distributed
from msbridge.distributed import GlobalComm


def test_rank_and_size_without_init():
    assert (distributed.get_rank(), distributed.get_group_size()) == (0, 1)
    assert (distributed.get_local_rank(), distributed.get_local_rank_size()) == (0, 1)


def test_init_and_release():
    distributed.init()
    assert GlobalComm.INITED
    distributed.init()
    for backend, error, says in (("foo", RuntimeError, "must be one of 'hccl'"), (1, TypeError, "should be 'str'")):
        with pytest.raises(error, match=says):
            distributed.init(backend)
    distributed.release()
    assert not GlobalComm.INITED


def test_backend_names_the_world():
    distributed.init("nccl")
    assert (GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP) == ("nccl", "nccl_world_group")


@pytest.mark.parametrize(("backend", "error"), [("foo", RuntimeError), (1, TypeError)])
def test_bad_backend(backend, error):
    with pytest.raises(error, match="backend_name"):
        distributed.init(backend)


def test_groups_need_init():
    with pytest.raises(RuntimeError, match="init"):
        distributed.create_group("g", [0])


def test_group_of_one():
    distributed.init()
    distributed.create_group("g", [0])
    assert distributed.get_group_size("g") == 1
    assert distributed.get_process_group_ranks("g") == [0]
    assert distributed.get_world_rank_from_group_rank("g", 0) == 0
    assert distributed.get_group_rank_from_world_rank(0, "g") == 0
    distributed.destroy_group("g")
    with pytest.raises(RuntimeError, match="no group 'g'"):
        distributed.get_rank("g")


@pytest.mark.parametrize("ranks", [[], [0, 0], [1]])
def test_bad_members(ranks):
    distributed.init()
    with pytest.raises(ValueError, match="rank_ids"):
        distributed.create_group("g", ranks)


def test_group_name_must_be_a_string():
    with pytest.raises(TypeError, match="type of 'group' should be 'str'"):
        distributed.get_rank(1)
