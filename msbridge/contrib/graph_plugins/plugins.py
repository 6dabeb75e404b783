"""Plugins of MindSpore's compiler, which are refused."""

import os
from enum import Enum
from pathlib import Path

from msbridge.core.checks.arguments import instance

__all__ = ["CustomPassType", "register_custom_backend", "register_custom_pass"]


class CustomPassType(Enum):
    """The stages at which a pass changes the graph.

    Attributes:
        PATTERN: where a pattern matches, in the backend.
        FULL_GRAPH: the whole graph, in the frontend.

    Follows: mindspore.graph.CustomPassType (2.10).
    """

    PATTERN = 0
    FULL_GRAPH = 1

    def __int__(self) -> int:
        return self.value


def register_custom_pass(
    pass_name: str,
    plugin_so_path: str,
    device: str = "all",
    pass_type: CustomPassType = CustomPassType.PATTERN,
) -> bool:
    """Refuse a library with a pass of MindSpore's compiler.

    Args:
        pass_name: its name.
        plugin_so_path: the library.
        device: "cpu", "gpu", "ascend" or "all".
        pass_type: when it runs.

    Returns:
        False where there is no such library.

    Raises:
        RuntimeError: there is one.
        TypeError: an argument is of another type.

    Follows: mindspore.graph.register_custom_pass (2.10).
    """
    instance(pass_type, "pass_type", None, CustomPassType)
    for name, value in (("pass_name", pass_name), ("plugin_so_path", plugin_so_path), ("device", device)):
        instance(value, name, None, str)
    path = Path(plugin_so_path)
    if path.suffix != ".so" or not path.is_file():
        return False
    raise _refusal("register_custom_pass", path)


def register_custom_backend(backend_name: str, backend_path: str) -> bool:
    """Refuse a library with a backend of MindSpore's compiler.

    Args:
        backend_name: its name.
        backend_path: the library.

    Raises:
        RuntimeError: the library exists.
        ValueError: there is none, or the path is relative.

    Follows: mindspore.graph.register_custom_backend (2.10).
    """
    if backend_name is None or backend_path is None:
        raise ValueError("'backend_name' and 'backend_path' must both be given.")
    path = Path(backend_path)
    if not path.is_absolute():
        raise ValueError(f"'backend_path' must be an absolute path, but got {backend_path}.")
    if not path.is_file() or not os.access(path, os.R_OK):
        raise ValueError(f"'backend_path' {backend_path} does not exist, or cannot be read.")
    if path.suffix != ".so":
        raise ValueError(f"'backend_path' {backend_path} is not a shared library (.so).")
    raise _refusal("register_custom_backend", path)


def _refusal(name: str, path: Path) -> RuntimeError:
    return RuntimeError(
        f"For '{name}', {path.name} is written for MindSpore's compiler, which msbridge does not have: networks run on "
        'torch, and context jit_level "O2" compiles them with torch.compile. Leave the call out.'
    )
