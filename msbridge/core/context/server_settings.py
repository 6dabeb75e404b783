"""Settings of what MindSpore runs beside the training: parameter servers, federated learning, memory that is offloaded.

msbridge has no servers; settings are checked and kept, and switching a server on is refused.

Follows: mindspore.context (2.10, and 1.10 and 2.0 for what was taken out).
"""

from collections.abc import Mapping
from typing import Any

from msbridge.core.checks.arguments import boolean, positive_int, require_type
from msbridge.core.checks.no_effect_warnings import without_effect

__all__ = [
    "get_fl_context",
    "get_offload_context",
    "get_ps_context",
    "reset_fl_context",
    "reset_ps_context",
    "set_fl_context",
    "set_offload_context",
    "set_ps_context",
]

PS_DEFAULTS: Mapping[str, Any] = {
    "client_password": "",
    "config_file_path": "",
    "enable_ps": False,
    "enable_ssl": False,
    "ms_role": "MS_NOT_PS",
    "scheduler_ip": "",
    "scheduler_manage_port": 0,
    "scheduler_port": 0,
    "server_mode": "PARAMETER_SERVER",
    "server_num": 0,
    "server_password": "",
    "worker_num": 0,
}
OFFLOAD_DEFAULTS: Mapping[str, Any] = {
    "enable_offload": False,
    "offload_param": "",
    "offload_path": "./offload",
    "offload_checkpoint": "",
    "offload_ddr_size": 0,
    "offload_disk_size": 0,
    "enable_aio": True,
    "aio_block_size": 0,
    "aio_queue_depth": 0,
    "enable_pinned_mem": False,
}

_ps: dict[str, Any] = {}
_fl: dict[str, Any] = {}
FL_DEFAULTS = {  # of 1.7
    "server_mode": "",
    "fl_server_port": 6668,
    "enable_ssl": False,
    "scheduler_ip": "0.0.0.0",
    "scheduler_port": 6667,
    "worker_num": 0,
    "server_num": 0,
    "scheduler_manage_port": 11202,
    "config_file_path": "",
    "fl_name": "",
    "start_fl_job_threshold": 0,
    "start_fl_job_time_window": 300000,
    "share_secrets_ratio": 1.0,
    "update_model_ratio": 1.0,
    "update_model_time_window": 300000,
    "fl_iteration_num": 20,
    "client_epoch_num": 25,
    "client_batch_size": 32,
    "client_learning_rate": 0.0010000000474974513,
    "worker_step_num_per_iteration": 65,
    "root_first_ca_path": "",
    "encrypt_type": "NOT_ENCRYPT",
    "dp_eps": 50.0,
    "dp_delta": 0.009999999776482582,
    "dp_norm_clip": 1.0,
    "global_iteration_time_window": 3600000,
    "pki_verify": False,
}
_offload: dict[str, Any] = {}


def set_ps_context(**settings: Any) -> None:
    """Keep settings of a parameter server, which msbridge does not have.

    Raises:
        RuntimeError: `enable_ps=True` is asked for.
        ValueError: an unknown key.

    Follows: mindspore.set_ps_context (2.10).
    """
    for name in settings:
        if name not in PS_DEFAULTS:
            raise ValueError(
                f"Set PS context keyword {name} is not recognized! The keys are: {', '.join(PS_DEFAULTS)}."
            )
    if settings.get("enable_ps"):
        raise RuntimeError("set_ps_context: msbridge has no parameter server; train without it.")
    if changed := {name: value for name, value in settings.items() if value != PS_DEFAULTS[name]}:
        without_effect("mindspore.set_ps_context.settings", changed)
    _ps.update(settings)


def get_ps_context(attr_key: str) -> Any:
    """Return a setting of the parameter server, which is never enabled.

    Args:
        attr_key: its name, as `set_ps_context` has it.

    Returns:
        Its value.

    Raises:
        ValueError: there is no such setting.

    Follows: mindspore.get_ps_context (2.10).
    """
    if attr_key not in PS_DEFAULTS:
        raise ValueError(f"Get PS context keyword {attr_key} is not recognized!")
    return _ps.get(attr_key, PS_DEFAULTS[attr_key])


def reset_ps_context() -> None:
    """Set what was set of the parameter server back to its defaults.

    Follows: mindspore.reset_ps_context (2.10).
    """
    _ps.clear()


def set_fl_context(**settings: Any) -> None:
    """Keep settings of federated learning, whose servers msbridge does not have.

    Raises:
        RuntimeError: `enable_fl=True` is asked for.

    Follows: mindspore.context.set_fl_context (1.10), whose CPU build has none; 1.7 has.
    """
    if settings.get("enable_fl"):
        raise RuntimeError(
            "set_fl_context: msbridge has no servers for federated learning, which left MindSpore with 2.0; "
            "train without it."
        )
    if changed := {name: value for name, value in settings.items() if name != "enable_fl"}:
        without_effect("mindspore.set_fl_context.settings", changed)
    _fl.update(settings)


def get_fl_context(attr_key: str) -> Any:
    """Return a setting of federated learning.

    Raises:
        ValueError: there is no such setting, and it was not set.

    Follows: mindspore.context.get_fl_context (1.7).
    """
    if attr_key == "enable_fl":
        return False
    known = FL_DEFAULTS | _fl
    if attr_key not in known:
        raise ValueError(f"Get PS context keyword {attr_key} is not recognized!")
    return known[attr_key]


def reset_fl_context() -> None:
    """Forget the settings of federated learning.

    Follows: mindspore.context.reset_fl_context (1.10).
    """
    _fl.clear()


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Keep settings for weights that a real device moves to its host or to disk; here torch manages the memory.

    Raises:
        TypeError: no dict, or a value of another type.
        ValueError: an unknown key, or a value out of range.

    Follows: mindspore.context.set_offload_context (2.0).
    """
    require_type(offload_config, "offload_config", dict)
    owner = "set_offload_context"
    for name, value in offload_config.items():
        if name not in OFFLOAD_DEFAULTS:
            raise ValueError(f"Unknown config: {name!r}. The keys are: {', '.join(OFFLOAD_DEFAULTS)}.")
        kind = type(OFFLOAD_DEFAULTS[name])
        if kind is bool:
            boolean(value, name, owner)
        elif kind is int:
            positive_int(value, name, owner)
        elif not isinstance(value, str):
            raise (TypeError if name == "offload_path" else AttributeError)(
                f"For '{owner}', the '{name}' must be str, but got {type(value).__name__}."
            )
        elif name != "offload_path" and value.lower() not in ("cpu", "disk"):
            raise ValueError(f"For '{owner}', the '{name}' must be 'cpu' or 'disk', but got {value!r}.")
    if changed := {name: value for name, value in offload_config.items() if value != OFFLOAD_DEFAULTS[name]}:
        without_effect("mindspore.set_offload_context.offload_config", changed)
    for name, value in offload_config.items():
        _offload[name] = value.lower() if name in ("offload_param", "offload_checkpoint") else value


def get_offload_context() -> dict[str, Any]:
    """Return the settings for weights that a real device moves to its host or to disk.

    Follows: mindspore.context.get_offload_context (2.0).
    """
    return {**OFFLOAD_DEFAULTS, **_offload}
