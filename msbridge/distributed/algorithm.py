"""Settings of the search for a parallel strategy; they are kept, and one process has nothing to search."""

from typing import Any

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]

_DEFAULTS: dict[str, bool | float | int] = {
    "algo_approxi_epsilon": 0.1,
    "elementwise_op_strategy_follow": False,
    "enable_algo_approxi": False,
    "fully_use_devices": False,
    "tensor_slice_align_enable": False,
    "tensor_slice_align_size": 16,
}
_settings = dict(_DEFAULTS)


def set_algo_parameters(**kwargs: Any) -> None:
    """Set some of the settings.

    Args:
        kwargs: fully_use_devices, elementwise_op_strategy_follow, enable_algo_approxi, tensor_slice_align_enable: bool;
            algo_approxi_epsilon: float in (0, 1]; tensor_slice_align_size: int in [1, 1024].

    Raises:
        ValueError: an unknown name, or a size out of range.
        TypeError: a value of a wrong type.
        RuntimeError: algo_approxi_epsilon is out of range.

    Follows: mindspore.parallel.set_algo_parameters (2.10).
    """
    for name, value in kwargs.items():
        if name not in _DEFAULTS:
            raise ValueError(f"For 'set_algo_parameters', {name!r} is not one of {', '.join(_DEFAULTS)}.")
        wanted = type(_DEFAULTS[name])
        if type(value) is not wanted:
            raise TypeError(f"For 'set_algo_parameters', {name} must be of {wanted}, got {type(value)}.")
        if name == "algo_approxi_epsilon" and not 0 < value <= 1:
            raise RuntimeError(f"For 'set_algo_parameters', algo_approxi_epsilon must be in (0, 1], got {value}.")
        if name == "tensor_slice_align_size" and not 1 <= value <= 1024:
            raise ValueError(f"For 'set_algo_parameters', tensor_slice_align_size must be in [1, 1024], got {value}.")
    _settings.update(kwargs)


def get_algo_parameters(attr_key: str) -> bool | float | int:
    """Return one setting.

    Args:
        attr_key: its name, as `set_algo_parameters` has it.

    Returns:
        Its value.

    Raises:
        ValueError: an unknown name.

    Follows: mindspore.parallel.get_algo_parameters (2.10).
    """
    if attr_key not in _settings:
        raise ValueError(f"For 'get_algo_parameters', {attr_key!r} is not one of {', '.join(_DEFAULTS)}.")
    return _settings[attr_key]


def reset_algo_parameters() -> None:
    """Set everything back to its default.

    Follows: mindspore.parallel.reset_algo_parameters (2.10).
    """
    _settings.update(_DEFAULTS)
