"""Random choices among given elements, classes and places."""

import math

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.random.distributions.kernels import Seed, generator_of


def multinomial(
    input: Tensor,
    num_samples: int | None = None,
    replacement: bool = True,
    seed: Seed = None,
    *,
    num_sample: int | None = None,
) -> Tensor:
    """Draw indices with the probabilities in the rows of `input` (need not sum to 1), Int32.

    Args:
        input: shape (…, classes).
        num_samples: how many indices for each row.
        replacement: whether an index may be drawn again.
        seed: of the draw.
        num_sample: the older name of `num_samples`.

    Returns:
        A Tensor of shape (..., num_samples); Int32.

    Follows: mindspore.ops.multinomial (2.10), and of 1.10 for `num_sample`.
    """
    num_samples = num_samples if num_sample is None else num_sample
    try:
        chances = input._data if input._data.is_floating_point() else input._data.float()
        if num_samples == 0:
            return wrap(chances.new_empty((*chances.shape[:-1], 0), dtype=torch.int32))
        return wrap(torch.multinomial(chances, num_samples, replacement, generator=generator_of(seed)).int())
    except Exception as error:
        raise explain(error, "multinomial", input=input, num_samples=num_samples) from error


@explaining
def multinomial_with_replacement(
    x: Tensor, seed: Seed, offset: int, numsamples: int, replacement: bool = False
) -> Tensor:
    """Draw indices with the probabilities in the rows of `x`, Int64; each at most once without `replacement`.

    Args:
        x: shape (..., classes); floats.
        seed: of the draw.
        offset: added to the seed.
        numsamples: how many indices for each row.
        replacement: whether an index may be drawn again.

    Returns:
        A Tensor of shape (..., numsamples); Int64.

    Raises:
        ValueError: without `replacement`, `numsamples` is more than there are classes.

    Follows: mindspore.ops.multinomial_with_replacement (2.10).
    """
    if not replacement and numsamples > x.shape[-1]:
        raise ValueError(
            "For 'multinomial_with_replacement', numsamples must be at most the number of classes without replacement, "
            f"got {numsamples} for x.shape {x.shape}."
        )
    chosen = seed + offset if isinstance(seed, int) else seed
    return wrap(multinomial(x, numsamples, replacement, chosen)._data.long())


def random_categorical(logits: Tensor, num_sample: int, seed: Seed = 0, dtype: Type = int64) -> Tensor:
    """Draw `num_sample` classes for each row of unnormalised log-probabilities.

    Args:
        logits: shape (N, classes); floats.
        num_sample: how many for each row.
        seed: 0 for the generator that `set_seed` seeds.
        dtype: that of the result.

    Returns:
        A Tensor of shape (N, num_sample) and dtype `dtype`.

    Follows: mindspore.ops.random_categorical (2.10).
    """
    try:
        chances = torch.softmax(logits._data.float(), -1)
        drawn = torch.multinomial(chances, num_sample, True, generator=generator_of(seed or None))
        return wrap(drawn.to(dtype.torch))
    except Exception as error:
        raise explain(error, "random_categorical", logits=logits, num_sample=num_sample) from error


def shuffle(x: Tensor, seed: Seed = None) -> Tensor:
    """Bring the elements along the first axis into random order.

    Args:
        x: any shape and dtype.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.shuffle (2.10).
    """
    try:
        data = x._data
        if data.dim() == 0:
            return wrap(data.clone())
        return wrap(data[torch.randperm(data.shape[0], device=data.device, generator=generator_of(seed))])
    except Exception as error:
        raise explain(error, "shuffle", x=x) from error


def choice_with_mask(input_x: Tensor, count: int = 256, seed: Seed = None) -> tuple[Tensor, Tensor]:
    """Choose `count` of the places where `input_x` is true.

    Args:
        input_x: bool, one to five axes.
        count: how many places.
        seed: starts a sequence of its own.

    Returns:
        (indices, mask): Int32 of shape (count, input_x.ndim), and Bool of shape (count,), false where there were no
        more places.

    Follows: mindspore.ops.choice_with_mask (2.10).
    """
    try:
        places = input_x._data.nonzero()
        order = torch.randperm(places.shape[0], device=places.device, generator=generator_of(seed))[:count]
        indices = places.new_zeros((count, places.shape[1]), dtype=torch.int32)
        indices[: order.shape[0]] = places[order].int()
        return wrap(indices), wrap(torch.arange(count, device=places.device) < order.shape[0])
    except Exception as error:
        raise explain(error, "choice_with_mask", input=input_x, count=count) from error


@explaining
def uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: Seed = 0,
    remove_accidental_hits: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw classes from [0, range_max), each as likely.

    Args:
        true_classes: shape (N, num_true), or (num_true,); Int32 or Int64.
        num_true: how many true classes a row has.
        num_sampled: how many classes are drawn.
        unique: whether each is drawn once at most.
        range_max: how many classes there are.
        seed: 0 for the generator that `set_seed` seeds.
        remove_accidental_hits: whether true classes are not drawn.

    Returns:
        (sampled classes, expected counts of the true classes, expected counts of the sampled ones).

    Follows: mindspore.ops.uniform_candidate_sampler (2.10).
    """
    true = true_classes._data.long()
    chances = torch.full((range_max,), 1.0 / range_max, device=torch_device())
    left = chances
    if remove_accidental_hits:  # where the others are too few, nothing is removed
        removed = chances.index_fill(0, true.flatten(), 0.0)
        left = torch.where((removed > 0).sum() >= num_sampled, removed, chances)
    return _candidates(chances, left, chances[:1].expand(true.shape), true_classes, num_sampled, unique, seed)


@explaining
def log_uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int = 1,
    num_sampled: int = 5,
    unique: bool = True,
    range_max: int = 5,
    seed: Seed = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw classes from [0, range_max), small ones more likely: log((c + 2) / (c + 1)) / log(range_max + 1).

    Args:
        true_classes: shape (N, num_true); Int64.
        num_true: how many true classes a row has.
        num_sampled: how many classes are drawn.
        unique: whether each is drawn once at most.
        range_max: how many classes there are.
        seed: 0 for the generator that `set_seed` seeds.

    Returns:
        (sampled classes, expected counts of the true classes, expected counts of the sampled ones).

    Follows: mindspore.ops.log_uniform_candidate_sampler (2.10).
    """

    def chances_of(classes: torch.Tensor) -> torch.Tensor:
        return torch.log((classes + 2) / (classes + 1)) / math.log(range_max + 1)

    chances = chances_of(torch.arange(range_max, device=torch_device()))
    of_true = chances_of(true_classes._data.long())  # MindSpore has a number for classes beyond the last one, too
    return _candidates(chances, chances, of_true, true_classes, num_sampled, unique, seed)


def _candidates(
    chances: torch.Tensor,
    left: torch.Tensor,
    of_true: torch.Tensor,
    true_classes: Tensor,
    num_sampled: int,
    unique: bool,
    seed: Seed,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw from what is `left` of the chances, and compute expected counts from all of them.

    Unique classes are those of draws that continue until there are enough; what is expected follows from the number of
    draws that took. It is drawn, too: between two new classes lie draws of known ones and of removed ones, whose number
    has a geometric distribution.
    """
    if unique and num_sampled > len(left):
        raise ValueError(f"{num_sampled} different classes cannot be drawn from {len(left)}")
    generator = generator_of(seed or None)
    sampled = torch.multinomial(left, num_sampled, not unique, generator=generator)
    if not unique:
        return _wrap_counts(sampled, true_classes, of_true * num_sampled, chances[sampled] * num_sampled)
    is_new = left.sum() - left[sampled].cumsum(0) + left[sampled]
    draws = torch.empty_like(is_new).uniform_(generator=generator).log_() / torch.log1p(-is_new.clamp(max=1 - 1e-7))
    tries = draws.floor().sum() + num_sampled
    is_plain = tries == num_sampled
    expected = [
        torch.where(is_plain, chance * num_sampled, -torch.expm1(tries * torch.log1p(-chance)))
        for chance in (of_true, chances[sampled])
    ]
    return _wrap_counts(sampled, true_classes, *expected)


def _wrap_counts(
    sampled: torch.Tensor, true_classes: Tensor, of_true: torch.Tensor, of_sampled: torch.Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    return wrap(sampled.to(true_classes._data.dtype)), wrap(of_true.contiguous()), wrap(of_sampled)
