"""Settings and queries of a GPU. The switches are torch's own, and hold once there is one."""

import torch

from msbridge.core.checks.arguments import boolean, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.device import hardware

__all__ = [
    "conv_allow_tf32",
    "conv_dgrad_algo",
    "conv_fprop_algo",
    "conv_wgrad_algo",
    "device_count",
    "is_available",
    "matmul_allow_tf32",
]

# cuDNN's algorithms by what they are for; torch leaves the choice to cuDNN, or lets it measure ("performance").
_BACKWARD = {
    "dgrad": ("normal", "performance", "algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused"),
    "wgrad": ("normal", "performance", "algo_0", "algo_1", "algo_3", "fft", "fft_tiling", "winograd_nonfused"),
}
_FORWARD = (
    *("normal", "performance", "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd"),
    "winograd_nonfused",
)


def is_available() -> bool:
    """Whether torch finds a GPU.

    Follows: mindspore.device_context.gpu.is_available (2.10).
    """
    return hardware.is_available("GPU")


def device_count() -> int:
    """Return the number of GPUs.

    Raises:
        RuntimeError: there is none.

    Follows: mindspore.device_context.gpu.device_count (2.10).
    """
    if not is_available():
        raise RuntimeError("There is no GPU: torch finds none on this machine.")
    return hardware.device_count("GPU")


def matmul_allow_tf32(value: bool) -> None:
    """Let matrix products of float32 round their inputs to TF32.

    Raises:
        TypeError: `value` is not a bool.

    Follows: mindspore.device_context.gpu.op_precision.matmul_allow_tf32 (2.10).
    """
    torch.backends.cuda.matmul.allow_tf32 = boolean(value, "value", "matmul_allow_tf32")


def conv_allow_tf32(value: bool) -> None:
    """Let convolutions of float32 round their inputs to TF32.

    Raises:
        TypeError: `value` is not a bool.

    Follows: mindspore.device_context.gpu.op_precision.conv_allow_tf32 (2.10).
    """
    torch.backends.cudnn.allow_tf32 = boolean(value, "value", "conv_allow_tf32")


def conv_fprop_algo(mode: str) -> None:
    """Choose how cuDNN finds its algorithm for convolutions: "performance" measures, "normal" does not.

    Args:
        mode: an algorithm by name has no effect in torch, which is said once.

    Raises:
        ValueError: `mode` is unknown.

    Follows: mindspore.device_context.gpu.op_tuning.conv_fprop_algo (2.10).
    """
    _choose("conv_fprop_algo", mode, _FORWARD)


def conv_dgrad_algo(mode: str) -> None:
    """Choose how cuDNN finds its algorithms, as `conv_fprop_algo` does: torch has one switch for all.

    Raises:
        ValueError: `mode` is unknown.

    Follows: mindspore.device_context.gpu.op_tuning.conv_dgrad_algo (2.10).
    """
    _choose("conv_dgrad_algo", mode, _BACKWARD["dgrad"])


def conv_wgrad_algo(mode: str) -> None:
    """Choose how cuDNN finds its algorithms, as `conv_fprop_algo` does: torch has one switch for all.

    Raises:
        ValueError: `mode` is unknown.

    Follows: mindspore.device_context.gpu.op_tuning.conv_wgrad_algo (2.10).
    """
    _choose("conv_wgrad_algo", mode, _BACKWARD["wgrad"])


def _choose(name: str, mode: str, modes: tuple[str, ...]) -> None:
    one_of(mode, "mode", name, modes)
    if mode in ("normal", "performance"):
        torch.backends.cudnn.benchmark = mode == "performance"
    else:
        without_effect(f"mindspore.device_context.gpu.op_tuning.{name}.mode", mode)
