"""MindIO, the service of the Ascend's makers that keeps checkpoints in the memory of a cluster, where it is installed.

Follows: mindspore.common.file_system (2.10).
"""

import importlib
from collections.abc import Callable
from typing import Any

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.checks.no_effect_warnings import without_effect

__all__ = ["FileSystem", "init_ckpt_file_system", "mindio_preload", "set_mindio_server_info"]

_SERVER = {"memfs.data_block_pool_capacity_in_gb": "100"}


class FileSystem:
    """The file system of checkpoints: what opens and creates files, with which arguments: Python's `open`, or MindIO's.

    Follows: mindspore.common.file_system.FileSystem (2.10).
    """

    def __init__(self) -> None:
        self.create: Callable[..., Any] = open
        self.create_args: tuple[str, ...] = ("ab",)
        self.open: Callable[..., Any] = open
        self.open_args: tuple[str, ...] = ("rb",)
        self.backend = "basic"


def init_ckpt_file_system(fs: FileSystem) -> None:
    """Let a file system use MindIO where its package is installed and starts, and plain files elsewhere.

    Follows: mindspore.train.serialization.init_ckpt_file_system (2.10).
    """
    service = _service()
    if service is None:
        fs.create, fs.create_args, fs.open, fs.open_args = open, ("ab",), open, ("rb",)
        return
    fs.create, fs.create_args, fs.open, fs.open_args = service.create_file, (), service.open_file, ()
    fs.backend = "mindio"


def set_mindio_server_info(data_block_pool_capacity_in_gb: int = 100) -> None:
    """Set how much memory MindIO's server may take.

    Args:
        data_block_pool_capacity_in_gb: positive; in gigabytes.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Follows: mindspore.set_mindio_server_info (2.10).
    """
    value = positive_int(data_block_pool_capacity_in_gb, "data_block_pool_capacity_in_gb", "set_mindio_server_info")
    _SERVER["memfs.data_block_pool_capacity_in_gb"] = str(value)
    without_effect("mindspore.set_mindio_server_info.data_block_pool_capacity_in_gb", value)


def mindio_preload(ckpt_file_name: str) -> bool:
    """Make MindIO read a checkpoint ahead; return whether it could, which it cannot where it is not installed.

    Args:
        ckpt_file_name: the file.

    Returns:
        A bool.

    Raises:
        TypeError: `ckpt_file_name` is not a string.

    Follows: mindspore.mindio_preload (2.10).
    """
    path = instance(ckpt_file_name, "ckpt_file_name", "mindio_preload", str)
    service = _service()
    if service is None or not hasattr(service, "preload"):
        return False
    service.preload(path)
    return True


def _service() -> Any:
    """Return MindIO's module once its server runs, of either of its packages; None where there is none."""
    for name, settings in (("mindio_acp", {"server_info": _SERVER}), ("mindio", {})):
        try:
            service = importlib.import_module(name)
        except ImportError:
            continue
        if service.initialize(**settings) == 0:
            return service
    return None
