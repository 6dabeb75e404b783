"""Keys and values of processes; the numbers are those of MindSpore 2.10 on a CPU."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from msbridge.launcher.reserved_port import reserved_port
from msbridge.mint.distributed.stores import TCPStore


@pytest.fixture(scope="module")
def store() -> TCPStore:
    with reserved_port() as port:
        return TCPStore("127.0.0.1", port, 1, True, timedelta(minutes=5))


def test_values_are_kept_counted_and_taken_out(store: TCPStore) -> None:
    store.set("a", "1")
    assert store.get("a") == b"1"
    assert (store.add("a", 2), store.get("a"), store.add("n", 3)) == (3, b"3", 3)
    assert (store.delete_key("a"), store.delete_key("zz")) == (True, False)
    store.set("bytes", b"\0\1")
    assert store.get("bytes") == b"\0\1"


def test_what_does_not_come_ends_in_an_error(store: TCPStore) -> None:
    with pytest.raises(RuntimeError):
        TCPStore("127.0.0.1", store.port, timeout=timedelta(milliseconds=200)).get("never")


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda store: store.set(1, "a")),
        (TypeError, lambda store: store.set("a", 1)),
        (TypeError, lambda store: store.add("a", "b")),
        (TypeError, lambda store: TCPStore(1, 2)),
        (ValueError, lambda store: TCPStore("127.0.0.1", -1)),
        (ValueError, lambda store: TCPStore("127.0.0.1", 1, 0)),
        (TypeError, lambda store: TCPStore("127.0.0.1", 1.0)),
    ],
)
def test_bad_arguments_are_refused(store: TCPStore, error: type[Exception], call: Callable[[TCPStore], Any]) -> None:
    with pytest.raises(error):
        call(store)
