"""Global settings of the data pipelines.

Follows: mindspore.dataset.config (2.10).
"""

from dataclasses import dataclass
from secrets import randbits

from msbridge.core import random as core_random
from msbridge.core.arguments import INT32_MAX, is_int

UNSEEDED = 5489  # what get_seed answers while nobody has set one


@dataclass(slots=True)
class _Settings:
    workers: int = 8
    prefetch: int = 16
    seed: int | None = None
    seed_seen: int | None = None  # the last call of `mindspore.set_seed` then: a newer one replaces `seed`
    # Settings of MindSpore's own processes and monitors: they are stored and returned; nothing here depends on them.
    auto_num_workers: bool = False
    numa_enable: bool = False
    enable_shared_mem: bool = True
    enable_autotune: bool = False
    auto_offload: bool = False
    enable_watchdog: bool = True
    fast_recovery: bool = True
    monitor_sampling_interval: int = 1000
    callback_timeout: int = 60
    multiprocessing_timeout_interval: int = 300


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
    """Return the seed for one new iterator: the one that was set, or a fresh random one."""
    seed = _current_seed()
    return randbits(63) if seed is None else seed


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

    Follows: mindspore.dataset.config.set_enable_autotune (2.10).
    """
    if filepath_prefix is not None:
        raise NotImplementedError("For 'set_enable_autotune', filepath_prefix must be None: no tuning file is written.")
    _settings.enable_autotune = _boolean(enable, "enable_autotune")


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
    """Store the setting; callbacks of the pipeline are not available.

    Follows: mindspore.dataset.config.set_callback_timeout (2.10).
    """
    _settings.callback_timeout = _positive(timeout, "timeout")


def get_callback_timeout() -> int:
    """Follows: mindspore.dataset.config.get_callback_timeout (2.10)."""
    return _settings.callback_timeout


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """Store the setting; there are no worker processes.

    Follows: mindspore.dataset.config.set_multiprocessing_timeout_interval (2.10).
    """
    _settings.multiprocessing_timeout_interval = _positive(interval, "interval")


def get_multiprocessing_timeout_interval() -> int:
    """Follows: mindspore.dataset.config.get_multiprocessing_timeout_interval (2.10)."""
    return _settings.multiprocessing_timeout_interval


def _boolean(value: bool, name: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be of type bool, got {type(value)}.")
    return value
