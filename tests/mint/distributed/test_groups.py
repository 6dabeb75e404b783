"""The store that processes share."""

import socket
from datetime import timedelta

import pytest

from msbridge.mint import distributed


def test_a_store_has_keys_and_counters() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    store = distributed.TCPStore("127.0.0.1", port, 1, True, timedelta(seconds=10))
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
