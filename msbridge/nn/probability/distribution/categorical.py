"""The categorical distribution."""

import math

import torch

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import (
    a_tuple,
    discrete,
    probabilities,
    same_distribution,
    sums_to_one,
)
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.activation.functions import log_softmax, softmax
from msbridge.ops.elementwise.elementwise.functions import clamp, floor, log, square
from msbridge.ops.framework.creation.functions import arange
from msbridge.ops.random.choices.functions import multinomial
from msbridge.ops.shape.gather_and_select.functions import gather_elements, where
from msbridge.ops.shape.reshaping.functions import broadcast_to, squeeze

__all__ = ["Categorical"]


class Categorical(Parametric):
    """One of the numbers 0 … n-1, by the probabilities along the last axis.

    Args:
        probs: shape (..., n), between 0 and 1, with a sum of 1.
        seed: starts the sequence that samples are drawn from.
        dtype: of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is none of numbers, or `probs` is neither a list, an array nor a Tensor.
        ValueError: `probs` has no axis, is not between 0 and 1, or does not sum to 1.

    Follows: mindspore.nn.probability.distribution.Categorical (2.10).
    """

    _labels = ("probs",)

    def __init__(
        self, probs: Value = None, seed: int | None = None, dtype: Type = mstype.int32, name: str = "Categorical"
    ) -> None:
        super().__init__({"probs": probs}, seed, discrete(dtype, type(self).__name__), name)
        self._probs = self._add_parameter(probs, "probs")
        if self._probs is not None:
            if self._probs.ndim == 0:
                raise ValueError("probs for Categorical distribution must have rank >= 1.")
            probabilities(self._probs)
            sums_to_one(self._probs)
            self._is_scalar_batch = self._is_scalar_batch or self._probs.ndim == 1
            self._broadcast_shape = self._probs.shape[:-1]

    probs: Tensor | None = read_only("_probs", "The probabilities.")

    def _get_dist_args(self, probs: Tensor | None = None) -> tuple[Tensor]:
        return self._or_default(probs)

    def _mean(self, probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        return (_class_numbers(probs) * probs).sum(-1, keepdims=True)

    def _mode(self, probs: Tensor | None = None) -> Tensor:
        return self._check_param_type(probs).argmax(-1).astype(self.dtype)

    def _var(self, probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        numbers = _class_numbers(probs)
        return (square(numbers) * probs).sum(-1, keepdims=True) - square((numbers * probs).sum(-1, keepdims=True))

    def _entropy(self, probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        return squeeze(-(log(probs) * probs).sum(-1, keepdims=True))

    def _kl_loss(self, dist: str, probs_b: Tensor, probs: Tensor | None = None) -> Tensor:
        same_distribution(dist, "Categorical")
        other = log(self._other_parameters((probs_b, "probs_b")))
        own = log(self._check_param_type(probs))
        return squeeze((softmax(own) * (log_softmax(own) - log_softmax(other))).sum(-1, keepdims=True))

    def _log_prob(self, value: Tensor, probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        number = self._number(value, probs)
        is_known = (number >= 0).logical_and(number <= probs.shape[-1] - 1)
        return where(is_known, _gather_classes(log(probs), number), math.nan)

    def _cdf(self, value: Tensor, probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        number = self._number(value, probs)
        return where(number < 0, 0.0, _gather_classes(probs.cumsum(-1), number))

    def _number(self, value: Tensor, probs: Tensor) -> Tensor:
        """Return a value rounded down, but to 0 above -1, in the dtype of `probs`."""
        value = self._check_value(value, "value").astype(probs.dtype)
        return where((value < 0).logical_and(value > -1), 0.0, floor(value))

    def _sample(self, shape: tuple[int, ...] = (), probs: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs)
        batch = probs.shape[:-1]
        count = math.prod(a_tuple(shape, "shape"))
        drawn = multinomial(probs.reshape(-1, probs.shape[-1]), count, True, self.seed)
        return wrap(drawn._data.T.reshape((*shape, *batch))).astype(self.dtype)


def _class_numbers(probs: Tensor) -> Tensor:
    return arange(0, probs.shape[-1]).astype(mstype.float32)


def _gather_classes(table: Tensor, number: Tensor) -> Tensor:
    """Return the entries of the last axis at the indices in numbers, nearest where none is; both are broadcast."""
    classes = table.shape[-1]
    index = clamp(number, 0, classes - 1).astype(mstype.int64)
    shape = tuple(torch.broadcast_shapes(table.shape[:-1], index.shape))
    rows = broadcast_to(table, (*shape, classes))
    return gather_elements(rows, -1, broadcast_to(index, shape).expand_dims(-1)).reshape(shape)
