"""THOR's operators against numpy: they run on no CPU of the real MindSpore."""

import numpy as np
import pytest

from msbridge import Tensor, ops
from msbridge.ops import operations as P

RNG = np.random.default_rng(1)


def positive(size: int) -> np.ndarray:
    root = RNG.normal(size=(size, size + 2))
    return (root @ root.T + np.eye(size)).astype(np.float32)


def close(got: Tensor, wanted: np.ndarray, tolerance: float = 1e-4) -> None:
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=tolerance, atol=tolerance)


def test_inverse_factors_give_the_inverse() -> None:
    matrix = positive(5)
    x = P.CholeskyTrsm()(Tensor(matrix)).asnumpy()
    np.testing.assert_allclose(x.T @ x, np.linalg.inv(matrix), atol=1e-4)


def test_inverse_factors_of_blocks_fill_the_last_one_up() -> None:
    matrix = positive(5)
    x = P.CholeskyTrsm(split_dim=3)(Tensor(matrix)).asnumpy()
    assert x.shape == (2, 3, 3)
    filled = np.eye(3)
    filled[:2, :2] = matrix[3:, 3:]
    np.testing.assert_allclose(x[1].T @ x[1], np.linalg.inv(filled), atol=1e-4)
    assert P.CusCholeskyTrsm()(Tensor(positive(130))).shape == (2, 128, 128)


def test_gradients_stand_between_blocks() -> None:
    left, right, gradient = RNG.normal(size=(2, 3, 3)), RNG.normal(size=(2, 3, 2, 2)), RNG.normal(size=(5, 6))
    wanted = np.zeros((6, 6))
    filled = np.vstack([gradient, np.zeros((1, 6))])
    for i in range(2):
        for j in range(3):
            part = np.s_[3 * i : 3 * i + 3, 2 * j : 2 * j + 2]
            wanted[part] = left[i] @ filled[part] @ right[i, j]
    close(P.UpdateThorGradient(split_dim=3)(*map(Tensor, (left, gradient, right))), wanted[:5])


def patches(images: np.ndarray, size: int) -> np.ndarray:
    """(N, H, W, C, size, size) of images, padded as "same" does."""
    low = (size - 1) // 2
    padded = np.pad(images, ((0, 0), (0, 0), (low, size - 1 - low), (low, size - 1 - low)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_images_become_patches(size: int) -> None:
    images = RNG.normal(size=(2, 3, 4, 4)).astype(np.float32)
    wanted = patches(images, size)
    close(P.ThorIm2Col(kernel_size=size, pad_mode="same")(Tensor(images)), wanted.transpose(3, 4, 5, 0, 1, 2))
    close(P.NewIm2Col(ksizes=(size, size))(Tensor(images)), wanted.reshape(2, 4, 4, -1))
    cut = P.ThorIm2Col(kernel_size=size, stride=2)(Tensor(images))
    assert cut.shape == (3, size, size, 2, (4 - size) // 2 + 1, (4 - size) // 2 + 1)


def test_images_become_cubes() -> None:
    images = RNG.normal(size=(2, 16, 4, 4)).astype(np.float32)
    rows = patches(images, 2).reshape(2, 16, 64)
    cubes = P.LoadIm2Col((2, 2), (1, 1))(Tensor(images))
    close(cubes[1, 0, 3], rows[1, :, 48:])
    assert cubes.shape == (2, 1, 4, 16, 16)
    columns = P.CusImg2Col((1, 2, 2, 1), (1, 1, 1, 1))(Tensor(images[:, :3]))
    assert columns.shape == (32, 64)
    close(columns.reshape(2, 4, 4, 2, 2, 16)[..., :3], patches(images[:, :3], 2).transpose(0, 1, 2, 4, 5, 3))


def test_products_of_matrices_in_cubes() -> None:
    matrix, x = RNG.normal(size=(32, 48)).astype(np.float32), RNG.normal(size=(48, 5)).astype(np.float32)
    cubes = Tensor(matrix.reshape(2, 16, 3, 16).transpose(2, 0, 1, 3))
    for op in (P.CusMatMulCubeDenseLeft(), P.CusMatMulCubeFraczLeftCast()):
        close(op(cubes, Tensor(x)), matrix @ x, 2e-2)
    y = RNG.normal(size=(5, 32)).astype(np.float32)
    square = Tensor(matrix[:, :32].reshape(2, 16, 2, 16).transpose(2, 0, 1, 3))
    for op in (P.CusMatMulCubeDenseRight(), P.CusMatMulCubeFraczRightMul()):
        close(op(Tensor(y), square, Tensor([0.5])), y @ matrix[:, :32] * 0.5)
    close(P.CusMatMulCube(transpose_a=True)(Tensor(matrix), Tensor(matrix)), matrix.T @ matrix)


def test_small_ones() -> None:
    blocks = RNG.normal(size=(2, 3, 3)).astype(np.float32)
    close(P.CusBatchMatMul()(Tensor(blocks), Tensor(blocks)), blocks.transpose(0, 2, 1) @ blocks)
    combined = P.CusMatrixCombine()(Tensor(blocks))
    close(combined[3:, 3:], blocks[1])
    close(combined[3:, :3], np.zeros((3, 3)))
    close(P.DetTriangle()(Tensor(np.tril(blocks))), np.linalg.det(np.tril(blocks)))
    assert P.CusFusedAbsMax1()(P.CusFusedAbsMax1()(Tensor(blocks))).asnumpy() == np.abs(blocks).max()
    images = np.arange(24.0).reshape(1, 2, 3, 4)
    close(P.CusTranspose02314()(Tensor(images)), images.transpose(0, 2, 3, 1).reshape(12, 2))
    assert ops.CusMatMulCube is P.CusMatMulCube
