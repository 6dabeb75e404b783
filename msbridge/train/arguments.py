"""Argument checks of Model, each as MindSpore does."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import boolean
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.amp import LEVELS

__all__ = ["check_input", "check_keywords", "check_levels", "check_optimizer", "decide_to_sink"]

_KWARGS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")
_BOOST_LEVELS = ("O0", "O1", "O2")
_SINK_MODE = Default("train.Model.train.dataset_sink_mode", False)


def check_levels(amp_level: str, boost_level: str) -> None:
    """Check the levels of mixed precision and boost.

    Raises:
        ValueError: one is not to be had.
    """
    if amp_level not in LEVELS:
        raise ValueError(f"The 'level' should be in : {list(LEVELS)}, but got {amp_level}.")
    if boost_level not in _BOOST_LEVELS:
        raise ValueError(f"The 'boost_level' should be in : {list(_BOOST_LEVELS)}, but got {boost_level}.")


def check_optimizer(optimizer: Any, amp_level: str) -> None:
    """Check that there is an optimizer where precisions are mixed.

    Raises:
        ValueError: there is none.
    """
    if optimizer is None and amp_level != "O0":
        raise ValueError(
            "Auto mixed precision will not work because 'optimizer' is None.Please set amp_level='O0' to disable auto "
            "mixed precision or set 'optimizer' not be None to use auto mixed precision."
        )


def check_keywords(kwargs: Mapping[str, Any]) -> None:
    """Check the names of further arguments.

    Raises:
        ValueError: one is unknown.
    """
    for name in kwargs:
        if name not in _KWARGS:
            raise ValueError(f"The argument in 'kwargs' should be one of {list(_KWARGS)}, but got '{name}'.")


def decide_to_sink(asked: bool | None) -> bool:
    """Return whether a run is asked to sink its data; None is the default of the release that is followed.

    Raises:
        TypeError: it is neither a bool nor None.
    """
    return _SINK_MODE.value if asked is None else boolean(asked, "dataset_sink_mode", "Model")


def check_input(value: Any) -> None:
    """Check an input of a prediction.

    Raises:
        TypeError: it is nothing that a network takes.
    """
    inner: Iterator[Any] = iter(())
    if isinstance(value, tuple | list):
        inner = iter(value)
    elif isinstance(value, dict):
        inner = iter(value.values())
    elif value is not None and not isinstance(value, Tensor | int | float | str):
        raise TypeError(
            "The types of input data must be Tensor, None, int, float, str, or a tuple, list or dict of them, "
            f"but got type {type(value).__name__}{'; wrap it in Tensor' if isinstance(value, np.ndarray) else ''}."
        )
    for item in inner:
        check_input(item)
