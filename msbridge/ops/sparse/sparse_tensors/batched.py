"""Operators on batches of matrices with compressed rows, given by five tensors.

Those are the dense shape, (rows, columns) or (batch, rows, columns); where each matrix begins among the values; where
each row begins among its matrix's values; the columns; and the values.
"""

from typing import Any, NamedTuple

import torch

from msbridge.core.sparse import kernels
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float32, float64
from msbridge.core.types.promotion import promote
from msbridge.ops.sparse.sparse_tensors.computing import compute
from msbridge.ops.sparse.sparse_tensors.coordinates import sizes

__all__ = [
    "csr_to_dense",
    "csr_to_sparse_tensor",
    "dense_to_csr",
    "kernel_dtype",
    "matrix_add",
    "matrix_matmul",
    "matrix_nnz",
    "matrix_softmax",
    "matrix_sparse_matmul",
    "matrix_transpose",
    "sparse_tensor_to_csr",
]

Data = torch.Tensor
Five = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


class Block(NamedTuple):
    """A batch as one block matrix: the number of each value's row among all rows, its column, and the value."""

    shape: Data
    sizes: tuple[int, int, int]
    rows: Data
    columns: Data
    values: Data
    dtype: torch.dtype


def _read(shape: Data, batches: Data, starts: Data, columns: Data, values: Data) -> Block:
    *batch, height, width = sizes(shape)
    count = batch[0] if batch else 1
    offsets = batches[:-1, None] if batches.ndim else batches.new_zeros(1, 1)  # the count of one matrix
    begins = (starts.reshape(count, height + 1)[:, :-1].long() + offsets.long()).reshape(-1)
    rows = kernels.row_numbers(begins, len(values)) if len(begins) else begins
    return Block(shape, (count, height, width), rows, columns.long(), values, columns.dtype)


def _write_batches(
    shape: Data, count: int, height: int, rows: Data, columns: Data, values: Data, dtype: torch.dtype
) -> Any:
    """Return the five tensors of values that are sorted by row."""
    begins = kernels.row_starts(rows, count * height)
    batches = begins[::height]
    starts = torch.stack([begins[one * height : (one + 1) * height + 1] - batches[one] for one in range(count)])
    return shape.to(dtype), batches.to(dtype), starts.reshape(-1).to(dtype), columns.to(dtype), values


def csr_to_sparse_tensor(
    x_dense_shape: Tensor, x_batch_pointers: Tensor, x_row_pointers: Tensor, x_col_indices: Tensor, x_values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the coordinates, the values and the shape.

    Follows: mindspore.ops.operations.sparse_ops.CSRSparseMatrixToSparseTensor (2.10).
    """
    inputs = (x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return compute(_to_list, "CSRSparseMatrixToSparseTensor", *inputs)  # type: ignore[no-any-return]


def _to_list(*parts: Data) -> tuple[Data, Data, Data]:
    block = _read(*parts)
    return _places(block).to(block.dtype), block.values, block.shape


def _places(block: Block) -> Data:
    _, height, _ = block.sizes
    if len(block.shape) == 2:
        return torch.stack((block.rows, block.columns), 1)
    return torch.stack((block.rows // height, block.rows % height, block.columns), 1)


def csr_to_dense(
    x_dense_shape: Tensor, x_batch_pointers: Tensor, x_row_pointers: Tensor, x_col_indices: Tensor, x_values: Tensor
) -> Tensor:
    """Return the dense matrices.

    Follows: mindspore.ops.operations.sparse_ops.CSRSparseMatrixToDense (2.10).
    """
    inputs = (x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return compute(_to_dense, "CSRSparseMatrixToDense", *inputs)  # type: ignore[no-any-return]


def _to_dense(*parts: Data) -> Data:
    block = _read(*parts)
    return kernels.add_to_dense(None, _places(block), block.values, sizes(block.shape))


def dense_to_csr(dense_input: Tensor, indices: Tensor) -> Five:
    """Return the elements of dense matrices at given coordinates, which are sorted.

    Follows: mindspore.ops.operations.sparse_ops.DenseToCSRSparseMatrix (2.10).
    """
    return compute(_of_dense, "DenseToCSRSparseMatrix", dense_input, indices)  # type: ignore[no-any-return]


def _of_dense(dense: Data, at: Data) -> Any:
    return _of_list(at, dense[at.long().unbind(1)], at.new_tensor(dense.shape))


def sparse_tensor_to_csr(x_indices: Tensor, x_values: Tensor, x_dense_shape: Tensor) -> Five:
    """Compress the rows of sorted coordinates.

    Follows: mindspore.ops.operations.sparse_ops.SparseTensorToCSRSparseMatrix (2.10).
    """
    inputs = (x_indices, x_values, x_dense_shape)
    return compute(_of_list, "SparseTensorToCSRSparseMatrix", *inputs)  # type: ignore[no-any-return]


def _of_list(at: Data, values: Data, shape: Data) -> Any:
    *batch, height, _ = sizes(shape)
    places = at.long()
    rows = places[:, 0] * height + places[:, 1] if batch else places[:, 0]
    return _write_batches(shape, batch[0] if batch else 1, height, rows, places[:, -1], values, at.dtype)


def matrix_nnz(
    x_dense_shape: Tensor, x_batch_pointers: Tensor, x_row_pointers: Tensor, x_col_indices: Tensor, x_values: Tensor
) -> Tensor:
    """Return the number of values of each matrix, Int32.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixNNZ (2.10).
    """
    inputs = (x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return compute(_nnz, "SparseMatrixNNZ", *inputs)  # type: ignore[no-any-return]


def _nnz(_: Data, batches: Data, *rest: Data) -> Data:
    return batches.diff().int()


def matrix_softmax(
    x_dense_shape: Tensor,
    x_batch_pointers: Tensor,
    x_row_pointers: Tensor,
    x_col_indices: Tensor,
    x_values: Tensor,
    dtype: Type = float32,
) -> Five:
    """Return the exponentials of the values, scaled to sum to one within each row.

    Args:
        x_dense_shape: the shape.
        x_batch_pointers: where each matrix begins.
        x_row_pointers: where each row begins.
        x_col_indices: the columns.
        x_values: the values.
        dtype: MindSpore's dtype of the kernel, float32 or float64; the values keep theirs.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixSoftmax (2.10).
    """
    kernel_dtype(dtype)
    inputs = (x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return compute(_softmax, "SparseMatrixSoftmax", *inputs)  # type: ignore[no-any-return]


def kernel_dtype(dtype: Any) -> Type:
    """Return `dtype`, float32 or float64.

    Raises:
        TypeError: it is something else.
    """
    if dtype not in (float32, float64):
        raise TypeError(f"For 'SparseMatrixSoftmax', dtype must be float32 or float64, got {dtype!r}.")
    return dtype  # type: ignore[no-any-return]


def _softmax(*parts: Data) -> tuple[Data, ...]:
    block = _read(*parts)
    count, height, _ = block.sizes
    return *parts[:4], kernels.row_softmax(block.rows, block.values, count * height)


def matrix_transpose(
    x_dense_shape: Tensor,
    x_batch_pointers: Tensor,
    x_row_pointers: Tensor,
    x_col_indices: Tensor,
    x_values: Tensor,
    conjugate: bool = False,
) -> Five:
    """Transpose each matrix, and conjugate it if that is wanted.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixTranspose (2.10).
    """
    inputs = (x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return compute(_transpose, "SparseMatrixTranspose", *inputs, is_conjugate=conjugate)  # type: ignore[no-any-return]


def _transpose(*parts: Data, is_conjugate: bool) -> Any:
    block = _transpose_block(_read(*parts), True, is_conjugate)
    count, height, _ = block.sizes
    return _write_batches(block.shape, count, height, block.rows, block.columns, block.values, block.dtype)


def _transpose_block(block: Block, is_transposed: bool, is_conjugate: bool) -> Block:
    """Return the block of the transposed matrices, sorted by row."""
    if is_conjugate:
        block = block._replace(values=block.values.conj().resolve_conj())
    if not is_transposed:
        return block
    count, height, width = block.sizes
    rows = block.rows // height * width + block.columns
    order = rows.argsort(stable=True)
    shape = torch.cat((block.shape[:-2], block.shape[-2:].flip(0)))
    columns = (block.rows % height)[order]
    return Block(shape, (count, width, height), rows[order], columns, block.values[order], block.dtype)


def matrix_matmul(
    x1_dense_shape: Tensor,
    x1_batch_pointers: Tensor,
    x1_row_pointers: Tensor,
    x1_col_indices: Tensor,
    x1_values: Tensor,
    x2_dense: Tensor,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    adjoint_x1: bool = False,
    adjoint_x2: bool = False,
    transpose_output: bool = False,
    conjugate_output: bool = False,
) -> Tensor:
    """Multiply sparse matrices with dense ones; `adjoint` transposes and conjugates.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixMatMul (2.10).
    """
    inputs = (x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense)
    turns = (transpose_x1, transpose_x2, adjoint_x1, adjoint_x2, transpose_output, conjugate_output)
    return compute(_matmul, "SparseMatrixMatMul", *inputs, turns=turns)  # type: ignore[no-any-return]


def _matmul(*parts: Data, turns: tuple[bool, ...]) -> Data:
    turn1, turn2, adjoint1, adjoint2, turn_result, conjugate = turns
    block = _transpose_block(_read(*parts[:5]), turn1 or adjoint1, adjoint1)
    dense = parts[5].conj() if adjoint2 else parts[5]
    dense = dense.mT if turn2 or adjoint2 else dense
    count, height, width = block.sizes
    values, flat = promote(block.values, dense.reshape(count * width, -1))
    columns = block.rows // height * width + block.columns
    product = kernels.row_products(block.rows, columns, values, flat, count * height)
    result = product.reshape(*dense.shape[:-2], height, -1)
    result = result.mT if turn_result else result
    return result.conj().resolve_conj() if conjugate else result


def matrix_sparse_matmul(
    x1_dense_shape: Tensor,
    x1_batch_pointers: Tensor,
    x1_row_pointers: Tensor,
    x1_col_indices: Tensor,
    x1_values: Tensor,
    x2_dense_shape: Tensor,
    x2_batch_pointers: Tensor,
    x2_row_pointers: Tensor,
    x2_col_indices: Tensor,
    x2_values: Tensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> Five:
    """Multiply sparse matrices with sparse ones; `adjoint` transposes and conjugates.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixSparseMatMul (2.10), whose kernel is the GPU's; the judge
        is numpy.
    """
    left = (x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values)
    right = (x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values)
    turns = (transpose_a, transpose_b, adjoint_a, adjoint_b)
    return compute(_sparse_matmul, "SparseMatrixSparseMatMul", *left, *right, turns=turns)  # type: ignore[no-any-return]


def _sparse_matmul(*parts: Data, turns: tuple[bool, ...]) -> Any:
    left = _transpose_block(_read(*parts[:5]), turns[0] or turns[2], turns[2])
    right = _transpose_block(_read(*parts[5:]), turns[1] or turns[3], turns[3])
    count, height, inner = left.sizes
    if right.sizes[:2] != (count, inner):
        raise ValueError(f"the shapes {sizes(left.shape)} and {sizes(right.shape)} cannot be multiplied.")
    width = right.sizes[2]
    columns = left.rows // height * inner + left.columns
    first = (kernels.row_starts(left.rows, count * height), columns, left.values)
    second = (kernels.row_starts(right.rows, count * inner), right.columns, right.values)
    starts, found, values = kernels.csr_product(first, second, width)
    shape = torch.cat((left.shape[:-1], right.shape[-1:].to(left.shape)))
    rows = kernels.row_numbers(starts, len(values))
    return _write_batches(shape, count, height, rows, found, values, left.dtype)


def matrix_add(
    x1_dense_shape: Tensor,
    x1_batch_pointers: Tensor,
    x1_row_pointers: Tensor,
    x1_col_indices: Tensor,
    x1_values: Tensor,
    x2_dense_shape: Tensor,
    x2_batch_pointers: Tensor,
    x2_row_pointers: Tensor,
    x2_col_indices: Tensor,
    x2_values: Tensor,
    alpha: Tensor,
    beta: Tensor,
) -> Five:
    """Return alpha·x1 + beta·x2; zeros that come out are kept.

    Follows: mindspore.ops.operations.sparse_ops.SparseMatrixAdd (2.10).
    """
    left = (x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values)
    right = (x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values)
    return compute(_add, "SparseMatrixAdd", *left, *right, alpha, beta)  # type: ignore[no-any-return]


def _add(*parts: Data) -> Any:
    left, right = _read(*parts[:5]), _read(*parts[5:10])
    alpha, beta = parts[10:]
    if left.sizes != right.sizes:
        raise ValueError(f"the shapes must be the same, got {sizes(left.shape)} and {sizes(right.shape)}.")
    count, height, width = left.sizes
    first, second = ((kernels.row_starts(one.rows, count * height), one.columns, one.values) for one in (left, right))
    starts, columns, values = kernels.csr_sum(first, second, alpha, beta, (count * height, width))
    rows = kernels.row_numbers(starts, len(values))
    return _write_batches(left.shape, count, height, rows, columns, values, left.dtype)
