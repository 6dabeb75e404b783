"""The slices of a parameter assembled, in MindSpore's words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from msbridge.converters.shards.layout import SliceLayout
from msbridge.converters.shards.strategy import layouts
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import wrap

__all__ = ["merge_sliced_parameter"]


def merge_sliced_parameter(sliced_parameters: list[Parameter], strategy: Mapping[str, Any] | None = None) -> Parameter:
    """Put the slices of a parameter together.

    Args:
        sliced_parameters: the slices in the order of their ranks, of one name; bfloat16 becomes float32.
        strategy: what `build_searched_strategy` returned; None: they are joined along the first axis.

    Returns:
        The whole Parameter.

    Raises:
        TypeError: the slices are not a list of Parameters, or the strategy is not a dict.
        ValueError: there are no slices, or too few, or their names or shapes do not fit.
        KeyError: the strategy has not the parameter.

    Follows: mindspore.merge_sliced_parameter (2.10).
    """
    first = _check_strategy(sliced_parameters, strategy)
    data = [one._data.float() if one._data.dtype is torch.bfloat16 else one._data for one in sliced_parameters]
    if not strategy:
        whole = torch.cat(data)
    elif first.name not in strategy:
        raise KeyError(
            f"For 'merge_sliced_parameter', the parameter name {first.name} should be a key in the 'strategy'. Please "
            "check 'sliced_parameter' and 'strategy'."
        )
    else:
        (layout,) = layouts({"slices": strategy[first.name]}).values()
        whole = merge_slices(data, replace(layout, optimizer_step=0))
    return Parameter(wrap(whole), first.name, first.requires_grad, first.layerwise_parallel)


def merge_slices(slices: Sequence[torch.Tensor], layout: SliceLayout) -> torch.Tensor:
    """Put slices together.

    Args:
        slices: those of all ranks; of copies the last is taken.
        layout: how they were cut.

    Raises:
        ValueError: their number or shapes do not fit.
    """
    if len(slices) != layout.device_count:
        raise ValueError(
            "For 'merge_sliced_parameter', the length of 'sliced_parameters' should be equal to device_count. The "
            f"length of 'sliced_parameters' is {len(slices)}, but device_count is {layout.device_count}."
        )
    if not layout.lengths and len({one.shape for one in slices}) > 1:
        raise ValueError(
            "For 'merge_sliced_parameter', the shape of every parameter in 'sliced_parameters' should be the same when "
            "slice manner is even."
        )
    if layout.field > 0 and not layout.lengths:
        columns = slices[0].shape[1]
        return torch.cat([one.reshape(layout.field, -1, columns) for one in slices], 1).reshape(-1, columns)
    counts = layout.pieces()
    if layout.lengths and len(layout.lengths) != math.prod(counts):
        raise ValueError(
            f"For 'merge_sliced_parameter', the param_split_shape length in 'strategy' should be {math.prod(counts)}, "
            f"but got {len(layout.lengths)}."
        )
    parts: dict[int, torch.Tensor] = {}
    for rank, piece in enumerate(slices):
        number = 0
        for digit, count in zip(layout.numbers(rank), counts, strict=True):
            number = number * count + digit
        if layout.lengths and piece.shape[0] != layout.lengths[number]:
            raise ValueError(
                f"For 'merge_sliced_parameter', the slice {number} should be {layout.lengths[number]} in 0 axis, but "
                f"got {piece.shape[0]}."
            )
        parts[number] = piece
    return _join_slices([parts[number] for number in sorted(parts)], counts)


def _join_slices(slices: list[torch.Tensor], counts: Sequence[int]) -> torch.Tensor:
    """Join slices along one axis after the other, the last one first."""
    for axis in reversed(range(len(counts))):
        step = counts[axis]
        slices = [torch.cat(slices[start : start + step], axis) for start in range(0, len(slices), step)]
    return slices[0].clone()


def _check_strategy(sliced: Any, strategy: Any) -> Parameter:
    op = "For 'merge_sliced_parameter', the"
    if not isinstance(sliced, list):
        raise TypeError(f"{op} argument 'sliced_parameters' should be list, but got {type(sliced)}.")
    if not sliced:
        raise ValueError(f"{op} argument 'sliced_parameters' should not be empty.")
    if strategy and not isinstance(strategy, dict):
        raise TypeError(f"{op} argument 'strategy' should be dict, but got {type(strategy)}.")
    first = sliced[0]
    for index, each in enumerate(sliced):
        if not isinstance(each, Parameter):
            raise TypeError(
                f"{op} element in 'sliced_parameters' should be 'Parameter', but got {type(each)} at index {index}."
            )
        if (each.name, each.ndim, each.shape[1:]) != (first.name, first.ndim, first.shape[1:]):
            raise ValueError(
                f"{op} elements in 'sliced_parameters' must have the same name, dimension length and shape except 0 "
                f"axis: those of the first are {first.name}, {first.ndim}, {first.shape[1:]}, but got {each.name}, "
                f"{each.ndim}, {each.shape[1:]} at index {index}."
            )
    return first  # type: ignore[no-any-return]
