"""Primitives of matrices given by their diagonals."""

from msbridge.ops import banded
from msbridge.ops.primitive import derive

__all__ = ["MatrixBandPart", "MatrixDiagPartV3", "MatrixDiagV3", "MatrixSetDiagV3"]

MatrixBandPart = derive("MatrixBandPart", banded.matrix_band_part)
MatrixDiagPartV3 = derive("MatrixDiagPartV3", banded.matrix_diag_part, {"align": "RIGHT_LEFT"})
MatrixDiagV3 = derive("MatrixDiagV3", banded.matrix_diag, {"align": "RIGHT_LEFT"})
MatrixSetDiagV3 = derive("MatrixSetDiagV3", banded.matrix_set_diag, {"align": "RIGHT_LEFT"})
