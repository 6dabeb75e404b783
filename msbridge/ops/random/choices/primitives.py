"""Primitives that choose: indices, classes, places and orders."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int32, int64
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.random.choices import functions as sampling
from msbridge.ops.random.distributions import functions
from msbridge.ops.random.distributions.drawing import Drawing


class Multinomial(Drawing):
    """Draw indices with the probabilities in rows.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.
        dtype: Int32 or Int64.

    Inputs:
        x: weights, (classes,) or (N, classes); floats.
        num_samples: how many indices for each row.

    Outputs:
        A Tensor of shape (..., num_samples) and dtype `dtype`.

    Follows: mindspore.ops.Multinomial (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Type = int32) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, x: Tensor, num_samples: int) -> Tensor:
        return elementwise.cast(sampling.multinomial(x, int(num_samples), True, self.generator), self.dtype)


class RandomShuffle(Drawing):
    """Bring the elements along the first axis into random order.

    Args:
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        x: any shape and dtype.

    Outputs:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.RandomShuffle (2.10).
    """

    def __call__(self, x: Tensor) -> Tensor:
        return sampling.shuffle(x, self.generator)


class RandomChoiceWithMask(Drawing):
    """Choose `count` of the places where a bool tensor is true: (indices, mask).

    Args:
        count: how many; False places fill up.
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        input_x: one to five axes; Bool.

    Outputs:
        (indices, mask), of shapes (count, rank) and (count,): Int32 and Bool.

    Follows: mindspore.ops.RandomChoiceWithMask (2.10).
    """

    count: int

    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("count", count)

    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]:
        return sampling.choice_with_mask(input_x, self.count, self.generator)


class RandomCategorical(Drawing):
    """Draw classes for each row of unnormalised log-probabilities.

    Args:
        dtype: Int16, Int32 or Int64.

    Inputs:
        logits: shape (N, classes); floats.
        num_sample: how many for each row.
        seed: 0 for the generator that `set_seed` seeds.

    Outputs:
        A Tensor of shape (N, num_sample) and dtype `dtype`.

    Follows: mindspore.ops.RandomCategorical (2.10).
    """

    dtype: Type

    def __init__(self, dtype: Type = int64) -> None:
        super().__init__()
        self.add_prim_attr("dtype", dtype)

    def __call__(self, logits: Tensor, num_sample: int, seed: int = 0) -> Tensor:
        return sampling.random_categorical(logits, num_sample, seed, self.dtype)


class MultinomialWithReplacement(Drawing):
    """Draw indices with the probabilities in rows, Int64.

    Args:
        numsamples: how many indices for each row.
        replacement: whether an index may be drawn again.

    Inputs:
        x: weights, (classes,) or (N, classes); floats.
        seed: of the draw.
        offset: added to the seed.

    Outputs:
        A Tensor of shape (..., numsamples); Int64.

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


class RandpermV2(Drawing):
    """Return 0 … n-1 in random order.

    Args:
        seed: 0 for the generator that `set_seed` seeds.
        offset: added to a seed.
        dtype: that of the result.

    Inputs:
        n: how many.

    Outputs:
        A Tensor of shape (n,) and dtype `dtype`.

    Follows: mindspore.ops.RandpermV2 (2.10).
    """

    dtype: Type

    def __init__(self, seed: int = 0, offset: int = 0, dtype: Type = int64) -> None:
        super().__init__(seed, offset)
        self.add_prim_attr("dtype", dtype)

    def __call__(self, n: int) -> Tensor:
        return functions.randperm(int(n), self.generator, 0, self.dtype)


class Randperm(Drawing):
    """Return 0 … n-1 in random order, filled up with `pad` to `max_length`.

    Args:
        max_length: the length of the result.
        pad: what fills it up.
        dtype: an integer type.

    Inputs:
        n: how many, a Tensor of one element; Int32 or Int64.

    Outputs:
        A Tensor of shape (max_length,) and dtype `dtype`.

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


class LogUniformCandidateSampler(Drawing):
    """Draw classes from [0, range_max), small ones more likely.

    Args:
        num_true: how many true classes a row has.
        num_sampled: how many classes are drawn.
        unique: whether each is drawn once at most.
        range_max: how many classes there are.
        seed: with a seed, this object has a sequence of its own.

    Inputs:
        true_classes: shape (N, num_true); Int64.

    Outputs:
        (sampled, expected counts of true classes, of sampled ones), of shapes (num_sampled,), (N, num_true) and
        (num_sampled,): Int64, and Float32 twice.

    Follows: mindspore.ops.LogUniformCandidateSampler (2.10).
    """

    def __init__(
        self, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0
    ) -> None:
        super().__init__(seed)
        self._settings = (num_true, num_sampled, unique, range_max)

    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return sampling.log_uniform_candidate_sampler(true_classes, *self._settings, self.generator)


class UniformCandidateSampler(Drawing):
    """Draw classes from [0, range_max), each as likely.

    Args:
        num_true: how many true classes a row has.
        num_sampled: how many classes are drawn.
        unique: whether each is drawn once at most.
        range_max: how many classes there are.
        seed: with a seed, this object has a sequence of its own.
        remove_accidental_hits: whether true classes are not drawn.

    Inputs:
        true_classes: shape (N, num_true), or (num_true,); Int32 or Int64.

    Outputs:
        (sampled, expected counts of true classes, of sampled ones), of the shapes (num_sampled,), that of
        `true_classes`, and (num_sampled,).

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
