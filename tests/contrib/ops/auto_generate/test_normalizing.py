"""Normalization with statistics and its gradients, against torch."""

import numpy as np
import torch
from torch.nn import functional as F

from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)


def drawn(*shape: int, positive: bool = False) -> torch.Tensor:
    data = torch.from_numpy(DRAW.normal(size=shape).astype(np.float32))
    return data.abs() + 0.5 if positive else data


IMAGE, SCALE, SHIFT, SEED = drawn(3, 2, 4, 5), drawn(2), drawn(2), drawn(3, 2, 4, 5)


def slopes(forward: object, *inputs: torch.Tensor, seed: torch.Tensor = SEED) -> tuple[torch.Tensor, ...]:
    leaves = [one.clone().requires_grad_() for one in inputs]
    return torch.autograd.grad(forward(*leaves), leaves, seed)  # type: ignore[operator]


def close(found: tuple[Tensor, ...], wanted: tuple[torch.Tensor, ...]) -> None:
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        assert tuple(ours.shape) == tuple(theirs.shape)
        assert np.allclose(ours, theirs, atol=1e-4)


def ours(*datas: torch.Tensor) -> list[Tensor]:
    return [Tensor(one.clone()) for one in datas]


def test_a_batch_and_its_gradients() -> None:
    mean, variance = torch.zeros(2), torch.ones(2)
    running = ours(mean, variance)
    out, center, factor = gen.BatchNormExt()(*ours(IMAGE, SCALE, SHIFT), *running, True, 0.1, 1e-5)
    assert np.allclose(out, F.batch_norm(IMAGE, mean, variance, SCALE, SHIFT, True), atol=1e-5)
    close(tuple(running), (mean, variance))
    wanted = slopes(lambda *one: F.batch_norm(one[0], None, None, *one[1:], True), IMAGE, SCALE, SHIFT)
    given = *ours(SEED, IMAGE, SCALE), *running, center, factor
    close(gen.BatchNormGradExt(True, 1e-5)(*given), wanted)
    masked = gen.batch_norm_grad_ext_impl(*given, True, 1e-5, (1, 0, 1))
    close(masked, (wanted[0], torch.zeros(2), wanted[2]))


def test_a_batch_over_devices_is_the_whole_batch() -> None:
    parts = IMAGE[:1], IMAGE[1:]
    stats = [gen.batch_norm_stats(Tensor(part), 1e-5) for part in parts]
    running = [Tensor(torch.zeros(2)), Tensor(torch.ones(2))]
    means, factors = (Tensor(torch.stack([one[place]._data for one in stats])) for place in range(2))
    mean, invstd = gen.batch_norm_gather_stats_with_counts(
        Tensor(parts[0]), means, factors, *running, 0.1, 1e-5, Tensor([20.0, 40.0])
    )
    center, spread = torch.zeros(2), torch.ones(2)
    whole = F.batch_norm(IMAGE, center, spread, SCALE, SHIFT, True)
    close(tuple(running), (center, spread))
    found = [gen.batch_norm_elemt(*ours(part, SCALE, SHIFT), mean, invstd) for part in parts]
    assert np.allclose(torch.cat([one._data for one in found]), whole, atol=1e-5)
    wanted = slopes(lambda *one: F.batch_norm(one[0], None, None, *one[1:], True), IMAGE, SCALE, SHIFT)
    seeds = SEED[:1], SEED[1:]
    sums = [
        gen.BatchNormReduceGrad()(*ours(seed, part), mean, invstd, Tensor(SCALE), True, True, True)
        for seed, part in zip(seeds, parts, strict=True)
    ]
    total = [sums[0][place] + sums[1][place] for place in range(4)]
    close(tuple(total[2:]), wanted[1:])
    last = gen.BatchNormElemtGrad()(
        *ours(seeds[1], parts[1]), mean, invstd, Tensor(SCALE), *total[:2], Tensor([20, 40])
    )
    assert np.allclose(last, wanted[0][1:], atol=1e-5)


def test_groups_and_their_gradients() -> None:
    out, mean, rstd = gen.GroupNorm()(Tensor(IMAGE), 2, Tensor(SCALE), Tensor(SHIFT), 1e-5)
    assert np.allclose(out, F.group_norm(IMAGE, 2, SCALE, SHIFT), atol=1e-5)
    assert mean.shape == rstd.shape == (3, 2)
    wanted = slopes(lambda *one: F.group_norm(one[0], 2, *one[1:]), IMAGE, SCALE, SHIFT)
    close(gen.GroupNormGrad()(*ours(SEED, IMAGE), mean, rstd, Tensor(SCALE), 2), wanted)
    partial = gen.GroupNormGrad()(*ours(SEED, IMAGE), mean, rstd, Tensor(SCALE), 2, True, False, True)
    close(partial, (wanted[0], torch.zeros(2), wanted[2]))


def test_layers_and_their_gradients() -> None:
    scale, shift = drawn(4, 5), drawn(4, 5)
    wanted = F.layer_norm(IMAGE, (4, 5), scale, shift)
    slope = slopes(lambda *one: F.layer_norm(one[0], (4, 5), *one[1:]), IMAGE, scale, shift)
    out, mean, rstd = gen.LayerNormExt()(Tensor(IMAGE), (4, 5), *ours(scale, shift))
    assert np.allclose(out, wanted, atol=1e-5)
    assert mean.shape == rstd.shape == (3, 2, 1, 1)
    close(gen.LayerNormGradExt()(*ours(SEED, IMAGE), (4, 5), mean, rstd, *ours(scale, shift)), slope)
    third = gen.LayerNormV3(2, 2, 1e-5)(*ours(IMAGE, scale, shift))
    close(third, tuple(one._data for one in (out, mean, rstd)))
    close(gen.LayerNormGradV3(2, 2)(*ours(IMAGE, SEED), rstd, mean, Tensor(scale)), slope)
