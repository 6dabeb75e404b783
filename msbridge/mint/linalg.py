"""Linear algebra under torch's argument names."""

from msbridge.ops import faces
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.products_and_norms import functions as linalg

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]

inv = faces.face("inv", decomposition.inverse, "input")
qr = faces.face("qr", decomposition.qr, "A mode")
norm = linalg.norm
vector_norm = faces.face("vector_norm", linalg.vector_norm, "x ord dim keepdim * dtype")
matrix_norm = faces.face("matrix_norm", linalg.matrix_norm, "A ord dim keepdim * dtype")
