"""Cosine transforms: values are recorded in tests/oracle/cases/scipylike.py; of gradients the matrix is the judge."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.scipy import fft


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_the_inverse_is_the_transposed_matrix_and_the_gradient(size: int) -> None:
    unit = Tensor(np.eye(size))
    matrix = fft.dct(unit, axis=0).asnumpy()
    assert np.allclose(fft.idct(unit, axis=0).asnumpy(), matrix.T)
    weights = np.arange(size) + 1.0
    found = ms.grad(lambda x: (fft.dct(x) * Tensor(weights)).sum())(Tensor(np.ones(size)))
    assert np.allclose(found.asnumpy(), matrix.T @ weights)
