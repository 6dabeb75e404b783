"""Loss scales of functional training, and whether gradients are finite."""

from abc import ABC, abstractmethod
from typing import Any, TypeVar

import torch

from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.errors.explain import describe
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.ops.training.float_status.kernels import are_finite

__all__ = ["DynamicLossScaler", "LossScaler", "StaticLossScaler", "all_finite", "init_status"]

Values = TypeVar("Values")


def all_finite(inputs: Any, status: Tensor | None = None) -> Tensor:
    """Whether all values are finite, as a bool Tensor on their device.

    Args:
        inputs: Tensors in tuples or lists.
        status: what `init_status` returned, in releases that had it; it has no effect.

    Returns:
        A Bool Tensor of shape ().

    Raises:
        TypeError: `inputs` is not a tuple or list of Tensors.
        ValueError: it is empty.

    Follows: mindspore.amp.all_finite (2.10).
    """
    datas = [tensor._data.detach() for tensor in tensors_of(inputs)]
    if not datas:
        kind = ValueError if isinstance(inputs, tuple | list) and not inputs else TypeError
        raise kind(f"For 'all_finite', inputs must be Tensors in a tuple or list, got {inputs!r}.")
    return wrap(are_finite(datas))


def init_status() -> Tensor:
    """Return the state that releases before 2.1 hand from `init_status` to `all_finite`; it has no effect.

    Follows: mindspore.amp.init_status (2.0).
    """
    return Tensor([0.0] * 8, mstype.float32)


class LossScaler(ABC):
    """Base of the loss scalers of functional training.

    Follows: mindspore.amp.LossScaler (2.10).
    """

    @abstractmethod
    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors by the scale."""

    @abstractmethod
    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Tensor) -> Any:
        """Change the scale by whether the gradients were finite."""


class StaticLossScaler(LossScaler):
    """A loss scale that stays.

    Args:
        scale_value: the scale, at least 1.

    Raises:
        TypeError: `scale_value` is not a number.
        ValueError: it is below 1.

    Follows: mindspore.amp.StaticLossScaler (2.10).
    """

    def __init__(self, scale_value: float) -> None:
        self.scale_value = _scale_parameter(scale_value)

    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """Return False: the scale stays."""
        return False


class DynamicLossScaler(LossScaler):
    """A loss scale that falls after an overflow and grows after `scale_window` good steps in a row.

    Args:
        scale_value: the first scale, at least 1.
        scale_factor: by which it falls and grows.
        scale_window: good steps before it grows.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Follows: mindspore.amp.DynamicLossScaler (2.10).
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        self.scale_value = _scale_parameter(scale_value)
        self.scale_window = positive_int(scale_window, "scale_window", None)
        self.scale_factor = positive_int(scale_factor, "scale_factor", None)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter")

    def scale(self, inputs: Values) -> Values:
        """Multiply Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Values) -> Values:
        """Divide Tensors, in tuples, lists or dicts, by the scale."""
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Tensor) -> bool:
        """Change the scale on the device, without waiting for it, and return True.

        Args:
            grads_finite: whether all gradients of the last step were finite, bool.

        Raises:
            TypeError: it is not a Tensor.
            ValueError: it holds more than one element.
        """
        try:
            data = grads_finite._data
        except AttributeError as error:
            raise TypeError(f"For 'adjust', grads_finite must be a Tensor, got {describe(grads_finite)}.") from error
        if data.numel() != 1:
            raise ValueError(f"For 'adjust', grads_finite must be one bool, got shape {grads_finite.shape}.")
        finite = data.reshape(())
        scale, counter = self.scale_value._data, self.counter._data
        is_due = finite & (counter == self.scale_window - 1)
        lowered = (scale / self.scale_factor).clamp(min=1)
        scale.copy_(torch.where(finite, torch.where(is_due, scale * self.scale_factor, scale), lowered))
        counter.copy_(torch.where(finite & ~is_due, counter + 1, 0))
        return True


def _scale_parameter(value: Any) -> Parameter:
    instance(value, "scale_value", None, (float, int))
    if value < 1:
        raise ValueError(f"The argument 'scale_value' must be > 1, but got {value}")
    return Parameter(Tensor(value, mstype.float32), name="scale_value")


def _grad_scale_map(scale_value: Tensor, inputs: Values) -> Values:  # the name that MindSpore's documentation shows
    scale = scale_value._data
    scaled: Values = map_tensors(lambda tensor: wrap(tensor._data * scale.to(tensor._data.dtype)), inputs)
    return scaled


def _grad_unscale_map(scale_value: Tensor, inputs: Values) -> Values:
    reciprocal = scale_value._data.reciprocal()
    scaled: Values = map_tensors(lambda tensor: wrap(tensor._data * reciprocal.to(tensor._data.dtype)), inputs)
    return scaled
