"""The store that processes share."""

from datetime import timedelta

import pytest

from msbridge.launcher.reserved_port import reserved_port
from msbridge.mint import distributed
from tests.distributed.several import outputs


def test_a_store_has_keys_and_counters() -> None:
    with reserved_port() as port:
        store = distributed.TCPStore("127.0.0.1", port, 1, True, timedelta(minutes=5))
    store.set("a", "one")
    assert store.get("a") == b"one"
    assert [store.add("count", 2), store.add("count", 3)] == [2, 5]
    assert store.delete_key("a") is True
    assert store.delete_key("a") is False


def test_numbers_are_known_after_the_start_as_in_mindspore() -> None:
    assert distributed.get_backend() == "hccl"
    with pytest.raises(RuntimeError, match="init"):
        distributed.get_group_rank(None, 0)
    distributed.init_process_group()
    try:
        assert distributed.get_group_rank(None, 0) == 0
    finally:
        distributed.destroy_process_group()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"init_method": "tcp://127.0.0.1:1", "store": 1, "world_size": 1, "rank": 0}, ValueError),
        ({"init_method": "tcp://127.0.0.1:1", "rank": 0}, ValueError),
        ({"init_method": "tcp://127.0.0.1:1", "world_size": 1}, ValueError),
        ({"init_method": "127.0.0.1", "world_size": 1, "rank": 0}, RuntimeError),
        ({"init_method": 1, "world_size": 1, "rank": 0}, TypeError),
        ({"store": 1, "world_size": 1, "rank": 0}, TypeError),
        ({"timeout": 3}, TypeError),
    ],
)
def test_a_description_that_is_not_in_order(arguments, error):
    with pytest.raises(error):
        distributed.init_process_group(**arguments)


SCRIPT = """
import sys
from msbridge import Tensor
from msbridge.mint import distributed as d
rank, port, way = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
place = {"init_method": f"tcp://127.0.0.1:{port}"}
if way == "store":
    place = {"store": d.TCPStore("127.0.0.1", port, 2, rank == 0)}
d.init_process_group(world_size=2, rank=rank, **place)
total = Tensor([1.0 + rank])
d.all_reduce(total)
print(d.get_rank(), total.asnumpy().tolist())
"""


@pytest.mark.process
@pytest.mark.parametrize("way", ["init_method", "store"])
def test_processes_meet_where_they_are_told(way):
    assert outputs(SCRIPT, 2, "{rank}", "{port}", way) == ["0 [3.0]\n", "1 [3.0]\n"]
