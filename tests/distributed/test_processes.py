"""How the launch is described by the environment."""

import pytest

from msbridge import distributed
from msbridge.distributed import processes


@pytest.mark.parametrize(
    "names",
    [("RANK", "WORLD_SIZE"), ("RANK_ID", "RANK_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")],
)
def test_launchers(monkeypatch, names):
    monkeypatch.setenv(names[0], "3")
    monkeypatch.setenv(names[1], "8")
    found = processes.launch()
    assert (found.rank, found.size) == (3, 8)


def test_rank_beyond_size(monkeypatch):
    monkeypatch.setenv("RANK_ID", "8")
    monkeypatch.setenv("RANK_SIZE", "8")
    with pytest.raises(ValueError, match="RANK_ID must be in"):
        distributed.init()


def test_launch_of_one_process_joins_nobody(monkeypatch):
    monkeypatch.setenv("RANK_ID", "0")
    monkeypatch.setenv("RANK_SIZE", "1")
    distributed.init()
    assert distributed.get_group_size() == 1
