"""Parts of sparse tensors as they were: their values came without gradients."""

from msbridge.core.sparse import COOTensor, CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.control.functions import stop_gradient
from msbridge.ops.sparse.sparse_parts import functions as sparse_parts


def coo_tensor_get_values(x: COOTensor) -> Tensor:
    """Return the values of a COOTensor, without a gradient.

    Follows: mindspore.ops.coo_tensor_get_values (2.0).
    """
    values: Tensor = stop_gradient(sparse_parts.coo_tensor_get_values(x))
    return values


def csr_tensor_get_values(x: CSRTensor) -> Tensor:
    """Return the values of a CSRTensor, without a gradient.

    Follows: mindspore.ops.csr_tensor_get_values (2.0).
    """
    values: Tensor = stop_gradient(sparse_parts.csr_tensor_get_values(x))
    return values


OVERRIDES = {
    "ops.coo_tensor_get_values": coo_tensor_get_values,
    "ops.csr_tensor_get_values": csr_tensor_get_values,
}
