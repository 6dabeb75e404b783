"""Primitives that draw random numbers: with a seed, each object has a sequence of its own."""

from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explaining
from msbridge.core.random.seeds import sequence
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, int32, int64
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.primitive.primitive import Primitive
from msbridge.ops.random.choices import functions as sampling
from msbridge.ops.random.distributions import functions, kernels


class _Drawing(Primitive):
    """Base of the primitives with a seed: both seeds 0 mean the generator that `set_seed` seeds."""

    seed: int
    seed2: int

    def __init__(self, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("seed", seed)
        self.add_prim_attr("seed2", seed2)
        self._generator: torch.Generator | None = None

    @property
    def generator(self) -> torch.Generator | None:
        """The sequence that this object draws from; None is the global one."""
        if self._generator is None and (self.seed, self.seed2) != (0, 0):
            self._generator = sequence(self.seed * 1_000_003 + self.seed2, torch_device())
        return self._generator


class StandardNormal(_Drawing):
    """Draw from the standard normal distribution.

    Follows: mindspore.ops.StandardNormal (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.standard_normal(shape, self.generator)


class StandardLaplace(_Drawing):
    """Draw from the Laplace distribution of mean 0 and scale 1.

    Follows: mindspore.ops.StandardLaplace (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.standard_laplace(shape, self.generator)


class UniformReal(_Drawing):
    """Draw from [0, 1).

    Follows: mindspore.ops.UniformReal (2.10).
    """

    def __call__(self, shape: Any) -> Tensor:
        return functions.rand(shape, seed=self.generator)


class UniformInt(_Drawing):
    """Draw integers from [minval, maxval).

    Follows: mindspore.ops.UniformInt (2.10).
    """

    def __call__(self, shape: Any, minval: Tensor, maxval: Tensor) -> Tensor:
        return functions.uniform(shape, minval, maxval, self.generator, int32)


class Gamma(_Drawing):
    """Draw from gamma distributions.

    Follows: mindspore.ops.Gamma (2.10).
    """

    def __call__(self, shape: Any, alpha: Tensor, beta: Tensor) -> Tensor:
        return functions.gamma(shape, alpha, beta, self.generator)


class RandomGamma(_Drawing):
    """Draw samples of every gamma distribution of `alpha`.

    Follows: mindspore.ops.RandomGamma (2.10).
    """

    def __call__(self, shape: Any, alpha: Tensor) -> Tensor:
        return functions.random_gamma(shape, alpha, self.generator)


class Poisson(_Drawing):
    """Draw from Poisson distributions.

    Follows: mindspore.ops.Poisson (2.10).
    """

    def __call__(self, shape: Any, mean: Tensor) -> Tensor:
        return functions.poisson(shape, mean, self.generator)


class RandomPoisson(_Drawing):
    """Draw samples of every Poisson distribution of `rate`.

    Follows: mindspore.ops.RandomPoisson (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Type = int64) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, shape: Any, rate: Tensor) -> Tensor:
        return functions.random_poisson(shape, rate, self.generator, self.dtype)


class Multinomial(_Drawing):
    """Draw indices with the probabilities in rows.

    Follows: mindspore.ops.Multinomial (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Type = int32) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, x: Tensor, num_samples: int) -> Tensor:
        return elementwise.cast(sampling.multinomial(x, int(num_samples), True, self.generator), self.dtype)


class RandomShuffle(_Drawing):
    """Bring the elements along the first axis into random order.

    Follows: mindspore.ops.RandomShuffle (2.10).
    """

    def __call__(self, x: Tensor) -> Tensor:
        return sampling.shuffle(x, self.generator)


class RandomChoiceWithMask(_Drawing):
    """Choose `count` of the places where a bool tensor is true: (indices, mask).

    Follows: mindspore.ops.RandomChoiceWithMask (2.10).
    """

    count: int

    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("count", count)

    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]:
        return sampling.choice_with_mask(input_x, self.count, self.generator)


class TruncatedNormal(_Drawing):
    """Draw from the standard normal distribution what lies within two standard deviations.

    Follows: mindspore.ops.TruncatedNormal (2.10).
    """

    dtype: Type

    def __init__(self, dtype: Type = float32, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, shape: Any) -> Tensor:
        return kernels.truncated_normal(shape, self.dtype, self.generator)


class Bernoulli(_Drawing):
    """Draw 1 with probability `p`, else 0; the seed -1 means the generator that `set_seed` seeds.

    Follows: mindspore.ops.Bernoulli (2.10).
    """

    def __init__(self, seed: int = -1, offset: int = 0) -> None:
        super().__init__(max(seed, 0), offset)

    def __call__(self, x: Tensor, p: Tensor | float) -> Tensor:
        return functions.bernoulli(x, p, self.generator)


class RandomCategorical(_Drawing):
    """Draw classes for each row of unnormalised log-probabilities.

    Follows: mindspore.ops.RandomCategorical (2.10).
    """

    dtype: Type

    def __init__(self, dtype: Type = int64) -> None:
        super().__init__()
        self.add_prim_attr("dtype", dtype)

    def __call__(self, logits: Tensor, num_sample: int, seed: int = 0) -> Tensor:
        return sampling.random_categorical(logits, num_sample, seed, self.dtype)


class LogNormalReverse(_Drawing):
    """Draw a tensor of the shape of the input from the log-normal distribution.

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


class MultinomialWithReplacement(_Drawing):
    """Draw indices with the probabilities in rows, Int64.

    Follows: mindspore.ops.MultinomialWithReplacement (2.10).
    """

    numsamples: int
    replacement: bool

    def __init__(self, numsamples: int, replacement: bool = False) -> None:
        super().__init__()
        self.add_prim_attr("numsamples", numsamples)
        self.add_prim_attr("replacement", replacement)

    def __call__(self, x: Tensor, seed: Any, offset: Any) -> Tensor:
        start = int(seed) or None
        return sampling.multinomial_with_replacement(x, start, int(offset), self.numsamples, self.replacement)


class RandpermV2(_Drawing):
    """Return 0 … n-1 in random order.

    Follows: mindspore.ops.RandpermV2 (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, offset: int = 0, dtype: Type = int64) -> None:
        super().__init__(seed, offset)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, n: int) -> Tensor:
        return functions.randperm(int(n), self.generator, 0, self.dtype)


class Randperm(_Drawing):
    """Return 0 … n-1 in random order, filled up with `pad` to `max_length`.

    Follows: mindspore.ops.Randperm (2.10).
    """

    dtype: Type
    max_length: int
    pad: int

    def __init__(self, max_length: int = 1, pad: int = -1, dtype: Type = int32) -> None:
        super().__init__()
        self.add_prim_attr("max_length", max_length)
        self.add_prim_attr("pad", pad)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, n: Tensor) -> Tensor:
        order = functions.randperm(int(n), dtype=self.dtype)._data
        return wrap(torch.nn.functional.pad(order, (0, self.max_length - order.numel()), value=self.pad))


class LogUniformCandidateSampler(_Drawing):
    """Draw classes from [0, range_max), small ones more likely.

    Follows: mindspore.ops.LogUniformCandidateSampler (2.10).
    """

    def __init__(
        self, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0
    ) -> None:
        super().__init__(seed)
        self._settings = (num_true, num_sampled, unique, range_max)

    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return sampling.log_uniform_candidate_sampler(true_classes, *self._settings, self.generator)


class UniformCandidateSampler(_Drawing):
    """Draw classes from [0, range_max), each as likely.

    Follows: mindspore.ops.UniformCandidateSampler (2.10).
    """

    def __init__(
        self,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        seed: int = 0,
        remove_accidental_hits: bool = False,
    ) -> None:
        super().__init__(seed)
        self._settings = (num_true, num_sampled, unique, range_max)
        self._remove = remove_accidental_hits

    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return sampling.uniform_candidate_sampler(true_classes, *self._settings, self.generator, self._remove)
