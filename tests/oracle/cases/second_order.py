"""Layers that gather what THOR needs: values, parameters, and second moments, where the CPU runs them."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops  # noqa: F401  used by the expressions
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, each, rand


def held(layer: nn.Cell) -> list[tuple]:
    return [(p.name, p.shape, p.requires_grad) for p in layer.get_parameters()]


def gathered(layer: nn.Cell, x: Tensor) -> tuple:
    """The output, the gradient of the weights, and every Parameter after a step."""
    weights = layer.trainable_params()
    step = ms.value_and_grad(lambda x: (layer(x) * layer(x)).sum(), None, weights)
    value, gradients = step(x)
    return value, gradients, {p.name: p.asnumpy() for p in layer.get_parameters()}


def first(layer: nn.Cell, x: Tensor) -> tuple:
    """The output of a call outside of any gradient, and the second moments of the input."""
    return layer(x), layer.matrix_a.asnumpy()


ids = Tensor(np.array([[1, 2, 0], [1, 1, 4]]), ms.int32)
CASES = [
    *each("""
        held(nn.DenseThor(3, 4))
        held(nn.DenseThor(3, 4, has_bias=False))
        held(nn.EmbeddingThor(5, 2))
        str(nn.DenseThor(3, 4))
        str(nn.DenseThor(3, 4, has_bias=False))
        first(nn.EmbeddingThor(5, 2, embedding_table='ones'), ids)
        gathered(nn.EmbeddingThor(5, 2, embedding_table='ones'), ids)
        gathered(nn.EmbeddingThor(5, 2, True, embedding_table='ones'), ids)
    """),
    Case("first(nn.DenseThor(3, 4, 'ones'), x)", x=rand(6, 3)),
    Case("first(nn.DenseThor(3, 4, 'ones', 'ones', activation='relu'), x)", x=rand(6, 3)),
    Case("gathered(nn.DenseThor(3, 4, 'ones', 'ones', activation='relu'), x)", x=rand(6, 3)),
    Case("gathered(nn.DenseThor(3, 2, 'ones', has_bias=False), x)", x=rand(6, 3)),
    *each(
        """
        nn.DenseThor(0, 4)
        nn.DenseThor(3, 4, weight_init=Tensor([1.0]))
        nn.DenseThor(3, 4, bias_init=Tensor([1.0]))
        nn.EmbeddingThor(5, 2, padding_idx=6)
        nn.EmbeddingLookupThor(5, 2, target='x')
        nn.EmbeddingLookupThor(5, 2, sparse=False)
        nn.EmbeddingLookupThor(0, 2)
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.DenseThor(3, 4, has_bias=1)
        nn.EmbeddingThor('a', 2)
        nn.EmbeddingThor(5, 2, use_one_hot=1)
        nn.EmbeddingLookupThor(5, 2, sparse=1)
    """,
        raises=TypeError,
    ),
]
