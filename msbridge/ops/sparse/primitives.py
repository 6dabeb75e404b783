"""Primitives of sparse tensors and their parts."""

from msbridge.core.sparse import CSRTensor
from msbridge.core.tensor import Tensor
from msbridge.ops.primitive import derive
from msbridge.ops.sparse import functions, products

Shape = tuple[int, ...]


def _csr_reduce_sum(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: Shape, axis: int) -> Tensor:
    """Add up the rows."""
    return CSRTensor(indptr, indices, values, dense_shape).sum(axis)


def _csr_mv(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: Shape, dense_tensor: Tensor) -> Tensor:
    """Multiply with a column."""
    return CSRTensor(indptr, indices, values, dense_shape).mv(dense_tensor)


def _csr_mm(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: Shape, dense: Tensor) -> Tensor:
    """Multiply with a matrix."""
    product: Tensor = CSRTensor(indptr, indices, values, dense_shape).mm(dense)
    return product


def _csr_mul(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: Shape, dense_tensor: Tensor) -> Tensor:
    """Multiply the values with what a dense tensor has at their places."""
    product = functions.csr_mul(CSRTensor(indptr, indices, values, dense_shape), dense_tensor)
    return getattr(product, "values", product)  # type: ignore[no-any-return]


def _csr_div(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: Shape, dense_tensor: Tensor) -> Tensor:
    """Divide the values by what a dense tensor has at their places."""
    quotient = functions.csr_div(CSRTensor(indptr, indices, values, dense_shape), dense_tensor)
    return getattr(quotient, "values", quotient)  # type: ignore[no-any-return]


DERIVED = (
    derive("COO2CSR", functions.coo2csr),
    derive("CSR2COO", functions.csr2coo),
    derive("CSRDiv", _csr_div),
    derive("CSRGather", functions.csr_gather),
    derive("CSRMM", _csr_mm),
    derive("CSRMV", _csr_mv),
    derive("CSRMul", _csr_mul),
    derive("CSRReduceSum", _csr_reduce_sum),
    derive("Coalesce", functions.coalesce),
    derive("SparseAddmm", products.sparse_addmm),
    derive("SparseDenseCwiseAdd", products.sparse_dense_add),
    derive("SparseDenseCwiseDiv", products.sparse_dense_div),
    derive("SparseDenseCwiseMul", products.sparse_dense_mul),
    derive("SparseTensorDenseAdd", products.sparse_tensor_dense_add),
    derive("SparseTensorDenseMatmul", products.sparse_tensor_dense_matmul, "adjoint_st adjoint_dt"),
)
