"""Layers of sparse tensors."""

from typing import Any

from msbridge.core.checks.arguments import boolean
from msbridge.core.sparse import COOTensor, SparseTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.ops.operations import SparseTensorDenseMatmul as Matmul
from msbridge.ops.operations import SparseToDense as ToDense

__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]


class SparseToDense(Cell):
    """Turn a sparse tensor into a dense one.

    Inputs:
        sparse_tensor: a COOTensor of two axes.

    Outputs:
        A Tensor of its shape and dtype.

    Follows: mindspore.nn.SparseToDense (2.10).
    """

    def __init__(self) -> None:
        super().__init__()
        self.sparse_to_dense = ToDense()

    def construct(self, sparse_tensor: COOTensor | SparseTensor) -> Tensor:
        return self.sparse_to_dense(sparse_tensor.indices, sparse_tensor.values, sparse_tensor.shape)


class SparseTensorDenseMatmul(Cell):
    """Multiply a sparse matrix, given by its parts, with a dense one.

    Args:
        adjoint_st: transpose the sparse matrix first.
        adjoint_dt: transpose the dense matrix first.

    Inputs:
        indices: shape (n, 2), Int32 or Int64: row and column of each value.
        values: shape (n,).
        sparse_shape: the shape of the sparse matrix, a tuple of two ints.
        dense: a matrix of the dtype of `values`.

    Outputs:
        A Tensor of two axes and the dtype of `values`.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.nn.SparseTensorDenseMatmul (2.10).
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None:
        super().__init__()
        self.adj_st = boolean(adjoint_st, "adjoint_st", "SparseTensorDenseMatmul")
        self.adj_dt = boolean(adjoint_dt, "adjoint_dt", "SparseTensorDenseMatmul")
        self.sparse_dense_matmul = Matmul(adjoint_st=adjoint_st, adjoint_dt=adjoint_dt)

    def construct(self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor) -> Tensor:
        return self.sparse_dense_matmul(indices, values, sparse_shape, dense)
