"""The names of communication libraries."""

from typing import ClassVar

from msbridge.core.checks.arguments import instance
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP

__all__ = ["DEFAULT_WORLD_COMM_GROUP", "DEVICE_TO_BACKEND", "Backend"]

DEFAULT_WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
DEVICE_TO_BACKEND = {"Ascend": "hccl", "GPU": "nccl", "CPU": "mccl"}


class Backend(str):
    """The name of a communication library, in small letters.

    Args:
        name: "hccl", "nccl" or "mccl", in any letters.

    Raises:
        TypeError: `name` is not a string.
        ValueError: it is none of them.

    Follows: mindspore.communication.management.Backend (2.10).
    """

    UNDEFINED: ClassVar = "undefined"
    HCCL: ClassVar = "hccl"
    NCCL: ClassVar = "nccl"
    MCCL: ClassVar = "mccl"
    __slots__ = ()

    def __new__(cls, name: str) -> "Backend":
        instance(name, "name", "Backend", str)
        if name.lower() not in DEVICE_TO_BACKEND.values():
            raise ValueError(f"For 'Backend', name must be one of {sorted(DEVICE_TO_BACKEND.values())}, got {name!r}.")
        return super().__new__(cls, name.lower())
