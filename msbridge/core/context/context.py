"""The execution context: mode, device, and the settings that scripts of any release ask for.

Settings of MindSpore's own compiler and runtime (graph dumps, memory pools, kernel fusion …) are checked and kept, so
that a script reads back what it wrote; they have nothing to act on here (mappings/without_effect.toml).

Follows: mindspore.context (2.10) and the keys that earlier releases had.
"""

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from msbridge.core.checks.arguments import at_least, boolean, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.context.parallel_settings import check_parts_of_settings, link_settings
from msbridge.core.context.server_settings import (
    get_fl_context,
    get_offload_context,
    get_ps_context,
    reset_fl_context,
    reset_ps_context,
    set_fl_context,
    set_offload_context,
    set_ps_context,
)
from msbridge.core.context.settings import (
    AUTO_PARALLEL_KEYS,
    COMPATIBLE,
    CONTEXT_KEYS,
    GRAPH_MODE,
    INNER_KEYS,
    LAX,
    NAMES,
    PYNATIVE_MODE,
    READ_ONLY,
    SIZES,
    STRICT,
    Key,
    ParallelMode,
    check,
    check_for_device,
    check_type,
    gibibytes,
    instead,
)
from msbridge.core.releases import release
from msbridge.core.releases.rows import Default
from msbridge.core.runtime import accelerators, thread_count
from msbridge.core.runtime.accelerators import DeviceInfo

__all__ = [
    "COMPATIBLE",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "STRICT",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "get_fl_context",
    "get_offload_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "reset_fl_context",
    "reset_ps_context",
    "set_auto_parallel_context",
    "set_context",
    "set_fl_context",
    "set_offload_context",
    "set_ps_context",
]

_TARGETS = ("CPU", "GPU", "Ascend", "Davinci")
_SPELLINGS = {"gpu": "GPU", "cuda": "GPU", "ascend": "Ascend", "npu": "Ascend"}
_MODE = Default("context.set_context.mode", 1)
_OP_TIMEOUT = Default("context.set_context.op_timeout", 900)
_SEARCH_MODE = Default("context.set_auto_parallel_context.search_mode", "recursive_programming")


@dataclass
class _Context:
    """Settings of the context; keys that were not set have their defaults."""

    mode: int | None = None
    device_target: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    auto_parallel: dict[str, Any] = field(default_factory=dict)
    device: torch.device | None = None
    is_notified: bool = False


_state = _Context()
_listeners: list[Callable[[], None]] = []


def set_context(*, mode: int | None = None, device_target: str | None = None, **settings: Any) -> None:
    """Choose mode, device and settings; a setting that is not named keeps its value.

    Args:
        mode: GRAPH_MODE (0) or PYNATIVE_MODE (1). Both run the same eager engine.
        device_target: "CPU", "GPU" or "Ascend". "Ascend" without an NPU is emulated on CUDA or the CPU; "GPU"
            without CUDA runs on MPS or the CPU, which is said once.
        settings: any key of any release; device_id, max_call_depth, save_graphs, deterministic, jit_config, ….
            runtime_num_threads is how many threads compute, at most the physical cores.

    Raises:
        TypeError: a value has the wrong type.
        ValueError: an unknown key, or a value out of range.

    Examples:
        >>> ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")

    Follows: mindspore.set_context (2.10).
    """
    if mode is not None:
        check_type("mode", mode, (int,))
        if mode not in (GRAPH_MODE, PYNATIVE_MODE):
            raise ValueError(
                "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
                f"context.PYNATIVE_MODE (1), but got {mode}."
            )
    if device_target is not None:
        check_type("device_target", device_target, (str,))
        one_of(device_target, "device_target", "context.set_context", _TARGETS)
    for name, value in settings.items():
        if name not in CONTEXT_KEYS:
            raise ValueError(
                f"For 'context.set_context', the keyword argument {name} is not recognized!{instead(name, NAMES)}"
            )
        check("context.set_context", name, value, CONTEXT_KEYS[name])
    if isinstance(settings.get("save_graphs"), int) and not 0 <= settings["save_graphs"] <= 3:
        raise ValueError(f"value for save_graphs should be 0-3 but got '{settings['save_graphs']}'")
    target = device_target or _state.device_target or accelerators.best_target()
    target = "Ascend" if target == "Davinci" else target
    check_for_device(settings, target)
    _state.mode = _state.mode if mode is None else mode
    if device_target is not None:
        _state.device_target = target
        _state.device = None
    if "device_id" in settings:
        _state.device = None
    if "deterministic" in settings:
        set_deterministic(settings["deterministic"] == "ON")
    if threads := settings.get("runtime_num_threads"):
        thread_count.use(threads)
    idle = {name: value for name, value in settings.items() if name not in SIZES or target not in SIZES[name][-1]}
    _notify("mindspore.set_context", idle, CONTEXT_KEYS)
    _state.settings.update(settings)
    notify_listeners()


def get_context(attr_key: str) -> Any:
    """Return the value of a setting.

    Args:
        attr_key: its name, as `set_context` has it.

    Returns:
        Its value.

    Raises:
        ValueError: there is no such setting.

    Examples:
        >>> ms.get_context("mode") == ms.PYNATIVE_MODE  # the default since 2.0
        True

    Follows: mindspore.get_context (2.10).
    """
    if attr_key == "mode":
        return _MODE.value if _state.mode is None else _state.mode
    if attr_key == "device_target":
        return device_target()
    if attr_key == "device_id":
        return device_id()
    if attr_key in INNER_KEYS:
        config, unless_set = INNER_KEYS[attr_key]
        is_for_here = config != "ascend_config" or device_target() == "Ascend"
        value = _state.settings.get(config, {}).get(attr_key, unless_set) if is_for_here else unless_set
        return str(int(value)) if unless_set == "" and isinstance(value, int) else value  # True is "1"
    if attr_key in READ_ONLY:
        return READ_ONLY[attr_key]
    if attr_key not in CONTEXT_KEYS:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized!{instead(attr_key, NAMES)}"
        )
    unless_set = _OP_TIMEOUT.value if attr_key == "op_timeout" else CONTEXT_KEYS[attr_key].default
    value = _state.settings.get(attr_key, unless_set)
    if attr_key in SIZES and device_target() not in SIZES[attr_key][-1]:  # MindSpore ignores it there
        value = CONTEXT_KEYS[attr_key].default
    if attr_key in ("max_device_memory", "mempool_block_size"):
        return gibibytes(value)
    if attr_key == "memory_optimize_level":
        return int(value[1:])
    is_level = attr_key == "save_graphs" and int in CONTEXT_KEYS[attr_key].types  # a bool in r1.0
    return int(value) if is_level else value


def jit_level() -> str:
    """Return the level of compilation of functions: "O0", "O1" or "O2"; "" where none is set."""
    settings = _state.settings
    level: str = settings.get("jit_level") or settings.get("jit_config", {}).get("jit_level", "")
    return level


def are_set(*names: str) -> bool:
    """Whether one of these settings was set."""
    return not _state.settings.keys().isdisjoint(names)


def on_change(listener: Callable[[], None]) -> None:
    """Call a function whenever settings or the release have changed; at once, if that has happened already."""
    _listeners.append(listener)
    if _state.settings or release.release() != release.NEWEST:
        listener()


def notify_listeners() -> None:
    """Call the listeners of `on_change`."""
    for listener in _listeners:
        listener()


release.follow(notify_listeners)  # the defaults of settings, too, are the release's


def device_target() -> str:
    """Return the device that the script asked for; where it asked for none, the best that is here."""
    return accelerators.best_target() if _state.device_target is None else _state.device_target


def device_id() -> int:
    """Return the number of the device: what the script set, or the variable DEVICE_ID, or 0."""
    number = _state.settings.get("device_id")
    if number is None:
        variable = os.environ.get("DEVICE_ID", "")
        return int(variable) if variable.isdecimal() else 0
    return int(number)


def torch_device() -> torch.device:
    """Return the torch device on which new Tensors are allocated."""
    if _state.device is None:
        _state.device = _select_device(device_target(), device_id())
        if _state.device.index:  # torch's own functions mean the current device, which is number 0 until then
            accelerators.driver(_state.device.type).set_device(_state.device.index)
    return _state.device


def device_named(name: str) -> torch.device:
    """Return the torch device for a name in a script, such as "CPU", "Ascend", "GPU:1", or "meta", which has no memory.

    Without a number the context's device is meant, where the context has an accelerator; of any kind, it is what
    represents the device that the script names.

    Raises:
        ValueError: there is no such device.
    """
    kind, _, number = name.partition(":")
    if name.lower() in ("cpu", "meta"):
        return torch.device(name.lower())
    if kind.lower() not in _SPELLINGS or not (number.isdecimal() or name == kind):
        raise ValueError(f"A device is 'CPU', 'GPU' or 'Ascend', or one of several such as 'GPU:1', got {name!r}.")
    device = torch_device()
    target = _SPELLINGS[kind.lower()] if device.type == "cpu" else device_target()
    if device.type == "cpu" or number:
        return _select_device(target, int(number or 0))
    return device


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose the device; Tensors and Parameters that are created from then on lie there.

    Args:
        device_target: "CPU", "GPU" or "Ascend".
        device_id: which of several; None keeps what DEVICE_ID or `init` chose, 0 where neither did.

    Raises:
        TypeError: an argument is of another type.
        ValueError: unknown device, or a negative id.

    Follows: mindspore.set_device (2.10).
    """
    check_type("device_target", device_target, (str,))
    one_of(device_target, "device_target", None, accelerators.CHOICES)
    if device_id is None:
        set_context(device_target=device_target)
        return
    check_type("device_id", device_id, (int,))
    at_least(device_id, "device_id", None)
    set_context(device_target=device_target, device_id=device_id)


def get_current_device() -> DeviceInfo:
    """Return the device's name and number.

    Follows: mindspore.get_current_device (2.10).
    """
    return DeviceInfo((device_target(), device_id()))


class DeviceCtx:
    """A block in which new Tensors and Parameters lie on another device; on "meta" they have shapes and no values.

    Args:
        name: "CPU", "GPU", "Ascend" or "meta".
        device_id: which of several accelerators; None for the context's.

    Raises:
        ValueError: another device, when the block begins.

    Follows: mindspore.DeviceCtx (2.10).
    """

    def __init__(self, name: str, device_id: int | None = None) -> None:
        self._device = name
        self._device_id = device_id

    def __enter__(self) -> "DeviceCtx":
        names = (*accelerators.CHOICES, "meta")
        if self._device not in names:
            raise ValueError(f"For 'DeviceCtx', the name must be one of {list(names)}, but got {self._device!r}.")
        self._before = torch_device()
        is_one_of_several = self._device_id is not None and self._device in ("GPU", "Ascend")
        _state.device = device_named(f"{self._device}:{self._device_id}" if is_one_of_several else self._device)
        return self

    def __exit__(self, *error: object) -> None:
        _state.device = self._before


def set_deterministic(deterministic: bool) -> None:
    """Use deterministic algorithms, where torch has them.

    Raises:
        TypeError: `deterministic` is not a bool.

    Follows: mindspore.set_deterministic (2.10).
    """
    boolean(deterministic, "deterministic", None)
    torch.use_deterministic_algorithms(deterministic, warn_only=True)
    _state.settings["deterministic"] = "ON" if deterministic else "OFF"


def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads.

    Raises:
        TypeError: a value has the wrong type.
        ValueError: an unknown key, or a value out of range.

    Examples:
        >>> ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        >>> ms.get_auto_parallel_context("gradients_mean")
        True

    Follows: mindspore.set_auto_parallel_context (2.10).
    """
    for name, value in settings.items():
        if name not in AUTO_PARALLEL_KEYS:
            raise ValueError(f"Set context keyword {name} is not recognized!{instead(name, AUTO_PARALLEL_KEYS)}")
        check("set_auto_parallel_context", name, value, AUTO_PARALLEL_KEYS[name])
    if settings.get("parallel_mode", ParallelMode.STAND_ALONE) not in ParallelMode.MODE_LIST:
        raise ValueError(
            "The context configuration parameter 'parallel_mode' only support 'stand_alone', 'data_parallel', "
            "'hybrid_parallel', 'semi_auto_parallel' and 'auto_parallel', "
            f"but got the value : {settings['parallel_mode']}."
            f"{did_you_mean(settings['parallel_mode'], ParallelMode.MODE_LIST)}"
        )
    check_parts_of_settings(settings)
    if "mirror_mean" in settings:
        settings["gradients_mean"] = settings["mirror_mean"]
    _notify("mindspore.set_auto_parallel_context", settings, AUTO_PARALLEL_KEYS)
    _state.auto_parallel.update(link_settings(settings, get_auto_parallel_context))
    notify_listeners()


def get_auto_parallel_context(attr_key: str) -> Any:
    """Return the value of a setting of distributed training.

    Raises:
        ValueError: there is no such setting.

    Examples:
        >>> ms.get_auto_parallel_context("parallel_mode")
        'stand_alone'

    Follows: mindspore.get_auto_parallel_context (2.10).
    """
    if attr_key not in AUTO_PARALLEL_KEYS:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!{instead(attr_key, AUTO_PARALLEL_KEYS)}")
    if attr_key in ("auto_parallel_search_mode", "search_mode") and attr_key not in _state.auto_parallel:
        return _SEARCH_MODE.value
    return _state.auto_parallel.get(attr_key, AUTO_PARALLEL_KEYS[attr_key].default)


def is_set(attr_key: str) -> bool:
    """Whether a setting of distributed training was set since the last reset."""
    return attr_key in _state.auto_parallel


def reset_auto_parallel_context() -> None:
    """Reset every setting of distributed training to its default.

    Examples:
        >>> ms.reset_auto_parallel_context()
        >>> ms.get_auto_parallel_context("gradients_mean")
        False

    Follows: mindspore.reset_auto_parallel_context (2.10).
    """
    _state.auto_parallel.clear()
    notify_listeners()


@contextlib.contextmanager
def preserve_context() -> Iterator[None]:
    """Restore the context when the block ends; listeners are called where that changes something."""
    saved = replace(_state, settings=dict(_state.settings), auto_parallel=dict(_state.auto_parallel))
    try:
        yield
    finally:
        if _state != saved:
            vars(_state).update(vars(saved))
            notify_listeners()


def _select_device(target: str, index: int) -> torch.device:
    kind = accelerators.kind_for(target)
    if kind == "cpu":
        if target == "GPU" and not _state.is_notified:
            _state.is_notified = True
            warnings.warn("device_target='GPU', but torch finds no GPU: running on the CPU.", stacklevel=2)
        return torch.device("cpu")
    count = accelerators.device_count(kind)
    if index >= count and accelerators.ACCELERATORS[kind].target == target:
        raise RuntimeError(f"There is no {target} {index}: this machine has {count}, numbered from 0.")
    return torch.device(kind, index % count)  # an emulated Ascend may have a number that this machine has no GPU for


def _notify(owner: str, settings: Mapping[str, Any], keys: Mapping[str, Key]) -> None:
    for name, value in settings.items():
        if value != keys[name].default and name != "enable_parallel_optimizer":  # an optimizer says it, by the mode
            without_effect(f"{owner}.{name}", value)
