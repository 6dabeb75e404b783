"""Linear algebra under torch's argument names."""

from msbridge.ops import faces
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.norms import functions as norms

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]

inv = faces.face("inv", decomposition.inverse, "input")
qr = faces.face("qr", decomposition.qr, "A mode")
norm = norms.norm
vector_norm = faces.face("vector_norm", norms.vector_norm, "x ord dim keepdim * dtype")
matrix_norm = faces.face("matrix_norm", norms.matrix_norm, "A ord dim keepdim * dtype")
