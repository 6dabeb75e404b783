"""Steps of AdamW, against torch.optim."""

import numpy as np
import pytest
import torch

from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("maximize", [False, True])
def test_steps(amsgrad: bool, maximize: bool) -> None:
    start = torch.from_numpy(DRAW.normal(size=(3,)).astype(np.float32))
    theirs = start.clone().requires_grad_()
    optimizer = torch.optim.AdamW([theirs], 0.1, (0.9, 0.99), 1e-8, 0.2, amsgrad=amsgrad, maximize=maximize)
    first = [Tensor(start.clone()), *(Tensor(torch.zeros(3)) for _ in range(3))]
    second = [Tensor(start.clone()), *(Tensor(torch.zeros(3)) for _ in range(3))]
    for count in range(1, 4):
        slope = torch.from_numpy(DRAW.normal(size=(3,)).astype(np.float32) / count)
        theirs.grad = slope
        optimizer.step()
        found = gen.AdamW()(*first, Tensor(slope), Tensor(float(count)), 0.1, 0.9, 0.99, 0.2, 1e-8, amsgrad, maximize)
        assert found[0] is first[0]
        powers = Tensor(0.9**count), Tensor(0.99**count)
        gen.ApplyAdamW()(*second[:3], *powers, 0.1, 0.2, 0.9, 0.99, 1e-8, Tensor(slope), second[3], amsgrad, maximize)
        assert np.allclose(first[0], theirs.detach(), atol=1e-5)
        assert np.allclose(second[0], theirs.detach(), atol=1e-5)
