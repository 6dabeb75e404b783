"""Metadata of the division of a network by MindSpore's compiler; where nothing is compiled, there is none."""

from pathlib import Path
from typing import Any

from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.runtime.path_mapping import resolve

__all__ = [
    "clear_strategy_metadata",
    "enable_save_strategy_online",
    "get_current_strategy_metadata",
    "get_strategy_metadata",
    "set_op_strategy_config",
]

MODES = ("SAVE", "LOAD")
SYSTEM = ("/etc", "/usr", "/bin", "/sbin", "/boot", "/proc", "/sys")


def get_strategy_metadata(network: Any, rank_id: int | None = None) -> None:
    """Return the division of a compiled network over all ranks, or one; None, as there is none here.

    Raises:
        AttributeError: `network` is not a Cell.

    Follows: mindspore.parallel.strategy.get_strategy_metadata (2.10), for a network that was not compiled.
    """
    _ = network.compile_phase


def get_current_strategy_metadata(network: Any) -> None:
    """Return the division of a compiled network on this rank; None, as there is none here.

    Raises:
        AttributeError: `network` is not a Cell.

    Follows: mindspore.parallel.strategy.get_current_strategy_metadata (2.10), for a network that was not compiled.
    """
    _ = network.compile_phase


def enable_save_strategy_online() -> None:
    """Make the compiler keep how it divides networks; here it says that nothing is divided.

    Follows: mindspore.parallel.strategy.enable_save_strategy_online (2.10).
    """
    without_effect("mindspore.parallel.strategy.enable_save_strategy_online")


def clear_strategy_metadata() -> None:
    """Forget what the compiler kept: nothing, here.

    Follows: mindspore.parallel.strategy.clear_strategy_metadata (2.10).
    """


def set_op_strategy_config(mode: str = "SAVE", path: str = "") -> None:
    """Check where the compiler is to save or load how operators are divided; here it says that nothing is divided.

    Args:
        mode: "SAVE" or "LOAD".
        path: an absolute path that ends in ".json".

    Raises:
        KeyError: the mode or the path is another one.
        TypeError: the path is not a path.
        PermissionError: the path is in a folder of the system.

    Follows: mindspore.parallel.set_op_strategy_config (2.10).
    """
    file = Path(path)
    if not file.is_absolute():
        raise KeyError("File path must be an absolute path")
    if file.suffix != ".json":
        raise KeyError("File type must be .json")
    if str(file.resolve()).startswith(SYSTEM):
        raise PermissionError(f"Writing to a system directory is not allowed, got {path!r}.")
    if mode not in MODES:
        raise KeyError("Type must be 'SAVE' or 'LOAD'")
    without_effect("mindspore.set_op_strategy_config", str(resolve(path)))
