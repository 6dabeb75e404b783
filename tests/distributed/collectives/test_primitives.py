"""Collective operations: their names and gradients."""

import numpy as np
import pytest
import torch

from msbridge import distributed
from msbridge.core.tensor.tensor import Tensor
from msbridge.distributed.collectives import primitives


def test_unknown_reduction():
    with pytest.raises(TypeError, match="'median'"):
        distributed.all_reduce(Tensor(np.ones(1, np.float32)), "median")


@pytest.mark.parametrize("function", [primitives.all_reduce, primitives.all_gather, primitives.reduce_scatter])
def test_gradient_alone_is_the_identity(function):
    data = torch.tensor([2.0, 3.0], requires_grad=True)
    (function(Tensor(data))._data * torch.tensor([5.0, 7.0])).sum().backward()
    assert data.grad.tolist() == [5, 7]
