"""Losses of classes and their gradients, against torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)
SCORES = torch.from_numpy(DRAW.normal(size=(5, 3)).astype(np.float32))
CLASSES, SHARES = torch.tensor([0, 2, 1, 2, 0]), torch.tensor([1.0, 2.0, 0.5])


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("scale", [0.0, 0.25])
def test_cross_entropy(reduction: str, scale: float) -> None:
    leaf = SCORES.clone().requires_grad_()
    wanted = F.cross_entropy(leaf, CLASSES, SHARES, ignore_index=1, reduction=reduction, label_smoothing=0.1)
    squares = scale * torch.logsumexp(leaf, 1) ** 2 * (CLASSES != 1)
    weights = SHARES[CLASSES][CLASSES != 1].sum()
    wanted = wanted + {"none": squares, "sum": squares.sum(), "mean": squares.sum() / weights}[reduction]
    seed = torch.rand_like(wanted)
    (slope,) = torch.autograd.grad(wanted, leaf, seed)
    given = reduction, 1, 0.1, scale
    found = gen.CrossEntropyLoss()(Tensor(SCORES), Tensor(CLASSES), Tensor(SHARES), *given)
    assert np.allclose(found[0], wanted.detach(), atol=1e-5)
    assert np.allclose(found[1], SCORES.log_softmax(1), atol=1e-5)
    ours = gen.cross_entropy_loss_grad(Tensor(seed), found[1], Tensor(CLASSES), Tensor(SHARES), None, found[3], *given)
    assert np.allclose(ours, slope, atol=1e-5)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_classes_of_pixels(reduction: str) -> None:
    chances = SCORES.T[None, :, :, None].log_softmax(1).requires_grad_()
    classes = CLASSES[None, :, None]
    wanted = F.nll_loss(chances, classes, SHARES, ignore_index=2, reduction=reduction)
    seed = torch.rand_like(wanted)
    (slope,) = torch.autograd.grad(wanted, chances, seed)
    given = Tensor(chances.detach()), Tensor(classes), Tensor(SHARES), reduction, 2
    loss, total = gen.NLLLoss2d()(*given)
    assert np.allclose(loss, wanted.detach())
    assert total.item() == 4.0
    assert np.allclose(gen.NLLLoss2dGrad()(Tensor(seed), *given, total), slope)


def test_logarithms_of_sigmoids() -> None:
    leaf = SCORES.clone().requires_grad_()
    (slope,) = torch.autograd.grad(F.logsigmoid(leaf), leaf, SCORES)
    found, buffer = gen.LogSigmoid()(Tensor(SCORES))
    assert np.allclose(found, F.logsigmoid(SCORES))
    assert np.allclose(gen.logsigmoid_grad(Tensor(SCORES), Tensor(SCORES), buffer), slope, atol=1e-6)
