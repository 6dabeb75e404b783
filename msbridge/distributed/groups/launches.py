"""Launches of a process, as its environment says: which one it is, of how many, and where they meet.

Follows: mindspore.communication.init (2.10), and how its documentation starts processes.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# How launchers pass a process its rank, the number of processes, and its number on this machine.
LAUNCHERS = (
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),  # torchrun
    ("RANK_ID", "RANK_SIZE", "DEVICE_ID"),  # MindSpore's shell scripts
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),  # mpirun
    ("MS_NODE_ID", "MS_WORKER_NUM", "DEVICE_ID"),  # msrun
)
_DEFAULT_PORT = "8118"  # MindSpore's own default for its scheduler


@dataclass(frozen=True, slots=True)
class Launch:
    """The settings of the launcher."""

    rank: int | None  # which process this is; None where the scheduler is to say it
    size: int  # how many there are
    local_rank: int | None  # its number on this machine; None for its rank
    address: str  # where they meet
    port: int  # likewise
    has_scheduler: bool = False  # a process of its own keeps the meeting place; else the process 0 does
    is_scheduler: bool = False  # this is that process


def launch() -> Launch | None:
    """Read the environment that the launcher left; None when this process was started alone.

    Raises:
        ValueError: a variable is missing or no number, or the rank is not below the size.
        RuntimeError: this is to be a parameter server.
    """
    if role := os.environ.get("MS_ROLE"):
        return _in_cluster(role)
    table = _rank_table()
    for rank_name, size_name, local_name in LAUNCHERS:
        if rank_name not in os.environ or (size_name not in os.environ and not (table and size_name == "RANK_SIZE")):
            continue
        rank = _int_from_environment(rank_name)
        size = _int_from_environment(size_name) if size_name in os.environ else len(table)
        if not 0 <= rank < size:
            raise ValueError(f"{rank_name} must be in [0, {size_name}), got {rank} of {size}.")
        if table and rank not in table:
            raise ValueError(
                f"RANK_TABLE_FILE: {os.environ['RANK_TABLE_FILE']} has no rank {rank}, but {sorted(table)}."
            )
        first = table.get(0, "") if len(set(table.values())) > 1 else ""  # one machine needs no address
        return Launch(
            rank,
            size,
            _int_from_environment(local_name) if local_name in os.environ else None,
            os.environ.get("MASTER_ADDR") or os.environ.get("MS_SCHED_HOST") or first or "127.0.0.1",
            _port_from_environment("MASTER_PORT" if "MASTER_PORT" in os.environ else "MS_SCHED_PORT"),
        )
    return None


def _in_cluster(role: str) -> Launch:
    """Return the part of a process that MindSpore's dynamic cluster starts, with a scheduler beside the workers."""
    if role not in ("MS_SCHED", "MS_WORKER"):
        raise RuntimeError(f"MS_ROLE must be MS_SCHED or MS_WORKER: there are no parameter servers; got {role}.")
    if "MS_WORKER_NUM" not in os.environ:
        raise ValueError(f"MS_ROLE is {role}: MS_WORKER_NUM must say how many workers there are.")
    size, node = _int_from_environment("MS_WORKER_NUM"), os.environ.get("MS_NODE_ID", "")
    rank = int(node) if node.isdigit() else None
    if rank is not None and rank >= size:
        raise ValueError(f"MS_NODE_ID must be in [0, MS_WORKER_NUM), got {rank} of {size}.")
    return Launch(
        rank,
        size,
        _int_from_environment("DEVICE_ID") if "DEVICE_ID" in os.environ else None,
        os.environ.get("MS_SCHED_HOST", "127.0.0.1"),
        _port_from_environment("MS_SCHED_PORT"),
        has_scheduler=True,
        is_scheduler=role == "MS_SCHED",
    )


def _rank_table() -> dict[int, str]:
    """Return the machine of every rank, by the file of RANK_TABLE_FILE; nothing where there is no such file."""
    path = Path(os.environ.get("RANK_TABLE_FILE", ""))
    if not path.is_file():
        if os.environ.get("RANK_TABLE_FILE") and "RANK_ID" in os.environ and "RANK_SIZE" not in os.environ:
            raise ValueError(
                f"RANK_TABLE_FILE: there is no file {path}, and RANK_SIZE does not say how many ranks there are."
            )
        return {}
    try:
        table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {
            int(device["rank_id"]): str(server.get("server_id", ""))
            for server in table["server_list"]
            for device in server["device"]
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"RANK_TABLE_FILE: {path} is not a rank table with a server_list of devices: {error!r}."
        ) from error


def _port_from_environment(name: str) -> int:
    return _int_from_environment(name) if os.environ.get(name) else int(_DEFAULT_PORT)


def _int_from_environment(name: str) -> int:
    try:
        return int(os.environ[name])
    except ValueError as error:
        raise ValueError(f"{name} must be a number: {error}.") from error
