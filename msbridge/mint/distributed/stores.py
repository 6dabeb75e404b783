"""A store of keys and values that processes share over TCP."""

from datetime import timedelta

import torch.distributed as torch_distributed

from msbridge.core.checks.arguments import require_type
from msbridge.core.checks.no_effect_warnings import without_effect

__all__ = ["TCPStore"]

LAST_PORT = 65535


class TCPStore:
    """Keys and values that one process holds and others read and change; torch's store does the work.

    Args:
        host_name: the address of the process that holds them.
        port: its port.
        world_size: how many processes use the store; None: one.
        is_master: this process holds them.
        timeout: how long to wait for the others, and for a key.
        wait_for_workers: wait for all processes at the start.
        multi_tenant: without effect, as in MindSpore.
        master_listen_fd: without effect, as in MindSpore.
        use_libuv: without effect, as in MindSpore.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such port, or `world_size` is not positive.
        RuntimeError: no store answers in time.

    Follows: mindspore.mint.distributed.TCPStore (2.10).
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = timedelta(seconds=300),
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        require_type(timeout, "timeout", timedelta)
        size = 1 if world_size is None else require_type(world_size, "world_size", int)
        if not 0 <= require_type(port, "port", int) <= LAST_PORT:
            raise ValueError(f"For 'TCPStore', port must be between 0 and {LAST_PORT}, got {port}.")
        if size <= 0:
            raise ValueError(f"For 'TCPStore', world_size must be positive, got {size}.")
        for name, value, usual in (
            ("multi_tenant", multi_tenant, False),
            ("master_listen_fd", master_listen_fd, None),
            ("use_libuv", use_libuv, True),
        ):
            if value is not usual:
                without_effect(f"mindspore.mint.distributed.TCPStore.{name}", value)
        self.host = require_type(host_name, "host_name", str)
        self.port = port
        self._store = torch_distributed.TCPStore(  # type: ignore[attr-defined]  # its stubs do not say so (2.x)
            host_name,
            port,
            size,
            require_type(is_master, "is_master", bool),
            timeout,
            require_type(wait_for_workers, "wait_for_workers", bool),
        )

    def add(self, key: str, amount: int) -> int:
        """Add to the number under a key, which begins with 0, and return the sum.

        Raises:
            RuntimeError: what lies there is no number.

        Follows: mindspore.mint.distributed.TCPStore.add (2.10).
        """
        amount = require_type(amount, "amount", int)
        try:
            return int(self._store.add(require_type(key, "key", str), amount))
        except (ValueError, torch_distributed.DistNetworkError) as error:
            raise RuntimeError(f"For 'TCPStore.add', what lies under {key!r} is not a number.") from error

    def set(self, key: str, value: bytes | str) -> None:
        """Put a value under a key, in place of one that is there.

        Follows: mindspore.mint.distributed.TCPStore.set (2.10).
        """
        self._store.set(require_type(key, "key", str), require_type(value, "value", (str, bytes)))

    def get(self, key: str) -> bytes:
        """Return the value under a key, for which it waits until the time is over.

        Raises:
            RuntimeError: it did not come in time.

        Follows: mindspore.mint.distributed.TCPStore.get (2.10).
        """
        value: bytes = self._store.get(require_type(key, "key", str))
        return value

    def delete_key(self, key: str) -> bool:
        """Take a key out; return whether it was there.

        Follows: mindspore.mint.distributed.TCPStore.delete_key (2.10).
        """
        return bool(self._store.delete_key(require_type(key, "key", str)))
