"""Primitives that draw random numbers: with a seed, each object has a sequence of its own."""

from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, int32, int64
from msbridge.ops.random.distributions import functions, kernels
from msbridge.ops.random.distributions.drawing import Drawing


class StandardNormal(Drawing):
    """Draw from the standard normal distribution.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result.

    Outputs:
        A Tensor of shape `shape`; Float32.

    Follows: mindspore.ops.StandardNormal (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.standard_normal(shape, self.generator)


class StandardLaplace(Drawing):
    """Draw from the Laplace distribution of mean 0 and scale 1.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result.

    Outputs:
        A Tensor of shape `shape`; Float32.

    Follows: mindspore.ops.StandardLaplace (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.standard_laplace(shape, self.generator)


class UniformReal(Drawing):
    """Draw from [0, 1).

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result.

    Outputs:
        A Tensor of shape `shape`; Float32.

    Follows: mindspore.ops.UniformReal (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.rand(shape, seed=self.generator)


class UniformInt(Drawing):
    """Draw integers from [minval, maxval).

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result.
        minval: the least integer, 0-d; Int32.
        maxval: the end, exclusive, likewise.

    Outputs:
        A Tensor of shape `shape`; Int32.

    Follows: mindspore.ops.UniformInt (2.10).
    """

    def __call__(self, shape: Any, minval: Tensor, maxval: Tensor) -> Tensor:
        return functions.uniform(shape, minval, maxval, self.generator, int32)


class Gamma(Drawing):
    """Draw from gamma distributions.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: broadcast with the shapes of `alpha` and `beta`.
        alpha: the shapes of the distributions, positive; Float32.
        beta: their rates, likewise.

    Outputs:
        A Tensor of the broadcast shape; Float32.

    Follows: mindspore.ops.Gamma (2.10).
    """

    def __call__(self, shape: Any, alpha: Tensor, beta: Tensor) -> Tensor:
        return functions.gamma(shape, alpha, beta, self.generator)


class RandomGamma(Drawing):
    """Draw samples of every gamma distribution of `alpha`.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: how many samples, as a shape.
        alpha: the shapes of the distributions, positive; floats.

    Outputs:
        A Tensor of shape (*shape, *alpha.shape) and the dtype of `alpha`.

    Follows: mindspore.ops.RandomGamma (2.10).
    """

    def __call__(self, shape: Any, alpha: Tensor) -> Tensor:
        return functions.random_gamma(shape, alpha, self.generator)


class Poisson(Drawing):
    """Draw from Poisson distributions.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: broadcast with that of `mean`.
        mean: not negative; Float32.

    Outputs:
        A Tensor of the broadcast shape; Int32.

    Follows: mindspore.ops.Poisson (2.10).
    """

    def __call__(self, shape: Any, mean: Tensor) -> Tensor:
        return functions.poisson(shape, mean, self.generator)


class RandomPoisson(Drawing):
    """Draw samples of every Poisson distribution of `rate`.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.
        dtype: that of the result.

    Inputs:
        shape: how many samples, as a shape.
        rate: the means, not negative; integers or floats.

    Outputs:
        A Tensor of shape (*shape, *rate.shape) and dtype `dtype`.

    Follows: mindspore.ops.RandomPoisson (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Type = int64) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, shape: Any, rate: Tensor) -> Tensor:
        return functions.random_poisson(shape, rate, self.generator, self.dtype)


class TruncatedNormal(Drawing):
    """Draw from the standard normal distribution what lies within two standard deviations.

    Args:
        dtype: a float.
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        shape: that of the result.

    Outputs:
        A Tensor of shape `shape` and dtype `dtype`.

    Follows: mindspore.ops.TruncatedNormal (2.10).
    """

    dtype: Type

    def __init__(self, dtype: Type = float32, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, shape: Any) -> Tensor:
        return kernels.truncated_normal(shape, self.dtype, self.generator)


class Bernoulli(Drawing):
    """Draw 1 with probability `p`, else 0; the seed -1 means the generator that `set_seed` seeds.

    Args:
        seed: starts a sequence of its own.
        offset: added to the seed.

    Inputs:
        x: any shape.
        p: in [0, 1]; a number, or a Tensor that broadcasts to `x`.

    Outputs:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.Bernoulli (2.10).
    """

    def __init__(self, seed: int = -1, offset: int = 0) -> None:
        super().__init__(max(seed, 0), offset)

    def __call__(self, x: Tensor, p: Tensor | float) -> Tensor:
        return functions.bernoulli(x, p, self.generator)


class LogNormalReverse(Drawing):
    """Draw a tensor of the shape of the input from the log-normal distribution.

    Args:
        mean: of the logarithm.
        std: its standard deviation, not negative.

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.LogNormalReverse (2.10).
    """

    mean: float
    std: float

    def __init__(self, mean: float = 1.0, std: float = 2.0) -> None:
        super().__init__()
        self.add_prim_attr("mean", mean)
        self.add_prim_attr("std", std)

    @explaining
    def __call__(self, input: Tensor) -> Tensor:
        return wrap(torch.empty_like(input._data).log_normal_(self.mean, self.std))
