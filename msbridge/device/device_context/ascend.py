"""Settings and queries of an Ascend, the emulated one included.

Precision acts: on the emulated Ascend by rounding (`msbridge.device.ascend`), on an NPU by torch_npu's switches. How
kernels are compiled, tuned and watched belongs to Ascend's own libraries; that is checked, and has no effect.
"""

import os
from typing import Any

import torch

from msbridge.core.checks.arguments import instance, non_negative_int, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.runtime.accelerators import driver
from msbridge.device import hardware
from msbridge.device.rounding import MODES

__all__ = [
    "aclinit_config",
    "aclnn_cache",
    "aoe_job_type",
    "aoe_tune_mode",
    "conv_allow_hf32",
    "debug_option",
    "device_count",
    "execute_timeout",
    "is_available",
    "matmul_allow_hf32",
    "op_compile",
    "op_precision_mode",
    "precision_mode",
]

_ACL_KEYS = ("max_opqueue_num", "err_msg_mode", "dump")
_TUNING, _DEBUG = "mindspore.device_context.ascend.op_tuning", "mindspore.device_context.ascend.op_debug"
_PRECISION = "mindspore.device_context.ascend.op_precision"


def is_available() -> bool:
    """Whether torch has an NPU, or the script runs on the emulated Ascend.

    Follows: mindspore.device_context.ascend.is_available (2.10).
    """
    return hardware.is_available("Ascend")


def device_count() -> int:
    """Return the number of devices; the emulated ones are as many as the devices that represent them.

    Raises:
        RuntimeError: there is none, and none is emulated.

    Follows: mindspore.device_context.ascend.device_count (2.10).
    """
    if not is_available():
        raise RuntimeError("There is no Ascend: torch has no NPU, and set_device('Ascend') was not called.")
    return hardware.device_count("Ascend")


def precision_mode(mode: str) -> None:
    """Choose which operators leave float32, as `set_context(ascend_config={"precision_mode": mode})` does.

    Raises:
        ValueError: `mode` is unknown.

    Follows: mindspore.device_context.ascend.op_precision.precision_mode (2.10).
    """
    one_of(mode, "mode", "precision_mode", sorted(MODES))
    context.set_context(ascend_config={**context.get_context("ascend_config"), "precision_mode": mode})


def op_precision_mode(path: str) -> None:
    """Take precisions of single operators from a file; without effect here, which is said once.

    Raises:
        ValueError: there is no such file.

    Follows: mindspore.device_context.ascend.op_precision.op_precision_mode (2.10).
    """
    if not os.path.exists(path):  # noqa: PTH110  any kind of path
        raise ValueError(f"For 'op_precision_mode', there is no file {path!r}.")
    without_effect(f"{_PRECISION}.op_precision_mode.path", path)


def matmul_allow_hf32(value: bool) -> None:
    """Let matrix products of float32 round their inputs: to HF32 on an NPU, to TF32 on CUDA.

    Raises:
        ValueError: `value` is not a bool.

    Follows: mindspore.device_context.ascend.op_precision.matmul_allow_hf32 (2.10).
    """
    one_of(value, "value", "matmul_allow_hf32", (True, False))
    _round("matmul", value, torch.backends.cuda.matmul)


def conv_allow_hf32(value: bool) -> None:
    """Let convolutions of float32 round their inputs: to HF32 on an NPU, to TF32 on CUDA.

    Raises:
        ValueError: `value` is not a bool.

    Follows: mindspore.device_context.ascend.op_precision.conv_allow_hf32 (2.10).
    """
    one_of(value, "value", "conv_allow_hf32", (True, False))
    _round("conv", value, torch.backends.cudnn)


def op_compile(value: bool) -> None:
    """Choose whether kernels are compiled again; without effect here.

    Raises:
        TypeError: `value` is not a bool.

    Follows: mindspore.device_context.ascend.op_tuning.op_compile (2.10).
    """
    without_effect(f"{_TUNING}.op_compile.value", instance(value, "value", "op_compile", bool))


def aoe_tune_mode(tune_mode: str) -> None:
    """Choose how kernels are tuned, "online" or "offline"; without effect here.

    Raises:
        ValueError: `tune_mode` is neither.

    Follows: mindspore.device_context.ascend.op_tuning.aoe_tune_mode (2.10).
    """
    one_of(tune_mode, "tune_mode", "aoe_tune_mode", ("online", "offline"))
    without_effect(f"{_TUNING}.aoe_tune_mode.tune_mode", tune_mode)


def aoe_job_type(config: str) -> None:
    """Choose what is tuned, "1" subgraphs or "2" operators; without effect here.

    Raises:
        ValueError: `config` is neither.

    Follows: mindspore.device_context.ascend.op_tuning.aoe_job_type (2.10).
    """
    one_of(config, "config", "aoe_job_type", ("1", "2"))
    without_effect(f"{_TUNING}.aoe_job_type.config", config)


def aclnn_cache(enable_global_cache: bool = False, cache_queue_length: int = 10000) -> None:
    """Keep prepared kernels; without effect here.

    Raises:
        ValueError: `enable_global_cache` is not a bool, or the length is not positive.

    Follows: mindspore.device_context.ascend.op_tuning.aclnn_cache (2.10).
    """
    one_of(enable_global_cache, "enable_global_cache", "aclnn_cache", (True, False))
    if isinstance(cache_queue_length, bool) or not isinstance(cache_queue_length, int) or cache_queue_length <= 0:
        raise ValueError(f"For 'aclnn_cache', cache_queue_length must be a positive int, got {cache_queue_length!r}.")
    without_effect(f"{_TUNING}.aclnn_cache.enable_global_cache", enable_global_cache)
    without_effect(f"{_TUNING}.aclnn_cache.cache_queue_length", cache_queue_length)


def execute_timeout(op_timeout: int) -> None:
    """Limit the seconds that an operator may take; without effect here.

    Raises:
        TypeError: `op_timeout` is not an int.
        ValueError: it is negative.

    Follows: mindspore.device_context.ascend.op_debug.execute_timeout (2.10).
    """
    without_effect(
        f"{_DEBUG}.execute_timeout.op_timeout", non_negative_int(op_timeout, "op_timeout", "execute_timeout")
    )


def debug_option(option_value: str) -> None:
    """Let the device watch for accesses out of bounds ("oom"); without effect here.

    Raises:
        TypeError: `option_value` is not a str.
        ValueError: it is not "oom".

    Follows: mindspore.device_context.ascend.op_debug.debug_option (2.10).
    """
    one_of(instance(option_value, "option_value", "debug_option", str), "option_value", "debug_option", ("oom",))
    without_effect(f"{_DEBUG}.debug_option.option_value", option_value)


def aclinit_config(config: dict[str, Any]) -> None:
    """Configure Ascend's library; without effect here.

    Raises:
        TypeError: `config` is not a dict.
        ValueError: it has an unknown key.

    Follows: mindspore.device_context.ascend.op_debug.aclinit_config (2.10).
    """
    for key in instance(config, "config", "aclinit_config", dict):
        one_of(key, "config", "aclinit_config", _ACL_KEYS)
    without_effect(f"{_DEBUG}.aclinit_config.config", config)


def _round(what: str, value: bool, of_cuda: Any) -> None:
    module = driver("npu")
    if module is not None:
        getattr(module, what).allow_hf32 = value
    elif context.torch_device().type == "cuda":
        of_cuda.allow_tf32 = value
    else:
        without_effect(f"{_PRECISION}.{what}_allow_hf32.value", value)
