"""mint.optim; the judge is torch.optim. Values and refusals: tests/oracle/cases/mint_nn.py."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint

OPTIMIZERS = [
    ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.1, "betas": (0.5, 0.7), "eps": 0.1, "weight_decay": 0.3, "amsgrad": True}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.3}),
    ("AdamW", {"lr": 0.1, "amsgrad": True, "maximize": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.4, "weight_decay": 0.2}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
]


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS, ids=str)
def test_optimizer_steps_are_torchs(name: str, settings: dict) -> None:
    torch.manual_seed(4)
    theirs = [torch.randn(3, 2, requires_grad=True), torch.randn(2, requires_grad=True)]
    ours = [ms.Parameter(Tensor(p.detach().clone()), name=f"p{index}") for index, p in enumerate(theirs)]
    reference = getattr(torch.optim, name)([{"params": theirs[:1], "lr": 0.03}, {"params": theirs[1:]}], **settings)
    optimizer = getattr(mint.optim, name)([{"params": ours[:1], "lr": 0.03}, {"params": ours[1:]}], **settings)
    for _ in range(4):
        gradients = [torch.randn(3, 2), torch.randn(2)]
        for parameter, gradient in zip(theirs, gradients, strict=True):
            parameter.grad = gradient
        reference.step()
        optimizer([Tensor(gradient) for gradient in gradients])
    for found, wanted in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted.detach(), rtol=1e-5, atol=1e-5)
