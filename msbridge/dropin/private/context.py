"""MindSpore's private context object, behind `set_context` and `get_context`."""

import os
import time
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from msbridge.core.context.context import get_context, set_context
from msbridge.core.context.settings import CONTEXT_KEYS, NAMES
from msbridge.device.ascend import is_emulated

DEBUG, RELEASE = 1, 0
DEVICE_APP_MEMORY_SIZE = 31
hccl_connect_timeout = 600
RE_PATTERN = r"[1-9][0-9]*(\.)?[0-9]*GB|0\.[0-9]*GB"
SERVER_ROLES = ("MS_PSERVER", "MS_SERVER", "MS_SCHED")
# Settings that act on some devices only.
DEVICES: Mapping[str, tuple[str, ...]] = {
    "ascend_config": ("Ascend",),
    "disable_format_transform": ("GPU",),
    "enable_reduce_precision": ("Ascend",),
    "gpu_config": ("GPU",),
    "max_device_memory": ("Ascend", "GPU"),
    "mempool_block_size": ("GPU", "Ascend"),
    "print_file_path": ("Ascend",),
    "variable_memory_max_size": ("Ascend",),
}

# The settings as numbers; MindSpore numbers them again in every release.
Setting = Enum("Setting", {name: number for number, name in enumerate(sorted(NAMES))})  # type: ignore[misc]
Setting.__name__ = Setting.__qualname__ = "ms_ctx_param"
ms_ctx_param = Setting
Setting.__int__ = lambda setting: setting.value  # type: ignore[attr-defined]


class MSContext:
    """The settings of the engine, as far as libraries ask it itself.

    Follows: mindspore._c_expression.MSContext (2.10).
    """

    _policy = "ms"

    @staticmethod
    def get_instance() -> "MSContext":
        """Return the settings."""
        return MSContext()

    def get_ascend_soc_version(self) -> str:
        """Return the name of the chip: "ascend910" where an Ascend is emulated, "" where there is none."""
        return "ascend910" if is_emulated() else ""

    def is_ascend_plugin_loaded(self) -> bool:
        """Whether an Ascend is emulated."""
        return is_emulated()

    def is_pkg_support_device(self, device_target: str) -> bool:
        """Whether this package runs scripts that ask for the device; it runs all."""
        return device_target in ("CPU", "GPU", "Ascend")

    def get_backend_policy(self) -> str:
        """Return the policy that was set, "ms" at first; there is one engine."""
        return self._policy

    def set_backend_policy(self, policy: str) -> bool:
        """Keep a policy, and return True; there is one engine."""
        MSContext._policy = policy
        return True

    def get_param(self, param: Any) -> Any:
        """Return a setting.

        Raises:
            TypeError: `param` is not a member of `ms_ctx_param`.
        """
        if not isinstance(param, Setting):
            raise TypeError(f"get_param takes a member of ms_ctx_param, got {param!r}.")
        return get_context(param.name)

    def set_param(self, param: Any, value: Any) -> None:
        """Set a setting. Raises as `get_param` and `set_context`."""
        if not isinstance(param, Setting):
            raise TypeError(f"set_param takes a member of ms_ctx_param, got {param!r}.")
        set_context(**{param.name: value})


class Context:
    """The context as an object; `set_<key>` of it sets one setting.

    Follows: mindspore.context._Context (2.10).
    """

    enable_ge = False

    def get_param(self, param: Any) -> Any:
        """Return the setting of a member of `ms_ctx_param`."""
        return MSContext().get_param(param)

    def set_param(self, param: Any, value: Any) -> None:
        """Set the setting of a member of `ms_ctx_param`."""
        MSContext().set_param(param, value)

    def get_mode(self) -> int:
        """Return GRAPH_MODE or PYNATIVE_MODE."""
        return int(get_context("mode"))

    def get_jit_config(self) -> dict[str, str]:
        """Return the settings of `jit_config`."""
        return get_jit_config()

    def set_backend_policy(self, policy: str) -> None:
        """Keep a policy; there is one engine."""
        MSContext().set_backend_policy(policy)

    @property
    def setters(self) -> dict[str, Callable[[Any], None]]:
        """The function that sets a setting, by name."""
        return {name: getattr(self, f"set_{name}") for name in NAMES}

    def __getattr__(self, name: str) -> Any:
        key = name.removeprefix("set_")
        if key != name and key in NAMES:
            return lambda value: set_context(**{key: value})
        if name in CONTEXT_KEYS:
            return get_context(name)
        raise AttributeError(f"'_Context' object has no attribute {name!r}", name=name)


K_CONTEXT = Context()


def context() -> Context:
    """Return the context.

    Follows: mindspore.context._context (2.10).
    """
    return K_CONTEXT


def get_jit_config() -> dict[str, str]:
    """Return the settings of `jit_config`.

    Follows: mindspore.context.get_jit_config (2.10).
    """
    return dict(get_context("jit_config"))


def get_mode() -> int:
    """Return GRAPH_MODE or PYNATIVE_MODE.

    Follows: mindspore.context._get_mode (2.10).
    """
    return int(get_context("mode"))


def check_target_specific_cfgs(device: str, arg_key: str) -> bool:
    """Whether a setting acts on a device.

    Follows: mindspore.context._check_target_specific_cfgs (2.10).
    """
    return device in DEVICES.get(arg_key, (device,))


def need_reset_device_target_for_ps(target: str) -> bool:
    """Whether this process is a server beside workers on an Ascend.

    Follows: mindspore.parallel._ps_context._need_reset_device_target_for_ps (2.10).
    """
    return os.environ.get("MS_ROLE") in SERVER_ROLES and target == "Ascend"


def get_print_file_name(file_name: str) -> str:
    """Return the name with the time in seconds.

    Raises:
        ValueError: the file exists already.

    Follows: mindspore.context._get_print_file_name (2.10).
    """
    name = f"{file_name}.{int(time.time())}"
    if Path(name).exists():
        raise ValueError(f"For 'context.set_context', the 'print_file_path' {name} exists already.")
    return name


def make_folder(path: str) -> str:
    """Create a folder for this user only, unless it is there; return its real path.

    Raises:
        ValueError: `path` is not a str or is empty, or the folder may not be created.

    Follows: mindspore.context._make_directory (2.10).
    """
    if not isinstance(path, str) or not path.strip():
        raise ValueError(f"A folder's path must be a str that is not empty, got {path!r}.")
    folder = Path(path).resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except PermissionError as error:
        raise ValueError(f"The folder {folder} may not be created: {error}") from error
    return str(folder)
