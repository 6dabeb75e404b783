"""Draws from a seed and an offset: the same two yield the same numbers, which are torch's and not an Ascend's.

MindSpore's own functions step a generator and hand the two over; those of mint and `ops` here draw from torch's.
MindSpore computes these on an Ascend only; distribution, shape and dtype follow its documentation.
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float32, int64
from msbridge.ops.kernel_calls.families import Number, call_kernel, plain_shape
from msbridge.ops.random.distributions import functions as random
from msbridge.ops.random.redrawing import functions as redrawing

Shape = int | tuple[int, ...] | list[int]
Whole = Tensor | int
Data = torch.Tensor


def _generator(seed: Whole, offset: Whole) -> torch.Generator:
    start, place = (int(one.item()) if isinstance(one, Tensor) else one for one in (seed, offset))
    return torch.Generator(torch_device()).manual_seed((start * 1_000_003 + place) % 2**63)


def _draw(
    op: str, fn: Callable[..., Data], shape: Shape, dtype: Type | None, device: str | None, seed: Whole, offset: Whole
) -> Tensor:
    one_of(device, "device", op, (None, torch_device().type))
    kind = {"dtype": (dtype or float32).torch, "device": torch_device(), "generator": _generator(seed, offset)}
    return call_kernel(lambda: fn(plain_shape(shape), **kind), op)  # type: ignore[no-any-return]


def rand_ext(shape: Shape, seed: Whole, offset: Whole, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from [0, 1); Float32 unless `dtype` is given.

    Follows: mindspore.ops.auto_generate.RandExt (2.10).
    """
    return _draw("RandExt", torch.rand, shape, dtype, device, seed, offset)


def rand_like_ext(
    tensor: Tensor, seed: Whole, offset: Whole, dtype: Type | None = None, device: str | None = None
) -> Tensor:
    """Draw from [0, 1) in the shape of `tensor`, and in its dtype unless one is given.

    Follows: mindspore.ops.auto_generate.RandLikeExt (2.10).
    """
    return _draw("RandLikeExt", torch.rand, tensor.shape, dtype or tensor.dtype, device, seed, offset)


def randn(shape: Shape, seed: Whole, offset: Whole, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from the standard normal distribution; Float32 unless `dtype` is given.

    Follows: mindspore.ops.auto_generate.Randn (2.10).
    """
    return _draw("Randn", torch.randn, shape, dtype, device, seed, offset)


def randn_like(
    input: Tensor, seed: Whole, offset: Whole, dtype: Type | None = None, device: str | None = None
) -> Tensor:
    """Draw from the standard normal distribution in the shape of `input`, and in its dtype unless one is given.

    Follows: mindspore.ops.auto_generate.RandnLike (2.10).
    """
    return _draw("RandnLike", torch.randn, input.shape, dtype or input.dtype, device, seed, offset)


def randint(
    low: int,
    high: int,
    shape: Shape,
    seed: Whole,
    offset: Whole,
    dtype: Type | None = None,
    device: str | None = None,
) -> Tensor:
    """Draw integers from [low, high); Int64 unless `dtype` is given.

    Follows: mindspore.ops.auto_generate.RandInt (2.10).
    """

    def fn(sizes: tuple[int, ...], **kind: Any) -> Data:
        return torch.randint(low, high, sizes, **kind)

    return _draw("RandInt", fn, shape, dtype or int64, device, seed, offset)


def randint_like(
    input: Tensor,
    low: int,
    high: int,
    seed: Whole,
    offset: Whole,
    dtype: Type | None = None,
    device: str | None = None,
) -> Tensor:
    """Draw integers from [low, high) in the shape of `input`, and in its dtype unless one is given.

    Follows: mindspore.ops.auto_generate.RandIntLike (2.10).
    """
    return randint(low, high, input.shape, seed, offset, dtype or input.dtype, device)


def randperm_ext(n: int, seed: Whole, offset: Whole, dtype: Type = int64) -> Tensor:
    """Return 0 … n-1 in random order.

    Follows: mindspore.ops.auto_generate.RandpermExt (2.10).
    """
    return random.randperm(n, _generator(seed, offset), 0, dtype)


def uniform_ext(tensor: Tensor, a: float, b: float, seed: Whole, offset: Whole) -> Tensor:
    """Draw from [a, b) in the shape and dtype of `tensor`.

    Follows: mindspore.ops.auto_generate.UniformExt (2.10).
    """
    return inplace_uniform(Tensor(torch.empty_like(tensor._data.detach())), a, b, seed, offset)


def bernoulli_ext(input: Tensor, seed: Whole, offset: Whole) -> Tensor:
    """Draw 1 with the probability in each element, else 0, in its dtype.

    Follows: mindspore.ops.auto_generate.BernoulliExt (2.10).
    """
    generator = _generator(seed, offset)
    return call_kernel(lambda chances: torch.bernoulli(chances, generator=generator), "BernoulliExt", input)  # type: ignore[no-any-return]


def multinomial_ext(input: Tensor, num_samples: int, replacement: bool, seed: Whole, offset: Whole) -> Tensor:
    """Draw the places of `num_samples` elements of each row, each as likely as its weight says; Int64.

    Follows: mindspore.ops.auto_generate.MultinomialExt (2.10).
    """
    generator = _generator(seed, offset)

    def run(weights: Data) -> Data:
        return torch.multinomial(weights, num_samples, replacement, generator=generator)

    return call_kernel(run, "MultinomialExt", input)  # type: ignore[no-any-return]


def normal_float_float(mean: Number, std: Number, size: Shape, seed: Whole, offset: Whole) -> Tensor:
    """Draw from a normal distribution, Float32.

    Follows: mindspore.ops.auto_generate.NormalFloatFloat (2.10).
    """
    return randn(size, seed, offset) * std + mean


def normal_of_tensors(mean: Tensor | Number, std: Tensor | Number, seed: Whole, offset: Whole) -> Tensor:
    """Draw from the normal distribution of each mean and standard deviation, broadcast together.

    Follows: mindspore.ops.auto_generate.NormalTensorTensor, NormalTensorFloat and NormalFloatTensor (2.10).
    """
    generator = _generator(seed, offset)

    def run(center: Any, spread: Any) -> Data:
        form = center + spread
        return center + spread * torch.empty_like(form).normal_(generator=generator)

    return call_kernel(run, "Normal", mean, std)  # type: ignore[no-any-return]


# -- in place ------------------------------------------------------------------------------------------------------


def inplace_uniform(input: Tensor, from_: float, to: float, seed: Whole, offset: Whole) -> Tensor:
    """Draw every element again from [from_, to).

    Follows: mindspore.ops.auto_generate.InplaceUniform (2.10).
    """
    return redrawing.uniform_(input, from_, to, generator=_generator(seed, offset))


def inplace_normal(input: Tensor, mean: float, std: float, seed: Whole, offset: Whole) -> Tensor:
    """Draw every element again from a normal distribution.

    Follows: mindspore.ops.auto_generate.InplaceNormal (2.10).
    """
    return redrawing.normal_(input, mean, std, generator=_generator(seed, offset))


def inplace_random(input: Tensor, from_: int = 0, to: int | None = None, seed: Whole = 0, offset: Whole = 0) -> Tensor:
    """Draw every element again from the integers of [from_, to); None for all that the dtype holds.

    Follows: mindspore.ops.auto_generate.InplaceRandom (2.10).
    """
    return redrawing.random_(input, from_, to, generator=_generator(seed, offset))


def inplace_exponential(input: Tensor, lambd: float, seed: Whole, offset: Whole) -> Tensor:
    """Draw every element again from the exponential distribution of rate `lambd`.

    Follows: mindspore.ops.auto_generate.InplaceExponential (2.10).
    """
    return redrawing.exponential_(input, lambd, generator=_generator(seed, offset))


def inplace_bernoulli(input: Tensor, p: Tensor | float, seed: Whole, offset: Whole) -> Tensor:
    """Draw every element again: 1 with probability `p`, else 0.

    Follows: mindspore.ops.auto_generate.InplaceBernoulliScalar and InplaceBernoulliTensor (2.10).
    """
    return redrawing.bernoulli_(input, p, generator=_generator(seed, offset))


# -- dropout -------------------------------------------------------------------------------------------------------


def _draw_mask(shape: tuple[int, ...], p: float, seed: Whole, offset: Whole) -> Data:
    return torch.rand(shape, device=torch_device(), generator=_generator(seed, offset)) >= p


def dropout_ext(input: Tensor, p: float, seed: Whole, offset: Whole) -> tuple[Tensor, Tensor]:
    """Zero each element with probability `p` and divide the rest by 1 - p.

    Returns:
        The result, and what was kept as bits: UInt8, eight elements each, in whole groups of 128.

    Follows: mindspore.ops.auto_generate.DropoutExt (2.10).
    """

    def run(data: Data) -> tuple[Data, Data]:
        kept = _draw_mask(tuple(data.shape), p, seed, offset)
        return data * kept / (1 - p) if p < 1 else data * 0, _bits(kept)

    return call_kernel(run, "DropoutExt", input)  # type: ignore[no-any-return]


def dropout_gen_mask_ext(shape: Shape, p: float, seed: Whole, offset: Whole, dtype: Type) -> Tensor:
    """Draw which elements of a shape are kept, as the bits that `dropout_ext` returns; `dtype` is that of the elements.

    Follows: mindspore.ops.auto_generate.DropoutGenMaskExt (2.10).
    """
    one_of(isinstance(dtype, Type), "dtype", "DropoutGenMaskExt", (True,))
    return call_kernel(lambda: _bits(_draw_mask(plain_shape(shape), p, seed, offset)), "DropoutGenMaskExt")  # type: ignore[no-any-return]


def dropout_do_mask_ext(input: Tensor, mask: Tensor, p: float) -> Tensor:
    """Zero the elements that a mask of `dropout_gen_mask_ext` drops, and divide the rest by 1 - p.

    Follows: mindspore.ops.auto_generate.DropoutDoMaskExt (2.10).
    """

    def run(data: Data, bits: Data) -> Data:
        places = torch.arange(8, device=bits.device, dtype=torch.uint8)
        kept = ((bits[:, None] >> places) & 1).flatten()[: data.numel()].reshape(data.shape)
        return data * kept / (1 - p) if p < 1 else data * 0

    return call_kernel(run, "DropoutDoMaskExt", input, mask)  # type: ignore[no-any-return]


def dropout_grad_ext(input: Tensor, mask: Tensor, p: float) -> Tensor:
    """Return the gradient of `dropout_ext` for the gradient of its result, by the mask that it returned.

    Follows: mindspore.ops.auto_generate.DropoutGradExt (2.10).
    """
    return dropout_do_mask_ext(input, mask, p)


def func_dropout_ext(input: Tensor, p: float, training: bool, inplace: bool, seed: Whole, offset: Whole) -> Tensor:
    """Return the result of `dropout_ext` where it is training, else `input`; with `inplace` written over `input`.

    Follows: mindspore.ops.auto_generate.FuncDropoutExt (2.10).
    """
    return _whole("FuncDropoutExt", input, tuple(input.shape), p, (training, inplace), seed, offset)


def dropout2d_ext(input: Tensor, p: float, training: bool, inplace: bool, seed: Whole, offset: Whole) -> Tensor:
    """Zero whole channels of (N, C, ...) with probability `p`, else as `func_dropout_ext`.

    Follows: mindspore.ops.auto_generate.Dropout2dExt (2.10).
    """
    form = (*input.shape[:2], *[1] * (input.ndim - 2))
    return _whole("Dropout2dExt", input, form, p, (training, inplace), seed, offset)


def _whole(
    op: str, input: Tensor, form: tuple[int, ...], p: float, modes: tuple[bool, bool], seed: Whole, offset: Whole
) -> Tensor:
    training, inplace = modes
    if not training:
        return input

    def run(data: Data) -> Data:
        factors = _draw_mask(form, p, seed, offset) / (1 - p) if p < 1 else torch.zeros(form, device=data.device)
        return data * factors.to(data.dtype)

    found: Tensor = call_kernel(run, op, input)
    if not inplace:
        return found
    input._data.copy_(found._data)
    return input


def _bits(kept: Data) -> Data:
    flat = torch.nn.functional.pad(kept.flatten(), (0, -kept.numel() % 128)).unflatten(0, (-1, 8))
    places = torch.arange(8, device=kept.device, dtype=torch.uint8)
    return (flat.to(torch.uint8) << places).sum(1, dtype=torch.uint8)
