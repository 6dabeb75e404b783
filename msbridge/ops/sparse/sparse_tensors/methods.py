"""Methods of Tensor that make sparse tensors."""

from msbridge.core.sparse import COOTensor, CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.sparse.sparse_tensors import functions


def to_coo(self: Tensor) -> COOTensor:
    """Return what of a matrix is not zero, with its coordinates.

    Raises:
        ValueError: the tensor has not two axes.

    Follows: mindspore.Tensor.to_coo (2.10).
    """
    return functions.dense_to_sparse_coo(self)


def to_csr(self: Tensor) -> CSRTensor:
    """Return what of a matrix is not zero, row by row.

    Raises:
        ValueError: the tensor has not two axes.

    Follows: mindspore.Tensor.to_csr (2.10).
    """
    return functions.dense_to_sparse_csr(self)
