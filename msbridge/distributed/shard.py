"""shard and reshard: how the inputs of a function, and a Tensor, are divided over processes."""

from collections.abc import Callable, Mapping
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.groups.group import get_group_size
from msbridge.distributed.layout import Layout

__all__ = ["Shard", "reshard", "shard"]

Function = Callable[..., Any]


class Shard:
    """The object form of `shard`: called with a function and strategies, it returns the divided function.

    Follows: mindspore.parallel.shard.Shard (2.10).
    """

    def __call__(
        self,
        fn: Function,
        in_strategy: Any,
        out_strategy: Any = None,
        parameter_plan: Mapping[str, Any] | None = None,
        device: str = "Ascend",
        level: int = 0,
    ) -> Function:
        """Return the function that computes divided; in one process it is `fn`. The arguments are those of `shard`."""
        return self.of_cell(fn, fn, in_strategy, out_strategy, parameter_plan, device, level)

    def of_cell(
        self,
        owner: Function,
        fn: Function,
        in_strategy: Any,
        out_strategy: Any,
        parameter_plan: Mapping[str, Any] | None,
        device: str,
        level: int,
    ) -> Function:
        """Return `fn` divided, with the Parameters of `owner`.

        Raises:
            TypeError: a strategy is not a tuple of tuples of ints or of Layouts, a plan is not a dict or `fn` is not a
                Cell, or `device` or `level` of another type.
            ValueError: a plan does not fit its Parameter.
        """
        _check_strategy(in_strategy, "in_strategy")
        if out_strategy is not None:
            _check_strategy(out_strategy, "out_strategy")
        for name, value, kind in (("device", device, str), ("level", level, int)):
            if not isinstance(value, kind):
                raise TypeError(f"For 'Shard', '{name}' must be {kind.__name__}, but got {type(value).__name__}.")
        plan = _check_plan(owner, parameter_plan)
        if get_group_size() == 1:
            return fn
        from msbridge.distributed.sharding.functions import shard_function  # torch's DTensor takes a second to load

        return shard_function(fn, in_strategy, out_strategy, plan)


def shard(
    fn: Function,
    in_strategy: Any,
    out_strategy: Any = None,
    parameter_plan: Mapping[str, Any] | None = None,
    device: str = "Ascend",
    level: int = 0,
) -> Function:
    """Return the function that computes with inputs, outputs and Parameters divided over the processes.

    In one process it is `fn`, and nothing is checked. Operators inside follow their inputs.

    Args:
        fn: a Cell or function.
        in_strategy: for each input a tuple with the number of parts of each axis, or a Layout.
        out_strategy: likewise for each output; None leaves them as they are.
        parameter_plan: by the names of a Cell's Parameters, how they are divided.
        device: accepted, as by the earlier releases that had it.
        level: likewise.

    Returns:
        A function of the same inputs.

    Raises:
        TypeError: in several processes: a strategy is not a tuple of tuples of ints or of Layouts, or a plan is not a
            dict or `fn` is not a Cell.
        ValueError: in several processes: a plan does not fit its Parameter; in a call: a strategy does not fit.

    Follows: mindspore.shard (2.10), mindspore.ops.shard (2.2).
    """
    return fn if get_group_size() == 1 else Shard()(fn, in_strategy, out_strategy, parameter_plan, device, level)


def reshard(tensor: Tensor, layout: Layout) -> Tensor:
    """Divide a Tensor as a Layout says; its values stay. In one process it is `tensor`, and nothing is checked.

    Args:
        tensor: any shape and dtype.
        layout: the layout of a tensor with as many axes.

    Returns:
        A Tensor of the same values.

    Raises:
        TypeError: in several processes: an argument is of another type.
        ValueError: in several processes: the Layout is not for them.

    Follows: mindspore.parallel.function.reshard (2.10).
    """
    if get_group_size() == 1:
        return tensor
    if not isinstance(tensor, Tensor):
        raise TypeError(f"reshard takes a Tensor, but got: {type(tensor)}.")
    if not isinstance(layout, Layout):
        raise TypeError(f"reshard takes a Layout, but got: {type(layout)}.")
    from msbridge.distributed.sharding.operators import redistribute_by_layout  # torch's DTensor takes a second to load

    return redistribute_by_layout("reshard", tensor, layout.to_dict())


def _check_strategy(strategy: Any, name: str) -> None:
    instance(strategy, name, "Shard", tuple)
    kinds = set()
    for part in strategy:
        if not isinstance(part, tuple | Layout):
            raise TypeError(f"For 'Shard', '{name}' must have tuples of ints or Layouts, but got {part!r}.")
        if isinstance(part, tuple) and not all(isinstance(parts, int) for parts in part):
            raise TypeError(f"For 'Shard', the parts of '{name}' must be ints, but got {part!r}.")
        kinds.add(isinstance(part, tuple))
    if len(kinds) != 1:
        raise TypeError(f"For 'Shard', '{name}' must be all of tuples, or all of Layouts, but got {strategy!r}.")


def _check_plan(fn: Any, plan: Any) -> list[tuple[Parameter, Any]]:
    """Return the division of Parameters by a plan; unknown names are passed over."""
    if plan is None:
        return []
    if not isinstance(plan, dict):
        raise TypeError(f"For 'Shard', 'parameter_plan' must be a dict or None, but got {type(plan).__name__}.")
    if not hasattr(fn, "trainable_params"):
        raise TypeError(f"If parameter_plan is set, fn must be a Cell, but got {type(fn)}.")
    divisions = []
    known = {parameter.name: parameter for parameter in fn.trainable_params()}
    for name, strategy in plan.items():
        if not isinstance(name, str) or not isinstance(strategy, tuple | Layout):
            raise TypeError(
                "For 'Shard', parameter_plan must have str and tuple or Layout, but got "
                f"{type(name).__name__} and {type(strategy).__name__}."
            )
        parameter = known.get(name.removeprefix("self."))
        if parameter is None:
            continue
        if isinstance(strategy, tuple):
            _check_part_lengths(name, parameter.shape, strategy)
        divisions.append((parameter, strategy))
    return divisions


def _check_part_lengths(name: str, shape: tuple[int, ...], strategy: tuple[int, ...]) -> None:
    if len(strategy) != len(shape):
        raise ValueError(f"For {name}, the strategy {strategy} is not for the axes of its shape {shape}.")
    for length, parts in zip(shape, strategy, strict=True):
        if length % parts:
            raise ValueError(f"For '{name}', the shape {shape} cannot be divided by the strategy {strategy}.")
