"""mint.linalg. Judge: numpy."""

import numpy as np

from msbridge import Tensor, mint


def test_inverse_and_norms() -> None:
    square = Tensor([[4.0, 1.0], [2.0, 3.0]])
    np.testing.assert_allclose((mint.linalg.inv(square) @ square).asnumpy(), np.eye(2), atol=1e-6)
    norms = np.linalg.norm(square.asnumpy(), axis=1)
    np.testing.assert_allclose(mint.linalg.vector_norm(square, dim=1).asnumpy(), norms, rtol=1e-6)
