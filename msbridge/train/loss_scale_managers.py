"""Loss scales as `Model` takes them."""

from abc import ABCMeta, abstractmethod

import torch

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.runtime import device_to_host
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.loss_scaling import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell

_PACKED = 1000  # overflows that are put together on the device, where they wait to be read
_MAX_OVERFLOWS = 1000  # in a row, before training ends


class _Count:
    """An attribute of a manager that follows from the overflows: those that wait on the device are read for it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, manager: "DynamicLossScaleManager", owner: type | None = None) -> float:
        manager._read()
        value: float = getattr(manager, self.name)
        return value

    def __set__(self, manager: "DynamicLossScaleManager", value: float) -> None:
        manager._read()
        setattr(manager, self.name, value)


class LossScaleManager(metaclass=ABCMeta):
    """Base of the loss scale managers; a script's own ones define these three methods.

    Follows: mindspore.amp.LossScaleManager (2.10).
    """

    @abstractmethod
    def get_loss_scale(self) -> float:
        """Return the scale.

        Returns:
            A number, at least 1.
        """

    @abstractmethod
    def update_loss_scale(self, overflow: bool) -> None:
        """Record whether the last step overflowed.

        Args:
            overflow: whether the gradients of the step were not finite.
        """

    @abstractmethod
    def get_update_cell(self) -> Cell | None:
        """Return the Cell that changes the scale on the device, or None.

        Returns:
            A Cell that `nn.TrainOneStepWithLossScaleCell` takes, or None.
        """


class FixedLossScaleManager(LossScaleManager):
    """A loss scale that stays.

    Args:
        loss_scale: the scale, at least 1.
        drop_overflow_update: leave out the update of a step that overflowed. Without, the optimizer's `loss_scale` must
            be set to the same value.

    Raises:
        ValueError: `loss_scale` is below 1.

    Examples:
        >>> manager = ms.FixedLossScaleManager(1024.0)
        >>> manager.get_loss_scale(), manager.get_drop_overflow_update()
        (1024.0, True)

    Follows: mindspore.amp.FixedLossScaleManager (2.10).
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        if loss_scale < 1:
            raise ValueError(f"The argument 'loss_scale' must be >= 1, but got {loss_scale}")
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        """Return the scale.

        Returns:
            A number, at least 1.
        """
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether the update of a step that overflowed is left out.

        Returns:
            A bool.
        """
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool | Tensor) -> None:
        """Do nothing: the scale stays.

        Args:
            overflow: whether the gradients of the step were not finite.
        """

    def get_update_cell(self) -> FixedLossScaleUpdateCell | None:
        """Return a Cell that keeps the scale; None when updates are never left out.

        Returns:
            A FixedLossScaleUpdateCell, or None.
        """
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that falls after an overflow and grows after `scale_window` good steps in a row.

    Args:
        init_loss_scale: the first scale, at least 1.
        scale_factor: by which it falls and grows.
        scale_window: good steps before it grows.

    Attributes:
        loss_scale: the scale now.
        increase_ratio: by which it grows, `scale_factor`.
        decrease_ratio: by which it falls, 1 / `scale_factor`.
        cur_iter: the number of the next step, from 1 on.
        last_overflow_iter: the last step that overflowed, 0 for none.
        bad_step: overflows in a row until now.
        bad_step_max: how many of them are accepted.

    Raises:
        TypeError: `scale_window` is not an int.
        ValueError: `init_loss_scale` is below 1, or `scale_window` not above 0.
        RuntimeError: later: more than `bad_step_max` steps in a row overflowed.

    Follows: mindspore.amp.DynamicLossScaleManager (2.10).
    """

    loss_scale = _Count()
    cur_iter = _Count()
    last_overflow_iter = _Count()
    bad_step = _Count()

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: int = 2, scale_window: int = 2000) -> None:
        if init_loss_scale < 1:
            raise ValueError(f"The argument 'init_loss_scale' must be > 1, but got {init_loss_scale}")
        positive_int(scale_window, "scale_window", "DynamicLossScaleManager")
        if instance(scale_factor, "scale_factor", "DynamicLossScaleManager", (int, float)) <= 0:
            raise ValueError(f"For 'DynamicLossScaleManager', 'scale_factor' must be > 0, but got {scale_factor!r}.")
        self.scale_factor = scale_factor
        self.scale_window = scale_window
        self.increase_ratio, self.decrease_ratio = scale_factor, 1 / scale_factor
        self.bad_step_max = _MAX_OVERFLOWS
        self._loss_scale = init_loss_scale
        self._cur_iter, self._last_overflow_iter, self._bad_step = 1, 0, 0
        self._unread: list[torch.Tensor] = []
        self._packs: list[torch.Tensor] = []

    def get_loss_scale(self) -> float:
        """Return the scale now; the overflows that wait on the device are read for it.

        Returns:
            A number, at least 1.
        """
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Return True: the update of a step that overflowed is left out.

        Returns:
            A bool.
        """
        return True

    def update_loss_scale(self, overflow: bool | Tensor) -> None:
        """Record whether the last step overflowed; a Tensor stays on the device until the scale is asked for.

        Args:
            overflow: whether the gradients of the step were not finite.
        """
        if isinstance(overflow, Tensor):
            self._unread.append(overflow._data.reshape(1).bool())
            if len(self._unread) >= _PACKED:
                self._packs.append(torch.cat(self._unread))
                self._unread.clear()
            return
        self._read()
        self._take(bool(overflow))

    def get_update_cell(self) -> DynamicLossScaleUpdateCell:
        """Return the Cell that changes the scale on the device in the same way.

        Returns:
            A DynamicLossScaleUpdateCell with the scale of now.
        """
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)

    def _read(self) -> None:
        waiting = [*self._packs, *self._unread]
        self._packs, self._unread = [], []
        if waiting:
            for overflow in device_to_host.read(torch.cat(waiting)).tolist():
                self._take(overflow)

    def _take(self, overflow: bool) -> None:
        if overflow:
            self._loss_scale = max(self._loss_scale * self.decrease_ratio, 1)
            self._last_overflow_iter = self._cur_iter
            self._bad_step += 1
        else:
            if (self._cur_iter - self._last_overflow_iter) % self.scale_window == 0:
                self._loss_scale *= self.increase_ratio
            self._bad_step = 0
        if self._bad_step > self.bad_step_max:
            raise RuntimeError(
                f"Dynamic loss scale: {self._bad_step} steps in a row overflowed, at most {self.bad_step_max} may "
                "(bad_step_max)."
            )
        self._cur_iter += 1
