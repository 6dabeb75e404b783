"""Primitives of diagonals."""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.diagonals import functions

DERIVED = (
    derive("MatrixBandPart", functions.matrix_band_part),
    derive("MatrixDiagPartV3", functions.matrix_diag_part, "align"),
    derive("MatrixDiagV3", functions.matrix_diag, "align"),
    derive("MatrixSetDiagV3", functions.matrix_set_diag, "align"),
)
