"""The groups of processes."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from torch.distributed import TCPStore as TorchStore  # type: ignore[attr-defined]

from msbridge import distributed
from msbridge.core.checks.arguments import require_type
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.distributed.groups.backends import DEVICE_TO_BACKEND
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, GlobalComm, init_within, join
from msbridge.distributed.groups.launches import Launch

__all__ = [
    "TCPStore",
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_initialized",
    "new_group",
]


def init_process_group(
    backend: str = "hccl",
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: "TCPStore | None" = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
) -> None:
    """Join the other processes: those of the launch, which the environment describes, or those that are described here.

    Args:
        backend: "hccl", "nccl" or "mccl".
        init_method: "tcp://HOST:PORT", where they meet; None for the environment's.
        timeout: how long to wait for the others.
        world_size: how many there are, with `init_method` or `store`.
        rank: which one this is, with `init_method` or `store`.
        store: where they meet, instead of `init_method`.
        group_name: kept for scripts that set it.
        pg_options: kept for scripts that set it.
        device_id: kept for scripts that set it.

    Returns:
        None.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: the backend is unknown, both `init_method` and `store` are given, or one of them without `rank` and
            `world_size`.
        RuntimeError: `init_method` is not an address of these forms.

    Follows: mindspore.mint.distributed.init_process_group (2.10).
    """
    for name, value in (("pg_options", pg_options), ("device_id", device_id)):
        if value is not None:
            without_effect(f"mindspore.mint.distributed.init_process_group.{name}", value)
    known = list(DEVICE_TO_BACKEND.values())
    if str(backend).lower() not in known:
        raise ValueError(f"For 'init_process_group', backend must be one of {known}, got {backend!r}.")
    require_type(init_method, "init_method", (str, type(None)))
    require_type(timeout, "timeout", (timedelta, type(None)))
    require_type(world_size, "world_size", int)
    require_type(rank, "rank", int)
    if init_method is None and store is None:
        init_within(backend, timeout)
        return
    if init_method is not None and store is not None:
        raise ValueError("For 'init_process_group', pass init_method or store, not both.")
    if world_size <= 0 or rank < 0:
        raise ValueError(
            f"For 'init_process_group', world_size must be positive and rank not negative, got {world_size} and {rank}."
        )
    address = urlsplit(init_method or "")
    if init_method is not None and (address.scheme != "tcp" or not address.hostname or not address.port):
        raise RuntimeError(f"For 'init_process_group', init_method must be 'tcp://HOST:PORT', got {init_method!r}.")
    if GlobalComm.INITED:
        return
    found = Launch(rank, world_size, None, address.hostname or "", address.port or 0)
    join(found, backend, timeout, None if store is None else require_type(store, "store", TCPStore)._store)


def is_available() -> bool:
    """Whether processes can be joined.

    Returns:
        True.

    Follows: mindspore.mint.distributed.is_available (2.10).
    """
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` was called.

    Returns:
        True or False.

    Follows: mindspore.mint.distributed.is_initialized (2.10).
    """
    return GlobalComm.INITED


def destroy_process_group(group: str | None = None) -> None:
    """Leave a group, or with None all of them.

    Args:
        group: the group's name; None for all processes.

    Returns:
        None.

    Follows: mindspore.mint.distributed.destroy_process_group (2.10).
    """
    if group is None or group == HCCL_WORLD_COMM_GROUP:
        distributed.release()
    else:
        distributed.destroy_group(group)


def new_group(
    ranks: list[int] | None = None,
    timeout: None = None,
    backend: str | None = None,
    pg_options: None = None,
    use_local_synchronization: bool = False,
    group_desc: None = None,
) -> str:
    """Make a group of some processes and return its name; all processes call this with the same ranks.

    Args:
        ranks: the members' numbers in the world; None for all.
        timeout: kept for scripts that set it.
        backend: the world's is used.
        pg_options: None.
        use_local_synchronization: kept for scripts that set it; all processes call this.
        group_desc: kept for scripts that set it.

    Returns:
        The group's name.

    Raises:
        TypeError: `ranks` is not a list.
        RuntimeError: `init_process_group` was not called.
        ValueError: `ranks` has doubles or unknown ranks.

    Follows: mindspore.mint.distributed.new_group (2.10).
    """
    if timeout is not None:
        without_effect("mindspore.mint.distributed.new_group.timeout", timeout)
    members = list(range(get_world_size())) if ranks is None else require_type(ranks, "ranks", list)
    name = f"{len(members)}-{'-'.join(map(str, members))}"
    distributed.create_group(name, members, pg_options)
    return name


def get_rank(group: str | None = None) -> int:
    """Return the number of this process in a group; 0 when it runs alone, -1 when it is not in it.

    Args:
        group: the group's name; None for all processes.

    Returns:
        An int.

    Follows: mindspore.mint.distributed.get_rank (2.10).
    """
    return distributed.get_rank(group or HCCL_WORLD_COMM_GROUP)


def get_world_size(group: str | None = None) -> int:
    """Return the number of processes in a group; 1 when this one runs alone.

    Args:
        group: the group's name; None for all processes.

    Returns:
        An int; -1 when this process is not in the group.

    Follows: mindspore.mint.distributed.get_world_size (2.10).
    """
    return distributed.get_group_size(group or HCCL_WORLD_COMM_GROUP)


def get_global_rank(group: str | None, group_rank: int) -> int:
    """Return the number in the world of a member of a group.

    Args:
        group: the group's name; None for all processes.
        group_rank: a number within the group.

    Returns:
        An int.

    Follows: mindspore.mint.distributed.get_global_rank (2.10).
    """
    return distributed.get_world_rank_from_group_rank(group or HCCL_WORLD_COMM_GROUP, group_rank)


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """Return the members' numbers in the world.

    Args:
        group: the group's name; None for all processes.

    Returns:
        A list of ints.

    Follows: mindspore.mint.distributed.get_process_group_ranks (2.10).
    """
    return distributed.get_process_group_ranks(group or HCCL_WORLD_COMM_GROUP)


def get_group_rank(group: str | None, global_rank: int) -> int:
    """Return the number within a group of a process, by its number in the world.

    Args:
        group: the group's name; None for all processes.
        global_rank: a number in the world.

    Returns:
        An int.

    Follows: mindspore.mint.distributed.get_group_rank (2.10).
    """
    return distributed.get_group_rank_from_world_rank(global_rank, group or HCCL_WORLD_COMM_GROUP)


def get_backend(group: str | None = None) -> str:
    """Return the name of MindSpore's backend.

    Args:
        group: the group's name; None for all processes.

    Returns:
        A string, such as "hccl".

    Follows: mindspore.mint.distributed.get_backend (2.10).
    """
    return str(GlobalComm.BACKEND)


class TCPStore:
    """A store of keys and values that processes share over the network.

    Args:
        host_name: the host of the process that keeps it.
        port: its port.
        world_size: how many processes use it; None when that is not known.
        is_master: this process keeps it.
        timeout: how long to wait for the others, and for keys.
        wait_for_workers: the keeper waits until all have come.
        multi_tenant: several stores of a process may share a port.
        master_listen_fd: None.
        use_libuv: kept for scripts that set it.

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
        self._store = TorchStore(
            host_name, port, world_size, is_master, timeout, wait_for_workers, multi_tenant, master_listen_fd, use_libuv
        )

    def set(self, key: str, value: str | bytes) -> None:
        """Put a value."""
        self._store.set(key, value if isinstance(value, str) else value.decode())

    def get(self, key: str) -> bytes:
        """Return a value; wait until there is one."""
        return self._store.get(key)

    def add(self, key: str, amount: int) -> int:
        """Add to a counter, and return what it is then."""
        return self._store.add(key, amount)

    def delete_key(self, key: str) -> bool:
        """Take a value away, and say whether there was one."""
        return self._store.delete_key(key)
