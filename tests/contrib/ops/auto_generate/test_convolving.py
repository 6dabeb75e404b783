"""Convolutions of any rank and their gradients, against torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)


def drawn(*shape: int) -> torch.Tensor:
    return torch.from_numpy(DRAW.normal(size=shape).astype(np.float32))


CONVOLUTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_convolution_and_its_gradients(rank: int) -> None:
    data, kernel, shift = drawn(2, 4, *[5] * rank), drawn(6, 2, *[3] * rank), drawn(6)
    for settings in ((2, 1, 1), ((1,) * rank, "same", (2,) * rank)):
        leaves = [one.clone().requires_grad_() for one in (data, kernel, shift)]
        wanted = CONVOLUTIONS[rank](*leaves, *settings, 2)
        seed = torch.rand_like(wanted)
        slopes = torch.autograd.grad(wanted, leaves, seed)
        name = "ConvolutionStr" if "same" in settings else "Convolution"
        found = getattr(gen, name)()(*map(Tensor, (data, kernel, shift)), *settings, False, 0, 2)
        assert np.allclose(found, wanted.detach(), atol=1e-5)
        pulled = getattr(gen, f"{name}Grad")()(*map(Tensor, (seed, data, kernel, shift)), *settings, False, 0, 2)
        for ours, theirs in zip(pulled, slopes, strict=True):
            assert np.allclose(ours, theirs, atol=1e-4)
    padded = getattr(gen, f"Conv{rank}DPadding")()(Tensor(data), Tensor(kernel), Tensor(shift), 1, "same", 1, 2)
    assert np.allclose(padded, CONVOLUTIONS[rank](data, kernel, shift, 1, "same", 1, 2), atol=1e-5)


def test_a_transposed_convolution() -> None:
    data, kernel = drawn(1, 2, 4, 4), drawn(2, 3, 3, 3)
    found = gen.convolution(Tensor(data), Tensor(kernel), None, 2, 1, 1, True, 1)
    assert np.allclose(found, F.conv_transpose2d(data, kernel, None, 2, 1, 1), atol=1e-5)


def test_only_what_is_asked_for_is_computed() -> None:
    seed, data, kernel = drawn(1, 3, 2, 2), drawn(1, 2, 4, 4), drawn(3, 2, 3, 3)
    given = tuple(map(Tensor, (seed, data, kernel)))
    found = gen.ConvolutionGrad()(*given, Tensor(drawn(3)), 1, 0, 1, False, 0, 1, (True, False, False))
    assert found[0].asnumpy().any()
    assert not found[1].asnumpy().any()
    assert found[2].shape == (3,)


def test_words_that_are_no_padding() -> None:
    with pytest.raises(ValueError, match=r"padding. must be"):
        gen.ConvolutionStr()(Tensor(drawn(1, 1, 4)), Tensor(drawn(1, 1, 3)), None, 1, "full")


def test_over_time() -> None:
    data, kernel, shift = drawn(5, 2, 3), drawn(3, 3, 4), drawn(4)
    found = gen.conv_tbc(Tensor(data), Tensor(kernel), Tensor(shift), 1)
    wanted = F.conv1d(data.permute(1, 2, 0), kernel.permute(2, 1, 0), shift, 1, 1).permute(2, 0, 1)
    assert np.allclose(found, wanted, atol=1e-5)
