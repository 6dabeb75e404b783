"""Distributions of a weight: before any data, and learned."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance, is_number
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.ops.elementwise.elementwise.functions import exp, log

__all__ = ["NormalPosterior", "NormalPrior", "normal_post_fn"]


class NormalPrior(Cell):
    """The normal distribution that weights are held close to.

    Called like a distribution, by the name of a function.

    Args:
        dtype: of the parameters.
        mean: the middle.
        std: the standard deviation.

    Follows: mindspore.nn.probability.bnn_layers.NormalPrior (2.10).
    """

    def __init__(self, dtype: Type = mstype.float32, mean: float = 0, std: float = 0.1) -> None:
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """Normal distributions of weights, with trainable means and deviations.

    Called like a distribution, by the name of a function. The deviation is 1e-6 + softplus(`untransformed_std`).

    Args:
        name: put before the names of the parameters.
        shape: of the weight.
        dtype: of the parameters.
        loc_mean: the mean of the normal distribution that `mean` starts from.
        loc_std: its standard deviation.
        untransformed_scale_mean: the mean of the normal distribution that `untransformed_std` starts from.
        untransformed_scale_std: its standard deviation.

    Raises:
        TypeError: an argument is of another type, or a standard deviation is negative.

    Follows: mindspore.nn.probability.bnn_layers.NormalPosterior (2.10).
    """

    def __init__(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Type = mstype.float32,
        loc_mean: float = 0,
        loc_std: float = 0.1,
        untransformed_scale_mean: float = -5,
        untransformed_scale_std: float = 0.1,
    ) -> None:
        super().__init__()
        instance(name, "name", None, str)
        instance(shape, "shape", None, (tuple, list))
        for key, value in (("loc_mean", loc_mean), ("untransformed_scale_mean", untransformed_scale_mean)):
            if not is_number(value):
                raise TypeError(f"The type of `{key}` must be `int` or `float`")
        for key, value in (("loc_std", loc_std), ("untransformed_scale_std", untransformed_scale_std)):
            if not is_number(value) or value < 0:
                raise TypeError(f"The type of `{key}` must be `int` or `float` and its value must >= 0")
        means = np.random.normal(loc_mean, loc_std, shape)
        widths = np.random.normal(untransformed_scale_mean, untransformed_scale_std, shape)
        self.mean = Parameter(Tensor(means, dtype=dtype), name=f"{name}_mean")
        self.untransformed_std = Parameter(Tensor(widths, dtype=dtype), name=f"{name}_untransformed_std")
        self.normal = Normal()

    def _std_trans(self, std_pre: Tensor) -> Tensor:
        return log(exp(std_pre) + 1) + 1e-6

    def construct(self, *inputs: Any) -> Any:
        return self.normal(*inputs, mean=self.mean, sd=self._std_trans(self.untransformed_std))


def normal_post_fn(name: str, shape: Sequence[int]) -> NormalPosterior:
    """Return the posterior of a weight; `name` is put before the names of its parameters."""
    return NormalPosterior(name=name, shape=shape)
