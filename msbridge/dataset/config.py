"""Global settings of the data pipelines.

Follows: mindspore.dataset.config (2.10).
"""

import json
import os
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from secrets import randbits
from typing import Any

from msbridge.core import random as core_random
from msbridge.core.arguments import INT32_MAX, is_int, typed
from msbridge.dataset.debug import DebugHook, PrintMetaDataHook

UNSEEDED = 5489  # what get_seed answers while nobody has set one


class ErrorSamplesMode(IntEnum):
    """What becomes of a row for which an operation of `map` fails.

    Follows: mindspore.dataset.config.ErrorSamplesMode (2.10).
    """

    RETURN = 0
    REPLACE = 1
    SKIP = 2


@dataclass(slots=True)
class _Settings:
    workers: int = 8
    prefetch: int = 16
    seed: int | None = None
    seed_seen: int | None = None  # the last call of `mindspore.set_seed` then: a newer one replaces `seed`
    error_samples_mode: ErrorSamplesMode = ErrorSamplesMode.RETURN
    debug_mode: bool = False
    debug_hooks: list[DebugHook] = field(default_factory=lambda: [PrintMetaDataHook()])
    callback_timeout: int = 60
    # Settings of MindSpore's own processes and monitors: they are stored and returned; nothing here depends on them.
    auto_num_workers: bool = False
    numa_enable: bool = False
    enable_shared_mem: bool = True
    enable_autotune: bool = False
    auto_offload: bool = False
    enable_watchdog: bool = True
    fast_recovery: bool = True
    monitor_sampling_interval: int = 1000
    multiprocessing_timeout_interval: int = 300
    multiprocessing_start_method: str = "fork"
    autotune_interval: int = 0
    dynamic_shape: bool = False
    sending_batches: int = 0
    video_backend: str = "CPU"
    iterator_mode: dict[str, bool] = field(default_factory=lambda: {"do_copy": False, "parallel_convert": False})


_settings = _Settings()


def set_seed(seed: int) -> None:
    """Seed every pipeline whose iterators are created from now on.

    Args:
        seed: in [0, 2^32).

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is out of range.

    Follows: mindspore.dataset.config.set_seed (2.10).
    """
    if not is_int(seed):
        raise TypeError(f"seed isn't of type int, got {type(seed)}.")
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed given is not within the required range [0, UINT32_MAX(4294967295)], got {seed}.")
    _settings.seed = seed
    _settings.seed_seen = core_random.seed_call()


def get_seed() -> int:
    """Return the seed of the pipelines; 5489 when none was set.

    Follows: mindspore.dataset.config.get_seed (2.10).
    """
    seed = _current_seed()
    return UNSEEDED if seed is None else seed


def draw_seed() -> int:
    """Return the seed for one new iterator: the one that was set, or a fresh random one; in debug mode 1."""
    seed = _current_seed()
    if seed is None:
        return 1 if _settings.debug_mode else randbits(63)
    return seed


def _current_seed() -> int | None:
    """The newer of the pipelines' own seed and `mindspore.set_seed`'s."""
    everywhere = core_random.get_seed()
    if _settings.seed is None or core_random.seed_call() != _settings.seed_seen:
        return everywhere
    return _settings.seed


def set_num_parallel_workers(num: int) -> None:
    """Set how many threads a pipeline uses for transforms that release Python's lock (decoding, resizing).

    Follows: mindspore.dataset.config.set_num_parallel_workers (2.10).
    """
    _settings.workers = _positive(num, "Number of parallel workers given")


def get_num_parallel_workers() -> int:
    """Return the number of threads per pipeline.

    Follows: mindspore.dataset.config.get_num_parallel_workers (2.10).
    """
    return _settings.workers


def set_prefetch_size(size: int) -> None:
    """Set how many rows (batches, after `batch`) an iterator prepares ahead of its consumer.

    Follows: mindspore.dataset.config.set_prefetch_size (2.10).
    """
    _settings.prefetch = _positive(size, "size")


def get_prefetch_size() -> int:
    """Return how many rows an iterator prepares ahead.

    Follows: mindspore.dataset.config.get_prefetch_size (2.10).
    """
    return _settings.prefetch


def _positive(value: int, what: str) -> int:
    if not is_int(value):
        raise TypeError(f"{what} isn't of type int, got {type(value)}.")
    if not 0 < value <= INT32_MAX:
        raise ValueError(f"{what} is not within the required range (0, INT32_MAX(2147483647)], got {value}.")
    return value


def set_auto_num_workers(enable: bool) -> None:
    """Store the setting; the engine has no worker processes to tune.

    Follows: mindspore.dataset.config.set_auto_num_workers (2.10).
    """
    _settings.auto_num_workers = _boolean(enable, "auto_num_workers")


def get_auto_num_workers() -> bool:
    """Follows: mindspore.dataset.config.get_auto_num_workers (2.10)."""
    return _settings.auto_num_workers


def set_numa_enable(numa_enable: bool) -> None:
    """Store the setting; threads are placed by the operating system.

    Follows: mindspore.dataset.config.set_numa_enable (2.10).
    """
    _settings.numa_enable = _boolean(numa_enable, "numa_enable")


def get_numa_enable() -> bool:
    """Follows: mindspore.dataset.config.get_numa_enable (2.10)."""
    return _settings.numa_enable


def set_enable_shared_mem(enable: bool) -> None:
    """Store the setting; there are no worker processes to share memory with.

    Follows: mindspore.dataset.config.set_enable_shared_mem (2.10).
    """
    _settings.enable_shared_mem = _boolean(enable, "enable_shared_mem")


def get_enable_shared_mem() -> bool:
    """Follows: mindspore.dataset.config.get_enable_shared_mem (2.10)."""
    return _settings.enable_shared_mem


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Store the setting; the engine plans each pipeline itself and writes no tuning file.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: `filepath_prefix` is empty, or lies in no folder.

    Follows: mindspore.dataset.config.set_enable_autotune (2.10).
    """
    _boolean(enable, "enable")
    if enable and filepath_prefix is not None:
        if not isinstance(filepath_prefix, str):
            raise TypeError(f"filepath_prefix must be a str value but was: {filepath_prefix!r}.")
        if not filepath_prefix:
            raise RuntimeError("The value of filepath_prefix cannot be the empty string.")
        if not Path(filepath_prefix).absolute().parent.is_dir():
            raise RuntimeError(f"Invalid filepath_prefix: the directory of {filepath_prefix!r} does not exist.")
    _settings.enable_autotune = enable


def get_enable_autotune() -> bool:
    """Follows: mindspore.dataset.config.get_enable_autotune (2.10)."""
    return _settings.enable_autotune


def set_auto_offload(offload: bool) -> None:
    """Store the setting; transforms always run on the host.

    Follows: mindspore.dataset.config.set_auto_offload (2.10).
    """
    _settings.auto_offload = _boolean(offload, "auto_offload")


def get_auto_offload() -> bool:
    """Follows: mindspore.dataset.config.get_auto_offload (2.10)."""
    return _settings.auto_offload


def set_enable_watchdog(enable: bool) -> None:
    """Store the setting; a thread that fails hands its error to the consumer, so nothing needs watching.

    Follows: mindspore.dataset.config.set_enable_watchdog (2.10).
    """
    _settings.enable_watchdog = _boolean(enable, "enable_watchdog")


def get_enable_watchdog() -> bool:
    """Follows: mindspore.dataset.config.get_enable_watchdog (2.10)."""
    return _settings.enable_watchdog


def set_fast_recovery(fast_recovery: bool) -> None:
    """Set whether a pipeline that resumes does no work for the rows before, where it can.

    Without, these are read, and the Python functions of `map` called on them once more, from the first pass on: for
    functions that keep a state of their own, or draw from numpy's or Python's global random numbers.

    Follows: mindspore.dataset.config.set_fast_recovery (2.10).
    """
    _settings.fast_recovery = _boolean(fast_recovery, "fast_recovery")


def get_fast_recovery() -> bool:
    """Follows: mindspore.dataset.config.get_fast_recovery (2.10)."""
    return _settings.fast_recovery


def set_monitor_sampling_interval(interval: int) -> None:
    """Store the setting; there is no monitor.

    Follows: mindspore.dataset.config.set_monitor_sampling_interval (2.10).
    """
    _settings.monitor_sampling_interval = _positive(interval, "interval")


def get_monitor_sampling_interval() -> int:
    """Follows: mindspore.dataset.config.get_monitor_sampling_interval (2.10)."""
    return _settings.monitor_sampling_interval


def set_callback_timeout(timeout: int) -> None:
    """Set for how many seconds a pipeline waits in a WaitedDSCallback, and at `sync_wait`.

    Follows: mindspore.dataset.config.set_callback_timeout (2.10).
    """
    _settings.callback_timeout = _positive(timeout, "timeout")


def get_callback_timeout() -> int:
    """Follows: mindspore.dataset.config.get_callback_timeout (2.10)."""
    return _settings.callback_timeout


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """Store the setting; nothing waits for worker processes that hang.

    Follows: mindspore.dataset.config.set_multiprocessing_timeout_interval (2.10).
    """
    _settings.multiprocessing_timeout_interval = _positive(interval, "interval")


def get_multiprocessing_timeout_interval() -> int:
    """Follows: mindspore.dataset.config.get_multiprocessing_timeout_interval (2.10)."""
    return _settings.multiprocessing_timeout_interval


def set_multiprocessing_start_method(start_method: str = "fork") -> None:
    """Store the setting; pipelines start their workers as they need them.

    Raises:
        TypeError: `start_method` is not a string.
        ValueError: it is neither "fork" nor "spawn".

    Follows: mindspore.dataset.config.set_multiprocessing_start_method (2.10).
    """
    _settings.multiprocessing_start_method = _listed(start_method, "start_method", ["fork", "spawn"])


def get_multiprocessing_start_method() -> str:
    """Follows: mindspore.dataset.config.get_multiprocessing_start_method (2.10)."""
    return _settings.multiprocessing_start_method


def set_autotune_interval(interval: int) -> None:
    """Store the setting; the engine plans each pipeline itself.

    Follows: mindspore.dataset.config.set_autotune_interval (2.10).
    """
    if not is_int(interval):
        raise TypeError(f"interval must be of type int, got {type(interval)}.")
    if not 0 <= interval <= INT32_MAX:
        raise ValueError(f"Interval given is not within the required range [0, {INT32_MAX}], got {interval}.")
    _settings.autotune_interval = interval


def get_autotune_interval() -> int:
    """Follows: mindspore.dataset.config.get_autotune_interval (2.10)."""
    return _settings.autotune_interval


def set_dynamic_shape(is_dynamic: bool) -> None:
    """Store the setting; rows may differ in shape in any case.

    Follows: mindspore.dataset.config.set_dynamic_shape (2.10).
    """
    _settings.dynamic_shape = _boolean(is_dynamic, "is_dynamic")


def get_dynamic_shape() -> bool:
    """Follows: mindspore.dataset.config.get_dynamic_shape (2.10)."""
    return _settings.dynamic_shape


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
    _settings.video_backend = _listed(backend, "backend", ["CPU", "Ascend"])


def get_video_backend() -> str:
    """Follows: mindspore.dataset.config.get_video_backend (2.10)."""
    return _settings.video_backend


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Store the setting; the rows that an iterator yields have memory of their own in any case.

    Follows: mindspore.dataset.config.set_iterator_mode (2.10).
    """
    typed(do_copy, "do_copy", bool)
    typed(parallel_convert, "parallel_convert", bool)
    _settings.iterator_mode = {"do_copy": do_copy, "parallel_convert": parallel_convert}


def get_iterator_mode() -> dict[str, bool]:
    """Follows: mindspore.dataset.config.get_iterator_mode (2.10)."""
    return dict(_settings.iterator_mode)


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """Set what becomes of a row for which an operation of `map` fails.

    Args:
        error_samples_mode: RETURN raises; SKIP leaves the row out; REPLACE leaves it out, and repeats rows that did not
            fail at the end of the pass, so that there are as many as before.

    Raises:
        TypeError: it is not an ErrorSamplesMode.

    Follows: mindspore.dataset.config.set_error_samples_mode (2.10).
    """
    _settings.error_samples_mode = typed(error_samples_mode, "error_samples_mode", ErrorSamplesMode)


def get_error_samples_mode() -> ErrorSamplesMode:
    """Return what becomes of a row for which an operation of `map` fails.

    Follows: mindspore.dataset.config.get_error_samples_mode (2.10).
    """
    return _settings.error_samples_mode


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[DebugHook] | None = None) -> None:
    """Set whether pipelines run step by step in the calling thread, with hooks between the operations of `map`.

    Args:
        debug_mode_flag: whether they do.
        debug_hook_list: what looks at the values; None prints dtypes and shapes.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.config.set_debug_mode (2.10).
    """
    if not isinstance(debug_mode_flag, bool):
        raise TypeError(f"debug_mode_flag isn't of type boolean, got {type(debug_mode_flag)}.")
    hooks = [PrintMetaDataHook()] if debug_hook_list is None else debug_hook_list
    if not isinstance(hooks, list):
        raise TypeError(f"debug_hook_list is not a list, got {type(hooks)}.")
    for hook in hooks:
        if not isinstance(hook, DebugHook):
            raise TypeError(f"All items in debug_hook_list must be of type DebugHook, got {type(hook)}.")
    _settings.debug_mode = debug_mode_flag
    _settings.debug_hooks = list(hooks) or _settings.debug_hooks


def get_debug_mode() -> bool:
    """Return whether pipelines run step by step in the calling thread.

    Follows: mindspore.dataset.config.get_debug_mode (2.10).
    """
    return _settings.debug_mode


def debug_hooks() -> list[DebugHook]:
    """Return what looks at the values in debug mode."""
    return _settings.debug_hooks


_FILE_SETTINGS = {
    "numParallelWorkers": set_num_parallel_workers,
    "opConnectorSize": set_prefetch_size,
    "seed": set_seed,
    "monitorSamplingInterval": set_monitor_sampling_interval,
}


def load(file: str | os.PathLike[str]) -> None:
    """Set what a JSON file says: numParallelWorkers, opConnectorSize, seed, monitorSamplingInterval.

    Raises:
        RuntimeError: the file cannot be read, or is no JSON object.

    Follows: mindspore.dataset.config.load (2.10).
    """
    try:
        values: Any = json.loads(Path(file).read_text(encoding="utf-8"))
        if not isinstance(values, dict):
            raise ValueError(f"it holds a {type(values).__name__}")
    except (OSError, ValueError) as error:
        raise RuntimeError(f"Invalid settings file {os.fspath(file)!r}: {error}.") from error
    for name, apply in _FILE_SETTINGS.items():
        if name in values:
            apply(values[name])


def _listed(value: str, name: str, allowed: list[str]) -> str:
    if typed(value, name, str) not in allowed:
        raise ValueError(f"Input {name} is not within the valid set of {allowed}, got {value!r}.")
    return value


def _boolean(value: bool, name: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be of type bool, got {type(value)}.")
    return value
