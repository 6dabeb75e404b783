"""Functions of matrices below linear algebra. Judge: NumPy; for the diagonals MindSpore 2.10."""

import numpy as np
import pytest

from msbridge import CSRTensor, Tensor, int32
from msbridge.scipy.matrices import matrix_set_diag, sparse_dot

MATRIX = CSRTensor(Tensor([0, 1, 3], int32), Tensor([1, 0, 2], int32), Tensor(np.array([1, 2, 3], np.float32)), (2, 3))


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_product_with_a_vector(shape):
    found = sparse_dot(MATRIX, Tensor(np.array([1, 10, 100], np.float32).reshape(shape)))
    assert found.shape == (2, *shape[1:])
    assert found.asnumpy().reshape(-1).tolist() == [10, 302]


def test_diagonals():
    zeros = Tensor(np.zeros((3, 3), np.float32))
    found = matrix_set_diag(zeros, Tensor(np.array([1, 2], np.float32)), k=1)
    assert found.asnumpy().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    both = matrix_set_diag(zeros, Tensor(np.array([[0, 1, 2], [3, 4, 5]], np.float32)), k=(0, 1))
    assert both.asnumpy().tolist() == [[3, 1, 0], [0, 4, 2], [0, 0, 5]]
    with pytest.raises(ValueError, match="k must be"):
        matrix_set_diag(zeros, zeros, k=1.5)
