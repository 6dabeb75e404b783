"""Primitives of sparse tensors and their parts."""

from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.sparse import CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import same
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.sparse.sparse_tensors import batched, functions, listed, products, ragged, sets

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


_SETS = "set_operation validate_indices"
_ADJOINTS = "transpose_x1 transpose_x2 adjoint_x1 adjoint_x2 transpose_output conjugate_output"


class DenseToDenseSetOperation(derive("DenseToDenseSetOperation", sets.dense_sets, _SETS)):  # type: ignore[misc]
    """The primitive of `dense_sets`."""

    def __init__(self, set_operation: str = "a-b", validate_indices: bool = True) -> None:
        instance(set_operation, "set_operation", type(self).__name__, str)
        super().__init__(set_operation, boolean(validate_indices, "validate_indices", type(self).__name__))


class DenseToSparseSetOperation(derive("DenseToSparseSetOperation", sets.combine_mixed_sets, _SETS)):  # type: ignore[misc]
    """The primitive of `combine_mixed_sets`."""

    def __init__(self, set_operation: str = "", validate_indices: bool = True) -> None:
        instance(set_operation, "set_operation", type(self).__name__, str)
        super().__init__(set_operation, boolean(validate_indices, "validate_indices", type(self).__name__))


class SparseMatrixSoftmax(derive("SparseMatrixSoftmax", batched.matrix_softmax, "dtype")):  # type: ignore[misc]
    """The primitive of `matrix_softmax`."""

    def __init__(self, dtype: Type) -> None:
        super().__init__(batched.kernel_dtype(dtype))


DERIVED = (
    derive("COO2CSR", functions.coo2csr),
    derive("CSR2COO", functions.csr2coo),
    derive("CSRDiv", _csr_div),
    derive("CSRGather", functions.csr_gather),
    derive("CSRMM", _csr_mm),
    derive("CSRMV", _csr_mv),
    derive("CSRMul", _csr_mul),
    derive("CSRReduceSum", _csr_reduce_sum),
    derive("CSRSparseMatrixToDense", batched.csr_to_dense),
    derive("CSRSparseMatrixToSparseTensor", batched.csr_to_sparse_tensor),
    derive("Coalesce", functions.coalesce),
    derive("DenseToCSRSparseMatrix", batched.dense_to_csr),
    derive("SetSize", sets.set_size, "validate_indices"),
    derive("SparseAdd", listed.sparse_add),
    derive("SparseAddmm", products.sparse_addmm),
    derive("SparseConcat", listed.sparse_concat, "concat_dim"),
    derive("SparseCountSparseOutput", listed.sparse_count, "binary_output minlength maxlength"),
    derive("SparseDenseCwiseAdd", products.sparse_dense_add),
    derive("SparseDenseCwiseDiv", products.sparse_dense_div),
    derive("SparseDenseCwiseMul", products.sparse_dense_mul),
    derive("SparseFillEmptyRows", listed.sparse_fill_empty_rows),
    derive("SparseMatrixAdd", batched.matrix_add),
    derive("SparseMatrixMatMul", batched.matrix_matmul, _ADJOINTS),
    derive("SparseMatrixNNZ", batched.matrix_nnz),
    derive("SparseMatrixSparseMatMul", batched.matrix_sparse_matmul, "transpose_a transpose_b adjoint_a adjoint_b"),
    derive("SparseMatrixTranspose", batched.matrix_transpose, "conjugate"),
    derive("SparseReorder", listed.sparse_reorder),
    derive("SparseReshape", listed.sparse_reshape),
    derive("SparseSlice", listed.sparse_slice),
    derive("SparseSoftmax", listed.sparse_softmax),
    derive("SparseSparseMaximum", listed.sparse_maximum),
    derive("SparseSparseMinimum", listed.sparse_minimum),
    derive("SparseSplit", listed.sparse_split, "num_split"),
    derive("SparseTensorDenseAdd", products.sparse_tensor_dense_add),
    derive("SparseTensorDenseMatmul", products.sparse_tensor_dense_matmul, "adjoint_st adjoint_dt"),
    derive("SparseTensorToCSRSparseMatrix", batched.sparse_tensor_to_csr),
    derive("SparseToDenseV2", listed.sparse_to_dense, "validate_indices"),
    derive("Sspaddmm", listed.sspaddmm),
)

SAME = same(ragged, "RaggedTensorToSparse RaggedTensorToTensor")
