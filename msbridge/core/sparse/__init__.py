"""Sparse tensors: coordinates (COO), compressed rows (CSR), and some rows of a table."""

from msbridge.core.sparse.base import SparseBase
from msbridge.core.sparse.matrices import COOTensor, CSRTensor, SparseTensor
from msbridge.core.sparse.row_tensor import RowTensor, RowTensorInner

__all__ = ["COOTensor", "CSRTensor", "RowTensor", "RowTensorInner", "SparseBase", "SparseTensor"]
