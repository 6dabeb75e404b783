"""LRScheduler: what the schedules of `param_groups` share, one call of `step` an epoch.

They compute on the host and write into the Parameters that the optimizer reads.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import at_least, integer
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.parameter.step_scalars import number, scalar_parameter
from msbridge.core.runtime.shared_sections import expand
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.members.docstrings import FAMILIES
from msbridge.nn.optim.experimental.optimizer import Optimizer

__all__ = ["LRScheduler", "Schedule", "per_group", "rate_tensor"]


class Schedule:
    """The base of every schedule: the rates of an optimizer, and the epoch that they are for."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__doc__ and "__doc__" in vars(cls):
            cls.__doc__ = expand(cls.__doc__, FAMILIES)

    def get_last_lr(self) -> list[Tensor]:
        """Return the rates that are set now, one per group."""
        return [rate.value() for rate in self._last_lr]

    def _hold(self, optimizer: Optimizer, last_epoch: float, kind: type[np.number] = np.float32) -> None:
        self.optimizer = optimizer
        self.last_epoch = scalar_parameter(kind(last_epoch), f"last_epoch_{type(self).__name__}", is_constant=True)
        self._last_lr: list[Parameter] = list(optimizer.lrs)

    def _epoch(self) -> float:
        return float(number(self.last_epoch))

    def _set(self, rates: Iterable[Any]) -> None:
        for held, rate in zip(self._last_lr, rates, strict=True):
            held._data.fill_(float(rate))


class LRScheduler(Schedule):
    """Base of the schedules: a subclass defines `get_lr`, one rate per group.

    The first step is taken when the schedule is made. `step(epoch)` goes to an epoch by the closed form, where the
    schedule has one.

    Args:
        optimizer, last_epoch: as in every scheduler.

    Raises:
        KeyError: it continues, and a group has no "initial_lr".
        TypeError: `optimizer` is none of `mindspore.experimental.optim`.
        ValueError: `last_epoch` is below -1.

    Follows: mindspore.experimental.optim.lr_scheduler.LRScheduler (2.10).
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        owner = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For '{owner}', {type(optimizer).__name__} is not an Optimizer.")
        at_least(integer(last_epoch, "last_epoch", owner), "last_epoch", owner, -1)
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", rate_tensor(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{index}] when resuming an optimizer"
                )
        self._hold(optimizer, last_epoch)
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.groups_num = len(optimizer.param_groups)
        self.step()

    def get_lr(self) -> Sequence[Any]:
        """Return the rate of each group for `last_epoch`.

        Raises:
            NotImplementedError: the subclass does not say.
        """
        raise NotImplementedError(f"{type(self).__name__} must define get_lr: a list of one rate per group.")

    def step(self, epoch: int | None = None) -> bool:
        """Go to the next epoch, or to `epoch`."""
        if epoch is None:
            self.last_epoch._data.add_(1)
            rates = self.get_lr()
        else:
            self.last_epoch._data.fill_(epoch)
            closed = getattr(self, "_get_closed_form_lr", self.get_lr)
            rates = closed()
        self._set(rates)
        return True

    def _now(self, factor: float = 1.0) -> list[float]:
        return [number(rate) * factor for rate in self._last_lr]

    def _from_base(self, factor: float) -> list[float]:
        return [float(base) * factor for base in self.base_lrs]


def per_group(optimizer: Optimizer, value: Any, name: str) -> list[Any]:
    """Return one value per group, from one for all of them or a list.

    Raises:
        ValueError: the list has another length.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"Expected {count} {name}, one per parameter group, but got {len(value)}.")
    return list(value)


def rate_tensor(value: float | Tensor) -> Tensor:
    """Return a rate as a 0-d Tensor on the host."""
    return Tensor(float(value), mstype.float32, device="CPU")
