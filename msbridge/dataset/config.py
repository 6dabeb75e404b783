"""Global settings of the data pipelines."""

import json
import os
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from secrets import randbits
from typing import Any

from msbridge.core.checks.arguments import is_int, require_type
from msbridge.core.random import seeds as core_random
from msbridge.core.releases.rows import Default
from msbridge.dataset import noop_settings as _noop_settings
from msbridge.dataset.arguments import SETTINGS, positive_setting
from msbridge.dataset.debug import DebugHook, PrintMetaDataHook
from msbridge.dataset.noop_settings import *

__all__ = [
    "ErrorSamplesMode",
    "get_callback_timeout",
    "get_debug_mode",
    "get_error_samples_mode",
    "get_fast_recovery",
    "get_num_parallel_workers",
    "get_prefetch_size",
    "get_seed",
    "load",
    "set_callback_timeout",
    "set_debug_mode",
    "set_error_samples_mode",
    "set_fast_recovery",
    "set_num_parallel_workers",
    "set_prefetch_size",
    "set_seed",
]
__all__ += _noop_settings.__all__

UNSEEDED = 5489  # what get_seed answers while nobody has set one
_WORKERS = Default("dataset.config.set_num_parallel_workers", 8)


class ErrorSamplesMode(IntEnum):
    """The modes of handling a row for which an operation of `map` fails.

    Follows: mindspore.dataset.config.ErrorSamplesMode (2.10).
    """

    RETURN = 0
    REPLACE = 1
    SKIP = 2


@dataclass(slots=True)
class _Settings:
    workers: int | None = None
    prefetch: int = 16
    seed: int | None = None
    seed_seen: int | None = None  # the last call of `mindspore.set_seed` then: a newer one replaces `seed`
    error_samples_mode: ErrorSamplesMode = ErrorSamplesMode.RETURN
    debug_mode: bool = False
    debug_hooks: list[DebugHook] = field(default_factory=lambda: [PrintMetaDataHook()])
    callback_timeout: int = 60
    fast_recovery: bool = True


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
    _settings.workers = positive_setting(num, "Number of parallel workers given")


def get_num_parallel_workers() -> int:
    """Return the number of threads per pipeline.

    Follows: mindspore.dataset.config.get_num_parallel_workers (2.10).
    """
    return _settings.workers or _WORKERS.value


def set_prefetch_size(size: int) -> None:
    """Set how many rows (batches, after `batch`) an iterator prepares ahead of its consumer.

    Follows: mindspore.dataset.config.set_prefetch_size (2.10).
    """
    _settings.prefetch = positive_setting(size, "size")


def get_prefetch_size() -> int:
    """Return the number of rows that an iterator prepares ahead.

    Follows: mindspore.dataset.config.get_prefetch_size (2.10).
    """
    return _settings.prefetch


def set_fast_recovery(fast_recovery: bool) -> None:
    """Set whether a pipeline that resumes does no work for the rows before, where it can.

    Without, these are read, and the Python functions of `map` called on them once more, from the first pass on: for
    functions that keep a state of their own, or draw from numpy's or Python's global random numbers.

    Follows: mindspore.dataset.config.set_fast_recovery (2.10).
    """
    _settings.fast_recovery = SETTINGS.boolean(fast_recovery, "fast_recovery")


def get_fast_recovery() -> bool:
    """Follows: mindspore.dataset.config.get_fast_recovery (2.10)."""
    return _settings.fast_recovery


def set_callback_timeout(timeout: int) -> None:
    """Set for how many seconds a pipeline waits in a WaitedDSCallback, and at `sync_wait`.

    Follows: mindspore.dataset.config.set_callback_timeout (2.10).
    """
    _settings.callback_timeout = positive_setting(timeout, "timeout")


def get_callback_timeout() -> int:
    """Follows: mindspore.dataset.config.get_callback_timeout (2.10)."""
    return _settings.callback_timeout


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """Set what becomes of a row for which an operation of `map` fails.

    Args:
        error_samples_mode: RETURN raises; SKIP leaves the row out; REPLACE leaves it out, and repeats rows that did not
            fail at the end of the pass, so that there are as many as before.

    Raises:
        TypeError: it is not an ErrorSamplesMode.

    Follows: mindspore.dataset.config.set_error_samples_mode (2.10).
    """
    _settings.error_samples_mode = require_type(error_samples_mode, "error_samples_mode", ErrorSamplesMode)


def get_error_samples_mode() -> ErrorSamplesMode:
    """Return the treatment of a row for which an operation of `map` fails.

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
    """Return the hooks that see the values in debug mode."""
    return _settings.debug_hooks


_FILE_SETTINGS = {
    "numParallelWorkers": set_num_parallel_workers,
    "opConnectorSize": set_prefetch_size,
    "seed": set_seed,
    "monitorSamplingInterval": _noop_settings.set_monitor_sampling_interval,
}


def load(file: str | os.PathLike[str]) -> None:
    """Set what a JSON file says: numParallelWorkers, opConnectorSize, seed, monitorSamplingInterval.

    Raises:
        RuntimeError: the file cannot be read, or is not a JSON object.

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
