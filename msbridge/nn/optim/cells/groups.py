"""Parameter groups of `mindspore.nn`'s optimizers: a list of parameters, or of dicts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msbridge.core.checks.arguments import boolean
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.parameter.parameter import Parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.checks import legal
from msbridge.nn.schedules.cells import LearningRateSchedule

__all__ = [
    "Decay",
    "Row",
    "check_groups",
    "check_parameters",
    "check_weight_decay",
    "is_spared",
    "rows_of_groups",
    "rows_of_parameters",
]

_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")
Decay = float | Cell


class Row(NamedTuple):
    """A parameter, with the settings of its group."""

    parameter: Parameter
    rate: Parameter | LearningRateSchedule
    decay: Decay
    is_centralized: bool = False


def check_parameters(parameters: Any) -> list[Any]:
    """Return `parameters` as a list, of Parameters or of groups.

    Raises:
        KeyError: a group has an unknown key.
        RuntimeError: a Parameter is in the list twice.
        TypeError: it is not an iterable, or one of something else.
        ValueError: it is None, or there are none.
    """
    if parameters is None:
        raise ValueError("For 'Optimizer', the argument parameters can not be None.")
    if not isinstance(parameters, Iterable) or isinstance(parameters, Parameter):
        raise TypeError(
            "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
            f"please check the 'parameters': got {type(parameters).__name__}."
        )
    items = list(parameters)
    if not items:
        raise ValueError("For 'Optimizer', the argument parameters must not be empty.")
    if not all(isinstance(item, dict) for item in items):
        _check_parameters(items, ValueError)
        return items
    check_groups(items)
    return items


def check_groups(groups: Sequence[dict[str, Any]]) -> None:
    """Check the keys of groups, and that they hold Parameters.

    Raises:
        KeyError: a group has an unknown key.
        TypeError: "params" holds something else, or what is to be iterable is not.
        ValueError: "params" is empty, or "order_params" is beside other keys.
    """
    for group in groups:
        if unknown := [key for key in group if key not in _KEYS]:
            raise KeyError(
                f"For 'Optimizer', the key in group params must be one of in {list(_KEYS)}, but got {unknown}."
                f"{did_you_mean(unknown[0], _KEYS)}"
            )
        if "order_params" in group:
            if len(group) > 1:
                raise ValueError(
                    "For 'Optimizer', the order params dict in group parameters should only include the "
                    f"'order_params' key, but got {list(group)}."
                )
            _list_of_group(group["order_params"], "order_params")
            continue
        for index, item in enumerate(_list_of_group(group["params"], "params")):
            if not isinstance(item, Parameter):
                raise TypeError(
                    "For 'Optimizer', the element in group parameters must be Parameter type, "
                    f"but got {type(item)} at index {index}."
                )


def rows_of_parameters(parameters: Sequence[Parameter], rate: Any, decay: Decay, spared: tuple[str, ...]) -> list[Row]:
    """Return the rows of an optimizer without groups; a parameter with one of the words in its name is not decayed."""
    return [Row(parameter, rate, 0.0 if is_spared(parameter, spared) else decay) for parameter in parameters]


def is_spared(parameter: Parameter, words: tuple[str, ...]) -> bool:
    """Whether the name of a parameter has one of the words that say that it is not decayed."""
    return any(word in parameter.name for word in words)


def rows_of_groups(groups: Sequence[dict[str, Any]], rates: Sequence[Any], decay: Decay, owner: str) -> list[Row]:
    """Return the rows of the groups in the order of the update, with the `rates` of the groups.

    Raises:
        RuntimeError: a Parameter is in two groups.
        TypeError: something in a group has another type.
        ValueError: a group is empty, a number is out of range, or "order_params" does not hold all Parameters.
    """
    rows: list[Row] = []
    order = None
    for group, rate in zip(groups, rates, strict=True):
        if "order_params" in group:
            order = _list_of_group(group["order_params"], "order_params")
            continue
        own_decay = check_weight_decay(group.get("weight_decay", decay), owner)
        parameters = _list_of_group(group["params"], "params")
        is_centralized = boolean(group.get("grad_centralization", False), "gradients_centralization", "Optimizer")
        rows += [Row(parameter, rate, own_decay, is_centralized) for parameter in parameters]
    _check_parameters([row.parameter for row in rows])
    if order is None:
        return rows
    if len(order) != len(rows):
        raise ValueError(
            f"For 'Optimizer', the 'order_params' must hold all {len(rows)} parameters of the groups, got {len(order)}."
        )
    by_id = {id(row.parameter): row for row in rows}
    if strangers := [getattr(item, "name", item) for item in order if id(item) not in by_id]:
        raise ValueError(f"For 'Optimizer', 'order_params' has parameters that are in no group: {strangers}.")
    return [by_id[id(parameter)] for parameter in order]


def check_weight_decay(decay: Any, owner: str) -> Decay:
    """Return a weight decay, a float or a Cell.

    Raises:
        TypeError: it is neither that nor an int.
        ValueError: it is negative, infinite or NaN.
    """
    if isinstance(decay, Cell):
        return decay
    if not isinstance(decay, int | float):
        raise TypeError(
            f"For 'Optimizer', the argument 'weight_decay' must be int, float or Cell, but got {type(decay).__name__}."
        )
    return legal(float(decay), "weight_decay", owner)


def _list_of_group(parameters: Any, name: str) -> list[Any]:
    """Return the entry of a group under the key `name` as a list."""
    if parameters is None:
        raise ValueError(f"For 'Optimizer', the argument group '{name}' can not be None.")
    if not isinstance(parameters, Iterable) or isinstance(parameters, Parameter):
        raise TypeError(
            f"For 'Optimizer', the argument group '{name}' must be an iterable of Parameters, "
            f"but got {type(parameters).__name__}."
        )
    if isinstance(parameters, Iterator):  # MindSpore reads it twice, finds nothing then, and trains nothing
        raise ValueError(
            f"For 'Optimizer', the argument group '{name}' is a {type(parameters).__name__}, which can be read once; "
            "MindSpore would train none of it. Make it a list: list(net.get_parameters())."
        )
    items = list(parameters)
    if not items:
        raise ValueError(f"For 'Optimizer', the argument group '{name}' must not be empty.")
    return items


def _check_parameters(items: list[Any], repeated: type[Exception] = RuntimeError) -> None:
    seen: set[int] = set()
    for item in items:
        if not isinstance(item, Parameter):
            raise TypeError(
                "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
                f"please check the 'parameters': got an element of type {type(item).__name__}."
            )
        if id(item) in seen:
            raise repeated(
                f"For 'Optimizer', the {item.name} parameter already exists, it does not support repeated setting."
            )
        seen.add(id(item))
