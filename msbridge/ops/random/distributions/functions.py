"""Random numbers.

Without a seed, numbers come from the generator that `set_seed` seeds. With one, they come from a sequence of their own:
each call continues in it, and `set_seed` starts it again.
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.checks.arguments import is_int
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, int8, int16, int32, int64
from msbridge.ops.kernel_calls.families import Number, plain_shape
from msbridge.ops.random.distributions.kernels import Seed, Shape, draw, floats, generator_of, shift_and_scale


def rand(*size: int | Sequence[int], dtype: Type | None = None, seed: Seed = None) -> Tensor:
    """Draw from [0, 1), Float32 by default.

    Args:
        size: the shape, as ints or one sequence.
        dtype: a floating dtype.
        seed: starts a sequence of its own.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Raises:
        ValueError: `dtype` is not a floating dtype, or `seed` is negative.

    Follows: mindspore.ops.rand (2.10).
    """
    return draw("rand", torch.rand, _shape_of("rand", size), _floating("rand", dtype or float32), seed)


def randn(*size: int | Sequence[int], dtype: Type | None = None, seed: Seed = None) -> Tensor:
    """Draw from the standard normal distribution, Float32 by default.

    Args:
        size: the shape, as ints or one sequence.
        dtype: a float; None for Float32.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Follows: mindspore.ops.randn (2.10).
    """
    return draw("randn", torch.randn, _shape_of("randn", size), _floating("randn", dtype or float32), seed)


def randint(low: int, high: int, size: Shape, seed: Seed = None, *, dtype: Type | None = None) -> Tensor:
    """Draw integers from [low, high), Int64 by default.

    Args:
        low: the least integer.
        high: the end, exclusive.
        size: the shape, a tuple.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: an integer type; None for Int64.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Raises:
        TypeError: `low` or `high` is not an int.
        ValueError: `size` is not a tuple, `dtype` no dtype of signed integers, `seed` negative, or the range empty.

    Follows: mindspore.ops.randint (2.10).
    """
    if not isinstance(size, tuple):
        raise ValueError(f"For 'randint', size must be a tuple, got {size!r}.")
    return _integers("randint", size, low, high, dtype or int64, seed)


def rand_like(input: Tensor, seed: Seed = None, *, dtype: Type | None = None) -> Tensor:
    """Draw from [0, 1) in the shape (and dtype) of `input`.

    Args:
        input: any shape.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: a float; None for that of `input`.

    Returns:
        A Tensor of the shape of `input` and dtype `dtype`.

    Follows: mindspore.ops.rand_like (2.10).
    """
    like = _like("rand_like", input)
    return draw("rand_like", torch.rand, like.shape, _floating("rand_like", dtype or like.dtype), seed)


def randn_like(input: Tensor, seed: Seed = None, *, dtype: Type | None = None) -> Tensor:
    """Draw from the standard normal distribution in the shape of `input`, Float32 by default.

    Args:
        input: any shape.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of the shape of `input` and dtype `dtype`.

    Follows: mindspore.ops.randn_like (2.10).
    """
    like = _like("randn_like", input)
    return draw("randn_like", torch.randn, like.shape, _floating("randn_like", dtype or float32), seed)


def randint_like(input: Tensor, low: int, high: int, seed: Seed = None, *, dtype: Type | None = None) -> Tensor:
    """Draw integers from [low, high) in the shape (and dtype) of `input`.

    Args:
        input: any shape.
        low: the least integer.
        high: the end, exclusive.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: an integer type; None for that of `input`.

    Returns:
        A Tensor of the shape of `input` and dtype `dtype`.

    Follows: mindspore.ops.randint_like (2.10).
    """
    like = _like("randint_like", input)
    return _integers("randint_like", like.shape, low, high, dtype or like.dtype, seed)


def randperm(n: int, seed: Seed = 0, offset: int = 0, dtype: Type = int64) -> Tensor:
    """Return 0 … n-1 in random order.

    Args:
        n: how many.
        seed: 0 for the generator that `set_seed` seeds.
        offset: added to a seed.
        dtype: of the result.

    Returns:
        A Tensor of shape (n,) and dtype `dtype`.

    Follows: mindspore.ops.randperm (2.10).
    """
    chosen = (seed + offset) % 2**63 if isinstance(seed, int) and seed else seed
    return draw("randperm", lambda shape, **kind: torch.randperm(shape[0], **kind), n, dtype, chosen or None)


def standard_normal(shape: Shape, seed: Seed = None) -> Tensor:
    """Draw from the standard normal distribution, Float32.

    Args:
        shape: that of the result.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of shape `shape`; Float32.

    Follows: mindspore.ops.standard_normal (2.10).
    """
    return draw("standard_normal", torch.randn, shape, float32, seed)


def standard_laplace(shape: Shape, seed: Seed = None) -> Tensor:
    """Draw from the Laplace distribution of mean 0 and scale 1, Float32.

    Args:
        shape: that of the result.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of shape `shape`; Float32.

    Follows: mindspore.ops.standard_laplace (2.10).
    """
    return draw("standard_laplace", _laplace, shape, float32, seed)


def normal(shape: Shape, mean: Tensor | Number, stddev: Tensor | Number, seed: Seed = None) -> Tensor:
    """Draw from normal distributions, Float32, or Float64 where `mean` or `stddev` is.

    Args:
        shape: broadcast with the shapes of `mean` and `stddev`; a tuple of positive ints.
        mean: the middle.
        stddev: the width.
        seed: starts a sequence of its own.

    Returns:
        A Tensor of the broadcast shape; Float32 or Float64.

    Raises:
        TypeError: `shape` is not a tuple of ints.
        ValueError: a length is not positive, or `seed` is negative.

    Follows: mindspore.ops.normal (2.10).
    """
    return shift_and_scale("normal", torch.randn, _positive("normal", shape), mean, stddev, seed)


def laplace(shape: Shape, mean: Tensor | Number, lambda_param: Tensor | Number, seed: Seed = None) -> Tensor:
    """Draw from Laplace distributions, Float32.

    Args:
        shape: broadcast with the shapes of `mean` and `lambda_param`.
        mean: the middle.
        lambda_param: the scale, positive.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of the broadcast shape; Float32.

    Follows: mindspore.ops.laplace (2.10).
    """
    return shift_and_scale("laplace", _laplace, _positive("laplace", shape), mean, lambda_param, seed)


def uniform(
    shape: Shape, minval: Tensor | Number, maxval: Tensor | Number, seed: Seed = None, dtype: Type = float32
) -> Tensor:
    """Draw from [minval, maxval): floats, or integers when `dtype` is Int32.

    Args:
        shape: broadcast with the shapes of `minval` and `maxval`.
        minval: the lower end.
        maxval: the upper one, exclusive.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: Float32 or Int32.

    Returns:
        A Tensor of the broadcast shape and dtype `dtype`.

    Follows: mindspore.ops.uniform (2.10).
    """
    try:
        low, high = floats(minval), floats(maxval)
        sizes = torch.broadcast_shapes(plain_shape(shape), low.shape, high.shape)
        share = torch.rand(sizes, device=torch_device(), generator=generator_of(seed))
        drawn = low + share * (high - low)
        return wrap((drawn if dtype.is_floating_point else drawn.floor()).to(dtype.torch))
    except Exception as error:
        raise explain(error, "uniform", shape=shape, minval=minval, maxval=maxval) from error


def gamma(shape: Shape, alpha: Tensor, beta: Tensor | Number | None, seed: Seed = None) -> Tensor:
    """Draw from gamma distributions of shape `alpha` and rate `beta`, Float32.

    Args:
        shape: broadcast with the shapes of `alpha` and `beta`.
        alpha: positive.
        beta: positive; None means 1.
        seed: starts a sequence of its own.

    Returns:
        A Tensor of the broadcast shape; Float32.

    Follows: mindspore.ops.gamma (2.10).
    """
    try:
        form, rate = floats(alpha), floats(1.0 if beta is None else beta)
        sizes = torch.broadcast_shapes(plain_shape(shape), form.shape, rate.shape)
        return wrap(_standard_gamma(form.expand(sizes), seed) / rate)
    except Exception as error:
        raise explain(error, "gamma", shape=shape, alpha=alpha, beta=beta) from error


def random_gamma(shape: Shape, alpha: Tensor, seed: Seed = None) -> Tensor:
    """Draw `shape` samples of every gamma distribution of `alpha`: shape + alpha.shape.

    Args:
        shape: how many samples, as a shape.
        alpha: the shapes of the distributions, positive; floats.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of shape (*shape, *alpha.shape) and the dtype of `alpha`.

    Follows: mindspore.ops.random_gamma (2.10).
    """
    try:
        data = alpha._data
        return wrap(_standard_gamma(data.expand(*plain_shape(shape), *data.shape).contiguous(), seed))
    except Exception as error:
        raise explain(error, "random_gamma", shape=shape, alpha=alpha) from error


def poisson(shape: Shape, mean: Tensor, seed: Seed = None) -> Tensor:
    """Draw from Poisson distributions, Float32; `shape` is broadcast with that of `mean`.

    Args:
        shape: broadcast with that of `mean`.
        mean: not negative.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of the broadcast shape; Float32.

    Follows: mindspore.ops.poisson (2.10).
    """
    try:
        rate = floats(mean)
        sizes = torch.broadcast_shapes(plain_shape(shape), rate.shape)
        return wrap(torch.poisson(rate.expand(sizes), generator=generator_of(seed)))
    except Exception as error:
        raise explain(error, "poisson", shape=shape, mean=mean) from error


def random_poisson(shape: Shape, rate: Tensor, seed: Seed = None, dtype: Type = float32) -> Tensor:
    """Draw `shape` samples of every Poisson distribution of `rate`: shape + rate.shape.

    Args:
        shape: how many samples, as a shape.
        rate: the means, not negative.
        seed: starts a sequence of its own; None draws from the global generator.
        dtype: that of the result.

    Returns:
        A Tensor of shape (*shape, *rate.shape) and dtype `dtype`.

    Follows: mindspore.ops.random_poisson (2.10).
    """
    try:
        data = floats(rate)
        drawn = torch.poisson(data.expand(*plain_shape(shape), *data.shape), generator=generator_of(seed))
        return wrap(drawn.to(dtype.torch))
    except Exception as error:
        raise explain(error, "random_poisson", shape=shape, rate=rate) from error


def bernoulli(input: Tensor, p: float | Tensor = 0.5, seed: Seed = None) -> Tensor:
    """Draw 1 with probability `p`, else 0, in the shape and dtype of `input`; the seed -1 means none.

    Args:
        input: any shape.
        p: in [0, 1]; a number, or a Tensor that broadcasts to `input`.
        seed: starts a sequence of its own; None draws from the global generator.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        ValueError: `p` is outside [0, 1], or `seed` less than -1.

    Follows: mindspore.ops.bernoulli (2.10).
    """
    try:
        chance = floats(p)
        if isinstance(p, float | int) and not 0 <= p <= 1:
            raise ValueError(f"For 'bernoulli', p must be in [0, 1], got {p}.")
        data = input._data
        generator = generator_of(None if isinstance(seed, int) and seed == -1 else seed)
        drawn = torch.bernoulli(chance.to(data.device).expand(data.shape), generator=generator)
        return wrap(drawn.to(data.dtype))
    except Exception as error:
        raise explain(error, "bernoulli", input=input, p=p) from error


# -- in place ------------------------------------------------------------------------------------------------------


def _shape_of(op: str, size: tuple[Any, ...]) -> Any:
    if len(size) == 1 and not isinstance(size[0], int | list | tuple):
        raise TypeError(f"For '{op}', the shape must be ints, a list or a tuple, got {size[0]!r}.")
    return size[0] if len(size) == 1 else size or (1,)


def _positive(op: str, shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, tuple) or not all(isinstance(length, int) for length in shape):
        raise TypeError(f"For '{op}', shape must be a tuple of ints, got {shape!r}.")
    if any(length < 1 for length in shape):
        raise ValueError(f"For '{op}', the lengths in shape must be positive, got {shape}.")
    return shape


def _like(op: str, input: Any) -> Tensor:
    if not isinstance(input, Tensor):
        raise TypeError(f"For '{op}', input must be a Tensor, got {type(input).__name__}.")
    return input


def _floating(op: str, dtype: Any) -> Type:
    if not isinstance(dtype, Type) or not dtype.is_floating_point:
        raise ValueError(f"For '{op}', dtype must be a floating dtype, got {dtype}.")
    return dtype


def _integers(op: str, shape: tuple[int, ...], low: Any, high: Any, dtype: Any, seed: Seed) -> Tensor:
    if dtype not in (int8, int16, int32, int64):
        raise ValueError(f"For '{op}', dtype must be int8, int16, int32 or int64, got {dtype}.")
    for name, bound in (("low", low), ("high", high)):
        if not is_int(bound):
            raise TypeError(f"For '{op}', {name} must be an int, got {bound!r}.")
    return draw(op, torch.randint, shape, dtype, seed, low, high)


def _laplace(shape: tuple[int, ...], **kind: Any) -> torch.Tensor:
    share = torch.rand(shape, **kind) - 0.5
    return -share.sign() * torch.log1p(-2 * share.abs())


def _standard_gamma(form: torch.Tensor, seed: Seed) -> torch.Tensor:
    return torch_private.standard_gamma(form.contiguous(), generator=generator_of(seed))
