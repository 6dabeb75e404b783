"""Tensors that tables of rows are written with, and their comparison."""

import numpy as np

from msbridge import Tensor


def tensor(values: object, dtype: object = np.float32) -> Tensor:
    return Tensor(np.array(values, dtype))


def f(*shape: int) -> Tensor:
    """0, 1, 2 … in float32."""
    return Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def arange(*shape: int) -> Tensor:
    """0, 0.1, 0.2 … in float32."""
    return Tensor((np.arange(np.prod(shape)).reshape(shape) / 10).astype(np.float32))


def v(values: object) -> Tensor:
    return tensor(values)


def i(values: object) -> Tensor:
    return tensor(values, np.int32)


def i64(values: object) -> Tensor:
    return tensor(values, np.int64)


def b(values: object) -> Tensor:
    return tensor(values, bool)


def close(result: Tensor, expected: object) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=2e-5)
