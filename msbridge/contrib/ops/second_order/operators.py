"""Operators of THOR; those that only the chip has kernels for compute what they are for, in plain formats.

Follows: mindspore.ops.operations._thor_ops (2.10), which runs on Ascend and GPU; judged by formulas.
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.contrib.ops.second_order import kernels
from msbridge.core.checks.arguments import at_least, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap

Sizes = int | tuple[int, ...]


def _call(fn: Callable[..., torch.Tensor], op: str, *tensors: Tensor, **settings: Any) -> Tensor:
    try:
        return wrap(fn(*(tensor._data for tensor in tensors), **settings))
    except Exception as error:
        raise explain(error, op, input=tensors[0], settings=settings) from error


def _pair(size: Sizes) -> tuple[int, int]:
    return (size, size) if isinstance(size, int) else (size[-2], size[-1])


def thor_im2col(
    input_x: Tensor,
    kernel_size: Sizes,
    pad_mode: str = "valid",
    pad: int = 0,
    stride: Sizes = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return the patches of images under a kernel, (C, kh, kw, N, Ho, Wo)."""

    def compute(images: torch.Tensor) -> torch.Tensor:
        kernel = _pair(kernel_size)
        found, high, wide = kernels.patches(images, kernel, _pair(stride), pad_mode, pad, _pair(dilation))
        return found.transpose(0, 1).reshape(images.shape[1], *kernel, images.shape[0], high, wide)

    return _call(compute, "ThorIm2Col", input_x)


def new_im2col(
    input_x: Tensor,
    ksizes: Sizes,
    padding_mode: str = "SAME",
    strides: Sizes = 1,
    dilations: Sizes = 1,
    pads: int = 0,
) -> Tensor:
    """Return the patches of images under a kernel, (N, Ho, Wo, C·kh·kw)."""

    def compute(images: torch.Tensor) -> torch.Tensor:
        settings = _pair(strides), padding_mode.lower(), pads, _pair(dilations)
        found, high, wide = kernels.patches(images, _pair(ksizes), *settings)
        return found.transpose(1, 2).reshape(images.shape[0], high, wide, -1)

    return _call(compute, "NewIm2Col", input_x)


def load_im2col(
    input_x: Tensor,
    ksizes: Sizes,
    strides: Sizes,
    pad_mode: str = "same",
    dilates: Sizes = (1, 1, 1, 1),
) -> Tensor:
    """Return the patches of images under a kernel, in cubes of 16 × 16.

    The shape is (N, Ho·Wo / 16, C·kh·kw / 16, 16, 16), or (N·Ho·Wo / 16, C·kh·kw / 16, 16, 16) where 16 does not
    divide Ho·Wo.
    """

    def compute(images: torch.Tensor) -> torch.Tensor:
        found, _, _ = kernels.patches(images, _pair(ksizes), _pair(strides), "same", 0, _pair(dilates))
        rows = found.transpose(1, 2)
        if rows.shape[1] % kernels.CUBE:
            rows = rows.flatten(0, 1)
        return rows.unflatten(-1, (-1, kernels.CUBE)).unflatten(-3, (-1, kernels.CUBE)).transpose(-3, -2)

    if pad_mode != "same":
        raise ValueError(f"For 'LoadIm2Col', pad_mode must be 'same', but got {pad_mode!r}.")
    return _call(compute, "LoadIm2Col", input_x)


def cus_img2col(
    input_x: Tensor, ksizes: Sizes, strides: Sizes, dilates: Sizes = (1, 1, 1, 1), mode: str = "NC1HWC0"
) -> Tensor:
    """Return the patches of images under a kernel, (N·Ho·Wo, C1·kh·kw·16), with channels filled up to 16·C1.

    Sizes are (1, height, width, 1).
    """

    def compute(images: torch.Tensor) -> torch.Tensor:
        channels = max(images.shape[1] // kernels.CUBE, 1) * kernels.CUBE
        images = torch.nn.functional.pad(images, (0, 0, 0, 0, 0, channels - images.shape[1]))
        inner = [_pair(size[1:3]) for size in (ksizes, strides, dilates)]  # type: ignore[index]
        found, _, _ = kernels.patches(images, inner[0], inner[1], "same", 0, inner[2])
        split = found.unflatten(1, (channels // kernels.CUBE, kernels.CUBE, -1))
        return split.permute(0, 4, 1, 3, 2).reshape(-1, found.shape[1])

    if mode != "NC1HWC0":
        raise ValueError(f"For 'CusImg2Col', mode must be 'NC1HWC0', but got {mode!r}.")
    return _call(compute, "CusImg2Col", input_x)


def cholesky_trsm(input_x: Tensor, lower: bool = False, clean: bool = True, split_dim: int = 0) -> Tensor:
    """Return X with Xᵀ·X the inverse of a positive definite matrix; with `split_dim`, of its blocks of that size.

    `clean` and `lower` say which triangle the chip reads; the matrix is symmetric.
    """

    def compute(matrix: torch.Tensor) -> torch.Tensor:
        blocks = kernels.inverse_factors(kernels.diagonal_blocks(matrix, split_dim))
        return blocks if split_dim else blocks[0]

    return _call(compute, "CholeskyTrsm", input_x)


def cus_cholesky_trsm(input_x: Tensor) -> Tensor:
    """Return X of each block of 128 with Xᵀ·X its inverse."""
    return _call(
        lambda matrix: kernels.inverse_factors(kernels.diagonal_blocks(matrix, 128)), "CusCholeskyTrsm", input_x
    )


def update_thor_gradient(input_x1: Tensor, input_x2: Tensor, input_x3: Tensor, split_dim: int = 1) -> Tensor:
    """Return the gradient `input_x2` between two matrices that are given as blocks along their diagonals.

    Args:
        input_x1: (rows, size, size), the blocks on the left.
        input_x2: (out, in).
        input_x3: (rows, columns, size, size), the blocks on the right.
        split_dim: the size of blocks, which their shapes say too.
    """
    at_least(split_dim, "split_dim", "UpdateThorGradient", 1)
    return _call(kernels.times_blocks, "UpdateThorGradient", input_x1, input_x2, input_x3)


def cus_batch_mat_mul(input_x: Tensor, input_y: Tensor) -> Tensor:
    """Return x1ᵀ·x2 of each pair of matrices: from inverse factors, the inverses."""
    return _call(lambda x, y: x.mT @ y, "CusBatchMatMul", input_x, input_y)


def cus_mat_mul_cube(input_x: Tensor, input_y: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """Return the product of two matrices in float32."""

    def compute(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x, y = x.float(), y.float()
        return (x.mT if transpose_a else x) @ (y.mT if transpose_b else y)

    return _call(compute, "CusMatMulCube", input_x, input_y)


def cus_mat_mul_cube_dense_left(input_x1: Tensor, input_x2: Tensor) -> Tensor:
    """Return the product of a matrix in cubes and a plain one, in float16."""
    return _call(_multiply_left, "CusMatMulCubeDenseLeft", input_x1, input_x2)


def cus_mat_mul_cube_fracz_left_cast(input_x1: Tensor, input_x2: Tensor) -> Tensor:
    """Return the product of a matrix in cubes and a plain one, in float16."""
    return _call(_multiply_left, "CusMatMulCubeFraczLeftCast", input_x1, input_x2)


def cus_mat_mul_cube_dense_right(input_x1: Tensor, input_x2: Tensor, input_x3: Tensor) -> Tensor:
    """Return the product of a plain matrix and one in cubes, times a scalar, in float32."""
    return _call(_right, "CusMatMulCubeDenseRight", input_x1, input_x2, input_x3)


def cus_mat_mul_cube_fracz_right_mul(input_x1: Tensor, input_x2: Tensor, input_x3: Tensor) -> Tensor:
    """Return the product of a plain matrix and one in cubes, times a scalar, in float32."""
    return _call(_right, "CusMatMulCubeFraczRightMul", input_x1, input_x2, input_x3)


def _multiply_left(cubes: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    product = kernels.from_cubes(cubes).float() @ x.reshape(len(x), -1).float()
    return product.reshape(-1, *x.shape[1:]).half()


def _right(x: torch.Tensor, cubes: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
    product = x.reshape(len(x), -1).float() @ kernels.from_cubes(cubes).float()
    return product.reshape(x.shape) * factor.reshape(()).float()


def cus_matrix_combine(input_x: Tensor) -> Tensor:
    """Return the matrix of which (N, D, D) are the blocks along the diagonal."""
    return _call(lambda blocks: torch.block_diag(*blocks), "CusMatrixCombine", input_x)


def cus_transpose02314(input_x: Tensor) -> Tensor:
    """Return (N, C, H, W) as rows (N·H·W, C); (N, C1, H, W, C0) as (N, H, W, C1, C0). No gradient flows."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        x = x.detach()
        return x.permute(0, 2, 3, 1, 4) if x.dim() == 5 else x.permute(0, 2, 3, 1).reshape(-1, x.shape[1])

    return _call(compute, "CusTranspose02314", input_x)


def cus_fused_abs_max1(input_x: Tensor, origin_shape: tuple[int, int] = (-1, -1)) -> Tensor:
    """Return the largest magnitude: of a matrix as (1,), of other tensors as (32, 64), each element of which is it.

    Beyond `origin_shape`, a matrix of blocks is filled up with the identity, which is part of it.
    """

    def compute(x: torch.Tensor) -> torch.Tensor:
        largest = x.abs().max()
        return largest.reshape(1) if x.dim() == 2 else largest.expand(32, 64).clone()

    if len(origin_shape) != 2:
        raise ValueError(f"For 'CusFusedAbsMax1', origin_shape must have 2 sizes, but got {origin_shape}.")
    return _call(compute, "CusFusedAbsMax1", input_x)


def det_triangle(input_x: Tensor, fill_mode: int = 0) -> Tensor:
    """Return the determinants of triangular matrices: `fill_mode` 0 for lower ones, 1 for upper ones."""
    one_of(fill_mode, "fill_mode", "DetTriangle", (0, 1))
    return _call(lambda x: x.diagonal(dim1=-2, dim2=-1).prod(-1), "DetTriangle", input_x)
