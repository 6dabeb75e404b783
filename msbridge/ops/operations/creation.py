"""Primitives that make tensors."""

from collections.abc import Sequence

from msbridge.core.dtype import Type, float32, int32
from msbridge.core.tensor import Tensor
from msbridge.ops import creation
from msbridge.ops.primitive import REQUIRED, derive

__all__ = [
    "BartlettWindow",
    "BlackmanWindow",
    "Diag",
    "DiagPart",
    "Eye",
    "Fill",
    "FillDiagonal",
    "FillV2",
    "Fills",
    "HammingWindow",
    "LinSpace",
    "LogSpace",
    "Meshgrid",
    "Ones",
    "OnesLike",
    "Range",
    "ScalarToArray",
    "ScalarToTensor",
    "Tril",
    "TrilIndices",
    "Triu",
    "TriuIndices",
    "TupleToArray",
    "Zeros",
    "ZerosLike",
]


def _fill_value(shape: Sequence[int], value: Tensor) -> Tensor:
    """Make a tensor of one value."""
    return creation.full(shape, value, dtype=value.dtype)


def _logspace(start: Tensor, end: Tensor, steps: int = 10, base: int = 10, dtype: Type = float32) -> Tensor:
    """Give `steps` powers of `base`."""
    return creation.logspace(start, end, steps, base, dtype=dtype)


def _meshgrid(inputs: Sequence[Tensor], indexing: str = "xy") -> tuple[Tensor, ...]:
    """Spread vectors over a grid."""
    return creation.meshgrid(*inputs, indexing=indexing)


def _tril_indices(row: int, col: int, offset: int = 0, dtype: Type = int32) -> Tensor:
    """Give rows and columns of what is on and below a diagonal."""
    return creation.tril_indices(row, col, offset, dtype=dtype)


def _triu_indices(row: int, col: int, offset: int = 0, dtype: Type = int32) -> Tensor:
    """Give rows and columns of what is on and above a diagonal."""
    return creation.triu_indices(row, col, offset, dtype=dtype)


_CORNER = {"row": REQUIRED, "col": REQUIRED, "offset": 0, "dtype": int32}

BartlettWindow = derive("BartlettWindow", creation.bartlett_window, {"periodic": True, "dtype": float32})
BlackmanWindow = derive("BlackmanWindow", creation.blackman_window, {"periodic": True, "dtype": float32})
Diag = derive("Diag", creation.diag)
DiagPart = derive("DiagPart", creation.diag_part)
Eye = derive("Eye", creation.eye)
Fill = derive("Fill", creation.fill)
FillV2 = derive("FillV2", _fill_value)
FillDiagonal = derive("FillDiagonal", creation.fill_diagonal, {"fill_value": REQUIRED, "wrap": False})
Fills = derive("Fills", creation.fills)
HammingWindow = derive(
    "HammingWindow", creation.hamming_window, {"periodic": True, "alpha": 0.54, "beta": 0.46, "dtype": float32}
)
LinSpace = derive("LinSpace", creation.linspace)
LogSpace = derive("LogSpace", _logspace, {"steps": 10, "base": 10, "dtype": float32})
Meshgrid = derive("Meshgrid", _meshgrid, {"indexing": "xy"})
Ones = derive("Ones", creation.ones)
OnesLike = derive("OnesLike", creation.ones_like)
Range = derive("Range", creation.range, {"maxlen": 1000000})
ScalarToArray = derive("ScalarToArray", creation.scalar_to_array)
ScalarToTensor = derive("ScalarToTensor", creation.scalar_to_tensor)
Tril = derive("Tril", creation.tril, {"diagonal": 0})
TrilIndices = derive("TrilIndices", _tril_indices, _CORNER)
Triu = derive("Triu", creation.triu, {"diagonal": 0})
TriuIndices = derive("TriuIndices", _triu_indices, _CORNER)
TupleToArray = derive("TupleToArray", creation.tuple_to_array)
Zeros = derive("Zeros", creation.zeros)
ZerosLike = derive("ZerosLike", creation.zeros_like)
