"""A callback for the fault tolerance of clusters of Ascend chips."""

import os
from collections.abc import Callable
from typing import Any

from msbridge.core.runtime.callback import Callback

__all__ = ["TrainFaultTolerance"]

_MODES = ("TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1")


class TrainFaultTolerance(Callback):
    """Saves and repairs a run on a cluster of Ascend chips after a failure, by MindIO's service; not here.

    Args:
        ckpt_save_path: folder for checkpoints after a failure.
        kwargs: among them `ckpt_save_fn`, a function that saves instead.

    Raises:
        ValueError: there is neither a folder nor a function, or MS_ENABLE_TFT in the environment asks for none of the
            kinds of repair.
        ModuleNotFoundError: else: the service is not to be had without the chips. ModelCheckpoint saves without it.

    Follows: mindspore.train.TrainFaultTolerance (2.10).
    """

    def __init__(self, ckpt_save_path: str | None = None, **kwargs: Callable[..., Any]) -> None:
        super().__init__()
        if ckpt_save_path is None and kwargs.get("ckpt_save_fn") is None:
            raise ValueError("For 'TrainFaultTolerance', set ckpt_save_path or ckpt_save_fn.")
        if not any(mode in os.environ.get("MS_ENABLE_TFT", "") for mode in _MODES):
            raise ValueError(
                f"For 'TrainFaultTolerance', MS_ENABLE_TFT in the environment must have one of {list(_MODES)}."
            )
        raise ModuleNotFoundError(
            "TrainFaultTolerance needs MindIO's service on a cluster of Ascend chips. Use mindspore.train."
            "ModelCheckpoint, and continue from its files."
        )
