"""Methods of Tensor: the functions themselves where the arguments are the same."""

from msbridge.ops.faces import face
from msbridge.ops.sparse.sparse_tensors import functions as sparse_tensors

FACES = (
    face("to_coo", sparse_tensors.dense_to_sparse_coo, "self"),
    face("to_csr", sparse_tensors.dense_to_sparse_csr, "self"),
)
