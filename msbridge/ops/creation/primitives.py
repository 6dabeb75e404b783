"""Primitives that make tensors."""

from collections.abc import Sequence

from msbridge.core.dtype import Type, float32, int32
from msbridge.core.tensor import Tensor
from msbridge.ops.creation import functions as creation
from msbridge.ops.primitive import REQUIRED, derive


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


DERIVED = (
    derive("BartlettWindow", creation.bartlett_window, "periodic dtype", dtype=float32),
    derive("BlackmanWindow", creation.blackman_window, "periodic dtype", dtype=float32),
    derive("Diag", creation.diag),
    derive("DiagPart", creation.diag_part),
    derive("Eye", creation.eye),
    derive("Fill", creation.fill),
    derive("FillV2", _fill_value),
    derive("FillDiagonal", creation.fill_diagonal, "fill_value wrap"),
    derive("Fills", creation.fills),
    derive("HammingWindow", creation.hamming_window, "periodic alpha beta dtype", dtype=float32),
    derive("LinSpace", creation.linspace),
    derive("LogSpace", _logspace, "steps base dtype"),
    derive("Meshgrid", _meshgrid, "indexing"),
    derive("Ones", creation.ones),
    derive("OnesLike", creation.ones_like),
    derive("Range", creation.range, "maxlen"),
    derive("ScalarToArray", creation.scalar_to_array),
    derive("ScalarToTensor", creation.scalar_to_tensor),
    derive("Tril", creation.tril, "diagonal"),
    derive("TrilIndices", _tril_indices, "row col offset dtype"),
    derive("Triu", creation.triu, "diagonal"),
    derive("TriuIndices", _triu_indices, "row col offset dtype"),
    derive("TupleToArray", creation.tuple_to_array),
    derive("Zeros", creation.zeros),
    derive("ZerosLike", creation.zeros_like),
)
