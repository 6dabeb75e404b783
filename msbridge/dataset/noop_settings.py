"""Settings that are stored and returned only: of MindSpore's own processes, monitors and devices."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msbridge.core.checks.arguments import INT32_MAX, is_int, require_type
from msbridge.core.releases.rows import Default
from msbridge.dataset.arguments import SETTINGS, positive_setting

__all__ = [
    "get_auto_num_workers",
    "get_auto_offload",
    "get_autotune_interval",
    "get_dynamic_shape",
    "get_enable_autotune",
    "get_enable_shared_mem",
    "get_enable_watchdog",
    "get_iterator_mode",
    "get_monitor_sampling_interval",
    "get_multiprocessing_start_method",
    "get_multiprocessing_timeout_interval",
    "get_numa_enable",
    "get_video_backend",
    "set_auto_num_workers",
    "set_auto_offload",
    "set_autotune_interval",
    "set_dynamic_shape",
    "set_enable_autotune",
    "set_enable_shared_mem",
    "set_enable_watchdog",
    "set_iterator_mode",
    "set_monitor_sampling_interval",
    "set_multiprocessing_start_method",
    "set_multiprocessing_timeout_interval",
    "set_numa_enable",
    "set_sending_batches",
    "set_video_backend",
]

_SAMPLING_INTERVAL = Default("dataset.config.set_monitor_sampling_interval", 1000)


@dataclass(slots=True)
class _Settings:
    auto_num_workers: bool = False
    numa_enable: bool = False
    enable_shared_mem: bool = True
    enable_autotune: bool = False
    auto_offload: bool = False
    enable_watchdog: bool = True
    monitor_sampling_interval: int | None = None
    multiprocessing_timeout_interval: int = 300
    multiprocessing_start_method: str = "fork"
    autotune_interval: int = 0
    dynamic_shape: bool = False
    sending_batches: int = 0
    video_backend: str = "CPU"
    iterator_mode: dict[str, bool] = field(default_factory=lambda: {"do_copy": False, "parallel_convert": False})


_settings = _Settings()


def _getter(name: str) -> Callable[[], Any]:
    """Return the function that returns a setting as it was stored."""

    def get() -> Any:
        return getattr(_settings, name)

    get.__name__ = get.__qualname__ = f"get_{name}"
    get.__doc__ = f"Follows: mindspore.dataset.config.get_{name} (2.10)."
    get.__annotations__["return"] = _Settings.__annotations__[name]
    return get


get_auto_num_workers = _getter("auto_num_workers")
get_numa_enable = _getter("numa_enable")
get_enable_shared_mem = _getter("enable_shared_mem")
get_enable_autotune = _getter("enable_autotune")
get_auto_offload = _getter("auto_offload")
get_enable_watchdog = _getter("enable_watchdog")
get_multiprocessing_timeout_interval = _getter("multiprocessing_timeout_interval")
get_multiprocessing_start_method = _getter("multiprocessing_start_method")
get_autotune_interval = _getter("autotune_interval")
get_dynamic_shape = _getter("dynamic_shape")
get_video_backend = _getter("video_backend")


def set_auto_num_workers(enable: bool) -> None:
    """Store the setting; the engine has no worker processes to tune.

    Follows: mindspore.dataset.config.set_auto_num_workers (2.10).
    """
    _settings.auto_num_workers = SETTINGS.boolean(enable, "auto_num_workers")


def set_numa_enable(numa_enable: bool) -> None:
    """Store the setting; threads are placed by the operating system.

    Follows: mindspore.dataset.config.set_numa_enable (2.10).
    """
    _settings.numa_enable = SETTINGS.boolean(numa_enable, "numa_enable")


def set_enable_shared_mem(enable: bool) -> None:
    """Set whether arrays go to worker processes through shared memory; else they go with the messages.

    Follows: mindspore.dataset.config.set_enable_shared_mem (2.10).
    """
    _settings.enable_shared_mem = SETTINGS.boolean(enable, "enable_shared_mem")


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Store the setting; the engine plans each pipeline itself and writes no tuning file.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: `filepath_prefix` is empty, or lies in no folder.

    Follows: mindspore.dataset.config.set_enable_autotune (2.10).
    """
    SETTINGS.boolean(enable, "enable")
    if enable and filepath_prefix is not None:
        if not isinstance(filepath_prefix, str):
            raise TypeError(f"filepath_prefix must be a str value but was: {filepath_prefix!r}.")
        if not filepath_prefix:
            raise RuntimeError("The value of filepath_prefix cannot be the empty string.")
        if not Path(filepath_prefix).absolute().parent.is_dir():
            raise RuntimeError(f"Invalid filepath_prefix: the directory of {filepath_prefix!r} does not exist.")
    _settings.enable_autotune = enable


def set_auto_offload(offload: bool) -> None:
    """Store the setting; transforms always run on the host.

    Follows: mindspore.dataset.config.set_auto_offload (2.10).
    """
    _settings.auto_offload = SETTINGS.boolean(offload, "auto_offload")


def set_enable_watchdog(enable: bool) -> None:
    """Store the setting; a thread that fails hands its error to the consumer, so nothing needs watching.

    Follows: mindspore.dataset.config.set_enable_watchdog (2.10).
    """
    _settings.enable_watchdog = SETTINGS.boolean(enable, "enable_watchdog")


def set_monitor_sampling_interval(interval: int) -> None:
    """Store the setting; there is no monitor.

    Follows: mindspore.dataset.config.set_monitor_sampling_interval (2.10).
    """
    _settings.monitor_sampling_interval = positive_setting(interval, "interval")


def get_monitor_sampling_interval() -> int:
    """Follows: mindspore.dataset.config.get_monitor_sampling_interval (2.10)."""
    return _settings.monitor_sampling_interval or _SAMPLING_INTERVAL.value


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """Store the setting; nothing waits for worker processes that hang.

    Follows: mindspore.dataset.config.set_multiprocessing_timeout_interval (2.10).
    """
    _settings.multiprocessing_timeout_interval = positive_setting(interval, "interval")


def set_multiprocessing_start_method(start_method: str = "fork") -> None:
    """Store the setting; pipelines start their workers as they need them.

    Raises:
        TypeError: `start_method` is not a string.
        ValueError: it is neither "fork" nor "spawn".

    Follows: mindspore.dataset.config.set_multiprocessing_start_method (2.10).
    """
    _settings.multiprocessing_start_method = _require_listed(start_method, "start_method", ["fork", "spawn"])


def set_autotune_interval(interval: int) -> None:
    """Store the setting; the engine plans each pipeline itself.

    Follows: mindspore.dataset.config.set_autotune_interval (2.10).
    """
    if not is_int(interval):
        raise TypeError(f"interval must be of type int, got {type(interval)}.")
    if not 0 <= interval <= INT32_MAX:
        raise ValueError(f"Interval given is not within the required range [0, {INT32_MAX}], got {interval}.")
    _settings.autotune_interval = interval


def set_dynamic_shape(is_dynamic: bool) -> None:
    """Store the setting; rows may differ in shape in any case.

    Follows: mindspore.dataset.config.set_dynamic_shape (2.10).
    """
    _settings.dynamic_shape = SETTINGS.boolean(is_dynamic, "is_dynamic")


def set_sending_batches(batch_num: int) -> None:
    """Store the setting; the emulated device takes what it has room for.

    Follows: mindspore.dataset.config.set_sending_batches (2.10).
    """
    if not is_int(batch_num):
        raise TypeError(f"batch_num must be an int dtype, got {type(batch_num)}.")
    _settings.sending_batches = batch_num


def set_video_backend(backend: str) -> None:
    """Store the setting; videos are decoded on the host.

    Raises:
        TypeError: `backend` is not a string.
        ValueError: it is neither "CPU" nor "Ascend".

    Follows: mindspore.dataset.config.set_video_backend (2.10).
    """
    _settings.video_backend = _require_listed(backend, "backend", ["CPU", "Ascend"])


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Store the setting; the rows that an iterator yields have memory of their own in any case.

    Follows: mindspore.dataset.config.set_iterator_mode (2.10).
    """
    require_type(do_copy, "do_copy", bool)
    require_type(parallel_convert, "parallel_convert", bool)
    _settings.iterator_mode = {"do_copy": do_copy, "parallel_convert": parallel_convert}


def get_iterator_mode() -> dict[str, bool]:
    """Follows: mindspore.dataset.config.get_iterator_mode (2.10)."""
    return dict(_settings.iterator_mode)


def _require_listed(value: str, name: str, allowed: list[str]) -> str:
    if require_type(value, name, str) not in allowed:
        raise ValueError(f"Input {name} is not within the valid set of {allowed}, got {value!r}.")
    return value
