"""Private parts of mixed precision, which scripts with training steps of their own import."""

from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.train import amp
from msbridge.train.loss_scale_managers import DynamicLossScaleManager


def _level(
    dtype: mstype.Type, is_kept: bool = False, loss_scale: DynamicLossScaleManager | None = None
) -> dict[str, Any]:
    return {"keep_batchnorm_fp32": is_kept, "cast_model_type": dtype, "loss_scale_manager": loss_scale}


config_level: dict[str, dict[str, Any]] = {
    "O0": _level(mstype.float32),
    "O1": _level(mstype.float32),
    "O2": _level(mstype.float16, True, DynamicLossScaleManager()),
    "O3": _level(mstype.float16),
    "auto": _level(mstype.float32),
}


def do_keep_batchnorm_fp32(network: Cell) -> None:
    """Let the layers that normalize compute in Float32, and return Float16.

    Follows: mindspore.train.amp._do_keep_batchnorm_fp32 (2.10).
    """
    amp.keep_wide(network, amp.get_black_list(), mstype.float16)


def add_loss_network(network: Cell, loss_fn: Cell, cast_model_type: mstype.Type) -> Cell:
    """Return network and loss as one Cell; where the network is of Float16, its output is Float32 for the loss.

    Raises:
        TypeError: `loss_fn` is not a Cell.

    Follows: mindspore.train.amp._add_loss_network (2.10).
    """
    instance(loss_fn, "loss_fn", None, Cell)
    return amp.with_loss(network, loss_fn, cast_model_type)


def auto_mixed_precision_rewrite(
    network: Cell,
    dtype: mstype.Type,
    *,
    white_list: list[type] | None = None,
    black_list: list[type] | None = None,
) -> Cell:
    """Return a network that computes in `dtype` what the white list names, and shares its parameters with `network`.

    Args:
        network: the network.
        dtype: float16 or bfloat16.
        white_list: Cells and primitives that run in `dtype`, all else in Float32.
        black_list: None; `mindspore.amp.custom_mixed_precision` takes a list.

    Raises:
        NotImplementedError: there is a black list.
        TypeError: `network` is not a Cell.
        ValueError: both lists or none.

    Follows: mindspore.train.amp._auto_mixed_precision_rewrite (2.10).
    """
    if (white_list is None) == (black_list is None):
        raise ValueError("For _auto_mixed_precision_rewrite, one of white_list and black_list must be provided.")
    if black_list is not None:
        raise NotImplementedError(
            "For _auto_mixed_precision_rewrite, black_list is not supported in msbridge. Use "
            "mindspore.amp.custom_mixed_precision(network, black_list=…)."
        )
    return amp.custom_mixed_precision(network, white_list=white_list, dtype=dtype)
