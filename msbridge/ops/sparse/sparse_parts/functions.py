"""Sparse tensors of their parts, and the parts of sparse tensors."""

from msbridge.core.sparse import COOTensor, CSRTensor, RowTensor, RowTensorInner
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.sparse.sparse_tensors.kinds import of_kind


def make_coo_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> COOTensor:
    """Return a COOTensor of its parts.

    Args:
        indices: coordinates, (n, rank); Int16, Int32 or Int64.
        values: shape (n,).
        dense_shape: that of the whole.

    Returns:
        A COOTensor of shape `dense_shape` and the dtype of `values`.

    Follows: mindspore.ops.make_coo_tensor (2.10).
    """
    return COOTensor(indices, values, dense_shape)


def make_sparse_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> COOTensor:
    """Return a COOTensor of its parts: the older name of `make_coo_tensor`.

    Args:
        indices: coordinates, (n, rank); Int16, Int32 or Int64.
        values: shape (n,).
        dense_shape: that of the whole.

    Returns:
        A COOTensor of shape `dense_shape` and the dtype of `values`.

    Follows: mindspore.ops.make_sparse_tensor (2.10).
    """
    return COOTensor(indices, values, dense_shape)


def make_csr_tensor(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> CSRTensor:
    """Return a CSRTensor of its parts.

    Args:
        indptr: where each row begins, (rows + 1,); Int16, Int32 or Int64.
        indices: the columns, (n,), likewise.
        values: shape (n, ...).
        dense_shape: that of the whole.

    Returns:
        A CSRTensor of shape `dense_shape` and the dtype of `values`.

    Follows: mindspore.ops.make_csr_tensor (2.10).
    """
    return CSRTensor(indptr, indices, values, dense_shape)


def make_row_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> RowTensor:
    """Return a RowTensor of its parts.

    Args:
        indices: the numbers of the rows, (n,); integers.
        values: the rows, (n, ...).
        dense_shape: that of the whole.

    Returns:
        A RowTensor of shape `dense_shape` and the dtype of `values`.

    Follows: mindspore.ops.make_row_tensor (2.10), which returns a tuple where it is compiled.
    """
    return RowTensor(indices, values, dense_shape)


def make_row_tensor_inner(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> RowTensorInner:
    """Return a RowTensorInner of its parts.

    Args:
        indices: the numbers of the rows, (n,); integers.
        values: the rows, (n, ...).
        dense_shape: that of the whole.

    Returns:
        A RowTensorInner of shape `dense_shape` and the dtype of `values`.

    Follows: mindspore.ops.make_row_tensor_inner (2.10), which returns a tuple where it is compiled.
    """
    return RowTensorInner(indices, values, dense_shape)


def coo_tensor_get_indices(x: COOTensor) -> Tensor:
    """Return the coordinates of a COOTensor.

    Args:
        x: a COOTensor.

    Returns:
        A Tensor of shape (n, rank).
    """
    return of_kind(x, COOTensor, "coo_tensor_get_indices").indices


def coo_tensor_get_values(x: COOTensor) -> Tensor:
    """Return the values of a COOTensor.

    Args:
        x: a COOTensor.

    Returns:
        A Tensor of shape (n,).
    """
    return of_kind(x, COOTensor, "coo_tensor_get_values").values


def coo_tensor_get_dense_shape(x: COOTensor) -> tuple[int, ...]:
    """Return the shape of a COOTensor.

    Args:
        x: a COOTensor.

    Returns:
        A tuple of ints.
    """
    return of_kind(x, COOTensor, "coo_tensor_get_dense_shape").shape


def csr_tensor_get_indptr(x: CSRTensor) -> Tensor:
    """Return the starts of the rows of a CSRTensor.

    Args:
        x: a CSRTensor.

    Returns:
        A Tensor of shape (rows + 1,).
    """
    return of_kind(x, CSRTensor, "csr_tensor_get_indptr").indptr


def csr_tensor_get_indices(x: CSRTensor) -> Tensor:
    """Return the columns of a CSRTensor's values.

    Args:
        x: a CSRTensor.

    Returns:
        A Tensor of shape (n,).
    """
    return of_kind(x, CSRTensor, "csr_tensor_get_indices").indices


def csr_tensor_get_values(x: CSRTensor) -> Tensor:
    """Return the values of a CSRTensor.

    Args:
        x: a CSRTensor.

    Returns:
        A Tensor of shape (n, ...).
    """
    return of_kind(x, CSRTensor, "csr_tensor_get_values").values


def csr_tensor_get_dense_shape(x: CSRTensor) -> tuple[int, ...]:
    """Return the shape of a CSRTensor.

    Args:
        x: a CSRTensor.

    Returns:
        A tuple of ints.
    """
    return of_kind(x, CSRTensor, "csr_tensor_get_dense_shape").shape


def row_tensor_get_indices(x: RowTensorInner) -> Tensor:
    """Return the numbers of the rows that a RowTensor has.

    Args:
        x: a RowTensorInner.

    Returns:
        A Tensor of shape (n,).
    """
    return of_kind(x, RowTensorInner, "row_tensor_get_indices").indices


def row_tensor_get_values(x: RowTensorInner) -> Tensor:
    """Return the rows of a RowTensor.

    Args:
        x: a RowTensorInner.

    Returns:
        A Tensor of shape (n, ...).
    """
    return of_kind(x, RowTensorInner, "row_tensor_get_values").values


def row_tensor_get_dense_shape(x: RowTensorInner) -> tuple[int, ...]:
    """Return the shape of the whole tensor of a RowTensor.

    Args:
        x: a RowTensorInner.

    Returns:
        A tuple of ints.
    """
    return of_kind(x, RowTensorInner, "row_tensor_get_dense_shape").dense_shape
