"""Values that the tests of the layers share."""

import numpy as np

from msbridge import Tensor


def arange(*shape: int) -> Tensor:
    return Tensor((np.arange(np.prod(shape)).reshape(shape) / 10).astype(np.float32))


def close(result: Tensor, expected) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=2e-5)
